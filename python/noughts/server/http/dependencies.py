"""What routes depend on: the service, the client's session, and the game that the path names."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Annotated, Any, Final, NamedTuple, TypeVar

import orjson
from fastapi import Depends, Path, Query, Request, Response
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import Receive

from noughts import __version__
from noughts.core import Game
from noughts.server.errors import Forbidden
from noughts.server.http.ratelimit import take_tokens
from noughts.server.rooms.commands import playable_game
from noughts.server.rooms.ids import is_watch_id
from noughts.server.rooms.render import View
from noughts.server.rooms.room import Room
from noughts.server.rooms.seats import role_of
from noughts.server.service import Service
from noughts.server.sessions import read_token
from noughts.server.storage.database import SessionRow

__all__ = [
    "ClientKey",
    "CurrentService",
    "CurrentSession",
    "GameId",
    "PlayableGame",
    "PlayedGame",
    "SeenRoom",
    "Viewed",
    "charge",
    "game_to_change",
    "json_response",
    "session_of",
    "state_response",
    "watched_state",
    "while_connected",
]

T = TypeVar("T")

WATCHED_SECONDS: Final = 1
"""How long the state of a watched game may be kept by whoever passes it on."""

GameId = Annotated[str, Path(description="the game's id; where nothing changes, its watchId will do")]


# Asynchronous, all of them: FastAPI runs the others in threads.
async def _service(connection: HTTPConnection) -> Service:
    service: Service = connection.scope["service"]
    return service


CurrentService = Annotated[Service, Depends(_service)]


async def session_of(connection: HTTPConnection) -> SessionRow | None:
    """Whose request this is; ``None`` for a client without a session."""
    token = read_token(connection.scope["headers_map"])
    service: Service = connection.scope["service"]
    return None if token is None else await service.sessions.find(token)


CurrentSession = Annotated[SessionRow | None, Depends(session_of)]


async def _client_key(request: Request) -> str:
    client: str = request.scope["client_key"]
    return client


ClientKey = Annotated[str, Depends(_client_key)]


def game_to_change(id: str) -> str:
    """The id of a game to be changed; a watch id will not do."""
    if is_watch_id(id):
        raise Forbidden("watch_only", "a watchId can watch a game, never change it")
    return id


async def _played_game(id: GameId) -> str:
    return game_to_change(id)


PlayedGame = Annotated[str, Depends(_played_game)]
"""The game of the path, by an id that may change it."""


class Viewed(NamedTuple):
    """A room that a client looks at, and whether it only watches."""

    view: View
    watching: bool

    @property
    def room(self) -> Room:
        """The room at the version that is seen."""
        return self.view.room


async def _seen_room(id: GameId, service: CurrentService) -> Viewed:
    game, watching = await service.registry.resolve(id)
    return Viewed(await service.registry.get(game), watching)


SeenRoom = Annotated[Viewed, Depends(_seen_room)]
"""The room of the path, by its id or its watch id."""


async def _playable_game(
    service: CurrentService,
    spec: Annotated[str, Query(alias="game", min_length=1, max_length=200, description="a spec, e.g. 4x4")],
) -> Game:
    settings = service.settings
    return playable_game(spec, settings.largest_side, settings.largest_layers)


PlayableGame = Annotated[Game, Depends(_playable_game)]
"""The game of the query, if its board is not too large for this server."""


def charge(request: Request, tokens: float) -> None:
    """Take from the client's budget what a request costs beyond the price at its route, as its work turns out."""
    take_tokens(request.scope["rate_limiter"], request.scope["client_key"], tokens)


async def while_connected(request: Request, work: Awaitable[T]) -> T:
    """Wait for something for as long as the client does, and no longer."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(disconnected(request.receive))
    try:
        # Of different types, so not in one list.
        both: set[asyncio.Future[Any]] = {working, leaving}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def disconnected(receive: Receive) -> None:
    """Wait until a client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def json_response(value: Any) -> Response:
    """Answer with JSON that may hold fragments, which FastAPI's own serialisation would not pass through."""
    return Response(orjson.dumps(value), media_type="application/json")


def state_response(view: View, session: SessionRow | None, *, watching: bool = False) -> Response:
    """Answer with the GameState as one client sees it."""
    return json_response(state_fields(view, session, watching=watching))


def watched_state(request: Request, view: View) -> Response:
    """Answer with the GameState as every watcher sees it, so that a proxy can serve a crowd with one answer a second.

    Whoever has this version already gets 304, for which nothing is written.
    """
    tag = f'"{__version__}-{view.room.version}"'
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={WATCHED_SECONDS}"}
    known = (part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(","))
    if any(each in (tag, "*") for each in known):
        return Response(status_code=304, headers=headers)
    body = orjson.dumps(state_fields(view, None, watching=True))
    return Response(body, headers=headers, media_type="application/json")


def state_fields(view: View, session: SessionRow | None, *, watching: bool = False) -> dict[str, Any]:
    """The GameState as one client sees it."""
    role, marks = role_of(view.room, session, watching=watching)
    state = view.for_watchers() if watching else view.for_players()
    return {**state, "you": {"role": role, "marks": marks}}
