"""The player that plays many random games in its head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noughts.compute.sampling import MCTS_MEMORY, Survey, mcts
from noughts.core import Move, Position
from noughts.players.fallible import Fallible
from noughts.players.player import Choice, Limits
from noughts.spec import Integer, Number, option

__all__ = ["MctsPlayer", "survey_choice"]

UNLIMITED = 10**12
"""Simulations when only the time counts."""


@dataclass(frozen=True, kw_only=True)
class MctsPlayer(Fallible):
    """Monte Carlo tree search; for any game and any number of players."""

    name = "mcts"
    what = "the mcts player"
    summary = "Monte Carlo tree search: the move that does best in many random games"

    simulations: int | None = option(Integer(1, 10**9), "games to play in its head (default: 10000)", default=None)
    seconds: float | None = option(Number(0.001, 3600), "take at most so long", default=None)

    def best(self, position: Position, limits: Limits) -> Choice:
        """The move tried most often."""
        return survey_choice(self._survey(position, limits))

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """The mean result of every move."""
        return {move: stats.value for move, stats in self._survey(position, limits).moves.items() if stats.visits}

    def _survey(self, position: Position, limits: Limits) -> Survey:
        allowed = [seconds for seconds in (self.seconds, limits.seconds) if seconds is not None]
        simulations = self.simulations or (UNLIMITED if allowed else 10_000)
        if limits.nodes is not None:
            simulations = min(simulations, limits.nodes)
        return mcts(
            position,
            simulations,
            seed=self.rng.getrandbits(63),
            seconds=min(allowed, default=None),
            memory=limits.bytes(MCTS_MEMORY),
            progress=limits.tell,
            stop=limits.stop,
        )


def survey_choice(survey: Survey) -> Choice:
    """What a tree search recommends, and how it came to it."""
    if survey.proven is not None:
        mark = survey.position.turn
        outcome = "draw" if survey.proven == "draw" else "win" if survey.proven == mark else "loss"
        note = f"a {outcome} with best play"
    else:
        note = f"scores {(survey.value + 1) / 2:.0%} in {survey.simulations:,} random games"
    return Choice(survey.best, note, score=survey.value, proven=survey.proven is not None, nodes=survey.simulations)
