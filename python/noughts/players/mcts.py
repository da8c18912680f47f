"""The player that plays many random games in its head."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.core import Position
from noughts.players.player import Choice, Limits, Player
from noughts.search import Result, mcts
from noughts.spec import Integer, Number, option

__all__ = ["MctsPlayer"]


@dataclass(frozen=True, kw_only=True)
class MctsPlayer(Player):
    """Monte Carlo tree search; for any game and any number of players."""

    name = "mcts"
    what = "the mcts player"
    summary = "Monte Carlo tree search: the move that does best in many random games"

    simulations: int = option(Integer(1, 10**9), "how many games to play in its head", default=1000)
    seconds: float | None = option(Number(0.001, 3600), "take at most so long", default=None)
    seed: int | None = option(Integer(0, 2**63), "the same seed plays the same moves", default=None)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Search within the tighter of the limits."""
        allowed = [seconds for seconds in (self.seconds, limits.seconds) if seconds is not None]
        simulations = self.simulations if limits.nodes is None else min(self.simulations, limits.nodes)

        def report(result: Result) -> None:
            if limits.progress is not None:
                limits.progress(f"{result.nodes:,} of {simulations:,} games")

        result = mcts(
            position,
            simulations=simulations,
            seconds=min(allowed, default=None),
            seed=self.seed,
            progress=report,
            stop=limits.stop,
        )
        share = (result.score + 1) / 2
        note = f"scores {share:.0%} in {result.nodes:,} random games"
        return Choice(result.move, note, score=result.score, nodes=result.nodes, depth=result.depth)
