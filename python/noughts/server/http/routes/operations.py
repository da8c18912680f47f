"""The routes around the games: sessions, health, metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse

from noughts.server.http.errors import Problem
from noughts.server.http.route import DirectRoute
from noughts.server.http.routes.play import service_of
from noughts.server.schema.game import Session, SessionRequest
from noughts.server.sessions import COOKIE
from noughts.server.storage.database import SessionRow

__all__ = ["direct", "router"]

router = APIRouter()
direct = APIRouter(route_class=DirectRoute)


def _shown(row: SessionRow, token: str | None = None) -> dict[str, object]:
    return {"name": row.name, "token": token, "expiresAt": int(row.expires * 1000)}


@direct.post("/session", response_model=Session, summary="Begin a guest session", tags=["session"])
async def begin(request: Request, body: SessionRequest | None = None) -> Response:
    """Begin a guest session, or give the one you have another name. No sign-up."""
    service = service_of(request)
    wish = body or SessionRequest()
    row = await service.session(request)
    token: str | None = None
    if row is None:
        token, row = await service.sessions.begin(wish.name or "")
    elif wish.name is not None and wish.name != row.name:
        row = await service.sessions.rename(row, wish.name)
    response = JSONResponse(_shown(row, None if wish.cookie else token))
    if wish.cookie and token is not None:
        response.set_cookie(
            COOKIE,
            token,
            max_age=int(service.sessions.seconds),
            httponly=True,
            samesite="strict",
            secure=service.settings.secure_cookies or request.url.scheme == "https",
        )
    return response


@direct.get("/session", response_model=Session, summary="Your session", tags=["session"])
async def mine(request: Request) -> Response:
    """Your session; 404 if you have none."""
    row = await service_of(request).session(request)
    if row is None:
        raise Problem(404, "no_session", "there is no session; POST /session begins one")
    return JSONResponse(_shown(row))


@direct.delete("/session", status_code=204, summary="End your session", tags=["session"])
async def end(request: Request) -> Response:
    """End your session: its seats stay taken, and nobody can play for them any more.

    Other servers may take its token for ten seconds yet.
    """
    service = service_of(request)
    row = await service.session(request)
    if row is not None:
        await service.sessions.end(row)
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


@router.get("/readyz", summary="Whether the process can serve", tags=["operation"])
async def ready(request: Request) -> dict[str, str]:
    """Answers 503 while the store does not; a bus that is down only costs time."""
    service = service_of(request)
    if service.closing.is_set():
        raise Problem(503, "closing", "the server is closing", headers={"Retry-After": "2"})
    await service.ready()
    return {"status": "ok", "bus": "up" if service.bus.is_up else "down"}


@router.get(
    "/metrics",
    summary="Counters for Prometheus",
    tags=["operation"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request) -> Response:
    """What the server counts, in Prometheus' text format."""
    return Response(service_of(request).metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
