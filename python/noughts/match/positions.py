"""The positions of a match, either all in memory or replayed when needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from noughts.core import Position

if TYPE_CHECKING:
    from noughts.match.state import Ply

__all__ = ["Recalled", "extended"]


class Recalled(Sequence[Position]):
    """The positions of a match with only one in memory; the others are replayed from the moves when needed.

    So a match stays small and loads fast, however long it is.
    """

    __slots__ = ("_at", "_here", "_plies", "_start")

    def __init__(self, start: Position, plies: tuple[Ply, ...], at: int, here: Position) -> None:
        self._start, self._plies, self._at, self._here = start, plies, at, here

    def __len__(self) -> int:
        return len(self._plies) + 1

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Position, ...]: ...
    def __getitem__(self, index: int | slice) -> Position | tuple[Position, ...]:
        if index == self._at:
            return self._here
        if isinstance(index, slice):
            numbers = range(len(self))[index]
            positions = self._upto(max(numbers, default=0))
            return tuple(positions[number] for number in numbers)
        wanted = range(len(self))[index]
        if wanted == self._at:
            return self._here
        near, position = (self._at, self._here) if wanted > self._at else (0, self._start)
        for ply in self._plies[near:wanted]:
            position = position.play_unchecked(ply.move)
        return position

    def _upto(self, last: int) -> list[Position]:
        positions = [self._start]
        for ply in self._plies[:last]:
            positions.append(positions[-1].play_unchecked(ply.move))
        return positions

    @property
    def at(self) -> int:
        """The index of the position in memory."""
        return self._at

    def extended(self, plies: tuple[Ply, ...], position: Position) -> Recalled:
        """These positions plus the one after the last of ``plies``."""
        return Recalled(self._start, plies, len(plies), position)


def extended(positions: Sequence[Position], plies: tuple[Ply, ...], position: Position) -> Sequence[Position]:
    """The positions of a match whose last ply led to ``position``."""
    if isinstance(positions, Recalled):
        return positions.extended(plies, position)
    return (*positions[: len(plies)], position)
