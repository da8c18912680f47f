"""The application without a server around it, for what no client from outside could time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from noughts.server.http.app import make_app
from noughts.server.http.middleware import RequestMiddleware
from noughts.server.settings import Settings


@asynccontextmanager
async def inside(**settings: Any) -> AsyncIterator[FastAPI]:
    """The application, up and running."""
    app = make_app(Settings(log="warning", hosts="*", **settings))
    app.middleware_stack = app.build_middleware_stack()
    async with app.router.lifespan_context(app):
        yield app


def middleware_of(app: FastAPI) -> RequestMiddleware:
    """The middleware that every request passes."""
    part: Any = app.middleware_stack
    while not isinstance(part, RequestMiddleware):
        part = part.app
    return part


async def ask(
    app: FastAPI,
    kind: str,
    path: str,
    body: object = None,
    *,
    until: asyncio.Event | None = None,
    on_sent: Callable[[dict[str, Any]], None] = lambda message: None,
) -> list[dict[str, Any]]:
    """What the application sends, to a request or (``WS``) to somebody who opens a stream.

    Who asks leaves at once, or when ``until`` is set; ``on_sent`` is told of each message.
    """
    sent: list[dict[str, Any]] = []
    asked = (
        {"type": "websocket.connect"} if kind == "WS" else {"type": "http.request", "body": json.dumps(body).encode()}
    )

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked["type"].endswith("disconnect") and until is not None:
            await until.wait()
        told, asked = asked, {"type": "websocket.disconnect" if kind == "WS" else "http.disconnect", "code": 1000}
        return told

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        on_sent(message)

    scope: dict[str, Any] = {
        "type": "websocket" if kind == "WS" else "http", "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1", "method": kind, "scheme": "http", "path": path, "raw_path": path.encode(), "state": {},
        "query_string": b"", "root_path": "", "client": ("192.0.2.1", 1), "server": ("test", 80), "subprotocols": [],
        "headers": [(b"host", b"test"), (b"content-type", b"application/json")],
    }  # fmt: skip
    await app(scope, receive, send)
    return sent
