"""The state of a match: the moves, the cursor of undo and redo, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

from noughts.core import Game, Mark, Move, Position

__all__ = ["Ply", "State", "changed"]


class Ply(NamedTuple):
    """One move that was played: by whom, when, and how many tiles it captured."""

    player: Mark
    move: Move
    at: float
    captured_count: int = 0


T = TypeVar("T")


def changed(record: T, changes: dict[str, Any]) -> T:
    """A copy of a frozen dataclass with some fields changed; faster than dataclasses.replace, for every move."""
    after = object.__new__(type(record))
    object.__setattr__(after, "__dict__", vars(record) | changes)
    return after


@dataclass(frozen=True, kw_only=True)
class State:
    """A match at one version. Immutable; :func:`~noughts.match.reduce` makes the next state."""

    game: Game
    first: Mark
    """Who moves first."""
    id: str
    players: Mapping[Mark, str]
    version: int
    """One more with every accepted action."""
    started_at: float
    updated_at: float
    plies: tuple[Ply, ...] = ()
    """Every move, including those taken back, which redo can replay."""
    positions: Sequence[Position] = field(repr=False, compare=False)
    """The position before each ply and after the last."""
    cursor: int = 0
    """How many plies count: undo and redo move it."""
    resigned: Mark | None = None

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[self.cursor]

    @property
    def history(self) -> tuple[Ply, ...]:
        """The moves that led to the current position."""
        return self.plies[: self.cursor]

    @property
    def turn(self) -> Mark:
        """Who moves next; once the game is over, who moved last."""
        return self.position.turn

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, on the board or by resignation."""
        return self.resigned is not None or self.position.outcome is not None

    @property
    def winner(self) -> Mark | Literal["draw"] | None:
        """Who won, ``draw``, or ``None`` while the game goes on.

        When somebody resigns, the next in turn wins.
        """
        if self.resigned is not None:
            return self.game.after(self.resigned)
        if self.position.outcome is None:
            return None
        return self.position.outcome.winner or "draw"

    @property
    def status(self) -> str:
        """``playing``, ``draw``, or ``x_wins`` and its like."""
        winner = self.winner
        if winner is None:
            return "playing"
        return "draw" if winner == "draw" else f"{winner.lower()}_wins"
