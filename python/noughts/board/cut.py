"""A part of a grid that holds all stones and has at most so many cells."""

from __future__ import annotations

import math
from collections.abc import Iterable

from noughts.board.grid import Grid

__all__ = ["cut"]


def cut(grid: Grid, stones: Iterable[int], most: int) -> tuple[tuple[int, int, int], Grid] | None:
    """The largest part of a grid around some stones: its first layer, row and column, and its own grid.

    ``None`` where the stones lie too far apart. Without stones it is a part in the middle.

    >>> cut(Grid(1000, 1000), [0], 400)
    ((0, 0, 0), Grid(rows=20, cols=20, layers=1))
    """
    limits = (grid.layers, grid.rows, grid.cols)
    at = [grid.coordinates(stone) for stone in stones] or [(grid.layers // 2, grid.rows // 2, grid.cols // 2)]
    low, high = [min(axis) for axis in zip(*at, strict=True)], [max(axis) + 1 for axis in zip(*at, strict=True)]

    def cells() -> int:
        return math.prod(top - bottom for bottom, top in zip(low, high, strict=True))

    if cells() > most:
        return None
    grown = True
    while grown:
        grown = False
        for axis in sorted(range(3), key=lambda axis: high[axis] - low[axis]):
            for ends, end, step in ((low, 0, -1), (high, limits[axis], 1)):
                if ends[axis] == end:
                    continue
                ends[axis] += step
                if cells() > most:
                    ends[axis] -= step
                else:
                    grown = True
    first, second, third = low
    layers, rows, cols = (top - bottom for bottom, top in zip(low, high, strict=True))
    return (first, second, third), Grid(rows, cols, layers)
