"""The figures of a match: length, duration, who won and with which move."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.core import Mark
from noughts.match.state import Ply, State

__all__ = ["Metrics", "measure"]


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of one match."""

    id: str
    history: tuple[Ply, ...]
    winner: Mark | None
    """``None`` for a draw and for a match that is not over."""
    winning_move: str | None
    """The winner's last move; ``None`` for a draw, a resignation and a match that is not over."""
    duration: float
    """Seconds from the start to the last action."""
    first_player: Mark
    length: int

    def to_json(self) -> dict[str, object]:
        """The metrics as a JSON object."""
        return {
            "id": self.id,
            "history": [
                {"player": ply.player, "move": ply.move, "at": ply.at, "captured_count": ply.captured_count}
                for ply in self.history
            ],
            "winner": self.winner,
            "winning_move": self.winning_move,
            "duration": self.duration,
            "first_player": self.first_player,
            "length": self.length,
        }


def measure(state: State) -> Metrics:
    """The figures of a match at its current state."""
    winner = None if state.winner == "draw" else state.winner
    decided = winner is not None and state.resigned is None and state.history and state.history[-1].player == winner
    return Metrics(
        id=state.id,
        history=state.history,
        winner=winner,
        winning_move=state.game.move_name(state.history[-1].move) if decided else None,
        duration=state.updated_at - state.started_at,
        first_player=state.first,
        length=len(state.history),
    )
