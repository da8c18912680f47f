"""The player for large boards: as strong as its time allows, and honest about what it has proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

from noughts.compute.engine import Engine, Thought, think
from noughts.core import Move, Position
from noughts.games.lines import Lines, LinesPosition
from noughts.note import Note, note
from noughts.players.fallible import Fallible
from noughts.players.mcts import MctsPlayer
from noughts.players.player import Choice, Limits
from noughts.players.rules import RulesPlayer
from noughts.spec import Integer, Number, option

__all__ = ["EnginePlayer"]

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

    @cached_property
    def _engine(self) -> Engine:
        """The engine of this player, which remembers from move to move."""
        return Engine()

    def best(self, position: Position, limits: Limits) -> Choice:
        """What the search likes best."""
        if not _is_judged(position):
            return self._tree.best(position, limits)
        if _is_large(position):
            return self._best_at_large(position, limits)
        found = self._think(position, limits)
        return Choice(
            found.best,
            _note(found),
            score=found.score,
            proven=found.proven is not None,
            nodes=found.nodes,
            depth=found.depth,
        )

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """Every move that was considered, by its score."""
        if not _is_judged(position):
            return self._tree.rate(position, limits)
        if _is_large(position):
            window = position.window()
            if window is None:
                return self._rules.rate(position, limits)
            return {window.outside(move): worth for move, worth in self.rate(window.position, limits).items()}
        found = self._think(position, limits, every=True)
        won = NEARLY_WON_IN_A_ROW if isinstance(position.game, Lines) else NEARLY_WON
        return {move: max(-1.0, min(1.0, score / won)) for move, score in found.moves.items()}

    def _best_at_large(self, position: LinesPosition, limits: Limits) -> Choice:
        """The best move in the part of a large board where the stones are."""
        window = position.window()
        if window is None:
            return self._rules.best(position, limits)
        choice = self.best(window.position, limits)
        return replace(
            choice,
            move=window.outside(choice.move),
            note=note("window", size=window.size, found=choice.note),
            proven=False,
        )

    def _think(self, position: Position, limits: Limits, *, every: bool = False) -> Thought:
        limits = limits.within(seconds=self.seconds, depth=self.depth, threads=self.threads)
        engine = limits.engine or self._engine
        return think(position, replace(limits, engine=engine), every=every, fours=self.fours)

    @property
    def _rules(self) -> RulesPlayer:
        """Who plays when the stones lie too far apart for a window."""
        return RulesPlayer(seed=self.rng.getrandbits(62))

    @property
    def _tree(self) -> MctsPlayer:
        """Who plays with more than two players, and games that the engine does not know."""
        return MctsPlayer(seconds=self.seconds, seed=self.rng.getrandbits(62))


def _note(found: Thought) -> Note:
    if found.proven is not None:
        return found.proven.note()
    if found.depth == 0:
        is_opening = not found.position.cells and found.stopped is None
        return note("opening") if is_opening else note("no_time")
    return note("searched", depth=found.depth)


def _is_large(position: Position) -> TypeGuard[LinesPosition]:
    return isinstance(position, LinesPosition) and position.game.kernel is None


def _is_judged(position: Position) -> bool:
    game = position.game
    return len(game.marks) == 2 and (isinstance(game, Lines) or game.kernel is not None)
