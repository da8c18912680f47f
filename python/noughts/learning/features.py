"""Features: which groups of cells a network of tuples looks at, and which of them share weights."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from noughts.board.grid import Step
from noughts.core import Game
from noughts.errors import SearchError

__all__ = ["Features"]

WINDOW = 6
"""Longer lines are looked at in windows of so many cells."""

BLOCKS = ((3, 3), (2, 4))
"""Rows and columns of the blocks."""


@dataclass(frozen=True)
class Features:
    """Tuples of cells, each with the number of the table that holds its weights."""

    cells: int
    tuples: tuple[tuple[int, ...], ...]
    tables: tuple[int, ...]

    @classmethod
    def of(cls, game: Game) -> Features:
        """Lines and blocks of the board, whole families of symmetric ones sharing a table.

        >>> from noughts.games import game
        >>> found = Features.of(game("4x4"))
        >>> found.tuples[:2], found.tables[:2]
        (((0, 1, 2, 3), (3, 2, 1, 0)), (0, 0))
        """
        if len(game.marks) != 2:
            raise SearchError(f"features are for games of two; {game} has {len(game.marks)} players")
        seen: set[tuple[int, ...]] = set()
        tuples: list[tuple[int, ...]] = []
        tables: list[int] = []
        count = 0
        for group in _groups(game):
            if group in seen:
                continue
            for symmetry in game.symmetries:
                image = tuple(symmetry(cell) for cell in group)
                if image not in seen:
                    seen.add(image)
                    tuples.append(image)
                    tables.append(count)
            count += 1
        return cls(game.grid.cells, tuple(tuples), tuple(tables))


def _groups(game: Game) -> Iterator[tuple[int, ...]]:
    """Every straight line as far as it goes (in windows, where it is long), and every 3x3 and 2x4 block.

    On a board of several layers the blocks lie within each of them.
    """
    grid = game.grid
    for start, step in itertools.product(range(grid.cells), grid.directions):
        line = _line(game, start, step)
        if len(line) >= 3:
            yield from (line[i : i + WINDOW] for i in range(max(1, len(line) - WINDOW + 1)))
    for rows, cols in BLOCKS:
        if rows > grid.rows or cols > grid.cols:
            continue
        for layer, row, col in itertools.product(
            range(grid.layers), range(grid.rows - rows + 1), range(grid.cols - cols + 1)
        ):
            block = ((layer * grid.rows + row + i) * grid.cols + col + j for i in range(rows) for j in range(cols))
            yield tuple(block)


def _line(game: Game, start: int, step: Step) -> tuple[int, ...]:
    """The whole line that begins at a cell, or nothing if it began earlier."""
    grid = game.grid
    back = (-step[0], -step[1], -step[2])
    return () if grid.walk(start, back, 1) else (start, *grid.walk(start, step, grid.cells))
