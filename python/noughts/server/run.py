"""Running the server: one process or several, until it is told to stop."""

from __future__ import annotations

import json
import logging
import sys
import time
from contextlib import suppress

import uvicorn

from noughts.server.app import make_app
from noughts.server.settings import Settings

__all__ = ["serve"]


class JsonLines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record; what is known about it beyond its message comes as fields."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def configure_logging(level: str) -> None:
    """Send everything to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("noughts.server", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
    # Below a warning uvicorn logs addresses, and those hold ids.
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger("noughts.server").level))


def config(settings: Settings) -> uvicorn.Config:
    """How uvicorn runs the application."""
    return uvicorn.Config(
        make_app(settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=4096,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=5,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
    )


class _Server(uvicorn.Server):
    """Says where it listens once it does."""

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        for server in self.servers:
            for socket in server.sockets:
                host, port = socket.getsockname()[:2]
                print(f"noughts serves at http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)


def serve(settings: Settings) -> int:
    """Serve until told to stop."""
    configure_logging(settings.log)
    server = _Server(config(settings))
    # Ctrl-C is how a server is meant to end; uvicorn has closed everything when it passes it on.
    with suppress(KeyboardInterrupt):
        server.run()
    return 0 if server.started else 1
