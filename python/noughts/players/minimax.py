"""The textbook player: alpha-beta as deep as its time allows."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.core import Position
from noughts.players.player import Choice, Limits, Player
from noughts.search import WIN, Result, deepening
from noughts.spec import Integer, Number, option

__all__ = ["MinimaxPlayer"]


@dataclass(frozen=True, kw_only=True)
class MinimaxPlayer(Player):
    """Looks ahead ply by ply until it sees the end of the game or its time is up."""

    name = "minimax"
    what = "the minimax player"
    summary = "looks ahead with alpha-beta; exact where it sees the end of the game, and says so"

    depth: int | None = option(Integer(1, 1000), "look at most so many plies ahead", default=None)
    seconds: float = option(Number(0.001, 3600), "take at most so long", default=3.0)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Search within the tighter of the two limits."""
        seconds = self.seconds if limits.seconds is None else min(self.seconds, limits.seconds)

        def report(result: Result) -> None:
            if limits.progress is not None:
                limits.progress(f"depth {result.depth}, {result.nodes:,} positions")

        result = deepening(
            position, seconds=seconds, nodes=limits.nodes, depth=self.depth, progress=report, stop=limits.stop
        )
        return Choice(
            result.move,
            _note(result),
            score=result.score,
            proven=result.complete,
            nodes=result.nodes,
            depth=result.depth,
        )


def _note(result: Result) -> str:
    """What the search knows, and what it does not."""
    if result.score > WIN / 2:
        return f"a forced win in {int(WIN - result.score)}"
    if result.score < -WIN / 2:
        return f"lost in {int(WIN + result.score)} against best play"
    if result.complete:
        return "a draw with best play"
    if result.depth == 0:
        return "no time to look ahead: the first legal move"
    return f"best after {result.depth} plies, not proven"
