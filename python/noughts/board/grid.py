"""Cells, their names, lines, neighbours and symmetries of a box of cells.

A cell is an int: ``(layer * rows + row) * cols + col``. Nothing here costs memory in proportion to
the board, so a 1000x1000 grid is as cheap as a 3x3 one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import index
from typing import SupportsIndex

from noughts.errors import InvalidNotation

__all__ = ["HEXAGONAL", "ORTHOGONAL", "Grid", "Step", "Symmetry", "column_name"]

Step = tuple[int, int, int]
"""A direction as (layers, rows, columns)."""

KEPT_NAMES = 400
"""Names that a grid keeps at hand; larger boards write and read the others each time."""

ORTHOGONAL: tuple[Step, ...] = ((0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0))
HEXAGONAL: tuple[Step, ...] = ((0, -1, 0), (0, -1, 1), (0, 0, -1), (0, 0, 1), (0, 1, -1), (0, 1, 0))


def column_name(col: int) -> str:
    """Name a column: a to z, then aa, ab and so on.

    >>> [column_name(col) for col in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    name = ""
    col += 1
    while col:
        col, letter = divmod(col - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def _column(name: str) -> int:
    col = 0
    for letter in name:
        col = col * 26 + ord(letter) - ord("a") + 1
    return col - 1


@dataclass(frozen=True)
class Grid:
    """A box of ``rows`` x ``cols`` x ``layers`` cells.

    >>> grid = Grid(3, 4)
    >>> grid.parse("b3"), grid.name(9), grid.coordinates(9)
    (9, 'b3', (0, 2, 1))
    """

    rows: int
    cols: int
    layers: int = 1

    @cached_property
    def cells(self) -> int:
        """The number of cells."""
        return self.rows * self.cols * self.layers

    def __contains__(self, cell: int) -> bool:
        """Tell whether an int is a cell of this grid."""
        return 0 <= cell < self.cells

    def cell(self, row: int, col: int, layer: int = 0) -> int | None:
        """The cell at 0-based coordinates, or ``None`` outside."""
        if 0 <= row < self.rows and 0 <= col < self.cols and 0 <= layer < self.layers:
            return (layer * self.rows + row) * self.cols + col
        return None

    def coordinates(self, cell: int) -> tuple[int, int, int]:
        """The 0-based (layer, row, column) of a cell."""
        above, col = divmod(cell, self.cols)
        layer, row = divmod(above, self.rows)
        return layer, row, col

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the first cells, as many as are worth keeping at hand."""
        return tuple(self._name(cell) for cell in range(min(self.cells, KEPT_NAMES)))

    @cached_property
    def named(self) -> Mapping[str, int]:
        """The cells of these names."""
        return {name: cell for cell, name in enumerate(self.names)}

    def name(self, cell: int) -> str:
        """The cell's name: ``b3``, or ``b3/2`` on a grid with layers."""
        return self.names[cell] if 0 <= cell < len(self.names) else self._name(cell)

    def _name(self, cell: int) -> str:
        layer, row, col = self.coordinates(cell)
        return f"{column_name(col)}{row + 1}" + (f"/{layer + 1}" if self.layers > 1 else "")

    def parse(self, name: str) -> int:
        """Read a cell's name; the error says what is wrong with it."""
        known = self.named.get(name)
        if known is not None:
            return known
        last = self.name(self.cells - 1)
        facts = {"move": repr(name)[1:-1], "last": last}
        match = re.fullmatch(r"([a-z]{1,6})0*([0-9]{1,6})(?:/0*([0-9]{1,6}))?", name.strip().lower())
        if match is None or (match[3] is None) != (self.layers == 1):
            raise InvalidNotation(f"{name!r} is not a cell; write one like {last!r}", facts=facts)
        cell = self.cell(int(match[2]) - 1, _column(match[1]), int(match[3] or 1) - 1)
        if cell is None:
            message = f"{name!r} is outside the board, which ends at {last!r}"
            raise InvalidNotation(message, code="out_of_bounds", facts=facts)
        return cell

    def place(self, coordinates: Sequence[object]) -> int:
        """The cell at (row, column), or (row, column, layer), counted from 0; the error says what is wrong with it.

        >>> Grid(3, 4).place((2, 1))
        9
        """
        numbers = [index(at) for at in coordinates if isinstance(at, SupportsIndex) and not isinstance(at, bool)]
        sides = (self.rows, self.cols, self.layers)[: 3 if self.layers > 1 else 2]
        facts = {"move": str(tuple(coordinates)), "last": str(tuple(side - 1 for side in sides)), "case": "place"}
        if len(numbers) != len(coordinates) or not len(sides) <= len(numbers) <= 3:
            raise InvalidNotation(f"{facts['move']} is not a cell; write one like {facts['last']}", facts=facts)
        cell = self.cell(*numbers)
        if cell is None:
            message = f"{facts['move']} is outside the board, which ends at {facts['last']}"
            raise InvalidNotation(message, code="out_of_bounds", facts=facts)
        return cell

    def parse_column(self, name: str) -> int | None:
        """Read a column's letters; ``None`` if they are anything else, or outside."""
        letters = name.strip().lower()
        col = _column(letters) if re.fullmatch(r"[a-z]{1,6}", letters) else self.cols
        return col if col < self.cols else None

    def moved(self, cell: int, there: Grid, by: tuple[int, int, int]) -> int:
        """The cell of another grid that lies so many layers, rows and columns further."""
        layer, row, col = (at + shift for at, shift in zip(self.coordinates(cell), by, strict=True))
        found = there.cell(row, col, layer)
        assert found is not None, f"{self.name(cell)} moved by {by} is outside {there}"
        return found

    def centre(self) -> tuple[int, ...]:
        """The one cell in the middle, or the two, four or eight around it."""
        layers, rows, cols = (range((side - 1) // 2, side // 2 + 1) for side in (self.layers, self.rows, self.cols))
        return tuple((layer * self.rows + row) * self.cols + col for layer in layers for row in rows for col in cols)

    def corners(self) -> tuple[int, ...]:
        """The corner cells in board order: four on a flat board, eight of a box."""
        layers, rows, cols = (sorted({0, side - 1}) for side in (self.layers, self.rows, self.cols))
        return tuple((layer * self.rows + row) * self.cols + col for layer in layers for row in rows for col in cols)

    def walk(self, cell: int, step: Step, count: int) -> tuple[int, ...]:
        """Up to ``count`` cells from ``cell``, itself left out, until the edge."""
        layer, row, col = self.coordinates(cell)
        walked = []
        for _ in range(count):
            layer, row, col = layer + step[0], row + step[1], col + step[2]
            reached = self.cell(row, col, layer)
            if reached is None:
                break
            walked.append(reached)
        return tuple(walked)

    def neighbours(self, cell: int, steps: tuple[Step, ...] = ORTHOGONAL) -> tuple[int, ...]:
        """The cells one of ``steps`` away, in board order."""
        return _neighbours(self, cell, steps)

    @cached_property
    def directions(self) -> tuple[Step, ...]:
        """One step for each way a line can run: 4 on a flat board, 13 in a cube."""
        steps = itertools.product((0, 1) if self.layers > 1 else (0,), (-1, 0, 1), (-1, 0, 1))
        return tuple(step for step in steps if step > (0, 0, 0))

    def room(self, cell: int, step: Step) -> int:
        """How many steps fit between a cell and the edge."""
        sides = (self.layers, self.rows, self.cols)
        return min(
            side - 1 - at if move > 0 else at
            for side, at, move in zip(sides, self.coordinates(cell), step, strict=True)
            if move
        )

    def line(self, start: int, step: Step, length: int) -> range | None:
        """The ``length`` cells from ``start`` along ``step``, or ``None`` if they leave the grid."""
        if self.room(start, step) < length - 1:
            return None
        stride = self.stride(step)
        return range(start, start + length * stride, stride)

    def stride(self, step: Step) -> int:
        """By how much one step changes a cell's number."""
        return (step[0] * self.rows + step[1]) * self.cols + step[2]

    def lines(self, length: int) -> Iterator[range]:
        """Every line of ``length`` cells, by first cell in board order.

        >>> [sum(1 for _ in Grid(n, n, n).lines(n)) for n in (3, 4)]
        [49, 76]
        """
        for start in range(self.cells):
            for step in self.directions:
                line = self.line(start, step, length)
                if line is not None:
                    yield line

    def lines_through(self, cell: int, step: Step, length: int) -> Iterator[range]:
        """Every line of ``length`` cells along ``step`` that holds ``cell``."""
        stride = self.stride(step)
        behind, ahead = self.room(cell, (-step[0], -step[1], -step[2])), self.room(cell, step)
        for back in range(max(0, length - 1 - ahead), min(behind, length - 1) + 1):
            start = cell - back * stride
            yield range(start, start + length * stride, stride)

    def ends(self, line: range) -> tuple[int, ...]:
        """The cells just beyond the two ends of a line, where the grid has them."""
        near, far = self.coordinates(line[0]), self.coordinates(line[1])
        layer, row, col = (b - a for a, b in zip(near, far, strict=True))
        return self.walk(line[0], (-layer, -row, -col), 1) + self.walk(line[-1], (layer, row, col), 1)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The rotations and reflections of the grid, the identity first: 8 for a square, 48 for a cube."""
        sides = (self.layers, self.rows, self.cols)
        axes = [
            order for order in itertools.permutations(range(3)) if all(sides[order[i]] == sides[i] for i in range(3))
        ]
        flips = list(itertools.product(*([(False, True) if side > 1 else (False,) for side in sides])))
        return tuple(Symmetry(self, order, flip) for order in axes for flip in flips)


@dataclass(frozen=True)
class Symmetry:
    """A map of a grid onto itself: called with a cell, it gives the cell's image."""

    grid: Grid
    axes: tuple[int, ...] = (0, 1, 2)
    flips: tuple[bool, ...] = (False, False, False)

    def __call__(self, cell: int) -> int:
        """The image of a cell."""
        sides = (self.grid.layers, self.grid.rows, self.grid.cols)
        at = self.grid.coordinates(cell)
        layer, row, col = (
            sides[i] - 1 - at[axis] if flip else at[axis]
            for i, (axis, flip) in enumerate(zip(self.axes, self.flips, strict=True))
        )
        return (layer * self.grid.rows + row) * self.grid.cols + col

    @cached_property
    def table(self) -> tuple[int, ...]:
        """The images of all cells in board order; for grids small enough to list."""
        return tuple(self(cell) for cell in range(self.grid.cells))


@lru_cache(maxsize=1 << 16)
def _neighbours(grid: Grid, cell: int, steps: tuple[Step, ...]) -> tuple[int, ...]:
    return tuple(reached for step in steps for reached in grid.walk(cell, step, 1))
