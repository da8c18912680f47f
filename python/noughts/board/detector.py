"""Two ways to see a win the moment it happens, behind one interface.

Counters keep, for every line, whose it is and how full: a verdict costs one look per line through
the cell, at most four on a flat board whose lines span it. Directions keep nothing and scan up to k
cells each way from the last stone, which serves boards whose lines are shorter than their sides.
Both see the same wins on every board; only their cost differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from immutables import Map

from noughts.board.grid import Grid

__all__ = ["CounterDetector", "DirectionDetector", "Tally", "WinDetector"]

Tally = Map[int, tuple[str | None, int]]
"""What a detector remembers of a position: for each line, its only owner (or ``None``) and count."""

Cells = Map[int, str]

Line = tuple[int, Sequence[int], tuple[int, ...]]
"""A winning set as counters see it: its key, its cells, and the cells just beyond its ends."""


class WinDetector(Protocol):
    """Sees whether a stone completes a winning set."""

    def place(self, tally: Tally, cells: Cells, cell: int) -> tuple[Tally, tuple[int, ...]]:
        """Take note of the stone just placed at ``cell``, which ``cells`` already holds.

        Returns the new memory and the cells of all winning sets the stone completes, in board
        order; none means no win.
        """


class CounterDetector:
    """Counts stones per line.

    ``exact`` asks for lines that do not run on at either end; ``extra`` are further winning sets.
    """

    def __init__(self, grid: Grid, k: int, *, exact: bool = False, extra: tuple[tuple[int, ...], ...] = ()) -> None:
        self.grid, self.k, self.exact, self.extra = grid, k, exact, extra
        self._through: dict[int, tuple[Line, ...]] = {}

    def place(self, tally: Tally, cells: Cells, cell: int) -> tuple[Tally, tuple[int, ...]]:
        """Count the stone in every line through its cell."""
        mark = cells[cell]
        won: set[int] = set()
        through = self._through.get(cell)
        if through is None:
            through = self._through[cell] = tuple(self._lines(cell))
        with tally.mutate() as counts:
            for key, line, caps in through:
                owner, count = counts.get(key, (mark, 0))
                if owner != mark:
                    counts[key] = (None, 0)
                    continue
                counts[key] = (mark, count + 1)
                if count + 1 == len(line) and all(cells.get(cap) != mark for cap in caps):
                    won.update(line)
            tally = counts.finish()
        return tally, tuple(sorted(won))

    def _lines(self, cell: int) -> Iterator[Line]:
        """The key, cells and end caps of each line through a cell."""
        grid, k = self.grid, self.k
        ways = len(grid.directions)
        for way, step in enumerate(grid.directions):
            for line in grid.lines_through(cell, step, k):
                yield line[0] * ways + way, line, grid.ends(line) if self.exact else ()
        for index, cells in enumerate(self.extra):
            if cell in cells:
                yield -1 - index, cells, ()


class DirectionDetector:
    """Scans outward from the last stone. Takes the same arguments as :class:`CounterDetector`."""

    def __init__(self, grid: Grid, k: int, *, exact: bool = False, extra: tuple[tuple[int, ...], ...] = ()) -> None:
        self.grid, self.k, self.exact, self.extra = grid, k, exact, extra
        self._rays: dict[int, tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]] = {}

    def place(self, tally: Tally, cells: Cells, cell: int) -> tuple[Tally, tuple[int, ...]]:
        """Measure the run through the stone in every direction."""
        mark = cells[cell]
        won: set[int] = set()
        rays = self._rays.get(cell)
        if rays is None:
            rays = self._rays[cell] = tuple(self._both_ways(cell))
        get = cells.get
        for ahead, behind in rays:
            run = [cell]
            for ray in (ahead, behind):
                for other in ray:
                    if get(other) != mark:
                        break
                    run.append(other)
            if len(run) == self.k or (len(run) > self.k and not self.exact):
                won.update(run)
        for line in self.extra:
            if cell in line and all(get(other) == mark for other in line):
                won.update(line)
        return tally, tuple(sorted(won))

    def _both_ways(self, cell: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """The cells ahead and behind in each direction, as far as a verdict can depend on them."""
        for layer, row, col in self.grid.directions:
            reach = self.k if self.exact else self.k - 1
            ahead = self.grid.walk(cell, (layer, row, col), reach)
            behind = self.grid.walk(cell, (-layer, -row, -col), reach)
            if len(ahead) + len(behind) + 1 >= self.k:
                yield ahead, behind
