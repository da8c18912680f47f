"""The gate every request passes: limits, origins, security headers, one line in the log.

Written as plain ASGI and in one piece, as it is on the way of every move.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.server.http.errors import Problem
from noughts.server.http.ratelimit import Buckets, client_key
from noughts.server.metrics import Metrics
from noughts.server.service import Service
from noughts.server.settings import Settings

__all__ = ["CONTENT_SECURITY_POLICY", "Gate"]

log = logging.getLogger("noughts.server")

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

HEADERS: Final = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
PRIVATE: Final = (b"cache-control", b"no-store")

SHARED: Final = (
    (b"access-control-allow-credentials", b"true"),
    (b"access-control-expose-headers", b"retry-after"),
)
"""For the pages of the origins that the operator named; they may bring a token, and the cookie where it is sent."""

PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET, POST, DELETE"),
    (b"access-control-allow-headers", b"authorization, content-type, last-event-id"),
    (b"access-control-max-age", b"600"),
)

COSTS: Final = {"/game/start": 5.0, "/ai/move": 5.0, "/session": 10.0}
COSTS_BY_END: Final = {"hint": 5.0, "analysis": 5.0, "review": 5.0, "rematch": 5.0}
"""What costs a client more than one token."""

UNLIMITED: Final = frozenset(("/healthz", "/readyz", "/metrics"))


class Gate:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.service: Service | None = None
        self.metrics = Metrics()
        self.largest_body = settings.largest_body
        self.buckets = Buckets(settings.rate, settings.burst)
        self.most_streams = settings.connections
        self.streams: dict[str, int] = {}
        self.origins = frozenset(part.strip() for part in settings.origins.split(",") if part.strip())

    def open(self, service: Service) -> None:
        """Let requests in: they are answered by this service, and counted there."""
        self.service, self.metrics = service, service.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a stream through."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        headers = scope["headers_map"] = dict(scope["headers"])
        scope["service"] = self.service
        client = scope["client_key"] = client_key(scope["client"][0]) if scope.get("client") else "local"
        status = 500
        started = False
        body_left = self.largest_body

        async def limited() -> Message:
            nonlocal body_left
            message = await receive()
            if message["type"] == "http.request":
                body_left -= len(message.get("body", b""))
                if body_left < 0:
                    raise HTTPException(413, "too_large")
            return message

        origin = headers.get(b"origin")
        shared = bool(self.origins) and origin is not None and origin.decode("latin-1") in self.origins

        async def stamped(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                given = message.setdefault("headers", [])
                given.extend(HEADERS)
                if self.origins:
                    given.append((b"vary", b"origin"))
                if shared and origin is not None:
                    given.append((b"access-control-allow-origin", origin))
                    given.extend(SHARED)
                if not any(name == b"cache-control" for name, _ in given):
                    given.append(PRIVATE)
            await send(message)

        try:
            self._check(scope, headers, client)
            if shared and scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
                await stamped({"type": "http.response.start", "status": 204, "headers": list(PREFLIGHT)})
                await stamped({"type": "http.response.body", "body": b""})
            else:
                # A body whose length is told has been checked, and no server reads beyond it.
                told = headers.get(b"content-length", b"").isdigit() and b"transfer-encoding" not in headers
                await self.app(scope, receive if told else limited, stamped)
        except Problem as problem:
            await _answer(stamped, problem)
        except asyncio.CancelledError:
            status = 499
            raise
        except Exception:
            log.exception("a request failed", extra={"fields": {"route": _route(scope)}})
            if started:
                raise
            await _answer(stamped, Problem(500, "internal", "something went wrong on the server"))
        finally:
            seconds = time.perf_counter() - began
            route = _route(scope)
            self.metrics.answered(scope["method"], route, status, seconds)
            if log.isEnabledFor(logging.INFO):
                fields = {
                    "method": scope["method"],
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 2),
                    "client": client,
                }
                log.info("request", extra={"fields": fields})

    def _check(self, scope: Scope, headers: dict[bytes, bytes], client: str) -> None:
        path = scope["path"]
        if path not in UNLIMITED:
            wait = self.buckets.take(client, COSTS.get(path) or COSTS_BY_END.get(path[path.rfind("/") + 1 :], 1.0))
            if wait:
                raise too_many(wait)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not self._is_welcome(scope, headers):
            raise Problem(403, "bad_origin", "pages of other origins may not use this server")
        length = headers.get(b"content-length")
        if length is not None and length.isdigit() and int(length) > self.largest_body:
            raise Problem(413, "too_large", f"a request has at most {self.largest_body} bytes")

    def _is_welcome(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        """Whether a request comes from our own page, an allowed one, or no page at all."""
        origin = headers.get(b"origin")
        if origin is None:
            return headers.get(b"sec-fetch-site", b"same-origin") in (b"same-origin", b"none")
        text = origin.decode("latin-1")
        if text in self.origins:
            return True
        try:
            return urlsplit(text).netloc == headers.get(b"host", b"").decode("latin-1") != ""
        except ValueError:
            # Not an address at all, so not ours.
            return False

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = scope["headers_map"] = dict(scope["headers"])
        scope["service"] = self.service
        client = scope["client_key"] = client_key(scope["client"][0]) if scope.get("client") else "local"
        problem: Problem | None = None
        wait = self.buckets.take(client)
        if wait:
            problem = too_many(wait)
        elif not self._is_welcome(scope, headers):
            problem = Problem(403, "bad_origin", "pages of other origins may not use this server")
        elif not self.enter(scope):
            problem = Problem(429, "too_many_streams", "too many live streams", headers={"Retry-After": "5"})
        if problem is not None:
            await refuse_websocket(scope, receive, send, problem)
            return
        began = time.perf_counter()
        try:
            await self.app(scope, receive, send)
        finally:
            self.leave(scope)
            seconds = time.perf_counter() - began
            self.metrics.answered("WS", _route(scope), 101, seconds)
            log.info(
                "stream ended", extra={"fields": {"route": _route(scope), "client": client, "s": round(seconds, 1)}}
            )

    def enter(self, scope: Scope) -> bool:
        """Count a live stream in, if its client may have one more."""
        client = scope["client_key"]
        count = self.streams.get(client, 0)
        if self.most_streams and count >= self.most_streams:
            return False
        self.streams[client] = count + 1
        return True

    def leave(self, scope: Scope) -> None:
        """Count a live stream out."""
        client = scope["client_key"]
        left = self.streams.get(client, 1) - 1
        if left:
            self.streams[client] = left
        else:
            self.streams.pop(client, None)


def too_many(wait: float) -> Problem:
    """The answer to a client that asks too often."""
    seconds = max(1, math.ceil(wait))
    return Problem(
        429, "too_many_requests", f"too many requests; try again in {seconds} s", headers={"Retry-After": str(seconds)}
    )


async def _answer(send: Send, problem: Problem) -> None:
    body = problem.body()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse_websocket(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Refuse a stream with the same error a request would get, where the server can say it."""
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        headers = [(b"content-type", b"application/json")]
        headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
        await send({"type": "websocket.http.response.start", "status": problem.status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": problem.body()})
        # Uvicorn takes the refusal for an unfinished handshake until the connection is closed.
        await asyncio.sleep(0.01)
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": problem.error})


def _route(scope: Scope) -> str:
    """The route's pattern; never the path itself, which may hold an id."""
    route: Any = scope.get("route")
    return getattr(route, "path", None) or "none"
