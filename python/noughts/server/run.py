"""Running the server: one process or several, until it is told to stop."""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import time
from contextlib import ExitStack, suppress

import apsw
import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from noughts.server.ai.agents import read_agents
from noughts.server.http.app import make_app
from noughts.server.settings import InvalidSetting, Settings
from noughts.server.storage.database import connect
from noughts.server.storage.database.sqlite import SAFE, is_safe_to_share
from noughts.server.storage.filelock import claimed, claimed_by_worker

__all__ = ["configure_logging", "serve", "worker_app"]

log = logging.getLogger("noughts.server")


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


def _is_news(record: logging.LogRecord) -> bool:
    """Leave out what is meant: an answer without an end is how a slow reader is cut off."""
    return "returned without completing response" not in record.getMessage()


def configure_logging(level: str) -> None:
    """Send everything to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("noughts.server", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
        logger.filters = [_is_news]
    # Below a warning uvicorn logs addresses, and those hold ids.
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger("noughts.server").level))


def config(settings: Settings) -> uvicorn.Config:
    """How uvicorn runs the application."""
    return uvicorn.Config(
        "noughts.server.run:worker_app" if settings.workers > 1 else make_app(settings),
        factory=settings.workers > 1,
        workers=settings.workers,
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
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
    )


def worker_app() -> FastAPI:
    """The application of one of several processes; its settings come by way of the environment."""
    settings = Settings.read({})
    configure_logging(settings.log)
    if settings.is_sqlite:
        # Held until the process ends.
        _HELD.enter_context(claimed_by_worker(settings.database))
    return make_app(settings)


_HELD = ExitStack()


def serve(settings: Settings) -> int:
    """Serve until told to stop."""
    configure_logging(settings.log)
    # Here, so that what is wrong with one is said in one line.
    read_agents(settings.agents)
    with ExitStack() as held:
        if settings.is_sqlite:
            _check_sqlite(settings)
            held.enter_context(claimed(settings.database))
        # Here too.
        database = connect(settings.database)
        database.migrate()
        database.close()
        server = uvicorn.Server(config(settings))
        listening = server.config.bind_socket()
        held.enter_context(listening)
        # Whoever reads the address may come at once, and waits till the server is up.
        listening.listen(server.config.backlog)
        host, port = listening.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        # Ctrl-C is how a server is meant to end; uvicorn has closed everything when it passes it on.
        held.enter_context(suppress(KeyboardInterrupt))
        if settings.workers == 1:
            print(f"noughts serves at {address}", flush=True)
            server.run([listening])
            return 0 if server.started else 1
        counters = held.enter_context(tempfile.TemporaryDirectory(prefix="noughts-metrics-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters
        os.environ.update(settings.environment())
        print(f"noughts serves at {address} with {settings.workers} processes", flush=True)
        Multiprocess(server.config, sockets=[listening]).run()
    return 0


def _check_sqlite(settings: Settings) -> None:
    """Several processes may write only with an SQLite that keeps its log whole then."""
    version = apsw.sqlite_lib_version()
    if settings.workers > 1 and not is_safe_to_share():
        safe = ".".join(map(str, SAFE))
        raise InvalidSetting(
            f"--workers {settings.workers}: SQLite {version} can damage a database that several processes write to; "
            f"install an apsw with SQLite {safe} or later, or use one worker"
        )
    fields = {"sqlite": version, "processes": settings.workers}
    log.info("the database is a file", extra={"fields": fields})
