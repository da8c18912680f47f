"""Features: which groups of cells a network of tuples looks at, and which of them share weights."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from noughts.board.grid import Grid, Step, Symmetry
from noughts.core import LARGEST_COMPILED, Game
from noughts.errors import SearchError
from noughts.learning.inputs import blocks_of, image

__all__ = ["Features"]

WINDOW = 6
"""Longer lines are looked at in windows of so many cells."""

BLOCKS = ((3, 3), (2, 4))
"""Rows and columns of the blocks."""


@dataclass(frozen=True)
class Features:
    """Tuples of cells, each with the number of the table that holds its weights.

    In a game of nested boards the numbers after the cells stand for what is known about each small
    board; :mod:`noughts.learning.inputs` has their order.
    """

    cells: int
    """How many numbers a tuple can hold."""
    tuples: tuple[tuple[int, ...], ...]
    tables: tuple[int, ...]
    mirror: tuple[int, ...] = ()
    """Where the second seat sees each of the numbers; empty where both seats see the same board."""

    @classmethod
    def of(cls, game: Game) -> Features:
        """Lines and blocks of the board, whole families of symmetric ones sharing a table.

        On a board that is too large for the kernel all of one shape share a table.

        >>> from noughts.games import game
        >>> found = Features.of(game("4x4"))
        >>> found.tuples[:2], found.tables[:2]
        (((0, 1, 2, 3), (3, 2, 1, 0)), (0, 0))
        """
        if len(game.marks) != 2:
            raise SearchError(f"features are for two players; {game} has {len(game.marks)} players")
        if game.mirror is None:
            raise SearchError(f"a network has the same weights for both players; in {game} they are not alike")
        mirror = () if game.mirror == Symmetry(game.grid) else image(game, game.mirror)
        seen: set[tuple[int, ...]] = set()
        tuples: list[tuple[int, ...]] = []
        tables: list[int] = []
        count = 0
        blocks = blocks_of(game)
        if game.grid.cells > LARGEST_COMPILED:
            return cls(game.grid.cells, *_by_shape(game.grid), mirror)
        images = [image(game, symmetry) for symmetry in game.symmetries]
        groups = _nested_groups(game, blocks) if blocks else _groups(game.grid)
        for group in _both_ways(groups, mirror) if mirror else groups:
            if group in seen:
                continue
            for place in images:
                mapped = tuple(place[digit] for digit in group)
                if mapped not in seen:
                    seen.add(mapped)
                    tuples.append(mapped)
                    tables.append(count)
            count += 1
        return cls(game.grid.cells + 2 * len(blocks), tuple(tuples), tuple(tables), mirror)


def _by_shape(grid: Grid) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Lines and blocks of a huge board, each shape with one table wherever it lies."""
    shapes: dict[tuple[int, ...], int] = {}
    tuples = tuple(_groups(grid))
    return tuples, tuple(shapes.setdefault(tuple(cell - group[0] for cell in group), len(shapes)) for group in tuples)


def _both_ways(groups: Iterator[tuple[int, ...]], mirror: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Groups, then their images in the mirror, each with weights of its own: upright blocks beside those that lie.

    An image of the same cells as another group has nothing to add.
    """
    known: set[frozenset[int]] = set()
    kept = []
    for group in groups:
        known.add(frozenset(group))
        kept.append(group)
        yield group
    for group in kept:
        image = tuple(mirror[cell] for cell in group)
        if frozenset(image) not in known:
            known.add(frozenset(image))
            yield image


def _nested_groups(game: Game, blocks: tuple[tuple[int, ...], ...]) -> Iterator[tuple[int, ...]]:
    """Lines and blocks of each small board, with whether the next move may go there, and of the board they make."""
    grid = game.grid
    across = sum(block[0] // grid.cols == blocks[0][0] // grid.cols for block in blocks)
    small = Grid(len({cell // grid.cols for cell in blocks[0]}), len({cell % grid.cols for cell in blocks[0]}))
    for number, block in enumerate(blocks):
        for group in _groups(small):
            yield (*(block[cell] for cell in group), grid.cells + len(blocks) + number)
    for group in _groups(Grid(len(blocks) // across, across)):
        yield tuple(grid.cells + number for number in group)


def _groups(grid: Grid) -> Iterator[tuple[int, ...]]:
    """Every straight line as far as it goes (in windows, where it is long), and every 3x3 and 2x4 block.

    On a board of several layers the blocks lie within each of them.
    """
    for start, step in itertools.product(range(grid.cells), grid.directions):
        line = _line(grid, start, step)
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


def _line(grid: Grid, start: int, step: Step) -> tuple[int, ...]:
    """The whole line that begins at a cell, or nothing if it began earlier."""
    back = (-step[0], -step[1], -step[2])
    return () if grid.walk(start, back, 1) else (start, *grid.walk(start, step, grid.cells))
