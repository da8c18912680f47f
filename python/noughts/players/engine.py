"""The player for large boards: as strong as its time allows, and honest about what it has proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from noughts.compute.engine import Engine, Thought, think
from noughts.core import LARGEST_COMPILED, Move, Position
from noughts.hooks import Window
from noughts.note import Note, note
from noughts.players.fallible import Fallible
from noughts.players.mcts import MctsPlayer
from noughts.players.player import Choice, Limits
from noughts.players.rules import RulesPlayer
from noughts.spec import Integer, Number, option

__all__ = ["EnginePlayer"]


@dataclass(frozen=True, kw_only=True)
class EnginePlayer(Fallible):
    """Alpha-beta that knows the game; with more than two players a tree search."""

    name = "engine"
    what = "the engine"
    summary = "the strongest on large boards: alpha-beta, with threat search in a row"

    seconds: float = option(Number(0.001, 3600), "seconds to think at most", default=1.0)
    depth: int | None = option(Integer(1, 200), "plies to look ahead at most", default=None)
    fours: int | None = option(
        Integer(0, 200), "threats to follow in one go at most (in a row); 0 overlooks them", default=None
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
        if not _is_known(position):
            return self._best_elsewhere(position, limits)
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
        if _is_known(position):
            found, won = self._think(position, limits, every=True), position.game.engine_scale
            return {move: max(-1.0, min(1.0, score / won)) for move, score in found.moves.items()}
        window = _window(position)
        if window is not None:
            return {window.outside(move): worth for move, worth in self.rate(window.position, limits).items()}
        return self._stand_in(position).rate(position, limits)

    def _best_elsewhere(self, position: Position, limits: Limits) -> Choice:
        """The best move in the part of a large board where the stones are, or that of another player."""
        window = _window(position)
        if window is None:
            return self._stand_in(position).best(position, limits)
        choice = self.best(window.position, limits)
        return replace(
            choice,
            move=window.outside(choice.move),
            note=note("window", size=window.size, found=choice.note),
            proven=False,
        )

    def close(self) -> None:
        """Free what the engine remembers."""
        self._engine.clear()

    def _think(self, position: Position, limits: Limits, *, every: bool = False) -> Thought:
        limits = limits.within(seconds=self.seconds, depth=self.depth, threads=self.threads)
        engine = limits.engine or self._engine
        return think(position, replace(limits, engine=engine), every=every, fours=self.fours)

    def _stand_in(self, position: Position) -> Fallible:
        """Who plays more than two players and what the kernel does not know: a tree search, or rules on huge boards."""
        seed = self.rng.getrandbits(62)
        if position.game.grid.cells > LARGEST_COMPILED:
            return RulesPlayer(seed=seed)
        return MctsPlayer(seconds=self.seconds, seed=seed)


def _note(found: Thought) -> Note:
    if found.proven is not None:
        return found.proven.note()
    if found.depth == 0:
        is_opening = not found.position.cells and found.stopped is None
        return note("opening") if is_opening else note("no_time")
    return note("searched", depth=found.depth)


def _window(position: Position) -> Window | None:
    """The part of a board too large for the kernel that it can look at."""
    window = position.window() if position.game.kernel is None else None
    return window if window is not None and window.position.game.kernel is not None else None


def _is_known(position: Position) -> bool:
    return position.game.kernel is not None and len(position.game.marks) == 2
