"""The routes of guest sessions."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from noughts.server.errors import Refused
from noughts.server.http.dependencies import CurrentService, CurrentSession
from noughts.server.http.ratelimit import cost
from noughts.server.schema.game import Session, SessionRequest
from noughts.server.service import Service
from noughts.server.sessions import COOKIE
from noughts.server.storage.database import SessionRow

__all__ = ["router"]

router = APIRouter(tags=["session"])


def _shown(service: Service, row: SessionRow, token: str | None = None) -> Session:
    return Session(name=row.name, token=token, expiresAt=int(service.clock.on_the_wall(row.expires) * 1000))


@router.post("/session", summary="Start a guest session", openapi_extra=cost(10))
async def start(
    request: Request,
    response: Response,
    service: CurrentService,
    session: CurrentSession,
    body: SessionRequest | None = None,
) -> Session:
    """Start a guest session, or rename the one you have. No sign-up."""
    wanted = body or SessionRequest()
    token: str | None = None
    if session is None:
        token, session = await service.sessions.start(wanted.name or "")
    elif wanted.name is not None and wanted.name != session.name:
        session = await service.sessions.rename(session, wanted.name)
    if wanted.cookie and token is not None:
        response.set_cookie(
            COOKIE,
            token,
            max_age=int(service.sessions.seconds),
            httponly=True,
            samesite="strict",
            secure=service.settings.secure_cookies or request.url.scheme == "https",
        )
    return _shown(service, session, None if wanted.cookie else token)


@router.get("/session", summary="Your session")
async def show(service: CurrentService, session: CurrentSession) -> Session:
    """Your session; 404 if you have none."""
    if session is None:
        raise Refused("no_session", "there is no session; POST /session starts one")
    return _shown(service, session)


@router.delete("/session", status_code=204, summary="End your session")
async def end(response: Response, service: CurrentService, session: CurrentSession) -> None:
    """End your session: its seats stay taken, and nobody can play for them any more.

    Other servers may accept its token for another ten seconds.
    """
    if session is not None:
        await service.sessions.end(session)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
