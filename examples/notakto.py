"""Notakto in one file: both players write X, and whoever completes a row loses.

Run this file to see what a game gets for free.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.board.grid import Grid
from noughts.core import Cells, Game, Mark, Move, Outcome, Position
from noughts.search import alphabeta
from noughts.spec import Integer, option


@dataclass(frozen=True, kw_only=True)
class Notakto(Game):
    """One board, one mark, two players."""

    name = "notakto"
    title = "Notakto"
    summary = "Both players write X; whoever completes a row loses."
    what = "notakto"

    size: int = option(Integer(2, 10), "cells per side", default=3)

    @cached_property
    def grid(self) -> Grid:
        """A square."""
        return Grid(self.size, self.size)

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> NotaktoPosition:
        """The position with these crosses; with a full row, ``turn`` is who completed it."""
        for line in self.grid.lines(self.size):
            if all(cell in cells for cell in line):
                return NotaktoPosition(self, cells, turn, Outcome(self.after(turn), "line", tuple(line)))
        return NotaktoPosition(self, cells, turn)


@dataclass(frozen=True, slots=True, repr=False)
class NotaktoPosition(Position):
    """Crosses on a board."""

    game: Notakto

    def play_unchecked(self, move: Move) -> NotaktoPosition:
        """Write an X, whoever is on turn."""
        after = self.game.at(self.cells.set(move, "X"), self.turn)
        turn = self.turn if after.outcome else self.game.after(self.turn)
        return NotaktoPosition(self.game, after.cells, turn, after.outcome, move, (move,))


if __name__ == "__main__":
    start = Notakto().start()
    best = alphabeta(start)
    print(f"best first move: {start.game.move_name(best.move)} (score {best.score})")
    print(start.play(best.move))
