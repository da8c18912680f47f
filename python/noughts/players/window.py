"""A window on a board that is too large for the kernel: the part of it where the stones are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from immutables import Map

from noughts.board.grid import Grid
from noughts.core import LARGEST_COMPILED, Move
from noughts.games.lines import Lines, LinesPosition

__all__ = ["Window"]


@dataclass(frozen=True)
class Window:
    """As much of a board as the kernel takes, as a game of its own.

    The rest of the board would have its say, so that nothing found in a window is proven.
    """

    game: Lines
    part: Lines
    corner: tuple[int, int, int]
    """The first layer, row and column."""
    position: LinesPosition
    """What stands in the window."""

    @classmethod
    def on(cls, position: LinesPosition) -> Window | None:
        """The window around all stones, or ``None`` where they lie too far apart or leave no room for a line."""
        game = position.game
        cut = _cut(game.grid, position.cells)
        if cut is None or max(cut[1]) < game.k:
            return None
        corner, (layers, rows, cols) = cut
        size = (rows, cols, layers) if len(game.size) == 3 else (rows, cols)
        part = replace(game, size=size, setup="", corners=False)
        stones = Map((_moved(cell, game.grid, part.grid, corner, -1), mark) for cell, mark in position.cells.items())
        seen = part.at(stones, position.turn)
        assert isinstance(seen, LinesPosition)
        return cls(game, part, corner, seen) if seen.outcome is None else None

    def outside(self, move: Move) -> Move:
        """A cell of the window as one of the whole board."""
        return _moved(move, self.part.grid, self.game.grid, self.corner, 1)


def _moved(cell: int, here: Grid, there: Grid, corner: tuple[int, int, int], sign: int) -> int:
    layer, row, col = (at + sign * low for at, low in zip(here.coordinates(cell), corner, strict=True))
    found = there.cell(row, col, layer)
    assert found is not None
    return found


def _cut(grid: Grid, stones: Iterable[int]) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
    """The corner and the sides (layers, rows, columns) of the largest window around some stones."""
    limits = (grid.layers, grid.rows, grid.cols)
    at = [grid.coordinates(stone) for stone in stones] or [(grid.layers // 2, grid.rows // 2, grid.cols // 2)]
    low, high = [min(axis) for axis in zip(*at, strict=True)], [max(axis) + 1 for axis in zip(*at, strict=True)]

    def cells() -> int:
        return math.prod(top - bottom for bottom, top in zip(low, high, strict=True))

    if cells() > LARGEST_COMPILED:
        return None
    grown = True
    while grown:
        grown = False
        for axis in sorted(range(3), key=lambda axis: high[axis] - low[axis]):
            for ends, end, step in ((low, 0, -1), (high, limits[axis], 1)):
                if ends[axis] == end:
                    continue
                ends[axis] += step
                if cells() > LARGEST_COMPILED:
                    ends[axis] -= step
                else:
                    grown = True
    first, second, third = low
    tall, wide, deep = (top - bottom for bottom, top in zip(low, high, strict=True))
    return (first, second, third), (tall, wide, deep)
