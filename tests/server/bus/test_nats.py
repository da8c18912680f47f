"""Connecting to NATS: what an operator learns when it does not come about."""

import asyncio
import logging
from contextlib import suppress

from noughts.server.bus import nats as bus
from noughts.server.bus.nats import connect_nats
from tests.server.servers import free_port


def test_why_the_bus_cannot_be_reached_is_logged_once(caplog, monkeypatch):
    monkeypatch.setattr(bus, "RECONNECT_SECONDS", 0.0)
    failures = iter([ConnectionRefusedError, ConnectionRefusedError, TimeoutError, ConnectionRefusedError])
    attempts = []

    async def failing(url, **options):
        attempts.append(url)
        raise next(failures)

    monkeypatch.setattr(bus.nats, "connect", failing)

    async def connect() -> None:
        with suppress(RuntimeError):  # what running out of failures becomes in a coroutine
            await connect_nats(f"nats://secret@127.0.0.1:{free_port()}")

    with caplog.at_level(logging.WARNING):
        asyncio.run(connect())
    assert len(attempts) == 5
    assert [record.fields for record in caplog.records] == [
        {"error": "ConnectionRefusedError"},
        {"error": "TimeoutError"},
        {"error": "ConnectionRefusedError"},
    ]
    assert "secret" not in caplog.text
