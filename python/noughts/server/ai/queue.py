"""The queue of AI tasks: a bounded number at once, off the event loop, fair between clients.

Each client has a line of its own and the lines take turns, so nobody waits for somebody else's hundred.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from noughts.compute.limits import OnProgress, Progress
from noughts.server.ai.agents import NO_AGENTS, Agents
from noughts.server.ai.task import Task, engine_pool, perform
from noughts.server.errors import AgentMissing, Refused

__all__ = ["RemoteWorkers", "TaskQueue", "WorkerBusy"]

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


class WorkerBusy(Exception):
    """The worker that was asked has no time; another one may."""


@dataclass(slots=True, eq=False)
class _Request:
    """A task that somebody waits for."""

    number: int
    task: Task
    client: str
    progress: OnProgress | None
    future: asyncio.Future[dict[str, Any]]
    deadline: float
    """When to stop looking for a worker that is free."""
    workers_without_agent: int = 0

    def settle(self, result: dict[str, Any]) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class TaskQueue:
    """The AI of one process: some threads, and workers elsewhere if there are any.

    All tasks wait in the same lines. The first in line goes to a free thread, else to a worker. Nobody knows how
    many workers there are, so as many are asked at once as recently had time, and one more whenever one has.
    """

    def __init__(
        self, threads: int, max_waiting: int, remote: RemoteWorkers | None = None, agents: Agents = NO_AGENTS
    ) -> None:
        self.threads = threads
        self.max_waiting = max_waiting
        self.remote = remote
        self.agents = agents
        self.engines = engine_pool(threads)
        self.running = 0
        self.elsewhere = 0
        """Tasks that workers elsewhere have, or are asked to take."""
        self.waiting = 0
        self._lines: OrderedDict[str, deque[_Request]] = OrderedDict()
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="ai")
        self._tasks: set[asyncio.Task[None]] = set()
        self._width = FIRST_WIDTH
        """How many workers may be asked at once."""
        self._pause: asyncio.TimerHandle | None = None
        """Set while no worker is to be asked."""
        self._numbers = itertools.count()
        self._closing = False

    async def run(self, task: Task, client: str, progress: OnProgress | None = None) -> dict[str, Any]:
        """Do a task and return its result; :class:`Refused` if too many wait."""
        if self.threads == 0 and self.remote is None:
            raise _no_worker()
        if len(self._lines.get(client, ())) >= MAX_WAITING_PER_CLIENT:
            raise Refused("too_many_ai_tasks", "too many of your AI tasks are waiting")
        if self.waiting >= self.max_waiting:
            raise _busy()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + MAX_WAIT_FOR_WORKER
        request = _Request(next(self._numbers), task, client, progress, loop.create_future(), deadline)
        self._lines.setdefault(client, deque()).append(request)
        self.waiting += 1
        self._start_waiting()
        return await request.future

    def _start_waiting(self) -> None:
        """Start every waiting task that a thread or a worker can take now."""
        loop = asyncio.get_running_loop()
        while self._lines and not self._closing:
            here = self.running < self.threads
            if not here and (self.remote is None or self.elsewhere >= self._width or self._pause):
                return
            client, line = self._lines.popitem(last=False)
            request = line.popleft()
            if line:
                # To the back: the other clients come first.
                self._lines[client] = line
            self.waiting -= 1
            if request.future.done():
                continue
            if here:
                self.running += 1
            else:
                self.elsewhere += 1
            started = loop.create_task(self._run_here(request) if here else self._run_elsewhere(request))
            self._tasks.add(started)
            started.add_done_callback(self._tasks.discard)

    def _put_back(self, request: _Request, seconds: float) -> None:
        """Let a task wait again with its client first in line, and ask no worker for a while."""
        if self._closing:
            request.future.cancel()
            return
        line = self._lines.setdefault(request.client, deque())
        line.insert(sum(1 for other in line if other.number < request.number), request)
        self._lines.move_to_end(request.client, last=False)
        self.waiting += 1
        if self._pause is None:
            self._pause = asyncio.get_running_loop().call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._pause = None
        self._start_waiting()

    async def _run_elsewhere(self, request: _Request) -> None:
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
                self._put_back(request, BUSY_PAUSE)
        elif isinstance(error, AgentMissing) and (
            self.threads or request.workers_without_agent < MAX_WORKERS_WITHOUT_AGENT
        ):
            # Another worker may have it, and a thread of our own does.
            request.workers_without_agent += 1
            self._put_back(request, BUSY_PAUSE)
        elif error is not None:
            request.fail(error)
        elif self.threads == 0:
            request.fail(_no_worker())
        else:
            self._put_back(request, AWAY_PAUSE)
        self._start_waiting()

    async def _run_here(self, request: _Request) -> None:
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
            return self._closing or request.future.cancelled() or time.monotonic() > deadline

        try:
            work = partial(perform, request.task, stop, report, self.agents, self.engines)
            request.settle(await loop.run_in_executor(self._pool, work))
        except Exception as error:
            request.fail(error)
        finally:
            self.running -= 1
            self._start_waiting()

    async def close(self) -> None:
        """Cancel what waits and stop what runs."""
        self._closing = True
        if self._pause is not None:
            self._pause.cancel()
        for line in self._lines.values():
            for request in line:
                request.future.cancel()
        await asyncio.to_thread(self._pool.shutdown)


def _no_worker() -> Refused:
    return Refused("no_ai_worker", "no AI worker answers")


def _busy() -> Refused:
    return Refused("ai_busy", "too many AI tasks are waiting")
