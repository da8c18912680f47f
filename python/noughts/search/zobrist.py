"""Zobrist keys: a number for each position that follows a move in constant time.

Every mark in every cell has a random 64-bit number; a position's key is the exclusive or of those
on its board, of one for the turn, and of one for whatever else its text says.
"""

from __future__ import annotations

from noughts.core import Position

__all__ = ["Zobrist"]

_MASK = (1 << 64) - 1


def _mixed(number: int) -> int:
    """A 64-bit number as good as random (SplitMix64)."""
    number = (number + 0x9E3779B97F4A7C15) & _MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK
    return number ^ (number >> 31)


class Zobrist:
    """The random numbers of one game. They are made when first needed, so any board will do."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._numbers: dict[tuple[int, str], int] = {}

    def _number(self, cell: int, word: str | None) -> int:
        if not word:
            return 0
        known = self._numbers.get((cell, word))
        if known is None:
            mixed = self._seed
            for part in (cell, *word.encode()):
                mixed = _mixed(mixed ^ part & _MASK)
            known = self._numbers[cell, word] = mixed
        return known

    def key(self, position: Position) -> int:
        """The key of a position from scratch."""
        key = self._number(-1, position.turn) ^ self._number(-2, position.extra)
        for cell, mark in position.cells.items():
            key ^= self._number(cell, mark)
        return key

    def follow(self, key: int, before: Position, after: Position) -> int:
        """The key of ``after``, one move on from ``before``, whose key is ``key``."""
        key ^= self._number(-1, before.turn) ^ self._number(-1, after.turn)
        key ^= self._number(-2, before.extra) ^ self._number(-2, after.extra)
        for cell in after.changed:
            key ^= self._number(cell, before.cells.get(cell)) ^ self._number(cell, after.cells.get(cell))
        return key
