"""An AI worker: does the tasks of servers elsewhere.

It does as many moves at once as it has threads, and half as many analyses beside them, which no move waits for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import nats.errors
import orjson
from nats.aio.msg import Msg

from noughts.compute.kernel import share_cores
from noughts.errors import NoughtsError
from noughts.server.ai.agents import NO_AGENTS, Agents
from noughts.server.ai.lanes import ANALYSIS_NICENESS
from noughts.server.ai.queue import yield_to_others
from noughts.server.ai.remote import QUEUE_GROUP, TASKS_SUBJECT
from noughts.server.ai.task import Task, engine_pool, perform
from noughts.server.bus.nats import connect_nats
from noughts.server.errors import AgentFailed, AgentMissing

__all__ = ["Worker", "work"]

log = logging.getLogger("noughts.server")

DISCONNECT_SECONDS: Final = 5.0

FINISH_SECONDS: Final = 120.0
"""Seconds to finish running tasks, after which a worker ends all the same."""


@dataclass(slots=True)
class _Lane:
    """Threads for tasks of one kind."""

    threads: int
    pool: ThreadPoolExecutor
    running: int = 0


class Worker:
    """Takes tasks from the bus."""

    def __init__(self, url: str, threads: int, agents: Agents = NO_AGENTS) -> None:
        self.url, self.threads, self.agents = url, threads, agents
        self.engines = engine_pool(threads)
        self.done = 0
        self.stopping = asyncio.Event()
        self.hurry = False
        """Whether running tasks are to be cut short."""
        analysing = max(1, threads // 2)
        self._lanes = {
            True: _Lane(threads, ThreadPoolExecutor(threads, thread_name_prefix="ai")),
            False: _Lane(analysing, ThreadPoolExecutor(analysing, "analysis", yield_to_others, (ANALYSIS_NICENESS,))),
        }
        """By whether a task is a move."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_connected = False

    def stop(self) -> None:
        """Take no more tasks and finish the running ones; called again, cut those short."""
        self.hurry = self.stopping.is_set()
        self.stopping.set()

    async def run(self) -> None:
        """Work until :meth:`stop` is called."""
        client = await connect_nats(self.url)
        tasks = await client.subscribe(TASKS_SUBJECT, queue=QUEUE_GROUP, cb=self._received)
        await client.flush()
        self.is_connected = True
        print(f"noughts works for {self.url.rpartition('@')[2]} with {self.threads} threads", flush=True)
        await self.stopping.wait()
        # First stop taking tasks, so that they go to others; then answer, and only then disconnect.
        with contextlib.suppress(nats.errors.Error, OSError, asyncio.TimeoutError):
            await asyncio.wait_for(tasks.drain(), DISCONNECT_SECONDS)  # type: ignore[no-untyped-call]
        await asyncio.gather(*self._tasks)
        with contextlib.suppress(nats.errors.Error, OSError, asyncio.TimeoutError):
            await asyncio.wait_for(client.drain(), DISCONNECT_SECONDS)
        for lane in self._lanes.values():
            lane.pool.shutdown()

    async def _received(self, message: Msg) -> None:
        task = asyncio.create_task(self._answer(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Msg) -> None:
        result: dict[str, Any]
        try:
            task = Task.from_json(orjson.loads(message.data))
            lane = self._lanes[task.kind == "move"]
            result = {"refused": "busy"} if lane.running >= lane.threads else await self._do(task, lane)
        except (AgentMissing, AgentFailed) as error:
            log.warning("task refused", extra={"fields": {"reason": str(error)}})
            result = {"refused": error.code, "message": str(error)}
        except (ValueError, TypeError, KeyError, AttributeError, NoughtsError) as error:
            log.warning("task refused", extra={"fields": {"reason": str(error)}})
            result = {"refused": str(error)}
        with contextlib.suppress(nats.errors.Error, OSError):
            await message.respond(orjson.dumps(result))

    async def _do(self, task: Task, lane: _Lane) -> dict[str, Any]:
        fields = {"kind": task.kind, "game": task.game, "level": task.level}
        log.info("task started", extra={"fields": fields})
        work = partial(perform, task, lambda: self.hurry, None, self.agents, self.engines)
        lane.running += 1
        try:
            result = await asyncio.get_running_loop().run_in_executor(lane.pool, work)
        finally:
            lane.running -= 1
        self.done += 1
        log.info("task done", extra={"fields": fields})
        return result


def work(url: str, threads: int, agents: Agents = NO_AGENTS) -> int:
    """Run a worker until Ctrl-C."""

    async def main() -> None:
        share_cores(threads)
        worker = Worker(url, threads, agents)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, worker.stop)
        running = asyncio.create_task(worker.run())
        stopping = asyncio.create_task(worker.stopping.wait())
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        # Without a connection there is nothing to finish.
        await asyncio.wait({running}, timeout=FINISH_SECONDS if worker.is_connected else 0)
        running.cancel()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
    return 0
