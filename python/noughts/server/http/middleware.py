"""What every request passes: rate limits, origins, security headers, one line in the log.

One plain ASGI class instead of one per purpose, as it is on the way of every move: each further layer costs every
message of every request another call.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.errors import NoughtsError
from noughts.server.http.errors import Rejected, body_of, error_headers, status_of
from noughts.server.http.hosts import Hosts
from noughts.server.http.ratelimit import RateLimiter, RouteCosts, StreamCounter, client_key, take_tokens
from noughts.server.service import Service
from noughts.server.settings import Settings
from noughts.server.tracing import span

__all__ = ["CONTENT_SECURITY_POLICY", "RequestMiddleware", "refuse_websocket", "too_many_streams"]

log = logging.getLogger("noughts.server")

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

SECURITY_HEADERS: Final = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
NO_STORE: Final = (b"cache-control", b"no-store")


class RequestMiddleware:
    """Wraps the application. Routes find ``service``, ``client_key``, ``streams`` and ``rate_limiter`` in the scope."""

    def __init__(self, app: ASGIApp, settings: Settings, costs: RouteCosts) -> None:
        self.app = app
        self.costs = costs
        self.max_body = settings.largest_body
        self.rate_limiter = RateLimiter(settings.rate, settings.burst)
        self.streams = StreamCounter(settings.connections)
        self.origins = frozenset(settings.allowed_origins)
        self.hosts = Hosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a stream on."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _prepare(self, scope: Scope) -> tuple[Service, dict[bytes, bytes], str]:
        service = scope["service"] = scope["app"].state.service
        headers = scope["headers_map"] = dict(scope["headers"])
        client = scope["client_key"] = client_key(scope["client"][0]) if scope.get("client") else "local"
        scope["streams"] = self.streams
        scope["rate_limiter"] = self.rate_limiter
        return service, headers, client

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        method = scope["method"]
        if method == "HEAD":
            # In a copy: the server looks at the other one, and sends no body.
            scope, send = _as_get(scope, send)
        service, headers, client = self._prepare(scope)
        status = 500
        started = False
        body_left = self.max_body

        async def receive_limited() -> Message:
            nonlocal body_left
            message = await receive()
            if message["type"] == "http.request":
                body_left -= len(message.get("body", b""))
                if body_left < 0:
                    raise HTTPException(413, "too_large")
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                given = message.setdefault("headers", [])
                given.extend(SECURITY_HEADERS)
                if not any(name == b"cache-control" for name, _ in given):
                    given.append(NO_STORE)
            await send(message)

        try:
            self._check(scope, headers, client)
            # A body whose length is given has been checked, and no server reads beyond it.
            is_checked = headers.get(b"content-length", b"").isdigit() and b"transfer-encoding" not in headers
            with span(method, headers) as facts:
                await self.app(scope, receive if is_checked else receive_limited, send_with_headers)
                route = _route(scope)
                facts.update({"name": f"{method} {route}", "http.route": route, "http.response.status_code": status})
        except Rejected as error:
            await _send_error(send_with_headers, error)
        except ClientDisconnect:
            # In the middle of its request; there is nobody to answer.
            status = 499
        except asyncio.CancelledError:
            status = 499
            raise
        except Exception:
            log.exception("a request failed", extra={"fields": {"route": _route(scope)}})
            if started:
                raise
            await _send_error(send_with_headers, Rejected("internal", "something went wrong on the server"))
        finally:
            seconds = time.perf_counter() - began
            route = _route(scope)
            service.metrics.answered(method, route, status, seconds)
            if log.isEnabledFor(logging.INFO):
                fields = {
                    "method": method,
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 2),
                    "client": client,
                }
                log.info("request", extra={"fields": fields})

    def _check(self, scope: Scope, headers: dict[bytes, bytes], client: str) -> None:
        self._check_host(headers)
        take_tokens(self.rate_limiter, client, self.costs.of(scope["method"], scope["path"]))
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            self._check_origin(headers)
        length = headers.get(b"content-length")
        if length is not None and length.isdigit() and int(length) > self.max_body:
            raise Rejected("too_large", f"a request has at most {self.max_body} bytes")

    def _check_host(self, headers: dict[bytes, bytes]) -> None:
        if not self.hosts.allows(headers.get(b"host")):
            raise Rejected("unknown_host", "this server does not go by that name; its operator can add it with --hosts")

    def _check_origin(self, headers: dict[bytes, bytes]) -> None:
        """Let in our own page, those of allowed origins, and programs.

        CORS only keeps other pages from reading an answer; this keeps them from changing anything.
        """
        if not self._is_allowed(headers):
            raise Rejected("bad_origin", "pages of other origins may not use this server")

    def _is_allowed(self, headers: dict[bytes, bytes]) -> bool:
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
        service, headers, client = self._prepare(scope)
        try:
            self._check_host(headers)
            take_tokens(self.rate_limiter, client, 1.0)
            self._check_origin(headers)
            if not self.streams.enter(client):
                raise too_many_streams()
        except Rejected as error:
            await refuse_websocket(scope, receive, send, error)
            return
        began = time.perf_counter()
        try:
            await self.app(scope, receive, send)
        finally:
            self.streams.leave(client)
            seconds = time.perf_counter() - began
            service.metrics.answered("WS", _route(scope), 101, seconds)
            fields = {"route": _route(scope), "client": client, "s": round(seconds, 1)}
            log.info("stream ended", extra={"fields": fields})


def _as_get(scope: Scope, send: Send) -> tuple[Scope, Send]:
    """A request for the head alone as the application sees it: the same with GET, over as soon as its head is sent."""
    done = False

    async def send_head(message: Message) -> None:
        nonlocal done
        if done:
            return
        await send(message)
        if message["type"] == "http.response.start":
            done = True
            await send({"type": "http.response.body", "body": b""})

    return {**scope, "method": "GET"}, send_head


def too_many_streams() -> Rejected:
    """The answer to a client that has too many live streams open."""
    return Rejected("too_many_streams", "too many live streams")


def _headers(error: NoughtsError) -> list[tuple[bytes, bytes]]:
    more = [(name.lower().encode(), value.encode()) for name, value in error_headers(error).items()]
    return [(b"content-type", b"application/json"), *more]


async def _send_error(send: Send, error: NoughtsError) -> None:
    body = body_of(error)
    headers = [*_headers(error), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse_websocket(scope: Scope, receive: Receive, send: Send, error: NoughtsError) -> None:
    """Refuse a stream with the same error that a request would get, where the server can send one."""
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        await send({"type": "websocket.http.response.start", "status": status_of(error), "headers": _headers(error)})
        await send({"type": "websocket.http.response.body", "body": body_of(error)})
        # Uvicorn takes the refusal for an unfinished handshake until the connection is closed.
        await asyncio.sleep(0.01)
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": error.code})


def _route(scope: Scope) -> str:
    """The route's pattern; never the path itself, which may contain an id."""
    route: Any = scope.get("route")
    return getattr(route, "path_format", None) or getattr(route, "path", None) or "none"
