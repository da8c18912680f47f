"""The application: middleware, routes, errors in one shape, the page behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.middleware.cors import CORSMiddleware

from noughts import __version__
from noughts.server.http.errors import add_error_handlers
from noughts.server.http.methods import Methods
from noughts.server.http.middleware import RequestMiddleware
from noughts.server.http.ratelimit import RateLimiter, RouteCosts
from noughts.server.http.routes import analysis, catalogue, live, operations, play, sessions
from noughts.server.http.sockets import Sockets, raise_descriptor_limit
from noughts.server.http.website import add_page
from noughts.server.schema.game import Error
from noughts.server.schema.live import MESSAGES
from noughts.server.service import Service
from noughts.server.settings import Settings
from noughts.server.signals import on_shutdown_signal
from noughts.server.tracing import configure_tracing

__all__ = ["make_app", "openapi"]

DESCRIPTION = """\
Play any game of noughts over HTTP. A game's `id` lets its holder play and its `watchId` only watch; with a session
(`POST /session`) seats belong to you. Everything that happens to a game gets the next `version`.

`GET /game/{id}/live` is a WebSocket: the first message is `{"type": "state", "version", "state", "you", "presence"}`,
then `{"type": "event", "version", "event", "state"}` for everything that happens, and `presence`, `thinking` and
`heartbeat` messages in between. Come back with `?version=N` and you get exactly the events after N;
the last of them brings the state.

A client has a budget of requests that fills again at a steady rate. A request takes one from it, or as many as its
`x-rate-limit-cost` says.
"""

ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error, "description": "A bad request or an illegal move"},
    403: {"model": Error, "description": "Not yours to do"},
    404: {"model": Error, "description": "No such game"},
    409: {"model": Error, "description": "The game is over or has moved on; the state is in the answer"},
    413: {"model": Error, "description": "The request is too long"},
    421: {"model": Error, "description": "This server does not go by the name in the Host header"},
    429: {"model": Error, "description": "Too many requests; Retry-After says when to come back"},
    503: {"model": Error, "description": "The database cannot write, or the AI is too busy; nothing happened"},
}

# The first ones are searched first: a move, and the empty request it is compared with.
ROUTERS = (
    play.direct,
    operations.direct,
    play.router,
    analysis.router,
    catalogue.router,
    live.router,
    sessions.router,
    operations.router,
)


def make_app(settings: Settings) -> FastAPI:
    """The application as ASGI servers run it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        end_tracing = configure_tracing(settings.otlp)
        service = app.state.service = Service(settings)
        app.state.starts = RateLimiter(settings.games_per_day / 86_400, settings.games_per_day)
        sockets = Sockets(settings, service.metrics, raise_descriptor_limit())
        service.metrics.gauge("noughts_sockets", "Connections open", lambda: sockets.open)
        await service.open()
        _prepare_routes(app)
        try:
            with on_shutdown_signal(service.begin_to_close):
                yield {"sockets": sockets}
        finally:
            await service.close()
            await asyncio.to_thread(end_tracing)

    app = FastAPI(
        title="noughts",
        version=__version__,
        description=DESCRIPTION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=ERRORS,
    )
    for router in ROUTERS:
        app.include_router(router)
    routes = [route for router in ROUTERS for route in router.routes]
    methods = Methods(routes)
    add_page(app, settings, methods)
    add_error_handlers(app, methods)
    costs = RouteCosts(routes)
    app.add_middleware(RequestMiddleware, settings=settings, costs=costs)
    if settings.allowed_origins:
        # Outside of the other one, so that pages of these origins can read its refusals too.
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_credentials=True,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type", "last-event-id"],
            expose_headers=["retry-after"],
        )
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    return app


def _prepare_routes(app: FastAPI) -> None:
    """Have the framework prepare every route now, and not while the first ones who ask keep all others waiting."""
    scope = {"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": [], "query_string": b""}
    for route in app.router.routes:
        route.matches(dict(scope))


def _document(app: FastAPI) -> dict[str, Any]:
    if not app.openapi_schema:
        document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        for path in document["paths"].values():
            for operation in path.values():
                # A request that does not validate gets 400, in the shape of every error.
                operation["responses"].pop("422", None)
        for name in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(name, None)
        _, messages = models_json_schema(
            [(model, "serialization") for model in MESSAGES], ref_template="#/components/schemas/{model}"
        )
        schemas = document["components"]["schemas"]
        schemas.update({name: schema for name, schema in messages["$defs"].items() if name not in schemas})
        app.openapi_schema = document
    return app.openapi_schema


def openapi() -> dict[str, Any]:
    """The OpenAPI document, without a server."""
    # The file is not opened before the application runs.
    return make_app(Settings(database="games.db")).openapi()
