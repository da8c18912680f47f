"""A server process: the real registry, rooms, followers, writer and storage, on a simulated loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from noughts.errors import NoughtsError
from noughts.games import game as game_of
from noughts.server.errors import Unavailable
from noughts.server.rooms import commands
from noughts.server.rooms.followers import Follower
from noughts.server.rooms.registry import Registry
from noughts.server.rooms.render import View
from noughts.server.rooms.room import Event, Room
from noughts.server.rooms.streams import serve_stream
from noughts.server.schema.game import MoveRequest, StartRequest
from noughts.server.storage.storage import Storage
from tests.simulation.loop import SimulatedLoop
from tests.simulation.network import Connection, Failed, Network, Request, SimulatedBus
from tests.simulation.promises import Promises
from tests.simulation.store import SimulatedDatabase, SimulatedThread, Store

Answer = Callable[[Any, BaseException | None], None]


class Process:
    """One process, from its start until it is killed or closed."""

    def __init__(
        self, network: Network, store: Store, promises: Promises, name: str, *, alone: bool, size: int
    ) -> None:
        world = network.world
        self.name, self.world, self.promises = name, world, promises
        self.loop = SimulatedLoop(world, name)
        self.clock_error = world.rng.uniform(-5, 5)
        """How far the wall clock is off."""
        self.storage = Storage(
            "simulated",
            connect=lambda *_: SimulatedDatabase(store, network.faults, name),
            thread=lambda _: SimulatedThread(world, self.loop),  # type: ignore[arg-type,return-value]
        )
        self.registry = Registry(
            self.storage,
            SimulatedBus(network, self.loop),
            alone=alone,
            size=size,
            poll=2.0,
            clock=lambda: 1.7e9 + world.now + self.clock_error,
            name=name,
        )
        self.is_open = False
        self.connections: list[Connection] = []
        """Streams to this process, for those who have to hear that it is gone."""
        self._waiting: list[Callable[[], None]] = []
        self.loop.call_soon(self._start)

    def _start(self) -> None:
        self.loop.create_task(self._open())

    async def _open(self) -> None:
        while True:
            try:
                await self.storage.open()
                break
            except Unavailable:
                await asyncio.sleep(0.5)
        await self.registry.open()
        self.is_open = True
        self.world.trace(self.name, "is open")
        for serve in self._waiting:
            serve()

    def _when_open(self, serve: Callable[[], None]) -> None:
        """The socket takes connections before the process serves them."""
        if self.is_open:
            serve()
        else:
            self._waiting.append(serve)

    def kill(self) -> None:
        """As hard as can be."""
        self.world.trace(self.name, "is killed")
        self.loop.kill()

    async def close(self) -> None:
        await self.registry.close()
        await self.storage.close()

    def receive(self, request: Request, answer: Answer) -> None:
        """Take a request."""
        self._when_open(lambda: self.loop.create_task(self._serve(request, answer)))

    async def _serve(self, request: Request, answer: Answer) -> None:
        self.world.trace(self.name, request["kind"], request["game"], request.get("key"))
        try:
            view = await getattr(self, f"_{request['kind']}")(request)
        except Unavailable:
            answer(None, Failed("unavailable"))
            return
        except NoughtsError as error:
            self.world.trace(self.name, "refuses", error.code)
            answer(None, error)
            return
        if request["kind"] != "state":
            self.promises.check_acknowledged(request, view, self.name)
        self.world.trace(self.name, "answers", view.room.version)
        answer(view, None)

    async def _begin(self, request: Request) -> View:
        ids = (request["game"], f"w-{request['game']}")
        wanted = StartRequest(mode="PvP", game=request["spec"])
        event = commands.start_game(wanted, None, game_of(request["spec"]), watch_id=ids[1])
        return await self.registry.start(event, ids)

    async def _state(self, request: Request) -> View:
        return await self.registry.get(request["game"])

    async def _move(self, request: Request) -> View:
        wanted = MoveRequest(
            gameId=request["game"], player=request["player"], move=request["move"],
            expectedVersion=request["expected"], idempotencyKey=request["key"],
        )  # fmt: skip
        return await self.registry.change(
            request["game"],
            lambda room: commands.make_move(room, None, wanted),
            key=request["key"],
            same=lambda room, event: commands.is_same_move(room, event, wanted),
        )

    async def _change(self, request: Request) -> View:
        def decide(room: Room) -> Event | None:
            return commands.request_change(room, None, request["change"], None, request["expected"])

        return await self.registry.change(
            request["game"],
            decide,
            key=request["key"],
            same=lambda room, event: commands.is_same_change(event, request["change"]),
        )

    async def _nothing(self, request: Request) -> View:
        return await self.registry.change(request["game"], lambda room: None)

    def accept(self, request: Request, connection: Connection) -> None:
        """Take a live stream."""
        self._when_open(lambda: self.loop.create_task(self._stream(request, connection)))

    async def _stream(self, request: Request, connection: Connection) -> None:
        follower = Follower("watcher", (), connection.send, watching=True)
        connection.on_left = lambda: follower.close("gone")
        cached = None
        try:
            cached = await self.registry.follow(request["game"], follower)
            await serve_stream(self.registry, follower, cached, request["after"], connection.send)
        except (NoughtsError, ConnectionError):
            pass
        finally:
            connection.end()
            follower.close("gone")
            if cached is not None:
                self.registry.unfollow(cached, follower)
