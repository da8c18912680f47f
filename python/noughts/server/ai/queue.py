"""A queue of AI tasks: a bounded number at once, off the event loop, fair between clients.

Each client has a line of its own and the lines take turns, so nobody waits for somebody else's hundred. When no more
may wait, who has most in line gives up the last of it for somebody who has less.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from noughts.compute.engine import EnginePool
from noughts.compute.limits import OnProgress, Progress
from noughts.server.ai.agents import NO_AGENTS, Agents
from noughts.server.ai.task import Task, engine_pool, perform
from noughts.server.errors import AgentMissing, Refused
from noughts.server.tracing import span

__all__ = ["QueuedTask", "RemoteWorkers", "TaskQueue", "WorkerBusy", "yield_to_others"]

MAX_WAITING_PER_CLIENT: Final = 8

PROGRESS_SECONDS: Final = 0.25
"""Seconds between two reports of how a search is getting on."""

RemoteWorkers = Callable[[Task], Awaitable[dict[str, Any] | None]]
"""Has a worker elsewhere do a task; ``None`` if no worker is there.

Raises :class:`WorkerBusy` if the worker that was asked has no time, and :class:`AgentMissing` if it lacks the agent.
"""

FIRST_WIDTH: Final = 4
"""Workers to ask at once as long as nobody knows how many there are."""

BUSY_PAUSE: Final = 0.05
"""Seconds until a task that a busy worker refused is offered again, to whichever worker it then reaches."""

AWAY_PAUSE: Final = 1.0
"""Seconds until workers are asked again after none was there."""

MAX_WAIT_FOR_WORKER: Final = 30.0
"""Seconds after which a task that only workers can do is given up if all of them stay busy."""

MAX_WORKERS_WITHOUT_AGENT: Final = 20
"""Workers without the agent that are asked before the task is given up."""


def yield_to_others(niceness: int) -> None:
    """Let this thread run after others where the cores are short; its searches inherit that."""
    if niceness and sys.platform == "linux":
        # There a thread has a priority of its own.
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + niceness)


class WorkerBusy(Exception):
    """The worker that was asked has no time; another one may."""


@dataclass(slots=True, eq=False)
class QueuedTask:
    """A task that somebody waits for. Cancelling its future stops it."""

    number: int
    task: Task
    progress: OnProgress | None
    future: asyncio.Future[dict[str, Any]]
    deadline: float
    """When to stop looking for a worker that is free."""
    clients: list[str] = field(default_factory=list)
    """In whose lines it waits."""
    workers_without_agent: int = 0

    def settle(self, result: dict[str, Any]) -> None:
        """Give everybody who waits the result."""
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        """Give everybody who waits an error."""
        if not self.future.done():
            self.future.set_exception(error)


class TaskQueue:
    """The AI of one process: some threads, and workers elsewhere if there are any.

    The first in line goes to a free thread, else to a worker. Nobody knows how
    many workers there are, so as many are asked at once as recently had time, and one more whenever one has.
    """

    def __init__(
        self,
        threads: int,
        max_waiting: int,
        remote: RemoteWorkers | None = None,
        agents: Agents = NO_AGENTS,
        *,
        engines: EnginePool | None = None,
        niceness: int = 0,
    ) -> None:
        self.threads = threads
        self.max_waiting = max_waiting
        self.remote = remote
        self.agents = agents
        self.engines = engines or engine_pool(threads)
        self.running = 0
        self.elsewhere = 0
        """Tasks that workers elsewhere have, or are asked to take."""
        self.waiting = 0
        self.is_closing = False
        self._lines: OrderedDict[str, deque[QueuedTask]] = OrderedDict()
        self._pool = ThreadPoolExecutor(max(1, threads), "ai", yield_to_others, (niceness,))
        self._tasks: set[asyncio.Task[None]] = set()
        self._width = FIRST_WIDTH
        """How many workers may be asked at once."""
        self._pause: asyncio.TimerHandle | None = None
        """Set while no worker is to be asked."""
        self._numbers = itertools.count()

    async def run(self, task: Task, client: str, progress: OnProgress | None = None) -> dict[str, Any]:
        """Do a task and return its result; :class:`Refused` if too many wait."""
        with span(f"AI {task.kind}", game=task.game, level=task.level):
            return await self.submit(task, client, progress).future

    def submit(self, task: Task, client: str, progress: OnProgress | None = None) -> QueuedTask:
        """Put a task into a client's line; :class:`Refused` if too many wait."""
        if self.is_closing:
            raise _closing()
        if self.threads == 0 and self.remote is None:
            raise _no_worker()
        self._make_room(client)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + MAX_WAIT_FOR_WORKER
        request = QueuedTask(next(self._numbers), task, progress, loop.create_future(), deadline)
        self._wait_in_line(request, client)
        self._start_waiting()
        return request

    def join(self, request: QueuedTask, client: str) -> None:
        """Let another client wait for a task too: it begins when the first of them has its turn."""
        if request.clients and client not in request.clients:
            self._make_room(client)
            self._wait_in_line(request, client)

    def leave(self, request: QueuedTask, client: str) -> None:
        """Take a task out of a client's line, if it waits there."""
        if client not in request.clients:
            return
        request.clients.remove(client)
        line = self._lines[client]
        line.remove(request)
        self.waiting -= 1
        if not line:
            del self._lines[client]

    def _wait_in_line(self, request: QueuedTask, client: str) -> None:
        self._lines.setdefault(client, deque()).append(request)
        request.clients.append(client)
        self.waiting += 1

    def _make_room(self, client: str) -> None:
        """Refuse a client that has too many waiting; when all places are taken, take one from who has most of them."""
        mine = len(self._lines.get(client, ()))
        if mine >= MAX_WAITING_PER_CLIENT:
            raise Refused("too_many_ai_tasks", "too many of your AI tasks are waiting")
        if self.waiting < self.max_waiting:
            return
        other, line = max(self._lines.items(), key=lambda item: len(item[1]))
        if len(line) <= mine + 1:
            raise _busy()
        last = line[-1]
        self.leave(last, other)
        if not last.clients:
            last.fail(_busy())

    def _start_waiting(self) -> None:
        """Start every waiting task that a thread or a worker can take now."""
        loop = asyncio.get_running_loop()
        while self._lines and not self.is_closing:
            here = self.running < self.threads
            if not here and (self.remote is None or self.elsewhere >= self._width or self._pause):
                return
            client, line = next(iter(self._lines.items()))
            request = line[0]
            # To the back: the other clients come first.
            self._lines.move_to_end(client)
            for each in tuple(request.clients):
                self.leave(request, each)
            if request.future.done():
                continue
            if here:
                self.running += 1
            else:
                self.elsewhere += 1
            started = loop.create_task(self._run_here(request) if here else self._run_elsewhere(request, client))
            self._tasks.add(started)
            started.add_done_callback(self._tasks.discard)

    def _put_back(self, request: QueuedTask, client: str, seconds: float) -> None:
        """Let a task wait again with its client first in line, and ask no worker for a while."""
        if self.is_closing:
            request.fail(_closing())
            return
        line = self._lines.setdefault(client, deque())
        line.insert(sum(1 for other in line if other.number < request.number), request)
        self._lines.move_to_end(client, last=False)
        request.clients.append(client)
        self.waiting += 1
        if self._pause is None:
            self._pause = asyncio.get_running_loop().call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._pause = None
        self._start_waiting()

    async def _run_elsewhere(self, request: QueuedTask, client: str) -> None:
        assert self.remote is not None
        result: dict[str, Any] | None = None
        error: Exception | None = None
        try:
            result = await self.remote(request.task)
        except Exception as caught:
            error = caught
        self.elsewhere -= 1
        if result is not None:
            self._width += 1
            request.settle(result)
        elif isinstance(error, WorkerBusy):
            self._width = max(1, self.elsewhere)
            if self.threads == 0 and asyncio.get_running_loop().time() > request.deadline:
                request.fail(_busy())
            else:
                self._put_back(request, client, BUSY_PAUSE)
        elif isinstance(error, AgentMissing) and (
            self.threads or request.workers_without_agent < MAX_WORKERS_WITHOUT_AGENT
        ):
            # Another worker may have it, and a thread of our own does.
            request.workers_without_agent += 1
            self._put_back(request, client, BUSY_PAUSE)
        elif error is not None:
            request.fail(error)
        elif self.threads == 0:
            request.fail(_no_worker())
        else:
            self._put_back(request, client, AWAY_PAUSE)
        self._start_waiting()

    async def _run_here(self, request: QueuedTask) -> None:
        deadline = time.monotonic() + request.task.seconds + 1
        loop = asyncio.get_running_loop()
        next_report = 0.0

        def report(progress: Progress) -> None:
            nonlocal next_report
            now = time.monotonic()
            if request.progress is not None and now >= next_report:
                next_report = now + PROGRESS_SECONDS
                loop.call_soon_threadsafe(request.progress, progress)

        def stop() -> bool:
            return self.is_closing or request.future.cancelled() or time.monotonic() > deadline

        try:
            work = partial(perform, request.task, stop, report, self.agents, self.engines)
            request.settle(await loop.run_in_executor(self._pool, work))
        except Exception as error:
            request.fail(error)
        finally:
            self.running -= 1
            self._start_waiting()

    def begin_to_close(self) -> None:
        """Refuse what waits, and have what runs answer with what it has."""
        self.is_closing = True
        if self._pause is not None:
            self._pause.cancel()
        for line in self._lines.values():
            for request in line:
                request.clients.clear()
                request.fail(_closing())
        self._lines.clear()
        self.waiting = 0

    async def close(self) -> None:
        """Stop, and wait until nothing runs."""
        self.begin_to_close()
        await asyncio.to_thread(self._pool.shutdown)


def _no_worker() -> Refused:
    return Refused("no_ai_worker", "no AI worker answers")


def _closing() -> Refused:
    return Refused("closing", "the server is closing")


def _busy() -> Refused:
    return Refused("ai_busy", "too many AI tasks are waiting")
