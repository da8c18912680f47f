"""A live stream of a room: what the follower has missed, then every event, in order and once."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import orjson

from noughts.server.rooms.cache import CachedRoom
from noughts.server.rooms.followers import Follower, SendMessage
from noughts.server.rooms.registry import Registry
from noughts.server.rooms.render import public_event

__all__ = ["serve_stream"]

EVENTS_PER_STEP: Final = 32
"""Events that are sent at once to a client that has missed many."""


async def serve_stream(
    registry: Registry, follower: Follower, cached: CachedRoom, after: int | None, send: SendMessage
) -> str:
    """Serve a follower of a room until it goes or is dropped; returns the reason.

    ``after`` is the last version that it has seen, ``None`` if it wants the whole state first.
    """
    catching_up = asyncio.ensure_future(_catch_up(registry, follower, cached, after, send))
    try:
        # It may be too slow for the first messages already.
        waiting: set[asyncio.Future[Any]] = {catching_up, follower.gone}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if catching_up.done():
            catching_up.result()
        return await follower.gone
    finally:
        catching_up.cancel()


async def _catch_up(
    registry: Registry, follower: Follower, cached: CachedRoom, after: int | None, send: SendMessage
) -> None:
    """Send what a follower needs to be up to date, then let it have its queue."""
    assert cached.followers is not None
    room = cached.room
    version = room.version
    you: dict[str, Any] = {
        "you": {"role": follower.role, "marks": follower.marks},
        "presence": cached.followers.presence(),
    }
    state = cached.view.for_watchers() if follower.watching else cached.view.for_players()
    if after is None or not 0 < after <= version:
        await _send(send, {"type": "state", "version": version, "state": state, **you})
        follower.start(version)
        return
    missed = await registry.events_since(cached, after) if after < version else []
    for count, (number, event) in enumerate(missed, 1):
        if number > version:
            break
        if count % EVENTS_PER_STEP == 0:
            # A connection takes what it is sent at once; the others want their turn too.
            await asyncio.sleep(0)
        message = {"type": "event", "version": number, "event": public_event(event, room)}
        await _send(send, {**message, "state": state} if number == version else message)
    await _send(send, {"type": "resumed", "version": version, **you})
    follower.start(version)


async def _send(send: SendMessage, message: dict[str, Any]) -> None:
    await send(orjson.dumps(message).decode(), message["version"])
