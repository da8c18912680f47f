"""Inputs: what a network of tuples sees of a position, as digits.

There is one digit for each cell: 0 empty, 1 the observer's mark, 2 the other player's. A game of nested
boards (the layout fact ``blocks``) has two more for each small board: whose it is, once it is decided,
and whether the next move may go there. Features number the digits in this order.

Where the seats play for different sides of the board, the second one sees it in the game's mirror.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.board.grid import Symmetry
from noughts.core import Game, Position

__all__ = ["Inputs", "blocks_of", "image"]

Digits = NDArray[np.int64]


@dataclass(frozen=True)
class Inputs:
    """The digits of one game.

    >>> from noughts.games import game
    >>> Inputs(game("3x3")).read(game("3x3").position("X2/1O1/3 X"), 0).tolist()
    [1, 0, 0, 0, 2, 0, 0, 0, 0]
    """

    game: Game
    mirror: tuple[int, ...] = ()
    """Where the second seat sees each digit; empty where both seats see the same board."""

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each small board, in board order; none where boards are not nested."""
        return blocks_of(self.game)

    @cached_property
    def count(self) -> int:
        """How many digits there are."""
        return self.game.grid.cells + 2 * len(self.blocks)

    @cached_property
    def _block_of(self) -> dict[int, int]:
        return {cell: number for number, cells in enumerate(self.blocks) for cell in cells}

    def read(self, position: Position, seat: int) -> Digits:
        """The digits of a position as a seat sees it."""
        own = self.game.marks[seat]
        digits = np.zeros(self.count, dtype=np.int64)
        for cell, mark in position.cells.items():
            digits[cell] = 1 if mark == own else 2
        if self.blocks:
            digits[self.game.grid.cells :] = self._about_blocks(position, own)
        if seat and self.mirror:
            seen = np.zeros_like(digits)
            seen[list(self.mirror)] = digits
            return seen
        return digits

    def changes(self, position: Position, seat: int, before: Digits) -> list[tuple[int, int]]:
        """The digits that the last move changed, with their new values; ``before`` has those before it."""
        own, cells = self.game.marks[seat], self.game.grid.cells
        place = self.mirror if seat and self.mirror else range(self.count)
        found = []
        for cell in position.changed:
            holder = position.cells.get(cell)
            digit = 0 if holder is None else 1 if holder == own else 2
            if digit != before[place[cell]]:
                found.append((place[cell], digit))
        if self.blocks:
            told = zip(place[cells:], self._about_blocks(position, own), strict=True)
            found += [(at, digit) for at, digit in told if digit != before[at]]
        return found

    def _about_blocks(self, position: Position, own: str) -> list[int]:
        owners, open_to = [0] * len(self.blocks), [0] * len(self.blocks)
        for region in position.regions():
            if region.mark is not None:
                owners[self._block_of[region.cells[0]]] = 1 if region.mark == own else 2
        for move in position.legal_moves:
            if move >= 0:
                open_to[self._block_of[move]] = 1
        return owners + open_to


def blocks_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """The cells of each small board of a game of nested boards."""
    size: Any = game.layout_facts.get("blocks")
    if not isinstance(size, Mapping):
        return ()
    grid, rows, cols = game.grid, int(size["rows"]), int(size["cols"])
    found: dict[tuple[int, int], list[int]] = {}
    for cell in range(grid.cells):
        found.setdefault((cell // grid.cols // rows, cell % grid.cols // cols), []).append(cell)
    return tuple(map(tuple, found.values()))


def image(game: Game, symmetry: Symmetry) -> tuple[int, ...]:
    """Where a map of the board takes each digit: the cells, and with them what is known about each small board."""
    cells, blocks = symmetry.table, blocks_of(game)
    number = {cell: place for place, block in enumerate(blocks) for cell in block}
    places = [number[cells[block[0]]] for block in blocks]
    owners, moves = len(cells), len(cells) + len(blocks)
    return (*cells, *(owners + place for place in places), *(moves + place for place in places))
