"""The network: requests with answers, live streams, and the bus between processes, all with delays and losses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from noughts.server.bus.protocol import Bus, Message, OnMessage
from tests.simulation.faults import Faults
from tests.simulation.loop import SimulatedLoop
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.process import Process

Request = dict[str, Any]


class Failed(Exception):
    """No answer, or one that says that nothing can be said."""


class Server(Protocol):
    """Whoever answers requests."""

    loop: SimulatedLoop

    def answer(self, request: Request) -> Awaitable[Any]: ...


class Connection:
    """One live stream from a process to a client: in order, until one of them, or the network, ends it."""

    def __init__(self, network: Network, process: Process, on_message: Callable[[str], None]) -> None:
        self.network, self.process, self._on_message = network, process, on_message
        self.closed = network.clients.create_future()
        """Done once the client knows that it is over."""
        self.on_left: Callable[[], None] = lambda: None
        """What the process does when the client leaves."""
        self._last = 0.0
        self._open = True

    async def send(self, message: str, version: int) -> None:
        """Send a message to the client; waits as a full connection would."""
        world, faults = self.network.world, self.network.faults
        if not self._open:
            raise ConnectionError("the connection is closed")
        if faults.happens("broken_stream"):
            self.end()
        self._last = max(self._last, world.now) + world.delay(0.002, 0.2)
        world.at(self._last, lambda: self._arrive(message))
        if faults.happens("slow_stream"):
            await asyncio.sleep(world.rng.uniform(1, 10))

    def _arrive(self, message: str) -> None:
        if not self.closed.done():
            self._on_message(message)

    def end(self) -> None:
        """End the connection: both sides hear of it, at different times."""
        if not self._open:
            return
        self._open = False
        world = self.network.world
        world.after(world.delay(0.01, 1.0), lambda: self.process.loop.call_soon(self.on_left))
        # What is on its way still arrives.
        world.at(max(self._last, world.now) + world.delay(0.01, 1.0), self._tell_client)

    def _tell_client(self) -> None:
        self.network.clients.settle(self.closed, None)


class Network:
    """Everything that is sent from one to another."""

    def __init__(self, world: World, faults: Faults) -> None:
        self.world, self.faults = world, faults
        self.clients = SimulatedLoop(world, "clients")
        self.buses: dict[str, SimulatedBus] = {}

    async def call(self, process: Process, request: Request, timeout: float = 3.0) -> Any:
        """Send a request and wait for the answer; :class:`Failed` if there is none."""
        future = self.clients.create_future()
        copies = 2 if request.get("key") and self.faults.happens("repeated_request") else 1
        for _ in range(copies):
            if not self.faults.happens("lost_request"):
                self.world.after(self.world.delay(0.002, 0.3), lambda: self._deliver(process, request, future))
        try:
            return await asyncio.wait_for(future, timeout)
        except TimeoutError:
            raise Failed("no answer") from None

    def _deliver(self, process: Process, request: Request, future: asyncio.Future[Any]) -> None:
        if not process.loop.alive:
            self.clients.settle(future, None, Failed("refused"))
            return

        def answer(result: Any, error: BaseException | None) -> None:
            if not self.faults.happens("lost_answer"):
                delay = self.world.delay(0.002, 0.3)
                self.world.after(delay, lambda: self.clients.settle(future, result, error))

        process.loop.call_soon(process.receive, request, answer)

    def connect(self, process: Process, request: Request, on_message: Callable[[str], None]) -> Connection:
        """Open a live stream."""
        connection = Connection(self, process, on_message)

        def arrive() -> None:
            if process.loop.alive:
                process.loop.call_soon(process.accept, request, connection)
            else:
                connection.end()

        self.world.after(self.world.delay(0.002, 0.3), arrive)
        return connection


class SimulatedBus(Bus):
    """The bus of one process: messages may be late, in another order, twice or not at all."""

    def __init__(self, network: Network, loop: SimulatedLoop) -> None:
        self.network, self.loop = network, loop
        self._on_message: OnMessage | None = None

    async def open(self, on_message: OnMessage) -> None:
        self._on_message = on_message
        self.network.buses[self.loop.name] = self

    def publish(self, message: Message) -> None:
        if not self.loop.alive:
            return
        faults, world = self.network.faults, self.network.world
        for other in self.network.buses.values():
            if other is self or faults.bus_is_away:
                continue
            for _ in range(2 if faults.happens("repeated_message") else 1):
                if not faults.happens("lost_message"):
                    world.after(world.delay(0.002, 1.0), lambda other=other: other.receive(message))

    def receive(self, message: Message) -> None:
        if self._on_message is not None:
            self.loop.call_soon(self._on_message, message)

    async def close(self) -> None:
        self._on_message = None
        self.network.buses.pop(self.loop.name, None)
