"""What the direct route of the server saves beside FastAPI's own: the same empty move through each, in one process."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response

from benchmarks.table import rate
from noughts.server.http.route import DirectRoute
from noughts.server.schema.game import MoveRequest

BODY = b'{"gameId":"0123456789abcdefghijkl","row":1,"col":2,"player":"X"}'
HEADERS = [(b"content-type", b"application/json"), (b"content-length", str(len(BODY)).encode())]
REQUESTS = 500


def microseconds() -> dict[str, float]:
    """Microseconds for an empty request with the body of a move, by route."""
    app = FastAPI()
    direct, own = APIRouter(route_class=DirectRoute), APIRouter()

    @direct.post("/direct")
    async def by_direct_route(request: Request, body: MoveRequest) -> Response:
        return Response(b"{}")

    @own.post("/own")
    async def by_own_route(request: Request, body: MoveRequest) -> Response:
        return Response(b"{}")

    app.include_router(direct)
    app.include_router(own)
    return {path: 1e6 / rate(lambda path=path: asyncio.run(_ask(app, path))) for path in ("/direct", "/own")}


async def _ask(app: FastAPI, path: str) -> int:
    statuses: set[int] = set()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": BODY, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.add(message["status"])

    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http"}
    scope |= {"path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": HEADERS}
    for _ in range(REQUESTS):
        await app({**scope, "headers_map": dict(HEADERS)}, receive, send)
    assert statuses == {200}
    return REQUESTS
