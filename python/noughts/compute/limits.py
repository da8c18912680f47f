"""Limits: what a piece of work may take, and whom it keeps informed.

One value, passed whole to every search: solving, the engine, tree search, random games, players and
analysis all take it. Each uses what makes sense for it and leaves the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from noughts.compute.engine import Engine

__all__ = ["STAGES", "STOPS", "Limits", "OnProgress", "Progress", "Stop"]

STAGES: Final = (
    "search",
    "solve",
    "best",
    "line",
    "engine",
    "mcts",
    "playouts",
    "strong_play",
    "count",
    "perft",
    "exploring",
    "training",
    "review",
)
"""Every stage that :class:`Progress` can name."""

STOPS: Final = ("deadline", "node limit", "memory limit", "recursion limit", "cancelled")
"""Every reason for which a search can say that it stopped."""


class Progress(NamedTuple):
    """How far a search has come."""

    stage: str
    """What it does at the moment: one of :data:`STAGES`."""
    depth: int
    """How deep or how far; 0 where the stage has no depth."""
    nodes: int
    """Positions, games or simulations so far."""
    seconds: float


OnProgress = Callable[[Progress], object]
"""Called a few times a second while a search runs."""

Stop = Callable[[], bool]
"""Asked often; once it answers true, the work ends with what is known by then."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search or a player may take. ``None`` sets no limit.

    >>> limits = Limits(seconds=5, nodes=1000)
    >>> limits.within(seconds=2, memory=1 << 20)
    Limits(seconds=2, nodes=1000, memory=1048576, depth=None, threads=None)
    """

    seconds: float | None = None
    nodes: int | None = None
    """Positions to look at; in a tree search, simulations."""
    memory: int | None = None
    """Bytes that a search may take for what it remembers."""
    progress: OnProgress | None = field(default=None, repr=False)
    """Called now and then with how the search is getting on."""
    stop: Stop = field(default=_never, repr=False)
    """Asked often; once it answers true, the search ends as soon as it can."""
    depth: int | None = field(default=None, kw_only=True)
    """Plies to look ahead."""
    threads: int | None = field(default=None, kw_only=True)
    """Threads to run on; ``None`` leaves it to the search."""
    engine: Engine | None = field(default=None, kw_only=True, repr=False)
    """The engine to think with, which remembers what it found before; ``None`` for one of the searcher's own."""

    def within(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = None,
        depth: int | None = None,
        threads: int | None = None,
    ) -> Limits:
        """The tighter of these limits and those given, each for itself."""
        return replace(
            self,
            seconds=_tighter(self.seconds, seconds),
            nodes=_tighter(self.nodes, nodes),
            memory=_tighter(self.memory, memory),
            depth=_tighter(self.depth, depth),
            threads=_tighter(self.threads, threads),
        )

    def share(self, part: float) -> Limits:
        """The same limits with a part of the time."""
        return self if self.seconds is None else replace(self, seconds=part * self.seconds)

    def since(self, began: float, *, least: float = 0.0) -> Limits:
        """What is left of the time since a moment of ``time.perf_counter()``, but at least ``least`` seconds."""
        if self.seconds is None:
            return self
        return replace(self, seconds=max(least, self.seconds - (time.perf_counter() - began)))

    def report(self, stage: str, depth: int, nodes: int, seconds: float) -> None:
        """Call ``progress``, if there is one."""
        if self.progress is not None:
            self.progress(Progress(stage, depth, nodes, seconds))


Number = TypeVar("Number", int, float)


def _tighter(one: Number | None, other: Number | None) -> Number | None:
    given = [limit for limit in (one, other) if limit is not None]
    return min(given, default=None)
