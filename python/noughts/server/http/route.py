"""A route that goes straight from the body's bytes to the endpoint.

FastAPI describes the endpoint as always, but nothing is solved, copied or checked twice on the way
of a move. An endpoint takes the request, its path's parts and perhaps a ``body``, and answers with a
finished response.
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
    """A route whose endpoint reads its own body, by way of one pydantic model."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The short way from a request to its response."""
        endpoint: Callable[..., Awaitable[Response]] = self.endpoint
        model, is_optional = _body_model(endpoint)

        async def handle(request: Request) -> Response:
            if model is None:
                return await endpoint(request, **request.path_params)
            data = await _read(request)
            if not data and is_optional:
                return await endpoint(request, **request.path_params)
            kind = request.scope["headers_map"].get(b"content-type", b"")
            if not kind.lower().startswith(b"application/json"):
                message = "send JSON, with the header content-type: application/json"
                raise RequestValidationError([{"type": "content_type", "loc": ("body",), "msg": message}])
            try:
                body = model.model_validate_json(data)
            except ValidationError as error:
                raise RequestValidationError(error.errors(include_url=False, include_context=False)) from None
            return await endpoint(request, **request.path_params, body=body)

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


def _body_model(endpoint: Callable[..., Any]) -> tuple[type[BaseModel] | None, bool]:
    """The model of an endpoint's body, and whether it may be left out."""
    if "body" not in inspect.signature(endpoint).parameters:
        return None, True
    hint = typing.get_type_hints(endpoint)["body"]
    models = [part for part in (hint, *typing.get_args(hint)) if inspect.isclass(part) and issubclass(part, BaseModel)]
    return models[0], type(None) in typing.get_args(hint)
