"""The routes to play: start, state, move, the AI's move, and everything else that changes a game."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.convertors import StringConvertor, register_url_convertor

from noughts.compute.limits import Progress
from noughts.core import PASS
from noughts.match import Recalled
from noughts.server.ai.agents import check_agent_exists
from noughts.server.ai.task import Task
from noughts.server.http.dependencies import (
    ClientKey,
    CurrentService,
    CurrentSession,
    PlayedGame,
    SeenRoom,
    game_to_change,
    json_response,
    session_of,
    state_fields,
    state_response,
    watched_state,
)
from noughts.server.http.errors import Rejected
from noughts.server.http.ratelimit import RateLimiter, cost
from noughts.server.http.route import DirectRoute
from noughts.server.rooms import commands
from noughts.server.rooms.ids import keyed_ids, new_ids
from noughts.server.rooms.render import move_fields
from noughts.server.rooms.room import Event, Room
from noughts.server.schema.game import (
    AiMove,
    AiRequest,
    AnswerRequest,
    GameState,
    JoinRequest,
    MoveRequest,
    RematchRequest,
    SeatRequest,
    StartRequest,
)
from noughts.server.service import Service
from noughts.server.storage.database import SessionRow

__all__ = ["direct", "router"]


class _GameConvertor(StringConvertor):
    """The id of a game in a path ``/game/{id:game}``, where ``start`` and ``move`` are other routes."""

    regex = "(?!(?:start|move)$)[^/]+"


register_url_convertor("game", _GameConvertor())

router = APIRouter(tags=["play"])
direct = APIRouter(tags=["play"], route_class=DirectRoute)


@direct.post("/game/move", response_model=GameState, summary="Play a move")
async def move(request: Request, body: MoveRequest) -> Response:
    """Play a move. The answer comes once the move is stored for good."""
    service: Service = request.scope["service"]
    session = await session_of(request)
    view = await service.registry.change(
        game_to_change(body.gameId),
        lambda room: commands.make_move(room, session, body),
        key=body.idempotencyKey,
        same=lambda room, event: commands.is_same_move(room, event, body),
    )
    return state_response(view, session)


@router.post("/game/start", response_model=GameState, summary="Start a game", openapi_extra=cost(5))
async def start(
    request: Request, service: CurrentService, session: CurrentSession, client: ClientKey, body: StartRequest
) -> Response:
    """Start a game. With a session the seats belong to it; without one, anyone with the id may play."""
    key = body.idempotencyKey
    ids = new_ids() if key is None else keyed_ids(session.id if session else "", key)
    settings = service.settings
    game = commands.playable_game(body.game, settings.largest_side, settings.largest_layers)
    event = commands.start_game(body, session, game, watch_id=ids[1], agents=service.agents)
    _check_quota(request, service, client)
    return state_response(await service.registry.start(event, ids), session)


def _check_quota(request: Request, service: Service, client: str) -> None:
    """Refuse a new game to a client that has started too many, or where there are too many."""
    starts: RateLimiter = request.app.state.starts
    wait = starts.take(client)
    if wait:
        raise Rejected("too_many_requests", "you have started too many games for a day", wait=wait)
    service.retention.check_room_for_one_more()


@router.delete("/game/{id:game}", status_code=204, summary="Delete a game")
async def delete(service: CurrentService, session: CurrentSession, game: PlayedGame) -> None:
    """Delete a game and all that is stored of it. Only who started it may; one without sessions, who holds its id."""
    await service.registry.delete(game, lambda room: commands.check_owner(room, session))


@router.get(
    "/game/state/{id}",
    response_model=GameState,
    summary="Look at a game",
    responses={304: {"description": "Nothing has changed since the ETag in If-None-Match"}},
)
async def state(request: Request, seen: SeenRoom) -> Response:
    """Look at a game, by its id or its watchId. By its watchId everybody sees the same, with an ETag, for a second."""
    if seen.watching:
        return watched_state(request, seen.view)
    return state_response(seen.view, await session_of(request))


@router.post("/ai/move", response_model=AiMove, summary="Let the AI move", openapi_extra=cost(5))
async def ai_move(service: CurrentService, session: CurrentSession, client: ClientKey, body: AiRequest) -> Response:
    """Let the AI choose a move and play it."""
    game = game_to_change(body.gameId)
    room = (await service.registry.get(game)).room
    seat = commands.ai_seat(room, session, body.expectedVersion)
    check_agent_exists(seat.level, service.agents)
    choice = await _choice(service, room, seat.level, client)
    player, name = room.match.turn, choice.pop("move")

    def decide(now: Room) -> Event | None:
        if now.acted == room.acted:
            return {"action": "make_move", "player": player, "move": name}
        if _is_answered(room, now, player, name):
            # Another client asked at the same time and was a little faster.
            return None
        commands.check_version(now, room.acted)
        return None

    view = await service.registry.change(game, decide)
    moved = move_fields(room.match.game, room.match.game.parse_move(name))
    return json_response({**moved, "player": player, **choice, "state": state_fields(view, session)})


def _is_answered(asked: Room, now: Room, player: str, move: str) -> bool:
    """Whether a move, and the forced passes after it, are all that has happened since it was asked for."""
    made = now.match.history[len(asked.match.history) :]
    if not made or now.acted != asked.acted + len(made) or any(ply.move != PASS for ply in made[1:]):
        return False
    return made[0].player == player and now.match.game.move_name(made[0].move) == move


async def _choice(service: Service, room: Room, level: str, client: str) -> dict[str, Any]:
    """The AI's choice; clients that ask for the same position share one task."""
    asked = (room.id, room.acted)
    running = service.ai_moves.get(asked)
    if running is None:
        match = room.match
        moves = tuple(commands.move_names(room))
        task = Task("move", match.game.spec, match.first, moves, service.settings.ai_seconds, level)

        def send_progress(progress: Progress | None) -> None:
            facts = None if progress is None else progress._asdict()
            message = {"type": "thinking", "player": match.turn, "level": level, "progress": facts}
            service.registry.send(room.id, message)

        send_progress(None)
        running = service.ai_moves[asked] = asyncio.ensure_future(service.ai.move(task, client, send_progress))
        running.add_done_callback(lambda _: service.ai_moves.pop(asked, None))
    return dict(await asyncio.shield(running))


