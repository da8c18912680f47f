"""The player that knows: a proven best move wherever a proof fits its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from noughts.core import Move, Position
from noughts.players.engine import EnginePlayer
from noughts.players.fallible import Fallible
from noughts.players.mcts import MctsPlayer
from noughts.players.player import Choice, Limits
from noughts.search import check_searchable
from noughts.solver import MoveValue, Verdict, solve
from noughts.spec import Number, option

__all__ = ["PerfectPlayer"]

PROOF_SHARE = 0.7
"""The part of its time that goes into a proof; the rest is left for a search without one."""


@dataclass(frozen=True, kw_only=True)
class PerfectPlayer(Fallible):
    """Solves the position; where that takes too long, searches and says so."""

    name = "perfect"
    what = "the perfect player"
    summary = "the exact solver's move wherever a proof fits its time, else the engine's; it says which"

    seconds: float = option(Number(0.001, 3600), "take at most so long", default=2.0)

    def best(self, position: Position, limits: Limits) -> Choice:
        """The first best move in board order if it can be proven, else the one a search prefers."""
        verdict = self._verdict(position, limits, every_move=False)
        if verdict is not None and verdict.proven and verdict.best:
            known = MoveValue(verdict.value, verdict.distance, verdict.margin)
            return Choice(
                verdict.best[0],
                str(known),
                score=_rating(known, position),
                proven=True,
                nodes=verdict.nodes,
                depth=verdict.distance or 0,
            )
        choice = self._stand_in(limits, verdict).best(position, limits)
        return choice if choice.proven else replace(choice, note=f"no proof in time; {choice.note}")

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """The exact value of every move, or what a search thinks of them."""
        verdict = self._verdict(position, limits, every_move=True)
        if verdict is not None and verdict.map and all(worth.value != "unknown" for worth in verdict.map.values()):
            return {move: _rating(worth, position) for move, worth in verdict.map.items()}
        return self._stand_in(limits, verdict).rate(position, limits)

    def _seconds(self, limits: Limits) -> float:
        return self.seconds if limits.seconds is None else min(self.seconds, limits.seconds)

    def _verdict(self, position: Position, limits: Limits, *, every_move: bool) -> Verdict | None:
        if len(position.game.marks) != 2 or position.game.kernel is None:
            return None
        check_searchable(position, name="the solver")
        seconds = PROOF_SHARE * self._seconds(limits)
        return solve(
            position, map=every_move, seconds=seconds, nodes=limits.nodes, progress=limits.tell, stop=limits.stop
        )

    def _stand_in(self, limits: Limits, verdict: Verdict | None) -> Fallible:
        """The strongest player without a proof, for the time that is left."""
        seconds = max(self._seconds(limits) - (verdict.seconds if verdict else 0.0), 0.01)
        kind = MctsPlayer if verdict is None else EnginePlayer
        return kind(seconds=seconds, seed=self.rng.getrandbits(62))


def _rating(worth: MoveValue, position: Position) -> float:
    """A value as a number from −1 to 1: the sooner a win and the later a loss, the better."""
    if worth.margin is not None:
        return worth.margin / position.game.grid.cells
    sign = {"win": 1, "draw": 0, "loss": -1, "unknown": 0}[worth.value]
    return sign * (1 - (worth.distance or 0) / 1000)
