"""Analyses that many may ask for: one computation for each position, kept for whoever asks next.

A computation goes on as long as somebody waits for it. It waits in the line of everybody who asked for it, so nobody
who joins another client's analysis waits longer than with one of their own.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from noughts.server.ai.queue import QueuedTask, TaskQueue
from noughts.server.ai.task import Task
from noughts.server.tracing import span

__all__ = ["Analyses"]

MAX_KEPT: Final = 256
"""Results in memory; one of a 19x19 board takes about 100 KB."""


@dataclass(slots=True, eq=False)
class _Shared:
    """A computation and who waits for it."""

    request: QueuedTask
    readers: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A result, and how many seconds it was allowed."""

    result: dict[str, Any]
    seconds: float

    def serves(self, seconds: float) -> bool:
        """Whether so much time would find nothing better."""
        return self.seconds >= seconds or self.result.get("stopped", "") is None


class Analyses:
    """The analyses of one process, done by a queue of their own."""

    def __init__(self, queue: TaskQueue, size: int = MAX_KEPT) -> None:
        self.queue = queue
        self.size = size
        self.shared = 0
        """Answers that cost nothing: they were being computed for somebody else, or were still known."""
        self._running: dict[Hashable, _Shared] = {}
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()

    async def run(self, task: Task, client: str, position: str | None = None) -> dict[str, Any]:
        """Do a task, unless it is done or being done; ``position`` is all that the answer depends on, if given.

        A hint is read off the analysis of its position, so that both say the same.
        """
        if task.kind == "hint":
            analysis = await self.run(replace(task, kind="analysis"), client, position)
            hint: dict[str, Any] | None = analysis.get("hint")
            if hint is not None:
                return hint
        about = (task.first, task.moves, task.resigned) if position is None else position
        key = (task.kind, task.game, task.level, about)
        kept = self._kept.get(key)
        if kept is not None and kept.serves(task.seconds):
            self._kept.move_to_end(key)
            self.shared += 1
            return kept.result
        shared = self._running.get(key)
        if shared is None or shared.request.task.seconds < task.seconds:
            shared = self._running[key] = _Shared(self.queue.submit(task, client))
            shared.request.future.add_done_callback(partial(self._finished, key, shared))
        else:
            self.queue.join(shared.request, client)
            self.shared += 1
        return await self._read(key, shared, client)

    async def _read(self, key: Hashable, shared: _Shared, client: str) -> dict[str, Any]:
        """Wait for a result; the last one who stops waiting stops the work."""
        readers, future = shared.readers, shared.request.future
        readers[client] += 1
        try:
            with span(f"AI {shared.request.task.kind}", game=shared.request.task.game):
                return await asyncio.shield(future)
        finally:
            readers[client] -= 1
            if not readers[client]:
                del readers[client]
                self.queue.leave(shared.request, client)
            if not readers and not future.done():
                future.cancel()
                if self._running.get(key) is shared:
                    # Whoever comes now begins anew.
                    del self._running[key]

    def _finished(self, key: Hashable, shared: _Shared, future: asyncio.Future[dict[str, Any]]) -> None:
        if self._running.get(key) is shared:
            del self._running[key]
        if future.cancelled() or future.exception() is not None or self.queue.is_closing:
            return
        self._kept[key] = _Kept(future.result(), shared.request.task.seconds)
        self._kept.move_to_end(key)
        while len(self._kept) > self.size:
            self._kept.popitem(last=False)
