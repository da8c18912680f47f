"""The parts of a running server, and how they come up and go down together."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from typing import Any

import orjson
from starlette.requests import HTTPConnection
from starlette.responses import Response

from noughts.compute.kernel import share_cores
from noughts.server.ai.agents import read_agents
from noughts.server.ai.queue import Remote, Thinkers
from noughts.server.bus.protocol import Bus, Datagrams, Silence
from noughts.server.metrics import Metrics
from noughts.server.rooms.commands import you
from noughts.server.rooms.registry import Hall, Live
from noughts.server.sessions import Sessions, bearer_or_cookie
from noughts.server.settings import Settings
from noughts.server.storage.database import SessionRow
from noughts.server.storage.writer import Store

__all__ = ["Service", "json_response"]

LOOK_SECONDS = 1.0
"""How old the gauges of one process are at most when another is asked for them."""

READY_SECONDS = 1.0
"""How long an answer of the store to whether it is there counts."""

SWITCH_SECONDS = 0.0005
"""How long a thread may keep the interpreter from the others: a move must not wait for an AI."""


def json_response(body: bytes, status: int = 200) -> Response:
    """A JSON answer that is written already."""
    return Response(body, status, media_type="application/json")


class Service:
    """Everything one process serves with."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.store = Store(settings.database)
        self.bus, remote = _bus(settings)
        self.alone = settings.is_sqlite and settings.workers == 1
        self.hall = Hall(self.store, self.bus, alone=self.alone, size=settings.cached_games, poll=settings.poll)
        self.sessions = Sessions(self.store, settings.session_days)
        self.agents = read_agents(settings.agents)
        self.thinkers = Thinkers(settings.ai_threads, settings.ai_queue, remote, self.agents)
        self.thoughts: dict[tuple[str, int], asyncio.Future[dict[str, Any]]] = {}
        """AI moves being thought about, by game and version."""
        self.maps: dict[str, bytes] = {}
        """Opening maps, by spec."""
        self.closing = asyncio.Event()
        self._pinged: asyncio.Future[None] | None = None
        self._ping_again = 0.0
        self._hearts: list[asyncio.Task[None]] = []
        gauge = self.metrics.gauge
        gauge("noughts_games_in_memory", "Games kept in memory", lambda: len(self.hall))
        gauge("noughts_followers", "Live streams", self._followers)
        gauge("noughts_events_appended", "Events committed", lambda: self.store.appended)
        gauge("noughts_commits", "Groups of events committed", lambda: self.store.groups)
        gauge("noughts_ai_running", "AI tasks running", lambda: self.thinkers.running)
        gauge("noughts_ai_elsewhere", "AI tasks that workers elsewhere have", lambda: self.thinkers.elsewhere)
        gauge("noughts_ai_waiting", "AI tasks waiting", lambda: self.thinkers.waiting)
        gauge("noughts_bus_up", "Whether the bus gets through", lambda: float(self.bus.is_up))

    def _followers(self) -> int:
        return sum(len(live.audience) for live in self.hall.live_games() if live.audience)

    async def open(self) -> None:
        """Come up."""
        sys.setswitchinterval(SWITCH_SECONDS)
        share_cores(self.settings.ai_threads * self.settings.workers)
        await self.store.open()
        await self.hall.open()
        self._hearts = [asyncio.create_task(self._beat())]
        if self.settings.workers > 1:
            self._hearts.append(asyncio.create_task(self._look()))
        # What is there now stays: with it out of the way, and looked at less often, thousands of
        # streams do not make everybody wait for the collector.
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 100)

    def begin_to_close(self) -> None:
        """Say that it is about to end, and let go of those who follow games: they would hold it up."""
        self.closing.set()
        self.hall.let_go()

    async def close(self) -> None:
        """Go down: no new work, what waits is written, everybody is let go."""
        self.begin_to_close()
        for heart in self._hearts:
            heart.cancel()
        await self.hall.close()
        await self.thinkers.close()
        await self.store.close()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.settings.heartbeat)
            for live in tuple(self.hall.live_games()):
                if live.audience:
                    live.audience.retell()
                    live.audience.say(f'{{"type":"heartbeat","version":{live.table.version}}}')
                    await asyncio.sleep(0)

    async def _look(self) -> None:
        while True:
            self.metrics.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def ready(self) -> None:
        """Find out whether the store answers: at most once a second, however many ask."""
        loop = asyncio.get_running_loop()
        if self._pinged is None or (self._pinged.done() and loop.time() >= self._ping_again):
            self._ping_again = loop.time() + READY_SECONDS
            self._pinged = asyncio.ensure_future(self.store.read(lambda database: database.ping()))
        await asyncio.shield(self._pinged)

    async def session(self, connection: HTTPConnection) -> SessionRow | None:
        """Whose request this is, or ``None`` for a bare client."""
        token = bearer_or_cookie(connection.scope["headers_map"])
        return None if token is None else await self.sessions.find(token)

    def state(self, live: Live, session: SessionRow | None, *, watching: bool = False) -> bytes:
        """The GameState for one client."""
        role, marks = you(live.table, session, watching=watching)
        more = b',"you":' + orjson.dumps({"role": role, "marks": marks})
        body = live.view.for_watchers(more) if watching else live.view.for_players(more)
        if not live.audience:
            live.view.forget()
        return body


def _bus(settings: Settings) -> tuple[Bus, Remote | None]:
    if settings.bus:
        from noughts.server.bus.nats import NatsBus

        bus = NatsBus(settings.bus)
        return bus, bus.ask
    if settings.is_sqlite and settings.workers > 1 and hasattr(os, "getuid"):
        return Datagrams(settings.database), None
    return Silence(), None
