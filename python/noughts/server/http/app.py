"""The application: routes, the gate before them, errors in one shape, the page behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from noughts import __version__
from noughts.server.http.errors import Problem, problem_bytes
from noughts.server.http.middleware import Gate
from noughts.server.http.routes import analysis, catalogue, levels, live, operations, play
from noughts.server.http.website import add_page
from noughts.server.schema.game import Error
from noughts.server.service import Service
from noughts.server.settings import Settings
from noughts.server.signals import told_to_end
from noughts.server.storage.database import Unavailable

__all__ = ["make_app", "openapi"]

DESCRIPTION = """\
Play any game of noughts over HTTP. A game's `id` lets its holder play and its `watchId` only watch; with a session
(`POST /session`) seats belong to you. Everything that happens to a game gets the next `version`.

`GET /game/{id}/live` is a WebSocket: the first message is `{"type": "state", "version", "state", "you", "presence"}`,
then `{"type": "event", "version", "event", "state"}` for all that happens, and `presence`, `thinking` and `heartbeat`
messages in between. Come back with `?version=N` and you get exactly the events after N;
the last of them brings the state.
"""

CODES = {400: "invalid_request", 403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}

ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": Error, "description": "A bad request or an illegal move"},
    403: {"model": Error, "description": "Not yours to do"},
    404: {"model": Error, "description": "No such game"},
    409: {"model": Error, "description": "The game is over or has moved on; the state is in the answer"},
    413: {"model": Error, "description": "The request is too long"},
    429: {"model": Error, "description": "Too many requests; Retry-After says when to come back"},
    503: {"model": Error, "description": "The store cannot write, or the AI is too busy; nothing happened"},
}


def make_app(settings: Settings) -> FastAPI:
    """The application as ASGI servers run it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = app.state.service = Service(settings)
        await service.open()
        app.state.gate().open(service)
        try:
            with told_to_end(service.begin_to_close):
                yield
        finally:
            await service.close()

    app = FastAPI(
        title="noughts",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=ERRORS,
    )
    for part in (play, analysis, levels, catalogue, live, operations):
        app.include_router(part.router)
    app.include_router(operations.direct)
    add_page(app, settings)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Unavailable, _unavailable)
    gates: list[Gate] = []

    def gate(inner: Any) -> Gate:
        gates.append(Gate(inner, settings))
        return gates[-1]

    app.state.gate = lambda: gates[-1]
    app.add_middleware(gate)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    return app


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return Response(error.body(), error.status, error.headers, "application/json")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "error")
    message = {
        404: f"there is no {request.url.path!r} here",
        405: f"{request.method} is not for {request.url.path!r}",
        413: "the request is too long",
    }.get(error.status_code, str(error.detail))
    body = problem_bytes(error.status_code, code, message)
    return Response(body, error.status_code, error.headers, "application/json")


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    if first["type"] == "json_invalid":
        code, message = "invalid_json", "the body is not JSON"
    elif first["type"] == "extra_forbidden":
        code, message = "unknown_field", f"{where}: there is no such field"
    elif first["type"] == "missing":
        code, message = "invalid_request", f"{where or 'body'}: is missing"
    else:
        code, message = "invalid_request", f"{where or 'body'}: {first['msg'][:1].lower()}{first['msg'][1:]}"
    return Response(problem_bytes(400, code, message), 400, media_type="application/json")


async def _unavailable(request: Request, error: Exception) -> Response:
    problem = Problem(503, "unavailable", "the store does not answer; nothing was done", headers={"Retry-After": "2"})
    return await _problem(request, problem)


def _document(app: FastAPI) -> dict[str, Any]:
    if not app.openapi_schema:
        document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        for path in document["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        for name in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(name, None)
        app.openapi_schema = document
    return app.openapi_schema


def openapi() -> dict[str, Any]:
    """The OpenAPI document, without a server."""
    # The file is not opened before the application runs.
    return make_app(Settings(database="games.db")).openapi()
