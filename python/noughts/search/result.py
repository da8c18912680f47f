"""What a search returns, and what the end of a game is worth to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from noughts.core import Mark, Move, Outcome, Position
from noughts.errors import PlayerError, SearchError

__all__ = ["WIN", "Result", "Worth", "check_searchable", "tile_margin", "win_soon"]

WIN = 10_000_000
"""More than any number of plies, and more than any estimate: a win is a win at every depth."""

Worth = Callable[[Outcome, Mark, int], int]
"""What an outcome reached after so many plies is worth to a mark."""


@dataclass(frozen=True, slots=True)
class Result:
    """The best move found, the first in board order among equals, and the work it took."""

    move: Move
    score: float
    """For the player to move. A proven win in n plies scores ``WIN - n``, a loss ``n - WIN``."""
    nodes: int
    """Positions looked at."""
    cutoffs: int
    """How often the remaining moves of a position did not need to be looked at."""
    depth: int
    """How many plies ahead the search saw."""
    complete: bool
    """Whether every line was followed to the end of the game, so that the score is exact."""


def win_soon(outcome: Outcome, mark: Mark, ply: int) -> int:
    """Prefer the faster win and the slower loss, and any win to any draw to any loss."""
    return outcome.score(mark) * (WIN - ply)


def tile_margin(outcome: Outcome, mark: Mark, ply: int) -> int:
    """Prefer to lead by more tiles."""
    return outcome.margin(mark)


def check_searchable(position: Position, *, name: str, players: int | None = 2) -> None:
    """Refuse a finished game, and for searches between two players any other number."""
    if players is not None and len(position.game.marks) != players:
        raise SearchError(f"{name} is for two players; {position.game} has {len(position.game.marks)}")
    if position.outcome is not None:
        raise PlayerError("game_over", f"there is nothing to search: the game is over, {position.result()}")
