"""NATS: the bus between machines, and the way to AI workers.

The server runs on while NATS is away; it comes back by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Final

import nats
import nats.errors
import orjson
from nats.aio.client import Client
from nats.aio.msg import Msg

from noughts.server.ai.agents import AgentFailed, AgentMissing
from noughts.server.ai.queue import Busy, Task
from noughts.server.bus.protocol import Bus, Heard, Message

__all__ = ["GROUP", "TASKS", "NatsBus", "connected"]

log = logging.getLogger("noughts.server")

GAMES: Final = "noughts.games"
TASKS: Final = "noughts.tasks"
GROUP: Final = "noughts-ai"
"""The queue group of the workers: each task goes to one of them."""

RETRY: Final = 0.3


async def connected(url: str) -> Client:
    """A connection that is made sooner or later and made again whenever it is lost."""

    async def quiet(error: Exception) -> None:
        log.debug("bus", extra={"fields": {"error": type(error).__name__}})

    while True:
        try:
            return await nats.connect(
                url,
                max_reconnect_attempts=-1,
                reconnect_time_wait=RETRY,
                connect_timeout=2,
                ping_interval=5,
                max_outstanding_pings=2,
                error_cb=quiet,
                pending_size=0,
            )
        except (TimeoutError, OSError, nats.errors.Error):
            await asyncio.sleep(RETRY)


class NatsBus(Bus):
    """Tells the other servers through NATS."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._client: Client | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._outgoing: asyncio.Queue[Message] = asyncio.Queue(maxsize=10_000)
        self._pump: asyncio.Task[None] | None = None

    @property
    def is_up(self) -> bool:
        """Whether NATS is connected."""
        return self._client is not None and self._client.is_connected

    async def open(self, heard: Heard) -> None:
        """Begin to connect; the server does not wait for it."""
        self._connecting = asyncio.create_task(self._connect(heard))
        self._pump = asyncio.create_task(self._send())

    async def _connect(self, heard: Heard) -> None:
        client = await connected(self.url)

        async def received(message: Msg) -> None:
            with contextlib.suppress(orjson.JSONDecodeError, KeyError, TypeError):
                heard(orjson.loads(message.data))

        await client.subscribe(GAMES, cb=received)
        self._client = client

    async def _send(self) -> None:
        while True:
            message = await self._outgoing.get()
            client = self._client
            if client is not None and client.is_connected:
                with contextlib.suppress(nats.errors.Error, OSError):
                    await client.publish(GAMES, orjson.dumps(message))

    def tell(self, message: Message) -> None:
        """Queue a message; what does not fit is left out, as readers look for themselves too."""
        with contextlib.suppress(asyncio.QueueFull):
            self._outgoing.put_nowait(message)

    async def ask(self, task: Task) -> dict[str, Any] | None:
        """Have a worker do a task; ``None`` if there is none."""
        client = self._client
        if client is None or not client.is_connected:
            return None
        try:
            reply = await client.request(TASKS, orjson.dumps(task.to_json()), timeout=task.seconds + 5)
            result: dict[str, Any] = orjson.loads(reply.data)
        except (TimeoutError, nats.errors.Error, OSError, orjson.JSONDecodeError):
            return None
        if result.get("refused") == "busy":
            raise Busy
        if result.get("refused") in (AgentMissing.code, AgentFailed.code):
            kind = AgentMissing if result["refused"] == AgentMissing.code else AgentFailed
            raise kind(result["message"])
        return None if "refused" in result else result

    async def close(self) -> None:
        """Disconnect."""
        for task in (self._connecting, self._pump):
            if task is not None:
                task.cancel()
        if self._client is not None:
            with contextlib.suppress(nats.errors.Error, OSError, asyncio.TimeoutError):
                await asyncio.wait_for(self._client.close(), 2)
