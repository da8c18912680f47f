"""Live streams over WebSocket and Server-Sent Events: the state first, then every event with its version."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Final

import orjson
from fastapi import APIRouter, Query, Request, Response, WebSocket
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocketDisconnect

from noughts.server.database import Unavailable
from noughts.server.desk import you
from noughts.server.gate import refuse_websocket
from noughts.server.hall import Live
from noughts.server.live import Follower, public_event
from noughts.server.play import Id, service_of
from noughts.server.problem import Problem
from noughts.server.service import Service

__all__ = ["router"]

router = APIRouter(tags=["live"])

FRAMES: Final = 20
"""Frames a client may send before one is due every second."""

GOODBYE: Final = 1.0
"""Seconds in which a client may take leave."""

SLOW: Final = 1013
CLOSING: Final = 1012
ABUSE: Final = 1008

After = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="the last version seen, to get what was missed")]


async def _begin(
    service: Service, follower: Follower, live: Live, after: int | None, send: Callable[[bytes], Awaitable[None]]
) -> None:
    """Send what a follower needs to be up to date, then let it follow."""
    audience = service.hall.follow(live)
    audience.add(follower)
    version = live.table.version
    own = orjson.dumps({"role": follower.role, "marks": follower.marks})
    presence = orjson.dumps(audience.presence())
    state = live.view.for_watchers() if follower.watching else live.view.for_players()
    if after is None or not 0 < after <= version:
        head = b'{"type":"state","version":%d,"state":' % version
        await send(head + state + b',"you":' + own + b',"presence":' + presence + b"}")
        follower.ready(version)
        return
    table = live.table
    missed = await service.hall.events_since(live, after) if after < version else []
    for number, event in missed:
        if number > version:
            break
        message = b'{"type":"event","version":%d,"event":%b' % (number, public_event(event, table))
        await send(message + (b',"state":' + state + b"}" if number == version else b"}"))
    await send(b'{"type":"resumed","version":%d,"you":%b,"presence":%b}' % (version, own, presence))
    follower.ready(version)


@router.websocket("/game/{id}/live")
async def live(websocket: WebSocket, id: str, version: int | None = None) -> None:
    """Follow a game: the whole state, then events; with ``version``, only what was missed."""
    service: Service = websocket.app.state.service
    try:
        game, watching = await service.hall.resolve(id)
        table = await service.hall.live(game)
        session = await service.session(websocket)
    except Problem as problem:
        await refuse_websocket(websocket.scope, websocket.receive, websocket.send, problem)
        return
    except Unavailable:
        down = Problem(503, "unavailable", "the store does not answer", headers={"Retry-After": "2"})
        await refuse_websocket(websocket.scope, websocket.receive, websocket.send, down)
        return
    await websocket.accept()
    role, marks = you(table.table, session, watching=watching)

    async def send(message: bytes) -> None:
        await websocket.send({"type": "websocket.send", "text": message.decode()})

    follower = Follower(role, marks, send, watching=watching)
    listening = asyncio.ensure_future(_listen(websocket, follower))
    try:
        await _begin(service, follower, table, version, send)
        reason = await follower.gone
        code = {"too slow": SLOW, "closing": CLOSING, "too many frames": ABUSE}.get(reason)
        if code is not None:
            # A connection that is full takes no goodbye either.
            await asyncio.wait_for(websocket.close(code, reason), GOODBYE)
    except (TimeoutError, WebSocketDisconnect, Unavailable, RuntimeError, OSError):
        pass
    finally:
        listening.cancel()
        if table.audience is not None:
            table.audience.remove(follower)
            service.hall.unfollow(table)


async def _listen(websocket: WebSocket, follower: Follower) -> None:
    """Hear what a client says: pings, and that it goes."""
    loop = asyncio.get_running_loop()
    tokens, at = float(FRAMES), loop.time()
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                follower.close("gone")
                return
            now = loop.time()
            tokens, at = min(FRAMES, tokens + now - at) - 1, now
            if tokens < 0:
                follower.close("too many frames")
                return
            if (message.get("text") or "").strip() == '{"type":"ping"}':
                follower.push(0, b'{"type":"pong"}')
    except (RuntimeError, OSError):
        follower.close("gone")


@router.get(
    "/game/{id}/events",
    summary="Follow a game",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(request: Request, id: Id, version: After = None) -> Response:
    """Follow a game as Server-Sent Events; a browser resumes by itself from the last version it saw."""
    service = service_of(request)
    game, watching = await service.hall.resolve(id)
    table = await service.hall.live(game)
    session = await service.session(request)
    role, marks = you(table.table, session, watching=watching)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else version
    gate = request.app.state.gate()
    if not gate.enter(request.scope):
        raise Problem(429, "too_many_streams", "too many live streams", headers={"Retry-After": "5"})
    queue: asyncio.Queue[bytes] = asyncio.Queue(maxsize=16)

    async def send(message: bytes) -> None:
        number = message.partition(b'"version":')[2].partition(b",")[0].rstrip(b"}")
        is_event = message.startswith((b'{"type":"event"', b'{"type":"state"', b'{"type":"resumed"'))
        tag = b"id: %b\n" % number if is_event else b""
        await queue.put(tag + b"data: " + message + b"\n\n")

    follower = Follower(role, marks, send, watching=watching)

    async def stream() -> AsyncIterator[bytes]:
        beginning = asyncio.ensure_future(_begin(service, follower, table, after, send))
        try:
            yield b"retry: 1000\n\n"
            while not follower.gone.done() or not queue.empty():
                getting = asyncio.ensure_future(queue.get())
                await asyncio.wait({getting, follower.gone}, return_when=asyncio.FIRST_COMPLETED)
                if not getting.done():
                    getting.cancel()
                    return
                yield getting.result()
        finally:
            beginning.cancel()
            follower.close("gone")
            gate.leave(request.scope)
            if table.audience is not None:
                table.audience.remove(follower)
                service.hall.unfollow(table)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
