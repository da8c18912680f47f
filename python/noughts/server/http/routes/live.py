"""Live streams over WebSocket and Server-Sent Events: the state first, then every event with its version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response, WebSocket
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from noughts.errors import NoughtsError
from noughts.server.errors import Refused, Unavailable
from noughts.server.http.dependencies import CurrentService, CurrentSession, GameId, disconnected, session_of
from noughts.server.http.middleware import refuse_websocket, too_many_streams
from noughts.server.http.ratelimit import StreamCounter
from noughts.server.rooms.cache import CachedRoom
from noughts.server.rooms.followers import Follower
from noughts.server.rooms.seats import role_of
from noughts.server.rooms.streams import serve_stream
from noughts.server.service import Service

__all__ = ["router"]

router = APIRouter(tags=["live"])

MAX_FRAMES: Final = 20
"""Frames a client may send at once; after that one more every second."""

CLOSE_SECONDS: Final = 1.0
"""Seconds that a client has to take the closing message."""

CLOSE_CODES: Final = {"too slow": 1013, "closing": 1012, "deleted": 1000, "too many frames": 1008}

After = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="the last version seen, to get what was missed")]


async def _follow(service: Service, follower: Follower, game: str) -> CachedRoom:
    """Add a follower; events are queued for it from now on, though nothing is sent before it starts."""
    cached = await service.registry.follow(game, follower)
    if service.closing.is_set():
        follower.close("closing")
    return cached


def _after(websocket: WebSocket) -> int | None:
    """The last version that a client says it has seen."""
    text = websocket.query_params.get("version")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) < 2**31):
        raise Refused("invalid_request", f"version: must be a whole number from 0 on, not {text[:20]!r}")
    return int(text)


# Without dependencies: a refusal is answered in the shape of every error before the stream is accepted.
@router.websocket("/game/{id}/live")
async def live(websocket: WebSocket, id: str) -> None:
    """Follow a game: the whole state, then events; with ``version``, only what was missed."""
    service: Service = websocket.scope["service"]
    try:
        version = _after(websocket)
        game, watching = await service.registry.resolve(id)
        session = await session_of(websocket)
        role, marks = role_of((await service.registry.get(game)).room, session, watching=watching)
    except NoughtsError as error:
        await refuse_websocket(websocket.scope, websocket.receive, websocket.send, error)
        return
    await websocket.accept()

    async def send(message: str, _: int) -> None:
        await websocket.send({"type": "websocket.send", "text": message})

    follower = Follower(role, marks, send, watching=watching)
    listening = asyncio.ensure_future(_listen(websocket, follower))
    cached: CachedRoom | None = None
    try:
        cached = await _follow(service, follower, game)
        reason = await serve_stream(service.registry, follower, cached, version, send)
        code = CLOSE_CODES.get(reason)
        if code is not None:
            # A connection that is full does not take this one either.
            await asyncio.wait_for(websocket.close(code, reason), CLOSE_SECONDS)
    except (TimeoutError, WebSocketDisconnect, Unavailable, RuntimeError, OSError):
        pass
    finally:
        listening.cancel()
        if cached is not None:
            service.registry.unfollow(cached, follower)


async def _listen(websocket: WebSocket, follower: Follower) -> None:
    """Read what a client sends: pings, and that it goes."""
    loop = asyncio.get_running_loop()
    tokens, at = float(MAX_FRAMES), loop.time()
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                follower.close("gone")
                return
            now = loop.time()
            tokens, at = min(MAX_FRAMES, tokens + now - at) - 1, now
            if tokens < 0:
                follower.close("too many frames")
                return
            if (message.get("text") or "").strip() == '{"type":"ping"}':
                follower.push(0, '{"type":"pong"}')
    except (RuntimeError, OSError):
        follower.close("gone")


@router.get(
    "/game/{id}/events",
    summary="Follow a game",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(
    request: Request, service: CurrentService, session: CurrentSession, id: GameId, version: After = None
) -> Response:
    """Follow a game as Server-Sent Events; a browser resumes by itself from the last version it saw."""
    game, watching = await service.registry.resolve(id)
    role, marks = role_of((await service.registry.get(game)).room, session, watching=watching)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else version

    async def follow(receive: Receive, send: Send) -> None:
        async def write(message: str, number: int) -> None:
            tag = f"id: {number}\n" if number else ""
            data = f"{tag}data: {message}\n\n".encode()
            await send({"type": "http.response.body", "body": data, "more_body": True})

        follower = Follower(role, marks, write, watching=watching)
        listening = asyncio.ensure_future(_wait_for_disconnect(receive, follower))
        cached: CachedRoom | None = None
        try:
            cached = await _follow(service, follower, game)
            if await serve_stream(service.registry, follower, cached, after, write) == "closing":
                await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), CLOSE_SECONDS)
        except (TimeoutError, Unavailable, OSError):
            pass
        finally:
            listening.cancel()
            follower.close("gone")
            if cached is not None:
                service.registry.unfollow(cached, follower)

    return EventStream(request.scope["streams"], follow)


class EventStream(StreamingResponse):
    """Server-Sent Events for as long as a client reads them.

    One that does not keep up is cut off in the middle: the response stays unfinished, and the connection is closed.
    """

    def __init__(self, streams: StreamCounter, follow: Callable[[Receive, Send], Awaitable[None]]) -> None:
        super().__init__(iter(()), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self.streams, self.follow = streams, follow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the stream in, and out again however it ends, even before it started."""
        client = scope["client_key"]
        if not self.streams.enter(client):
            raise too_many_streams()
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True})
            await self.follow(receive, send)
        finally:
            self.streams.leave(client)


async def _wait_for_disconnect(receive: Receive, follower: Follower) -> None:
    await disconnected(receive)
    follower.close("gone")
