"""Takes the pictures of the page that stand in docs/: run by make screens."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from tests.web.house import ARGUMENTS, CHROMIUM, House, Visitor  # noqa: E402

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}


def front(visitor: Visitor) -> None:
    """The front page."""
    visitor.visit()
    expect(visitor.page.locator(".card").first).to_be_visible()


def game(visitor: Visitor) -> None:
    """A game with the worth of every move."""
    visitor.start("Any size")
    visitor.click(14, 21, 20, 8)
    visitor.page.get_by_role("switch", name="Value of every move").check()
    visitor.page.get_by_role("switch", name="Evaluation").check()
    expect(visitor.page.locator(".cell.heat").first).to_be_visible()


def duel(visitor: Visitor) -> None:
    """The Duel in its middle."""
    visitor.start("Duel")
    visitor.click(14, 28, 20, 22, 13, 23, 8, 29, 21, 27)


def gomoku(visitor: Visitor) -> None:
    """Gomoku."""
    visitor.start("Gomoku")
    visitor.click(112, 97, 98, 126, 84, 70, 113, 114, 128, 143, 99)


def cube(visitor: Visitor) -> None:
    """The cube, won."""
    visitor.start("3-D")
    visitor.click(0, 17, 21, 22, 42, 26, 63)
    expect(visitor.page.locator(".cube-canvas canvas")).to_be_visible()


def hex_board(visitor: Visitor) -> None:
    """Hex, won."""
    visitor.start("Hex")
    visitor.click(24, 25, 30, 31, 17, 18, 11, 10, 5, 4, 37, 38, 43)


def review(visitor: Visitor) -> None:
    """The review of a game."""
    visitor.start("Tic-tac-toe")
    visitor.click(0, 1, 8, 3, 2, 5, 4)
    visitor.page.get_by_role("link", name="Review the game").click()
    visitor.button("Review every move").click()
    visitor.moves.nth(1).get_by_role("button").click()
    expect(visitor.page.locator(".verdict")).to_be_visible()


def openings(visitor: Visitor) -> None:
    """An opening map."""
    visitor.visit("/openings?game=hex%2Csize%3D4")
    expect(visitor.page.locator(".cell.heat").first).to_be_visible()


SCREENS = {
    "front": (front, DESKTOP, "light"),
    "game": (game, DESKTOP, "light"),
    "duel-dark": (duel, DESKTOP, "dark"),
    "gomoku": (gomoku, DESKTOP, "light"),
    "cube": (cube, DESKTOP, "light"),
    "hex-dark": (hex_board, DESKTOP, "dark"),
    "review": (review, DESKTOP, "light"),
    "openings": (openings, DESKTOP, "light"),
    "phone-front-dark": (front, PHONE, "dark"),
    "phone-gomoku": (gomoku, PHONE, "light"),
}


def main() -> None:
    """Take them all."""
    folder = DOCS / "screens"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        house = House(Path(place))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for name, (arrive, size, colours) in SCREENS.items():
            context = browser.new_context(viewport=size, color_scheme=colours, reduced_motion="reduce")
            visitor = Visitor(house, context)
            arrive(visitor)
            # Away with the pointer's hover, and time for the last picture of the 3-D view.
            visitor.page.mouse.move(1, 1)
            visitor.page.wait_for_timeout(400)
            visitor.page.screenshot(path=folder / f"{name}.png")
            assert visitor.errors == [], visitor.errors
            context.close()
            print(f"docs/screens/{name}.png")
        browser.close()
        house.close()


if __name__ == "__main__":
    main()
