"""A server of its own for the tests, and visitors who see it through a browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

CHROMIUM = os.environ.get("NOUGHTS_CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run")
PATIENCE = 20_000
"""Milliseconds that a test waits for what must come; a machine may be busy."""

expect.set_options(timeout=PATIENCE)


class House:
    """A ``noughts serve`` with its own database, which can go down and come back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.address = ""
        self.process: subprocess.Popen[str] | None = None
        self.open()

    def open(self) -> None:
        """Serve, on the same port as before."""
        flags = {"port": self.port, "database": self.folder / "games.db", "rate": 0, "log": "error"}
        flags |= {"ai-seconds": 0.3, "analysis-seconds": 2, "connections": 0}
        command = [sys.executable, "-m", "noughts", "serve"]
        command += [part for name, value in flags.items() for part in (f"--{name}", str(value))]
        with (self.folder / "errors.txt").open("a") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, f"the server did not come up: {line!r} {(self.folder / 'errors.txt').read_text()}"
        self.port, self.address = int(found[1]), found[0]

    def close(self) -> None:
        """Go down."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


class Visitor:
    """A page in a browser, and what people do on it."""

    def __init__(self, house: House, context: BrowserContext) -> None:
        self.house, self.context = house, context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.forgiven: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def forgive(self, pattern: str) -> None:
        """Expect an error that the browser itself writes, as it does for every refused request."""
        self.forgiven.append(pattern)

    @property
    def unforgiven(self) -> list[str]:
        """The console errors that no test asked for."""
        return [text for text in self.errors if not any(re.search(pattern, text) for pattern in self.forgiven)]

    def visit(self, path: str = "/") -> None:
        """Open an address."""
        self.page.goto(self.house.address + path)

    def setup(self, card: str, opponent: str = "Friend here", level: str = "Easy") -> None:
        """Choose on the front page what to play."""
        self.visit()
        self.page.get_by_role("radio", name=re.compile(f"^{card}")).check()
        self.page.get_by_role("radio", name=opponent, exact=True).check()
        if opponent == "Computer":
            self.page.get_by_role("radio", name=level, exact=True).check()

    def begin(self) -> None:
        """Press the button that begins the game."""
        self.page.get_by_role("button", name="Play", exact=True).click()
        expect(self.page.get_by_role("grid")).to_be_visible()

    def start(self, card: str, opponent: str = "Friend here", level: str = "Easy") -> None:
        """Begin a game from the front page."""
        self.setup(card, opponent, level)
        self.begin()

    def cell(self, index: int) -> Locator:
        """A cell of the board."""
        return self.page.locator(f'[data-cell="{index}"]')

    @property
    def status(self) -> Locator:
        """What the status line says."""
        return self.page.locator(".status-line")

    @property
    def moves(self) -> Locator:
        """The entries of the list of moves."""
        return self.page.locator(".moves li")

    @property
    def heard(self) -> Locator:
        """What a screen reader was told last, politely."""
        return self.page.locator(".unseen [role=status]")

    def click(self, *cells: int) -> None:
        """Play cells with the mouse, waiting for each to be accepted."""
        for cell in cells:
            before = self.moves.count()
            self.cell(cell).click()
            expect(self.moves).to_have_count(before + 1)

    def button(self, name: str) -> Locator:
        """A button by its words."""
        return self.page.get_by_role("button", name=name, exact=True)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.page.locator(".status.is-over").count() > 0

    def await_turn(self) -> bool:
        """Wait until something can be played; false if the game is over instead."""
        self.page.wait_for_selector(".cell.is-legal, .status.is-over, .board-tools .is-main")
        return not self.is_over()

    def tab_to(self, target: Locator, *, most: int = 80) -> None:
        """Press Tab until the focus is there."""
        for _ in range(most):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {target}")

    def key_to(self, target: int, cols: int, rows: int) -> None:
        """Go to a cell with the arrow keys."""
        at = int(self.page.evaluate("document.activeElement.dataset.cell"))
        (layer, row, col), (to_layer, to_row, to_col) = (
            (cell // (cols * rows), cell // cols % rows, cell % cols) for cell in (at, target)
        )
        for key, count in (
            ("PageDown" if to_layer > layer else "PageUp", abs(to_layer - layer)),
            ("ArrowDown" if to_row > row else "ArrowUp", abs(to_row - row)),
            ("ArrowRight" if to_col > col else "ArrowLeft", abs(to_col - col)),
        ):
            for _ in range(count):
                self.page.keyboard.press(key)
