"""Boards as pictures: arrays of red, green and blue, drawn with NumPy alone.

A shape is a function from the places of a cell (−1 to 1 across) to how far outside of it they are;
what is less than half a pixel from its edge is mixed with what lies below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from noughts.core import Position

__all__ = ["picture"]

Array = NDArray[np.float64]
Shape = Callable[[Array, Array], Array]
Colour = tuple[int, int, int]

SIDE = 480
"""About how many pixels the longer side of a picture has."""

SMALLEST, LARGEST = 8, 96
"""Pixels a cell is wide at least and at most."""

LARGEST_WHOLE = 40
"""Of boards with a longer side only a window of half as many cells is drawn."""

PAPER: Colour = (250, 248, 243)
LINE: Colour = (186, 180, 168)
CELL: Colour = (255, 255, 255)
LAST: Colour = (214, 229, 248)
WON: Colour = (255, 233, 158)

COLOURS: dict[str, Colour] = {
    "X": (38, 92, 168),
    "O": (206, 82, 38),
    "R": (200, 58, 54),
    "G": (56, 140, 80),
    "A": (124, 84, 168),
    "B": (16, 138, 138),
    "C": (176, 124, 20),
    "D": (196, 76, 140),
    "E": (96, 104, 116),
    "F": (116, 140, 28),
}
OTHER: Colour = (60, 60, 60)


def _cross(x: Array, y: Array) -> Array:
    along, across = np.abs(x + y) / sqrt(2), np.abs(x - y) / sqrt(2)
    arm = [np.hypot(np.maximum(a - 0.72, 0), b) - 0.11 for a, b in ((along, across), (across, along))]
    return np.minimum(*arm)


def _ring(x: Array, y: Array) -> Array:
    return np.abs(np.hypot(x, y) - 0.5) - 0.11


def _disc(x: Array, y: Array) -> Array:
    return np.hypot(x, y) - 0.58


def _box(x: Array, y: Array) -> Array:
    return np.hypot(np.maximum(np.abs(x) - 0.62, 0), np.maximum(np.abs(y) - 0.62, 0)) - 0.14


def _diamond(x: Array, y: Array) -> Array:
    return (np.abs(x) + np.abs(y) - 0.72) / sqrt(2)


def _triangle(x: Array, y: Array) -> Array:
    return np.maximum(y - 0.42, (np.abs(x) * sqrt(3) - y) / 2 - 0.34)


def _plus(x: Array, y: Array) -> Array:
    narrow, wide = np.minimum(np.abs(x), np.abs(y)), np.maximum(np.abs(x), np.abs(y))
    return np.maximum(narrow - 0.18, wide - 0.62)


def _pill(x: Array, y: Array) -> Array:
    return np.hypot(np.maximum(np.abs(x) - 0.4, 0), y) - 0.24


def _square(x: Array, y: Array) -> Array:
    return np.maximum(np.abs(x), np.abs(y)) - 1


def _hexagon(x: Array, y: Array) -> Array:
    """A hexagon that stands on a corner, as wide as the cell."""
    return np.maximum(np.abs(x), np.abs(x) / 2 + np.abs(y) * sqrt(3) / 2) - 1


MARKS: dict[str, Shape] = {"X": _cross, "O": _ring, "R": _box, "G": _box}
MORE_MARKS: tuple[Shape, ...] = (_diamond, _triangle, _plus, _disc, _box, _pill)


def picture(position: Position) -> NDArray[np.uint8]:
    """Draw a position: rows of pixels of red, green and blue.

    All positions of a game make pictures of one size. The cells that decided the game are yellow, the
    last move's is blue.
    """
    hexagonal = position.game.layout == "hex"
    board = _Hexes(position) if hexagonal else _Squares(position)
    outline = _hexagon if hexagonal else _square
    canvas = np.full((board.height, board.width, 3), PAPER, dtype=np.float64)
    board.frame(canvas)
    won = frozenset(position.outcome.cells) if position.outcome and position.outcome.tiles is None else frozenset()
    # Lines first and marks last, so that the order of the cells does not show.
    for _, x, y in board.places():
        _paint(canvas, outline, board.side + 1, x, y, LINE)
    for cell, x, y in board.places():
        ground = WON if cell in won else LAST if cell == position.last else CELL
        _paint(canvas, outline, board.side - 1, x, y, ground)
    for cell, x, y in board.places():
        mark = position.cells.get(cell)
        if mark is not None:
            shape = _disc if hexagonal else _shape(mark, position.game.marks)
            _paint(canvas, shape, board.side, x, y, COLOURS.get(mark, OTHER))
    return np.rint(canvas).astype(np.uint8)


def _shape(mark: str, marks: tuple[str, ...]) -> Shape:
    return MARKS.get(mark) or MORE_MARKS[marks.index(mark) % len(MORE_MARKS)]


@cache
def _stamp(shape: Shape, width: int) -> Array:
    """How much of each pixel around a cell ``width`` pixels wide a shape covers."""
    reach = _reach(width)
    steps = (np.arange(-reach, reach + 1)) / (width / 2)
    x, y = np.meshgrid(steps, steps)
    covered = np.clip(0.5 - shape(x, y) * (width / 2), 0, 1)
    return covered[:, :, None]


def _reach(width: int) -> int:
    """How many pixels from its middle a cell may cover: hexagons are taller than wide."""
    return ceil(width * 0.6) + 1


def _paint(canvas: Array, shape: Shape, width: int, x: int, y: int, colour: Colour) -> None:
    """Mix a colour into the pixels that a shape around a place covers."""
    covered, reach = _stamp(shape, width), _reach(width)
    part = canvas[y - reach : y + reach + 1, x - reach : x + reach + 1]
    part += covered * (np.array(colour) - part)


def _window(position: Position) -> tuple[range, range]:
    """The rows and columns to draw: all, or on a large board those around the last move."""
    grid = position.game.grid
    if max(grid.rows, grid.cols) <= LARGEST_WHOLE:
        return range(grid.rows), range(grid.cols)
    last = position.last if position.last is not None and position.last >= 0 else min(position.cells, default=0)
    _, row, col = grid.coordinates(last)

    def span(at: int, side: int) -> range:
        length = min(side, LARGEST_WHOLE // 2)
        start = max(0, min(at - length // 2, side - length))
        return range(start, start + length)

    return span(row, grid.rows), span(col, grid.cols)


@dataclass
class _Squares:
    """Square cells; the layers of a cube lie beside and below each other."""

    position: Position

    def __post_init__(self) -> None:
        self.rows, self.cols = _window(self.position)
        layers = self.position.game.grid.layers
        self.across = ceil(sqrt(layers))
        self.down = ceil(layers / self.across)
        longer = max(self.across * (len(self.cols) + 1), self.down * (len(self.rows) + 1))
        self.side = max(SMALLEST, min(LARGEST, SIDE // longer))
        self.margin = _reach(self.side + 1)
        self.width = self._extent(self.across, len(self.cols))
        self.height = self._extent(self.down, len(self.rows))

    def _extent(self, layers: int, cells: int) -> int:
        return 2 * self.margin + (layers * (cells + 1) - 1) * self.side - self.side + 1

    def places(self) -> Iterator[tuple[int, int, int]]:
        """The cells drawn and the pixels in their middle."""
        grid = self.position.game.grid
        for layer in range(grid.layers):
            below, beside = divmod(layer, self.across)
            for i, row in enumerate(self.rows):
                for j, col in enumerate(self.cols):
                    x = self.margin + (beside * (len(self.cols) + 1) + j) * self.side
                    y = self.margin + (below * (len(self.rows) + 1) + i) * self.side
                    yield (layer * grid.rows + row) * grid.cols + col, x, y

    def frame(self, canvas: Array) -> None:
        """Nobody owns the sides."""


@dataclass
class _Hexes:
    """A rhombus of hexagons that leans right; its sides have their owners' colours."""

    position: Position

    def __post_init__(self) -> None:
        grid = self.position.game.grid
        self.rows, self.cols = grid.rows, grid.cols
        across = max(SMALLEST, min(LARGEST, int(SIDE / (self.cols + (self.rows - 1) / 2))))
        self.side = across - across % 2
        self.down = round(self.side * sqrt(3) / 2)
        self.margin = _reach(self.side + 1) + self.side // 4 + 1
        self.width = 2 * self.margin + (2 * self.cols + self.rows - 3) * self.side // 2 + 1
        self.height = 2 * self.margin + (self.rows - 1) * self.down + 1

    def places(self) -> Iterator[tuple[int, int, int]]:
        """The cells and the pixels in their middle."""
        for row in range(self.rows):
            for col in range(self.cols):
                x = self.margin + (2 * col + row) * self.side // 2
                yield row * self.cols + col, x, self.margin + row * self.down

    def frame(self, canvas: Array) -> None:
        """The sides to join: the first player's above and below, the second's left and right."""
        first, second = (COLOURS.get(mark, OTHER) for mark in self.position.game.marks)
        out = self.side // 4
        for cell, x, y in self.places():
            if cell % self.cols in (0, self.cols - 1):
                _paint(canvas, _hexagon, self.side, x - out if cell % self.cols == 0 else x + out, y, second)
        for cell, x, y in self.places():
            if cell // self.cols in (0, self.rows - 1):
                _paint(canvas, _hexagon, self.side, x, y - out if cell < self.cols else y + out, first)
