"""HTTP/1.1 on a socket: uvicorn's protocol with limits on what a client may send, and on how long it may take.

Uvicorn leaves four things to a proxy in front: how long the URL, the headers and the trailers are, how long they may
take, how long a body may take, and how many sockets there are. A server that is reached directly has to see to them.
"""

from __future__ import annotations

import asyncio
import math
from http import HTTPStatus
from typing import Any, Final, Literal

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from noughts.server.http.errors import RETRY_AFTER, STATUS, error_body
from noughts.server.http.ratelimit import client_key
from noughts.server.http.sockets import MAX_HEAD_BYTES, MAX_LINGERING, Cut, Sockets

__all__ = ["GuardedProtocol", "GuardedWebSocket"]

PIECE_BYTES: Final = 4096
"""The parser gets so much at a time, so that a limit is noticed soon."""

MAX_PIPELINED: Final = 64
"""Requests that may wait behind the one being answered."""

MAX_WEBSOCKET_LINE: Final = 8190
MAX_WEBSOCKET_HEADERS: Final = 120
"""What the WebSocket library reads; it has no answer for more."""

LINGER_SECONDS: Final = 1.0
LINGER_BYTES: Final = 1 << 18
"""How long, and for how many bytes, a refused client may go on sending: a socket that is closed at once is reset, and
the client may never see why."""

ANSWERS: Final[dict[Cut, tuple[str, str]]] = {
    "server_full": ("server_full", "this server has as many connections as it can take"),
    "too_many_sockets": ("too_many_sockets", "you have too many connections open"),
    "headers_too_large": ("headers_too_large", f"the URL and the headers have more than {MAX_HEAD_BYTES} bytes"),
    "url_too_long": ("url_too_long", f"the URL has more than {MAX_HEAD_BYTES} bytes"),
    "invalid_request": ("invalid_request", "this is not HTTP/1.1"),
    "slow_header": ("request_timeout", "the headers took too long"),
    "slow_body": ("request_timeout", "the body took too long"),
}
"""The code and the message of each answer; what is not here is closed without one."""


class _TooLarge(Exception):
    """The head of a request has more bytes than it may have."""


