"""Run the server: one process or several, until it is told to stop."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import apsw
import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from noughts.server.ai.agents import read_agents
from noughts.server.errors import InvalidSetting
from noughts.server.http.app import make_app
from noughts.server.http.metricsport import serving_metrics
from noughts.server.http.protocol import GuardedProtocol, GuardedWebSocket
from noughts.server.http.sockets import raise_descriptor_limit
from noughts.server.logs import configure_logging
from noughts.server.metrics import shared_text
from noughts.server.service import Service
from noughts.server.settings import Settings
from noughts.server.storage.database import connect
from noughts.server.storage.database.sqlite import SAFE_VERSION, is_safe_to_share
from noughts.server.storage.filelock import server_lock, worker_lock

__all__ = ["serve", "worker_app"]

log = logging.getLogger("noughts.server")


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
        http=GuardedProtocol,
        ws=GuardedWebSocket,
        ws_max_size=4096,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=5,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
    )


def worker_app() -> FastAPI:
    """The application of one of several processes; its settings come from the environment."""
    settings = Settings.read({})
    configure_logging(settings.log)
    if settings.is_sqlite:
        # Held until the process ends.
        _UNTIL_EXIT.enter_context(worker_lock(settings.database))
    return make_app(settings)


_UNTIL_EXIT = ExitStack()


def serve(settings: Settings) -> int:
    """Serve until told to stop."""
    configure_logging(settings.log)
    # Checked here too, so that a bad one ends the start with one line.
    read_agents(settings.agents)
    descriptors = raise_descriptor_limit()
    if descriptors is not None:
        log.info("descriptors", extra={"fields": {"limit": descriptors, "processes": settings.workers}})
    with ExitStack() as held:
        if settings.is_sqlite:
            _check_sqlite(settings)
            held.enter_context(server_lock(settings.database))
        # Here too.
        database = connect(settings.database)
        database.migrate()
        database.close()
        server = uvicorn.Server(config(settings))
        listening = server.config.bind_socket()
        held.enter_context(listening)
        # Clients may connect as soon as the address is printed; they wait until the server is up.
        listening.listen(server.config.backlog)
        host, port = listening.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        # Ctrl-C is how a server is meant to end; uvicorn has closed everything when it raises this.
        held.enter_context(suppress(KeyboardInterrupt))
        if settings.workers == 1:
            print(f"noughts serves at {address}", flush=True)
            _serve_metrics(settings, held, partial(_metrics_text, server))
            server.run([listening])
            return 0 if server.started else 1
        counters = held.enter_context(tempfile.TemporaryDirectory(prefix="noughts-metrics-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters
        os.environ.update(settings.environment())
        print(f"noughts serves at {address} with {settings.workers} processes", flush=True)
        _serve_metrics(settings, held, partial(shared_text, counters))
        Multiprocess(server.config, sockets=[listening]).run()
    return 0


def _serve_metrics(settings: Settings, held: ExitStack, text: Callable[[], bytes | None]) -> None:
    if settings.metrics_address is not None:
        url = held.enter_context(serving_metrics(settings.metrics_address, text))
        print(f"metrics at {url}", flush=True)


def _metrics_text(server: uvicorn.Server) -> bytes | None:
    """What the only process counted; ``None`` before it is up."""
    app: Any = server.config.app
    service: Service | None = getattr(app.state, "service", None)
    return None if service is None else service.metrics_text()


def _check_sqlite(settings: Settings) -> None:
    """Refuse several processes with an SQLite that can damage its log then."""
    version = apsw.sqlite_lib_version()
    if settings.workers > 1 and not is_safe_to_share():
        safe = ".".join(map(str, SAFE_VERSION))
        raise InvalidSetting(
            f"--workers {settings.workers}: SQLite {version} can damage a database that several processes write to; "
            f"install an apsw with SQLite {safe} or later, or use one worker"
        )
    fields = {"sqlite": version, "processes": settings.workers}
    log.info("the database is a file", extra={"fields": fields})
