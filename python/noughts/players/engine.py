"""The player for large boards: as strong as its time allows, and honest about what it has proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from noughts.compute.kernel import cores, limited, moment
from noughts.core import Move, Position
from noughts.games.lines import Lines, LinesPosition
from noughts.players.fallible import Fallible
from noughts.players.mcts import MctsPlayer
from noughts.players.player import Choice, Limits
from noughts.players.rules import RulesPlayer
from noughts.spec import Integer, Number, option

if TYPE_CHECKING:
    from noughts._kernel import _Engine

__all__ = ["EnginePlayer"]

TABLE_BYTES = 256 << 20
"""Memory for what the search remembers."""

NEARLY_WON_IN_A_ROW = 2000
"""An estimate of this size counts as nearly won when moves are sampled."""

NEARLY_WON = 500
"""The same where 100 is about a tile, or a stone less to connect."""


@dataclass(frozen=True, kw_only=True)
class EnginePlayer(Fallible):
    """Alpha-beta that knows the game; with more than two players a tree search."""

    name = "engine"
    what = "the engine"
    summary = "the strongest on large boards: alpha-beta, with threat search in a row"

    seconds: float = option(Number(0.001, 3600), "take at most so long", default=1.0)
    depth: int | None = option(Integer(1, 200), "look at most so many plies ahead", default=None)
    fours: int | None = option(
        Integer(0, 200), "follow at most so many threats in one go (in a row); 0 overlooks them", default=None
    )
    threads: int | None = option(
        Integer(1, 256), "default: all cores, shared in an arena; one with a depth, to repeat itself", default=None
    )

    def best(self, position: Position, limits: Limits) -> Choice:
        """What the search likes best."""
        if not _is_judged(position):
            return self._tree(limits).best(position, limits)
        if _is_large(position):
            return self._best_at_large(position, limits)
        found = self._search(position, limits, every=False)
        nodes, depth = found["nodes"], found["depth"]
        if found["proven"] is not None:
            value, plies = found["proven"]
            note = "a draw with best play" if value == "draw" else f"a forced {value} in at most {plies}"
        elif depth == 0:
            middle = not position.cells and found["stopped"] is None
            note = "the middle of an empty board" if middle else "no time to look ahead"
        else:
            note = f"best after {depth} plies, not proven"
        return Choice(
            found["best"], note, score=found["score"], proven=found["proven"] is not None, nodes=nodes, depth=depth
        )

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """Every move that was considered, by its score."""
        if not _is_judged(position):
            return self._tree(limits).rate(position, limits)
        if _is_large(position):
            window = position.window()
            if window is None:
                return self._rules.rate(position, limits)
            return {window.outside(move): worth for move, worth in self.rate(window.position, limits).items()}
        found = self._search(position, limits, every=True)
        won = NEARLY_WON_IN_A_ROW if isinstance(position.game, Lines) else NEARLY_WON
        return {move: max(-1.0, min(1.0, score / won)) for move, score in found["moves"]}

    def _best_at_large(self, position: LinesPosition, limits: Limits) -> Choice:
        """The best move in the part of a large board where the stones are."""
        window = position.window()
        if window is None:
            return self._rules.best(position, limits)
        choice = self.best(window.position, limits)
        note = f"seen through a window of {window.size}: {choice.note}"
        return replace(choice, move=window.outside(choice.move), note=note, proven=False)

    @property
    def _rules(self) -> RulesPlayer:
        """Who plays when the stones lie too far apart for a window."""
        return RulesPlayer(seed=self.rng.getrandbits(62))

    def _search(self, position: Position, limits: Limits, *, every: bool) -> _Engine:
        compiled = position.game.kernel
        assert compiled is not None
        seconds = self.seconds if limits.seconds is None else min(self.seconds, limits.seconds)
        threads = self.threads or (1 if self.depth is not None else cores())
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


def _is_large(position: Position) -> TypeGuard[LinesPosition]:
    return isinstance(position, LinesPosition) and position.game.kernel is None


def _is_judged(position: Position) -> bool:
    game = position.game
    return len(game.marks) == 2 and (isinstance(game, Lines) or game.kernel is not None)