class GuardedProtocol(HttpToolsProtocol):
    """One socket. Its limits and counts come from ``app_state["sockets"]``, a :class:`Sockets`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.sockets: Sockets = app_state["sockets"]
        self.client_key = "local"
        self._is_counted = False
        self._is_refused = False
        self._linger_bytes = LINGER_BYTES

        self._stage: Literal["between", "head", "body"] = "between"
        self._messages = 0
        self._seen = 0
        """Bytes of the URL, the headers and the trailers that are complete."""
        self._overhead = 0
        """Bytes of this request that were no body, as far as they came after the piece that it began in."""
        self._began = False
        self._body_bytes = 0

        self._reason: Cut = "silent"
        self._due = math.inf
        self._due_for: tuple[str, int] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = math.inf
        self._reader_timer: asyncio.TimerHandle | None = None

    # The life of the socket

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the socket in, or refuse it."""
        super().connection_made(transport)
        if self.client is not None:
            self.client_key = client_key(self.client[0])
        refusal = self.sockets.enter(self.client_key)
        if refusal is not None:
            self._refuse(refusal)
            return
        self._is_counted = True
        self._expect("silent", self.sockets.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the socket out."""
        super().connection_lost(exc)
        if self._is_counted:
            self._is_counted = False
            self.sockets.leave(self.client_key)
        self._is_refused = True
        for timer in (self._timer, self._reader_timer):
            if timer is not None:
                timer.cancel()
        self._timer = self._reader_timer = None

    # Bytes

    def data_received(self, data: bytes) -> None:
        """Parse what came, a piece at a time."""
        if self._is_refused:
            self._linger_bytes -= len(data)
            if self._linger_bytes < 0:
                self.flow.pause_reading()
            return
        if len(data) <= PIECE_BYTES:
            if not self._feed(data):
                return
        else:
            for at in range(0, len(data), PIECE_BYTES):
                if not self._feed(data[at : at + PIECE_BYTES]):
                    return
        if self._stage == "between":
            if self._is_answering():
                self._due, self._due_for = math.inf, None
            else:
                self._expect_once("silent", self.sockets.header_seconds)
        elif self._stage == "head":
            self._expect_once("slow_header", self.sockets.header_seconds)
        else:
            self._expect_once("slow_body", self.sockets.body_seconds)

    def _feed(self, piece: bytes) -> bool:
        """Parse a piece; whether there is anything more to do with this socket."""
        self._began, self._body_bytes = False, 0
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            self._upgrade()
            return False
        except httptools.HttpParserError as error:
            too_large = isinstance(error.__context__, _TooLarge)
            self._refuse(self._too_large() if too_large else "invalid_request")
            return False
        if not self._began:
            self._overhead += len(piece) - self._body_bytes
            if self._overhead > MAX_HEAD_BYTES:
                self._refuse(self._too_large())
                return False
        if len(self.pipeline) > MAX_PIPELINED:
            self._refuse("invalid_request")
            return False
        return not self.transport.is_closing()

    def _too_large(self) -> Cut:
        return "headers_too_large" if self.headers or self._stage != "head" else "url_too_long"

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._stage = "head"
        self._messages += 1
        self._seen = self._overhead = 0
        self._began = True

    def on_url(self, url: bytes) -> None:
        """A part of the URL."""
        self._count(len(url))
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer: that one is counted, and then dropped, as nobody must take it for a header."""
        self._count(len(name) + len(value) + 4)
        if self._stage == "head":
            super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._seen += size
        if self._seen > MAX_HEAD_BYTES:
            raise _TooLarge

    def on_headers_complete(self) -> None:
        """The head is complete; what follows is the body."""
        self._stage = "body"
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._stage = "between"
        super().on_message_complete()

    def _upgrade(self) -> None:
        """Go on as a WebSocket, where that is asked for; else answer and close."""
        if not self._should_upgrade():
            self.cycle.keep_alive = False
            self._due = math.inf
            return
        lines = [len(name) + len(value) + 4 for name, value in self.headers]
        if len(lines) > MAX_WEBSOCKET_HEADERS or max([*lines, len(self.url) + 20]) > MAX_WEBSOCKET_LINE:
            self._refuse("headers_too_large")
        elif self._is_answering():
            self._refuse("invalid_request")
        else:
            self._due = math.inf
            # The other protocol counts it out.
            self._is_counted = False
            self.handle_websocket_upgrade()

    # Time

    def _expect_once(self, reason: Cut, seconds: float) -> None:
        """Expect something of this request; bytes that trickle in put nothing off."""
        due_for = (reason, self._messages)
        if self._due_for != due_for:
            self._expect(reason, seconds)
            self._due_for = due_for

    def _expect(self, reason: Cut, seconds: float) -> None:
        """Close the socket for this reason unless something else is expected by then.

        The timer of a socket is seldom set: a time that is put off is noticed when the old one has come.
        """
        self._reason, self._due, self._due_for = reason, self.loop.time() + seconds, None
        if self._timer is None or self._due < self._timer_at:
            self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = self._due
        self._timer = self.loop.call_at(self._due, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        if self._due == math.inf or self.transport.is_closing():
            return
        if self.loop.time() < self._due:
            self._set_timer()
            return
        self._refuse(self._reason)

    def on_response_complete(self) -> None:
        """Go on with the request that waits, or wait for another one."""
        self.server_state.total_requests += 1
        if self.transport.is_closing() or self._is_refused:
            self._watch_reader()
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        elif self._stage == "between":
            self._expect("idle", self.sockets.idle_seconds)

    def pause_writing(self) -> None:
        """The client does not read its answer; it has some time to begin."""
        super().pause_writing()
        self._watch_reader()

    def _watch_reader(self) -> None:
        """Cut the client off if it leaves its answer unread: even a closed socket stays until all of it is sent."""
        if self._reader_timer is None and self.transport.get_write_buffer_size():
            self._reader_timer = self.loop.call_later(self.sockets.reader_seconds, self._on_slow_reader)

    def _close(self) -> None:
        self.transport.close()
        self._watch_reader()

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None

    def _on_slow_reader(self) -> None:
        self.sockets.cut("slow_reader", self.client_key)
        self.transport.abort()

    # Refusals

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _refuse(self, reason: Cut) -> None:
        """Say why, if nothing else is being said, and close."""
        self.sockets.cut(reason, self.client_key)
        self._is_refused, self._due = True, math.inf
        can_answer = True
        if self._is_answering():
            # Nobody else is to be answered in between, and half an answer is none.
            can_answer = self._stage == "body" and not self.cycle.response_started and not self.pipeline
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.pipeline.clear()
        answer = ANSWERS.get(reason)
        if answer is None or not can_answer:
            self._close()
            return
        self.transport.write(_response(*answer))
        if self.sockets.lingering >= MAX_LINGERING:
            self._close()
            return
        self.sockets.lingering += 1
        self.loop.call_later(LINGER_SECONDS, self._stop_lingering)
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _stop_lingering(self) -> None:
        self.sockets.lingering -= 1
        self._close()


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A socket that has become a WebSocket: counted until it ends."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the socket out."""
        super().connection_lost(exc)
        sockets: Sockets = self.app_state["sockets"]
        sockets.leave(client_key(self.client[0]) if self.client is not None else "local")


def _response(code: str, message: str) -> bytes:
    """The whole response of an error."""
    status = STATUS[code]
    body = error_body(code, message, status)
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", "content-type: application/json", "connection: close"]
    lines += [f"content-length: {len(body)}", "x-content-type-options: nosniff", "cache-control: no-store"]
    if code in RETRY_AFTER:
        lines.append(f"retry-after: {RETRY_AFTER[code]}")
    return "\r\n".join([*lines, "", ""]).encode() + body
