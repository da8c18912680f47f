"""Chomp in one file: bite off everything below and to the right, and leave the poisoned corner to the other.

Run this file to see what a game gets for free.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.analysis import analyse
from noughts.board.grid import Grid, Symmetry
from noughts.core import Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidNotation
from noughts.spec import Size, option
from noughts.words import Words

POISON = 0
"""The top left corner, a1."""


@dataclass(frozen=True, kw_only=True)
class Chomp(Game):
    """A bar of chocolate and two players."""

    name = "chomp"
    title = "Chomp"
    summary = "Bite off a piece with all below it and to its right; who eats the top left corner loses."
    what = "chomp"
    presets = (Preset("chomp", "chomp", "Do not eat the corner.", "Chomp", 95, "..XO/..XO/.OOO"),)
    facts = (
        Fact("chomp", "value", "win", "strategy stealing: the smallest bite is no worse than any other"),
        Fact("chomp,size=3", "openings", ("b2",), "from then on mirror every bite"),
    )
    words = Words({"outcome.poison": "{player} ate the poisoned corner"})

    size: tuple[int, ...] = option(Size({2: 10}), "rows x columns", default=(3, 4), label="Bar")

    @cached_property
    def grid(self) -> Grid:
        """The pieces of the bar."""
        return Grid(*self.size)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Rows and columns may change places on a square bar; the poison stays where it is."""
        mirrored = (Symmetry(self.grid, axes=(0, 2, 1)),) if self.size[0] == self.size[1] else ()
        return (Symmetry(self.grid), *mirrored)

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> ChompPosition:
        """The position with these pieces eaten; it is over when the corner is one of them."""
        if extra:
            raise InvalidNotation(f"{extra!r}: nothing follows the turn in {self}")
        loser = cells.get(POISON)
        outcome = None if loser is None else Outcome(self.after(loser), "poison", (POISON,))
        return ChompPosition(self, cells, turn, outcome)


@dataclass(frozen=True, slots=True, repr=False)
class ChompPosition(Position):
    """A bar with bites in it, each piece marked by who ate it."""

    game: Chomp

    def play_unchecked(self, move: Move) -> ChompPosition:
        """Eat a piece and all that is left below and to the right of it."""
        grid, mark = self.game.grid, self.turn
        row, col = divmod(move, grid.cols)
        bite = (r * grid.cols + c for r in range(row, grid.rows) for c in range(col, grid.cols))
        eaten = tuple(cell for cell in bite if cell not in self.cells)
        after = self.game.at(self.cells.update((cell, mark) for cell in eaten), mark)
        turn = mark if after.outcome else self.game.after(mark)
        return ChompPosition(self.game, after.cells, turn, after.outcome, move, eaten)


if __name__ == "__main__":
    start = Chomp().start()
    found = analyse(start)
    move = found.best[0]
    print(f"best first bite: {start.game.move_name(move)} ({found.evaluation})")
    print(start.play(move))
