"""Exact values without the kernel: the textbook negamax, on the Python rules, within limits.

A search to the ends of the game that runs into a limit has seen nothing of use. Then a win or loss a few
plies away is looked for with what is left.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from noughts.compute.kernel import REPORT_INTERVAL
from noughts.compute.limits import Limits
from noughts.compute.value import Proven
from noughts.core import Move, Position
from noughts.search import ENDLESS, WIN, Negamax, Table, tile_margin, win_soon

__all__ = ["Found", "ReferenceSolver"]

LOOKAHEAD_PLIES = 10
"""How far to look for a forced win or loss where the game is not searched to its ends in time,"""

FULL_SHARE = 0.5
"""and the part of the nodes and the time that goes into the full search before."""

Scores = Mapping[Move, float]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to."""

    moves: Mapping[Move, Proven] = field(default_factory=dict)
    """The moves that are proven, the best ones always; none if the position itself is not."""
    line: tuple[Move, ...] = ()
    nodes: int = 0
    stopped: str | None = None


class _Stopped(Exception):
    """A limit was reached."""


class ReferenceSolver:
    """One search for the value of a position."""

    def __init__(self, position: Position, limits: Limits) -> None:
        self.position = position
        self.limits = limits
        self.tiles = position.game.counts_tiles
        self.nodes = 0
        self._table = Table()
        self._began = self._last_report = time.perf_counter()
        self._share = FULL_SHARE

    def solve(self) -> Found:
        """Find the value and what all moves are worth; at a limit, every best move of a win or loss nearby."""
        try:
            scores = self._scores(self.position)
            line = self._line(scores, self._scores)
            return Found({move: self._proven(score) for move, score in scores.items()}, line, self.nodes)
        except (_Stopped, RecursionError) as why:
            stopped = str(why) if isinstance(why, _Stopped) else "recursion limit"
        if self.tiles or stopped == "cancelled":
            return Found(nodes=self.nodes, stopped=stopped)
        self._share = 1.0
        try:
            near = self._nearby(self.position)
            line = () if near is None else self._line(near, lambda at: self._nearby(at) or {})
        except (_Stopped, RecursionError):
            near, line = None, ()
        known = {move: self._proven(score) for move, score in (near or {}).items() if _decided(score)}
        return Found(known, line, self.nodes, stopped)

    def _nearby(self, position: Position) -> Scores | None:
        """The moves of a position that is won or lost within a few plies."""
        for plies in range(LOOKAHEAD_PLIES):
            scores = self._scores(position, plies)
            if _decided(max(scores.values())):
                return scores
        return None

    def _scores(self, position: Position, plies: int = ENDLESS) -> Scores:
        """What each move is worth, as far as so many plies after it tell."""
        return {move: self._score(position.play_unchecked(move), position.turn, plies) for move in position.legal_moves}

    def _score(self, after: Position, mark: str, plies: int) -> float:
        """A move's score, one ply further from the end than the position after it."""
        worth = tile_margin if self.tiles else win_soon
        if after.outcome is not None:
            return worth(after.outcome, mark, 1)
        if plies == 0:
            return 0.0
        search = Negamax(depth=plies, worth=worth, table=self._table, on_node=self._watch)
        try:
            score = search.best(after).score
        finally:
            self.nodes += search.nodes
        return -(score - math.copysign(1, score) if _decided(score) else score)

    def _line(self, scores: Scores, further: Callable[[Position], Scores]) -> tuple[Move, ...]:
        line, at = [], self.position
        while at.outcome is None:
            step = scores if at is self.position else further(at)
            line.append(max(step, key=step.__getitem__))
            at = at.play_unchecked(line[-1])
        return tuple(line)

    def _proven(self, score: float) -> Proven:
        if self.tiles:
            return Proven(Proven.value_of(score), margin=int(score))
        return Proven(Proven.value_of(score), int(WIN - abs(score)) if _decided(score) else None)

    def _watch(self, count: int) -> None:
        """Stop at a limit; ``count`` nodes are not in the total yet."""
        limits, total = self.limits, self.nodes + count
        if limits.nodes is not None and total > self._share * limits.nodes:
            raise _Stopped("node limit")
        if count % 256:
            return
        now = time.perf_counter()
        if limits.seconds is not None and now - self._began > self._share * limits.seconds:
            raise _Stopped("deadline")
        if limits.stop():
            raise _Stopped("cancelled")
        if now - self._last_report > REPORT_INTERVAL:
            self._last_report = now
            limits.report("search", 0, total, now - self._began)


def _decided(score: float) -> bool:
    """Whether a score is a win or a loss for certain; tiles never count as much."""
    return abs(score) > WIN / 2
