"""The positions of a match, either all in memory or replayed when needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, overload

from noughts.core import Position

if TYPE_CHECKING:
    from noughts.match.state import Ply

__all__ = ["Recalled", "extended"]

KEEP_EVERY: Final = 16


class Recalled(Sequence[Position]):
    """The positions of a match with few in memory; the others are replayed from the moves when needed.

    So a match stays small and loads fast, however long it is. What was played or replayed leaves every sixteenth
    position behind, so that going back a move takes no longer at the three hundredth than at the third.
    """

    __slots__ = ("_at", "_here", "_kept", "_plies", "_start")

    def __init__(
        self,
        start: Position,
        plies: tuple[Ply, ...],
        at: int,
        here: Position,
        kept: dict[int, Position] | None = None,
    ) -> None:
        self._start, self._plies, self._at, self._here = start, plies, at, here
        self._kept: dict[int, Position] = {} if kept is None else kept
        """Every sixteenth position, as far as they are known. Shared with matches that have the same moves so far."""

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
        near, position = self._nearest(wanted)
        for number, ply in enumerate(self._plies[near:wanted], near + 1):
            position = position.play_unchecked(ply.move)
            if number % KEEP_EVERY == 0:
                self._kept[number] = position
        return position

    def _nearest(self, wanted: int) -> tuple[int, Position]:
        """The last position in memory that is not after the one that is wanted."""
        near, position = (self._at, self._here) if wanted > self._at else (0, self._start)
        for number in range(wanted - wanted % KEEP_EVERY, near, -KEEP_EVERY):
            kept = self._kept.get(number)
            if kept is not None:
                return number, kept
        return near, position

    def is_near(self, index: int) -> bool:
        """Whether a position takes only a few moves to replay."""
        return index == self._at or index - self._nearest(index)[0] <= KEEP_EVERY

    def _upto(self, last: int) -> list[Position]:
        positions = [self._start]
        for ply in self._plies[:last]:
            positions.append(positions[-1].play_unchecked(ply.move))
        return positions

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The moves that they follow from."""
        return self._plies

    @property
    def at(self) -> int:
        """The index of the position in memory."""
        return self._at

    def extended(self, plies: tuple[Ply, ...], position: Position) -> Recalled:
        """These positions plus the one after the last of ``plies``."""
        last = len(plies)
        kept = self._kept
        if last != len(self):
            # Some moves were taken back, and what they led to is another match's.
            kept = {number: known for number, known in kept.items() if number < last}
        if last % KEEP_EVERY == 0:
            kept[last] = position
        return Recalled(self._start, plies, last, position, kept)

    def moved(self, at: int, here: Position) -> Recalled:
        """The same positions with another one in memory."""
        return Recalled(self._start, self._plies, at, here, self._kept)


def extended(positions: Sequence[Position], plies: tuple[Ply, ...], position: Position) -> Sequence[Position]:
    """The positions of a match whose last ply led to ``position``."""
    if isinstance(positions, Recalled):
        return positions.extended(plies, position)
    return (*positions[: len(plies)], position)
