"""NATS: the bus between machines, and requests to the workers there.

The server runs on while NATS is away, and the connection comes back by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

import nats
import nats.errors
import orjson
from nats.aio.client import Client
from nats.aio.msg import Msg

from noughts.server.bus.protocol import Bus, Message, OnMessage

__all__ = ["NatsBus", "connect_nats"]

log = logging.getLogger("noughts.server")

GAMES_SUBJECT: Final = "noughts.games"
RECONNECT_SECONDS: Final = 0.3
MAX_UNSENT_MESSAGES: Final = 10_000
CLOSE_SECONDS: Final = 2.0


async def connect_nats(url: str) -> Client:
    """Connect, however long it takes; the connection is made again whenever it is lost.

    Why it does not come about is logged once, and again when the reason changes.
    """
    told = ""

    async def log_error(error: Exception) -> None:
        log.debug("bus", extra={"fields": {"error": type(error).__name__}})

    while True:
        try:
            return await nats.connect(
                url,
                max_reconnect_attempts=-1,
                reconnect_time_wait=RECONNECT_SECONDS,
                connect_timeout=2,
                ping_interval=5,
                max_outstanding_pings=2,
                error_cb=log_error,
                pending_size=0,
            )
        except (TimeoutError, OSError, nats.errors.Error) as error:
            reason = type(error).__name__
            if reason != told:
                told = reason
                log.warning("the bus cannot be reached", extra={"fields": {"error": reason}})
            await asyncio.sleep(RECONNECT_SECONDS)


class NatsBus(Bus):
    """Publishes to the other servers through NATS."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._client: Client | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._outgoing: asyncio.Queue[Message] = asyncio.Queue(maxsize=MAX_UNSENT_MESSAGES)
        self._sending: asyncio.Task[None] | None = None

    @property
    def is_up(self) -> bool:
        """Whether NATS is connected."""
        return self._client is not None and self._client.is_connected

    async def open(self, on_message: OnMessage) -> None:
        """Start to connect; the server does not wait for it."""
        self._connecting = asyncio.create_task(self._connect(on_message))
        self._sending = asyncio.create_task(self._send_forever())

    async def _connect(self, on_message: OnMessage) -> None:
        client = await connect_nats(self.url)

        async def received(message: Msg) -> None:
            with contextlib.suppress(orjson.JSONDecodeError, KeyError, TypeError):
                on_message(orjson.loads(message.data))

        await client.subscribe(GAMES_SUBJECT, cb=received)
        self._client = client

    async def _send_forever(self) -> None:
        while True:
            message = await self._outgoing.get()
            client = self._client
            if client is not None and client.is_connected:
                with contextlib.suppress(nats.errors.Error, OSError):
                    await client.publish(GAMES_SUBJECT, orjson.dumps(message))

    def publish(self, message: Message) -> None:
        """Queue a message; what does not fit is dropped, as readers poll the database too."""
        with contextlib.suppress(asyncio.QueueFull):
            self._outgoing.put_nowait(message)

    async def request(self, subject: str, body: bytes, *, timeout: float) -> bytes | None:
        """Ask one of those who serve a subject; ``None`` if nobody answers in time."""
        client = self._client
        if client is None or not client.is_connected:
            return None
        try:
            return (await client.request(subject, body, timeout=timeout)).data
        except (TimeoutError, nats.errors.Error, OSError):
            return None

    async def close(self) -> None:
        """Disconnect."""
        for task in (self._connecting, self._sending):
            if task is not None:
                task.cancel()
        if self._client is not None:
            with contextlib.suppress(nats.errors.Error, OSError, asyncio.TimeoutError):
                await asyncio.wait_for(self._client.close(), CLOSE_SECONDS)
