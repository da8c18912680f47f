"""The winning sets of k in a row: straight lines of a grid, and perhaps a few sets besides.

Nothing is listed until it is asked for, so that huge boards cost no more than the stones on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from immutables import Map

from noughts.board.detector import DirectionDetector
from noughts.board.grid import Grid

__all__ = ["Rows"]

FLAT, UPRIGHT, DIAGONAL, THROUGH_LAYERS, NO_LINE = 100, 80, 60, 35, 50
"""How easily people see a set, in percent: along a row or column, straight through the layers, a diagonal, a diagonal
through the layers, and a set that is no line."""


@dataclass(frozen=True)
class Rows:
    """Every set of cells that wins.

    With ``exact`` a line that runs on at either end does not count; ``extra`` are sets that are no lines.
    """

    grid: Grid
    k: int
    exact: bool = False
    extra: tuple[tuple[int, ...], ...] = ()

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """All sets, lines first."""
        yield from (tuple(line) for line in self.grid.lines(self.k))
        yield from self.extra

    def sight(self, cells: Sequence[int]) -> int:
        """How easily people see a set, in percent.

        >>> rows = Rows(Grid(4, 4, 4), 4)
        >>> rows.sight((0, 1, 2, 3)), rows.sight((0, 5, 10, 15)), rows.sight((0, 21, 42, 63))
        (100, 60, 35)
        """
        if tuple(cells) in self.extra or len(cells) < 2:
            return NO_LINE
        one, other = map(self.grid.coordinates, cells[:2])
        layers, *flat = (a != b for a, b in zip(one, other, strict=True))
        if not layers:
            return DIAGONAL if all(flat) else FLAT
        return THROUGH_LAYERS if any(flat) else UPRIGHT

    def through(self, cell: int) -> Iterator[Sequence[int]]:
        """The sets that hold a cell."""
        for step in self.grid.directions:
            yield from self.grid.lines_through(cell, step, self.k)
        yield from (cells for cells in self.extra if cell in cells)

    @cached_property
    def shortest(self) -> int:
        """The size of the smallest set."""
        return min([self.k, *map(len, self.extra)])

    def gaps(self, cells: Mapping[int, str], mark: str, lacking: int, through: int | None = None) -> list[int]:
        """The empty cells of the sets that only ``mark`` holds and that lack so many stones.

        With ``through``, only of the sets that hold that cell. Sets without any stone are not looked at.
        """
        stones = [cell for cell, owner in cells.items() if owner == mark] if through is None else [through]
        gaps: set[int] = set()
        for stone in stones:
            for line in self.through(stone):
                empty = [cell for cell in line if cell not in cells]
                if len(empty) == lacking and all(cells.get(cell, mark) == mark for cell in line):
                    gaps.update(empty)
        return sorted(gaps)

    def balance(self, cells: Mapping[int, str], mark: str) -> int:
        """What the lines that only one player holds are worth to ``mark``: four times as much with each stone."""
        grid, total = self.grid, 0
        seen: set[tuple[int, int]] = set()
        for stone in cells:
            for way, step in enumerate(grid.directions):
                for line in grid.lines_through(stone, step, self.k):
                    if (line[0], way) in seen:
                        continue
                    seen.add((line[0], way))
                    marks = [cells[cell] for cell in line if cell in cells]
                    if marks.count(marks[0]) == len(marks):
                        total += 4 ** len(marks) if marks[0] == mark else -(4 ** len(marks))
        return total

    @cached_property
    def numbers(self) -> int:
        """One past the number of the last set, as :meth:`first_open` counts them."""
        return self.grid.cells * len(self.grid.directions) + len(self.extra)

    def first_open(self, cells: Mapping[int, str], marks: Sequence[str], number: int = 0) -> int:
        """The number of the first set from ``number`` on that one of ``marks`` can still complete."""
        ways = self.grid.directions
        while number < self.grid.cells * len(ways):
            start, way = divmod(number, len(ways))
            line = self.grid.line(start, ways[way], self.k)
            if line is not None and self._is_open(cells, marks, line):
                return number
            number += 1
        while number < self.numbers:
            held = self.extra[number - self.grid.cells * len(ways)]
            if len({cells[cell] for cell in held if cell in cells}) < 2:
                return number
            number += 1
        return number

    def _is_open(self, cells: Mapping[int, str], marks: Sequence[str], line: range) -> bool:
        owners = {cells[cell] for cell in line if cell in cells}
        if len(owners) > 1 or not self.exact:
            return len(owners) < 2
        ends = [cells.get(end) for end in self.grid.ends(line)]
        return any(owner not in ends for owner in owners or marks)

    @cached_property
    def _scan(self) -> DirectionDetector:
        return DirectionDetector(self.grid, self.k, exact=self.exact, extra=self.extra)

    def completed(self, cells: Map[int, str], cell: int, mark: str) -> tuple[int, ...]:
        """The cells of all sets that a stone of ``mark`` at an empty cell would complete, in board order."""
        return self._scan.place(Map(), cells.set(cell, mark), cell)[1]

    def near(self, cells: Mapping[int, str]) -> list[int]:
        """The empty cells that share a set with a stone."""
        near = {cell for stone in cells for line in self.through(stone) for cell in line}
        return sorted(cell for cell in near if cell not in cells)

    def forks(
        self, cells: Map[int, str], mark: str, moves: Iterable[int]
    ) -> tuple[dict[tuple[int, ...], list[int]], list[int]]:
        """The moves after which ``mark`` has two ways to complete a set.

        Those that extend one open row, by the stones of that row, and those that join different rows. Moves that
        complete a set themselves are left out.
        """
        opened: dict[tuple[int, ...], list[int]] = {}
        joined: list[int] = []
        for move in moves:
            if self.completed(cells, move, mark):
                continue
            after = cells.set(move, mark)
            sets = ((gap, self.completed(after, gap, mark)) for gap in self.gaps(after, mark, 1, through=move))
            ways = [frozenset(found) - {move, gap} for gap, found in sets if found]
            if len(ways) < 2:
                continue
            row = frozenset.intersection(*ways)
            if row and len(row) >= self.k - 2:
                opened.setdefault(tuple(sorted(row)), []).append(move)
            else:
                joined.append(move)
        return opened, joined
