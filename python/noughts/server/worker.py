"""An AI worker: does the tasks of servers on other machines, as many at once as it has threads."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import nats.errors
import orjson
from nats.aio.msg import Msg

from noughts.errors import NoughtsError
from noughts.server.agents import NOBODY, AgentFailed, AgentMissing, Agents
from noughts.server.nats import GROUP, TASKS, connected
from noughts.server.thinking import Task, perform

__all__ = ["Worker", "work"]

log = logging.getLogger("noughts.server")


class Worker:
    """Takes tasks from the bus."""

    def __init__(self, url: str, threads: int, agents: Agents = NOBODY) -> None:
        self.url, self.threads, self.agents = url, threads, agents
        self.running = 0
        self.done = 0
        self.stopping = asyncio.Event()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="think")
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Work until told to stop."""
        client = await connected(self.url)
        await client.subscribe(TASKS, queue=GROUP, cb=self._received)
        await client.flush()
        print(f"noughts works for {self.url.rpartition('@')[2]} with {self.threads} threads", flush=True)
        await self.stopping.wait()
        with contextlib.suppress(nats.errors.Error, OSError, asyncio.TimeoutError):
            await asyncio.wait_for(client.drain(), 5)
        self._pool.shutdown(cancel_futures=True)

    async def _received(self, message: Msg) -> None:
        task = asyncio.create_task(self._answer(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Msg) -> None:
        result: dict[str, Any]
        if self.running >= self.threads:
            result = {"refused": "busy"}
        else:
            self.running += 1
            try:
                task = Task.from_json(orjson.loads(message.data))
                loop = asyncio.get_running_loop()
                stop = self.stopping.is_set
                result = await loop.run_in_executor(self._pool, perform, task, stop, None, self.agents)
                self.done += 1
                fields = {"kind": task.kind, "game": task.game, "level": task.level}
                log.info("task done", extra={"fields": fields})
            except (AgentMissing, AgentFailed) as error:
                log.warning("task refused", extra={"fields": {"reason": str(error)}})
                result = {"refused": error.code, "message": str(error)}
            except (ValueError, TypeError, KeyError, AttributeError, NoughtsError) as error:
                log.warning("task refused", extra={"fields": {"reason": str(error)}})
                result = {"refused": str(error)}
            finally:
                self.running -= 1
        with contextlib.suppress(nats.errors.Error, OSError):
            await message.respond(orjson.dumps(result))


def work(url: str, threads: int, agents: Agents = NOBODY) -> int:
    """Run a worker until Ctrl-C."""

    async def main() -> None:
        worker = Worker(url, threads, agents)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, worker.stopping.set)
        running = asyncio.create_task(worker.run())
        stopping = asyncio.create_task(worker.stopping.wait())
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({running}, timeout=6)
        running.cancel()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
    return 0
