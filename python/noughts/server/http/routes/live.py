"""Live streams over WebSocket and Server-Sent Events: the state first, then every event with its version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import orjson
from fastapi import APIRouter, Query, Request, Response, WebSocket
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from noughts.server.http.errors import Problem
from noughts.server.http.middleware import Gate, refuse_websocket
from noughts.server.http.routes.play import Id, service_of
from noughts.server.rooms.commands import you
from noughts.server.rooms.followers import Follower, public_event
from noughts.server.rooms.registry import Live
from noughts.server.service import Service
from noughts.server.storage.database import Unavailable

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


async def _follow(service: Service, follower: Follower, game: str) -> Live:
    """Let a follower in; from now on it hears of everything, though nothing is sent before it is ready."""
    live = await service.hall.live(game)
    service.hall.follow(live).add(follower)
    if service.closing.is_set():
        follower.close("closing")
    return live


def _leave(service: Service, follower: Follower, live: Live) -> None:
    if live.audience is not None:
        live.audience.remove(follower)
        service.hall.unfollow(live)


async def _begin(
    service: Service, follower: Follower, live: Live, after: int | None, send: Callable[[str], Awaitable[None]]
) -> None:
    """Send what a follower needs to be up to date, then what it hears."""
    audience = service.hall.follow(live)
    version = live.table.version
    own = orjson.dumps({"role": follower.role, "marks": follower.marks})
    presence = orjson.dumps(audience.presence())
    state = live.view.for_watchers() if follower.watching else live.view.for_players()
    if after is None or not 0 < after <= version:
        head = b'{"type":"state","version":%d,"state":' % version
        await send((head + state + b',"you":' + own + b',"presence":' + presence + b"}").decode())
        follower.ready(version)
        return
    table = live.table
    missed = await service.hall.events_since(live, after) if after < version else []
    for number, event in missed:
        if number > version:
            break
        message = b'{"type":"event","version":%d,"event":%b' % (number, public_event(event, table))
        await send((message + (b',"state":' + state + b"}" if number == version else b"}")).decode())
    await send((b'{"type":"resumed","version":%d,"you":%b,"presence":%b}' % (version, own, presence)).decode())
    follower.ready(version)


async def _serve(
    service: Service, follower: Follower, live: Live, after: int | None, send: Callable[[str], Awaitable[None]]
) -> str:
    """Serve a follower until it goes or has to; why."""
    beginning = asyncio.ensure_future(_begin(service, follower, live, after, send))
    try:
        # It may be too slow for the beginning already.
        await asyncio.wait({beginning, follower.gone}, return_when=asyncio.FIRST_COMPLETED)
        if beginning.done():
            beginning.result()
        reason: str = await follower.gone
        return reason
    finally:
        beginning.cancel()


def _after(websocket: WebSocket) -> int | None:
    """The last version that a client says it saw."""
    text = websocket.query_params.get("version")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) < 2**31):
        raise Problem(400, "invalid_request", f"version: must be a whole number from 0 on, not {text[:20]!r}")
    return int(text)


@router.websocket("/game/{id}/live")
async def live(websocket: WebSocket, id: str) -> None:
    """Follow a game: the whole state, then events; with ``version``, only what was missed."""
    service: Service = websocket.scope["service"]
    try:
        version = _after(websocket)
        game, watching = await service.hall.resolve(id)
        session = await service.session(websocket)
        role, marks = you((await service.hall.live(game)).table, session, watching=watching)
    except Problem as problem:
        await refuse_websocket(websocket.scope, websocket.receive, websocket.send, problem)
        return
    except Unavailable:
        down = Problem(503, "unavailable", "the store does not answer", headers={"Retry-After": "2"})
        await refuse_websocket(websocket.scope, websocket.receive, websocket.send, down)
        return
    await websocket.accept()

    async def send(message: str) -> None:
        await websocket.send({"type": "websocket.send", "text": message})

    follower = Follower(role, marks, send, watching=watching)
    listening = asyncio.ensure_future(_listen(websocket, follower))
    table: Live | None = None
    try:
        table = await _follow(service, follower, game)
        reason = await _serve(service, follower, table, version, send)
        code = {"too slow": SLOW, "closing": CLOSING, "too many frames": ABUSE}.get(reason)
        if code is not None:
            # A connection that is full takes no goodbye either.
            await asyncio.wait_for(websocket.close(code, reason), GOODBYE)
    except (TimeoutError, WebSocketDisconnect, Unavailable, RuntimeError, OSError):
        pass
    finally:
        listening.cancel()
        if table is not None:
            _leave(service, follower, table)


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
                follower.push(0, '{"type":"pong"}')
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
    session = await service.session(request)
    role, marks = you((await service.hall.live(game)).table, session, watching=watching)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else version

    async def follow(receive: Receive, send: Send) -> None:
        async def write(message: str) -> None:
            await send({"type": "http.response.body", "body": _event(message), "more_body": True})

        follower = Follower(role, marks, write, watching=watching)
        listening = asyncio.ensure_future(_hang_up(receive, follower))
        table: Live | None = None
        try:
            table = await _follow(service, follower, game)
            if await _serve(service, follower, table, after, write) == "closing":
                await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), GOODBYE)
        except (TimeoutError, Unavailable, OSError):
            pass
        finally:
            listening.cancel()
            follower.close("gone")
            if table is not None:
                _leave(service, follower, table)

    return EventStream(request.app.state.gate(), follow)


class EventStream(StreamingResponse):
    """Server-Sent Events for as long as somebody reads them.

    One who does not keep up is cut off in the middle: the answer is left unfinished, and the connection goes.
    """

    def __init__(self, gate: Gate, follow: Callable[[Receive, Send], Awaitable[None]]) -> None:
        super().__init__(iter(()), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self.gate, self.follow = gate, follow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the stream in, and out again however it ends, even before it began."""
        if not self.gate.enter(scope):
            raise Problem(429, "too_many_streams", "too many live streams", headers={"Retry-After": "5"})
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True})
            await self.follow(receive, send)
        finally:
            self.gate.leave(scope)


def _event(message: str) -> bytes:
    """A message as an event, with its version as the id if it brings something new."""
    number = message.partition('"version":')[2].partition(",")[0].rstrip("}")
    is_event = message.startswith(('{"type":"event"', '{"type":"state"', '{"type":"resumed"'))
    tag = f"id: {number}\n" if is_event else ""
    return f"{tag}data: {message}\n\n".encode()


async def _hang_up(receive: Receive, follower: Follower) -> None:
    """Wait until a client goes."""
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.close("gone")
