"""Errors at the edge: the one table from codes to HTTP statuses, and the one shape of every error.

The body is ``{error, message, statusCode}``; where it helps, the game as it stands comes along as ``state``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from noughts.errors import IllegalMove, MatchError, NoughtsError, PlayerError, SearchError
from noughts.note import Note
from noughts.server.errors import RoomError, Unavailable
from noughts.server.http.methods import Methods
from noughts.server.rooms.render import View

__all__ = ["RETRY_AFTER", "STATUS", "Rejected", "add_error_handlers", "error_body", "error_headers", "status_of"]

STATUS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "invalid_request": 400,
        "invalid_json": 400,
        "unknown_field": 400,
        "invalid_game": 400,
        "invalid_notation": 400,
        "board_too_large": 400,
        "unknown_player": 400,
        "unknown_level": 400,
        "level_cannot_play": 400,
        "agent_cannot_play": 400,
        "no_ai": 400,
        "wrong_turn": 400,
        "out_of_bounds": 400,
        "occupied": 400,
        "not_your_seat": 403,
        "not_your_game": 403,
        "watch_only": 403,
        "session_needed": 403,
        "seat_taken": 403,
        "no_free_seat": 403,
        "your_own_offer": 403,
        "no_help": 403,
        "bad_origin": 403,
        "game_not_found": 404,
        "not_solved": 404,
        "no_session": 404,
        "not_found": 404,
        "method_not_allowed": 405,
        "request_timeout": 408,
        "game_over": 409,
        "not_over": 409,
        "stale_version": 409,
        "nothing_to_undo": 409,
        "nothing_to_redo": 409,
        "already_offered": 409,
        "no_offer": 409,
        "key_reused": 409,
        "too_long": 409,
        "too_busy": 409,
        "too_large": 413,
        "url_too_long": 414,
        "unknown_host": 421,
        "too_many_requests": 429,
        "too_many_ai_tasks": 429,
        "too_many_streams": 429,
        "too_many_sockets": 429,
        "headers_too_large": 431,
        "internal": 500,
        "unavailable": 503,
        "ai_busy": 503,
        "no_ai_worker": 503,
        "agent_missing": 503,
        "agent_failed": 503,
        "closing": 503,
        "newer_game": 503,
        "too_many_games": 503,
        "server_full": 503,
    }
)
"""The status of every code that the server itself raises. A game's own refusals, such as ``not_adjacent``, are 400."""

RETRY_AFTER: Final[Mapping[str, int]] = MappingProxyType(
    {
        "too_many_ai_tasks": 1,
        "unavailable": 2,
        "ai_busy": 2,
        "no_ai_worker": 2,
        "closing": 2,
        "newer_game": 5,
        "too_many_games": 3600,
        "too_many_streams": 5,
        "too_many_sockets": 5,
        "server_full": 5,
        "agent_missing": 60,
        "agent_failed": 60,
    }
)
"""Seconds after which a client may try again."""

_HTTP_CODES: Final = {400: "invalid_request", 403: "bad_origin", 404: "not_found", 405: "method_not_allowed"} | {
    413: "too_large"
}


class Rejected(NoughtsError):
    """A request that is not let in, whatever it asks for."""

    def __init__(
        self,
        code: Literal["too_many_requests", "bad_origin", "too_large", "too_many_streams", "unknown_host", "internal"],
        message: str,
        *,
        wait: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.wait = wait
        """Seconds until the client may try again, where that is known."""


def status_of(error: NoughtsError) -> int:
    """The HTTP status of an error."""
    status = STATUS.get(error.code)
    if status is not None:
        return status
    # The codes of games and players are theirs to choose.
    return 400 if isinstance(error, RoomError | MatchError | IllegalMove | PlayerError | SearchError) else 500


def error_body(code: str, message: str, status: int, **more: Any) -> bytes:
    """The one shape of every error."""
    return orjson.dumps({"error": code, "message": message, "statusCode": status, **more})


def error_headers(error: NoughtsError) -> dict[str, str]:
    """The headers of an error: when to try again, where that helps."""
    wait = error.wait if isinstance(error, Rejected) else None
    seconds = max(1, math.ceil(wait)) if wait is not None else RETRY_AFTER.get(error.code)
    return {} if seconds is None else {"Retry-After": str(seconds)}


def body_of(error: NoughtsError) -> bytes:
    """The body of an error; that of a refused move has its facts, one that depends on the room (409) shows it."""
    status = status_of(error)
    if status == 500:
        return error_body("internal", "something went wrong on the server", 500)
    if isinstance(error, Unavailable):
        # What the database says is for the log.
        return error_body(error.code, "the database does not answer; nothing was done", status)
    more: dict[str, Any] = {}
    if isinstance(error, RoomError):
        if error.facts:
            more["facts"] = Note(error.code, error.facts).to_json()["facts"]
        if status == 409 and error.room is not None:
            more["state"] = View(error.room).for_players()
    return error_body(error.code, str(error), status, **more)


def add_error_handlers(app: FastAPI, methods: Methods) -> None:
    """Answer every exception in the one shape."""
    app.add_exception_handler(NoughtsError, _noughts_error)
    app.add_exception_handler(HTTPException, partial(_http_exception, methods))
    app.add_exception_handler(RequestValidationError, _validation_error)


async def _noughts_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, NoughtsError)
    if status_of(error) == 500:
        # The middleware logs it and answers.
        raise error
    return Response(body_of(error), status_of(error), error_headers(error), "application/json")


async def _http_exception(methods: Methods, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status, headers = error.status_code, error.headers
    if status == 405:
        # Every other path is the page's.
        headers = {"Allow": ", ".join(methods.of(request.url.path) or ["GET", "HEAD"])}
    code = _HTTP_CODES.get(status, "internal" if status >= 500 else "invalid_request")
    message = {
        404: f"there is no {request.url.path!r} here",
        405: f"{request.method} is not for {request.url.path!r}",
        413: "the request is too long",
    }.get(status, str(error.detail))
    return Response(error_body(code, message, status), status, headers, "application/json")


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["loc"] == ("body",) and request.headers.get("content-length", "0") == "0":
        first = {**first, "type": "json_invalid"}
    code, message = _explained(first)
    return Response(error_body(code, message, 400), 400, media_type="application/json")


def _explained(first: Mapping[str, Any]) -> tuple[str, str]:
    """A code and a message for what pydantic found wrong."""
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    if first["type"] in ("json_invalid", "string_unicode"):
        return "invalid_json", "the body is not JSON"
    if first["type"] == "extra_forbidden":
        return "unknown_field", f"{where}: there is no such field"
    if first["type"] == "missing":
        return "invalid_request", f"{where or 'body'}: is missing"
    return "invalid_request", f"{where or 'body'}: {first['msg'][:1].lower()}{first['msg'][1:]}"
