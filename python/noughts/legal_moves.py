"""LegalMoves: the moves that a position accepts, as a collection."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from noughts.hooks import SWAP, Move

if TYPE_CHECKING:
    from noughts.core import Position

__all__ = ["LegalMoves"]


class LegalMoves(Sequence[Move]):
    """The legal moves of a position: iterate in board order, ``in``, ``len``, index, or pick one."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def __iter__(self) -> Iterator[Move]:
        return iter(()) if self._position.outcome else self._position.moves()

    def __len__(self) -> int:
        return 0 if self._position.outcome else self._position.move_count()

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __contains__(self, move: object) -> bool:
        return isinstance(self._position.checked(move), int)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        return tuple(self)[index]

    def pick(self, rng: random.Random) -> Move:
        """A legal move, each as likely as any other; quick on huge boards too."""
        cells = self._position.game.grid.cells
        if cells > 256:
            for _ in range(32):
                move = rng.randrange(SWAP, cells)
                if move in self:
                    return move
        return rng.choice(tuple(self))

    def __repr__(self) -> str:
        name = self._position.game.move_name
        shown = [name(move) for move, _ in zip(self, range(20), strict=False)]
        return f"<LegalMoves {len(self)}: {' '.join(shown)}{' …' if len(self) > len(shown) else ''}>"
