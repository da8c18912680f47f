"""A route that goes straight from the bytes of the body to the endpoint, for a move and nothing else.

FastAPI describes the endpoint as always, but resolves no dependencies and copies nothing on the way. What that buys: an
empty request with the body of a move takes 120 to 140 us through FastAPI's own route and 57 through this one, measured
in one process by benchmarks/routes.py; a whole move takes about 350.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

__all__ = ["DirectRoute"]


class DirectRoute(APIRoute):
    """A route whose endpoint takes the request and at most a ``body``, and returns a finished response."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The short way from a request to its response."""
        endpoint: Callable[..., Awaitable[Response]] = self.endpoint
        model = _body_model(endpoint)

        async def handle(request: Request) -> Response:
            if model is None:
                return await endpoint(request)
            data = await _read(request)
            content_type = request.scope["headers_map"].get(b"content-type", b"")
            if not content_type.lower().startswith(b"application/json"):
                message = "send JSON, with the header content-type: application/json"
                raise RequestValidationError([{"type": "content_type", "loc": ("body",), "msg": message}])
            try:
                body = model.model_validate_json(data)
            except ValidationError as error:
                raise RequestValidationError(error.errors(include_url=False, include_context=False)) from None
            return await endpoint(request, body=body)

        return handle


async def _read(request: Request) -> bytes:
    """The whole body; most come in one piece."""
    data: bytes = b""
    while True:
        message = await request.receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        data += message.get("body", b"")
        if not message.get("more_body"):
            return data


def _body_model(endpoint: Callable[..., Any]) -> type[BaseModel] | None:
    """The model of an endpoint's body, if it takes one."""
    if "body" not in inspect.signature(endpoint).parameters:
        return None
    model: type[BaseModel] = typing.get_type_hints(endpoint)["body"]
    return model
