"""The player for large boards: as strong as its time allows, and honest about what it has proven."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.core import Move, Position
from noughts.errors import PlayerError
from noughts.games.lines import Lines
from noughts.kernel import limited, moment
from noughts.players.fallible import Fallible
from noughts.players.mcts import MctsPlayer
from noughts.players.player import Choice, Limits
from noughts.spec import Integer, Number, option

if TYPE_CHECKING:
    from noughts._kernel import _Engine

__all__ = ["EnginePlayer"]

TABLE_BYTES = 256 << 20
"""Memory for what the search remembers."""

PAWN = 2000
"""An estimate of this size counts as nearly won when moves are sampled."""


@dataclass(frozen=True, kw_only=True)
class EnginePlayer(Fallible):
    """Alpha-beta with threats on k in a row; on other games a tree search."""

    name = "engine"
    what = "the engine"
    summary = "the strongest on large boards: alpha-beta with threat search in a row, a tree search elsewhere"

    seconds: float = option(Number(0.001, 3600), "take at most so long", default=1.0)
    depth: int | None = option(Integer(1, 200), "look at most so many plies ahead (in a row)", default=None)
    fours: int | None = option(
        Integer(0, 200), "follow at most so many threats in one go (in a row); 0 overlooks them", default=None
    )
    threads: int | None = option(
        Integer(1, 256), "default: all cores; one with a depth, to repeat itself", default=None
    )

    def best(self, position: Position, limits: Limits) -> Choice:
        """What the search likes best."""
        if not _is_in_a_row(position):
            return self._tree(limits).best(position, limits)
        found = self._search(position, limits, every=False)
        nodes, depth = found["nodes"], found["depth"]
        if found["proven"] is not None:
            value, plies = found["proven"]
            note = f"a forced {value} in at most {plies}"
        elif depth == 0:
            note = "the middle of an empty board" if not position.cells else "no time to look ahead"
        else:
            note = f"best after {depth} plies, not proven"
        return Choice(
            found["best"], note, score=found["score"], proven=found["proven"] is not None, nodes=nodes, depth=depth
        )

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """Every move that was considered, by its score."""
        if not _is_in_a_row(position):
            return self._tree(limits).rate(position, limits)
        found = self._search(position, limits, every=True)
        return {move: max(-1.0, min(1.0, score / PAWN)) for move, score in found["moves"]}

    def _search(self, position: Position, limits: Limits, *, every: bool) -> _Engine:
        compiled = position.game.kernel
        if compiled is None:
            raise PlayerError("board_too_large", f"the engine takes boards up to 400 cells; {position.game} has more")
        seconds = self.seconds if limits.seconds is None else min(self.seconds, limits.seconds)
        threads = self.threads or (1 if self.depth is not None else os.cpu_count() or 1)
        allowance = limited(
            seconds=seconds,
            nodes=limits.nodes,
            memory=limits.bytes(TABLE_BYTES),
            progress=limits.tell,
            stop=limits.stop,
        )
        return compiled.engine(
            moment(position), allowance, depth=self.depth, fours=self.fours, threads=threads, every=every
        )

    def _tree(self, limits: Limits) -> MctsPlayer:
        return MctsPlayer(seconds=self.seconds, seed=self.rng.getrandbits(62))


def _is_in_a_row(position: Position) -> bool:
    return isinstance(position.game, Lines) and len(position.game.marks) == 2
