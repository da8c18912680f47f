"""The screen: plain text for pipes and screen readers, colour where there is a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from noughts.compute.limits import OnProgress
from noughts.core import Mark, Position
from noughts.terminal import words

__all__ = ["Screen"]

_COLOURS = (
    "bright_cyan",
    "bright_yellow",
    "bright_magenta",
    "bright_blue",
    "bright_green",
    "orange1",
    "pink1",
    "white",
)
_MARK_COLOURS = {"R": "bright_red", "G": "bright_green"}


class Screen:
    """Where a game is shown and its commands are read."""

    def __init__(self, *, plain: bool = False, details: bool = False, console: Console | None = None) -> None:
        if console is None:
            plain = plain or "NO_COLOR" in os.environ or not sys.stdout.isatty()
            console = Console(highlight=False, soft_wrap=True, no_color=plain, force_terminal=not plain)
        self.plain = plain
        self.details = details
        """Whether to show the figures behind moves: values, positions looked at, seconds."""
        self._console = console

    def say(self, text: str = "", *, style: str = "") -> None:
        """Print a line."""
        self._console.print(escape(text) if self.plain or not style else f"[{style}]{escape(text)}[/]")

    def show(self, markup: str) -> None:
        """Print a line that may hold styles, as Rich writes them."""
        self._console.print(markup)

    def board(self, position: Position) -> None:
        """Draw a position, with colours, the last move and what decided the game standing out."""
        if self.plain:
            self.say(str(position))
            return
        decided = frozenset(position.outcome.cells) if position.outcome else frozenset()

        def symbol(cell: int) -> str:
            mark = position.cells.get(cell)
            if mark is None:
                return "[dim]·[/]"
            loud = " reverse" if cell in decided and position.outcome and position.outcome.tiles is None else ""
            last = " underline" if cell == position.last else ""
            return f"[bold {self.colour(position, mark)}{loud}{last}]{escape(mark)}[/]"

        self._console.print(position.drawing(symbol))

    def colour(self, position: Position, mark: Mark) -> str:
        """The colour of a mark."""
        return _MARK_COLOURS.get(mark) or _COLOURS[position.game.marks.index(mark)]

    @contextmanager
    def busy(self, text: str) -> Iterator[OnProgress]:
        """Show that work is going on; the function given takes its progress."""
        if self.plain:
            self.say(f"{text}…")
            yield lambda news: None
            return
        with self._console.status(f"{text}…") as status:
            yield lambda news: status.update(f"{text}… [dim]{escape(words.progress(news))}[/]")

    def ask(self, prompt: str) -> str | None:
        """Read a line, or ``None`` at the end of the input."""
        try:
            if sys.stdin.isatty():
                return self._console.input(f"[bold]{escape(prompt)}[/] ").strip()
            self._console.print(escape(prompt), end=" ")
            line = sys.stdin.readline()
            self.say()
        except (EOFError, UnicodeDecodeError):
            return None
        return line.strip() if line else None
