"""Metrics on a port of their own: what a server counts is for its operator, not for whoever reaches its games.

In a thread with the standard library's server, so that it answers even while the event loop is busy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

from noughts.server.errors import InvalidSetting

__all__ = ["serving_metrics"]

READ_SECONDS: Final = 5.0
"""How long a request may take to come in."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@contextmanager
def serving_metrics(address: tuple[str, int], text: Callable[[], bytes | None]) -> Iterator[str]:
    """Serve ``text`` at ``/metrics``; 503 while there is none. Gives the URL."""

    class Handler(BaseHTTPRequestHandler):
        timeout = READ_SECONDS
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer with what was counted."""
            if self.path.partition("?")[0] != "/metrics":
                self._answer(404, b"there is only /metrics here\n")
                return
            found = text()
            self._answer(503 if found is None else 200, found or b"")

        do_HEAD = do_GET

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def version_string(self) -> str:
            """Tell nobody what this runs on."""
            return "noughts"

        def log_message(self, format: str, *values: Any) -> None:
            """Log nothing: it is asked every few seconds."""

    host, port = address
    try:
        server = ThreadingHTTPServer(address, Handler)
    except OSError as error:
        raise InvalidSetting(f"--metrics {host}:{port}: {error.strerror or error}") from None
    server.daemon_threads = True
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    try:
        yield f"http://{host}:{server.server_address[1]}/metrics"
    finally:
        server.shutdown()
        server.server_close()
