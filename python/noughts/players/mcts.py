"""The player that plays many random games in its head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noughts.compute.sampling import MCTS_MEMORY, Survey, mcts
from noughts.core import Move, Position
from noughts.note import note
from noughts.players.fallible import Fallible
from noughts.players.player import Choice, Limits
from noughts.spec import Integer, Number, option

__all__ = ["MctsPlayer", "survey_choice"]


@dataclass(frozen=True, kw_only=True)
class MctsPlayer(Fallible):
    """Monte Carlo tree search; for any game and any number of players."""

    name = "mcts"
    what = "the mcts player"
    summary = "Monte Carlo tree search: the move that does best in many random games"

    simulations: int | None = option(Integer(1, 10**9), "games to play in its head (default: 10000)", default=None)
    seconds: float | None = option(Number(0.001, 3600), "seconds to think at most", default=None)

    def best(self, position: Position, limits: Limits) -> Choice:
        """The move tried most often."""
        return survey_choice(self._survey(position, limits))

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """The mean result of every move."""
        return {move: stats.value for move, stats in self._survey(position, limits).moves.items() if stats.visits}

    def _survey(self, position: Position, limits: Limits) -> Survey:
        limits = limits.within(seconds=self.seconds, nodes=self.simulations)
        return mcts(position, seed=self.rng.getrandbits(63), limits=limits.within(memory=MCTS_MEMORY))


def survey_choice(survey: Survey) -> Choice:
    """What a tree search recommends, and how it came to it."""
    proven = survey.known
    why = proven.note() if proven else note("simulated", share=(survey.value + 1) / 2, games=survey.simulations)
    return Choice(survey.best, why, score=survey.value, proven=proven is not None, nodes=survey.simulations)
