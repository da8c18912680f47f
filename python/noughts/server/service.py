"""The service: the parts of one server process, and how they start and stop together."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from noughts.compute.kernel import share_cores
from noughts.server.ai.agents import read_agents
from noughts.server.ai.lanes import Lanes
from noughts.server.ai.queue import RemoteWorkers
from noughts.server.bus.protocol import Bus, NoBus
from noughts.server.metrics import Metrics
from noughts.server.rooms.registry import Registry
from noughts.server.rooms.retention import Retention
from noughts.server.sessions import Sessions
from noughts.server.settings import Settings
from noughts.server.storage.clock import ServiceClock
from noughts.server.storage.storage import Storage

__all__ = ["Service"]

T = TypeVar("T")

GAUGE_SECONDS: Final = 1.0
"""How old the gauges of one process are at most when another is asked for them."""

READY_SECONDS: Final = 1.0
"""How long a check of the database counts."""

SWITCH_SECONDS: Final = 0.0005
"""How long a thread may keep the interpreter from the others: a move must not wait for an AI."""


class Service:
    """Everything one process serves with."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.storage = Storage(settings.database, settings.database_seconds)
        self.bus, remote = _bus(settings)
        alone = settings.is_sqlite and settings.workers == 1
        self.registry = Registry(self.storage, self.bus, alone=alone, size=settings.cached_games, poll=settings.poll)
        self.clock = ServiceClock()
        self.sessions = Sessions(self.storage, settings.session_days, self.clock)
        self.retention = Retention(self.registry, self.clock, settings.expire_days, settings.max_games)
        self.agents = read_agents(settings.agents)
        self.ai = Lanes(settings.ai_threads, settings.analysis_threads, settings.ai_queue, remote, self.agents)
        self.ai_moves: dict[tuple[str, int], asyncio.Future[dict[str, Any]]] = {}
        """AI moves being computed, by game and version."""
        self.opening_maps: dict[str, dict[str, Any]] = {}
        """Opening maps, by spec."""
        self.closing = asyncio.Event()
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="aside")
        self._written: dict[str, bytes] = {}
        self._database_check: asyncio.Future[None] | None = None
        self._check_again = 0.0
        self._background: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._add_gauges()

    def _add_gauges(self) -> None:
        gauge = self.metrics.gauge
        gauge("noughts_games_in_memory", "Games kept in memory", lambda: len(self.registry))
        gauge("noughts_followers", "Live streams", lambda: self.registry.followers)
        gauge("noughts_events_appended", "Events committed", lambda: self.storage.appended)
        gauge("noughts_commits", "Groups of events committed", lambda: self.storage.groups)
        gauge("noughts_ai_running", "AI tasks running", lambda: self.ai.running)
        gauge("noughts_ai_elsewhere", "AI tasks that workers elsewhere have", lambda: self.ai.elsewhere)
        gauge("noughts_ai_waiting", "AI tasks waiting", lambda: self.ai.waiting)
        gauge("noughts_analyses_waiting", "Analyses among them", lambda: self.ai.analysis_queue.waiting)
        gauge("noughts_analyses_shared", "Analyses answered by another one", lambda: self.ai.analyses.shared)
        gauge("noughts_bus_up", "Whether the bus gets through", lambda: float(self.bus.is_up))

    async def open(self) -> None:
        """Start every part."""
        self._loop = asyncio.get_running_loop()
        sys.setswitchinterval(SWITCH_SECONDS)
        share_cores(self.settings.ai_threads * self.settings.workers)
        await self.storage.open()
        await self.clock.open(self.storage)
        await self.retention.count()
        await self.registry.open()
        self._background = [
            asyncio.create_task(self._send_heartbeats()),
            asyncio.create_task(self.retention.keep_forever()),
        ]
        if self.settings.workers > 1:
            self._background.append(asyncio.create_task(self._update_gauges()))
        # What exists now stays. With it out of the way, and fewer collections, thousands of streams do not make
        # everybody wait for the garbage collector.
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 100)

    async def aside(self, work: Callable[[], T]) -> T:
        """Do something in a thread that would hold up everybody else on the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    async def written(self, name: str, write: Callable[[], bytes]) -> bytes:
        """What stays the same for as long as the process runs: written once, aside, and kept."""
        found = self._written.get(name)
        if found is None:
            found = self._written[name] = await self.aside(write)
        return found

    def begin_to_close(self) -> None:
        """Say that the process is about to end, and close live streams, which would hold it up."""
        self.closing.set()
        self.ai.begin_to_close()
        self.registry.close_streams()

    async def close(self) -> None:
        """Stop every part: take no new work, write what waits, close every stream."""
        self.begin_to_close()
        for task in self._background:
            task.cancel()
        await self.registry.close()
        await self.ai.close()
        await asyncio.to_thread(self._aside.shutdown, cancel_futures=True)
        await self.storage.close()

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(self.settings.heartbeat)
            await self.registry.send_heartbeats()

    def metrics_text(self) -> bytes:
        """What was counted, for another thread: the event loop reads the gauges, unless it is too busy for that."""
        are_read = threading.Event()

        def read() -> None:
            self.metrics.update_gauges()
            are_read.set()

        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(read)
            are_read.wait(GAUGE_SECONDS)
        return self.metrics.text()

    async def _update_gauges(self) -> None:
        while True:
            self.metrics.update_gauges()
            await asyncio.sleep(GAUGE_SECONDS)

    async def check_database(self) -> None:
        """Check that the database answers and stores: at most once a second, however many ask."""
        loop = asyncio.get_running_loop()
        if self._database_check is None or (self._database_check.done() and loop.time() >= self._check_again):
            self._check_again = loop.time() + READY_SECONDS
            self._database_check = asyncio.ensure_future(self.storage.check())
        await asyncio.shield(self._database_check)


def _bus(settings: Settings) -> tuple[Bus, RemoteWorkers | None]:
    if settings.bus:
        from noughts.server.ai.remote import NatsWorkers
        from noughts.server.bus.nats import NatsBus

        bus = NatsBus(settings.bus)
        return bus, NatsWorkers(bus)
    if settings.is_sqlite and settings.workers > 1 and hasattr(os, "getuid"):
        from noughts.server.bus.datagrams import DatagramBus

        return DatagramBus(settings.database), None
    return NoBus(), None
