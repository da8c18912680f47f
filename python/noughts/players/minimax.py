"""The textbook player: alpha-beta as deep as its time allows."""

from __future__ import annotations

import time
from dataclasses import dataclass

from noughts.compute.value import Proven
from noughts.core import Position
from noughts.note import Note, note
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

    depth: int | None = option(Integer(1, 1000), "plies to look ahead at most", default=None)
    seconds: float = option(Number(0.001, 3600), "seconds to think at most", default=3.0)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Search within the tighter of the two limits."""
        limits = limits.within(seconds=self.seconds, depth=self.depth)
        began = time.perf_counter()

        def report(result: Result) -> None:
            limits.report("search", result.depth, result.nodes, time.perf_counter() - began)

        result = deepening(
            position,
            seconds=limits.seconds,
            nodes=limits.nodes,
            depth=limits.depth,
            on_round=report,
            stop=limits.stop,
        )
        return Choice(
            result.move,
            _note(result),
            score=result.score,
            proven=result.complete,
            nodes=result.nodes,
            depth=result.depth,
        )


def _note(result: Result) -> Note:
    """What the search knows, and what it does not."""
    if abs(result.score) > WIN / 2:
        return Proven(Proven.value_of(result.score), int(WIN - abs(result.score))).note()
    if result.complete:
        return Proven("draw").note()
    return note("searched", depth=result.depth) if result.depth else note("no_time")
