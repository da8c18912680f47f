"""The player that follows a game's rules of thumb, or else looks one ply ahead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noughts.core import Move, Position
from noughts.note import note
from noughts.players.fallible import Fallible
from noughts.players.player import Choice, Limits

__all__ = ["RulesPlayer"]


@dataclass(frozen=True, kw_only=True)
class RulesPlayer(Fallible):
    """Follows the rules of thumb of the game; where it has none, wins, keeps from losing, and takes what looks best."""

    name = "rules"
    what = "the rules player"
    summary = "follows the game's rules of thumb, or looks one move ahead where it has none"

    def best(self, position: Position, limits: Limits) -> Choice:
        """Apply the first rule that fits."""
        advice = position.advise(self.rng)
        if advice is None:
            return _one_ply(position)
        return Choice(advice.move, advice.note, score=advice.score)

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """1 for the move the rules ask for, 0 for the others."""
        wanted = self.best(position, limits).move
        return {move: float(move == wanted) for move in position.legal_moves}


def _one_ply(position: Position) -> Choice:
    """Win at once, else keep the opponent from it, else the best estimate after the move."""
    mark, best, best_rank = position.turn, -1, None
    for move in position.legal_moves:
        after = position.play_unchecked(move)
        if after.outcome is not None and after.outcome.winner == mark:
            return Choice(move, note("win_now"))
        loses = any(_wins(after, reply) for reply in after.legal_moves)
        rank = (not loses, after.estimate(mark))
        if best_rank is None or rank > best_rank:
            best, best_rank = move, rank
    return Choice(best, note("one_ply"))


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play_unchecked(move).outcome
    return outcome is not None and outcome.winner == position.turn