@router.post("/game/{id}/undo", response_model=GameState, summary="Take a move back")
async def undo(
    service: CurrentService, session: CurrentSession, game: PlayedGame, body: SeatRequest | None = None
) -> Response:
    """Take a move back: at once against the AI or on one screen; between people as an offer."""
    return await _change(service, session, game, "undo", body)


@router.post("/game/{id}/redo", response_model=GameState, summary="Play again what was taken back")
async def redo(
    service: CurrentService, session: CurrentSession, game: PlayedGame, body: SeatRequest | None = None
) -> Response:
    """Play again what was taken back, under the same terms as undo."""
    return await _change(service, session, game, "redo", body)


@router.post("/game/{id}/reset", response_model=GameState, summary="Start the same game again")
async def reset(
    service: CurrentService, session: CurrentSession, game: PlayedGame, body: SeatRequest | None = None
) -> Response:
    """Clear the board, under the same terms as undo."""
    return await _change(service, session, game, "reset", body)


async def _look_back(service: Service, game: str) -> None:
    """Replay a long game aside before a move is taken back, if nobody has: the match remembers what it has seen."""
    match = (await service.registry.get(game)).room.match
    positions, back = match.positions, max(0, match.cursor - 1)
    if isinstance(positions, Recalled) and not positions.is_near(back):
        await service.aside(lambda: positions[back])


async def _change(
    service: Service, session: SessionRow | None, game: str, change: commands.Change, body: SeatRequest | None
) -> Response:
    seat = body or SeatRequest()
    if change == "undo":
        await _look_back(service, game)
    view = await service.registry.change(
        game,
        lambda room: commands.request_change(room, session, change, seat.player, seat.expectedVersion),
        key=seat.idempotencyKey,
        same=lambda room, event: commands.is_same_change(event, change),
    )
    return state_response(view, session)


@router.post("/game/{id}/answer", response_model=GameState, summary="Accept an offer or decline it")
async def answer(service: CurrentService, session: CurrentSession, game: PlayedGame, body: AnswerRequest) -> Response:
    """Accept what another player offers (undo, redo, reset), or decline it."""
    if body.accept:
        await _look_back(service, game)
    view = await service.registry.change(
        game, lambda room: commands.answer_offer(room, session, body.accept, body.player)
    )
    return state_response(view, session)


@router.post("/game/{id}/resign", response_model=GameState, summary="Resign")
async def resign(
    service: CurrentService, session: CurrentSession, game: PlayedGame, body: SeatRequest | None = None
) -> Response:
    """Give the game up."""
    seat = body or SeatRequest()
    view = await service.registry.change(
        game,
        lambda room: commands.resign(room, session, seat.player, seat.expectedVersion),
        key=seat.idempotencyKey,
        same=lambda room, event: event["action"] == "resign",
    )
    return state_response(view, session)


@router.post("/game/{id}/join", response_model=GameState, summary="Take the free seat")
async def join(
    service: CurrentService, session: CurrentSession, game: PlayedGame, body: JoinRequest | None = None
) -> Response:
    """Take the free seat of a game by link. Needs a session."""
    player = body.player if body else None
    view = await service.registry.change(game, lambda room: commands.join(room, session, player))
    return state_response(view, session)


@router.post("/game/{id}/rematch", response_model=GameState, summary="Play the same again", openapi_extra=cost(5))
async def rematch(
    request: Request,
    service: CurrentService,
    session: CurrentSession,
    client: ClientKey,
    game: PlayedGame,
    body: RematchRequest | None = None,
) -> Response:
    """Play the same again once it is over; the player who moved second moves first. Both get the same new game."""
    view = await service.registry.get(game)
    # A game has one rematch, so whoever asks for it, and however often, starts the same.
    ids = keyed_ids(game, "rematch")
    event = commands.rematch(view.room, session, ids[1])
    if view.room.rematch is None:
        check_agent_exists(view.room.level, service.agents)
        _check_quota(request, service, client)
        # The new game first: a link that leads nowhere would be worse than a game that nobody finds.
        started = (await service.registry.start(event, ids)).room
        view = await service.registry.change(
            game,
            lambda room: commands.link_rematch(room, started.id, started.watch_id),
            key=body.idempotencyKey if body else None,
            same=lambda room, event: event["action"] == "rematch",
        )
    assert view.room.rematch is not None
    return state_response(await service.registry.get(view.room.rematch[0]), session)
