"""The routes for operators: health and readiness."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from noughts.server.errors import Refused
from noughts.server.http.dependencies import CurrentService
from noughts.server.http.ratelimit import cost
from noughts.server.http.route import DirectRoute

__all__ = ["direct", "router"]

router = APIRouter(tags=["operation"])
direct = APIRouter(tags=["operation"], route_class=DirectRoute)


# On the route of a move, so that a benchmark can compare a move with an empty request.
@direct.get("/healthz", response_model=dict[str, str], summary="Whether the process lives", openapi_extra=cost(0))
async def health(request: Request) -> Response:
    """Answers as long as the process does."""
    return Response(b'{"status":"ok"}', media_type="application/json")


@router.get("/readyz", summary="Whether the process can serve", openapi_extra=cost(0))
async def ready(service: CurrentService) -> dict[str, str]:
    """Answers 503 while the database does not; a bus that is down only costs time."""
    if service.closing.is_set():
        raise Refused("closing", "the server is closing")
    await service.check_database()
    return {"status": "ok", "bus": "up" if service.bus.is_up else "down"}
