"""The routes to play by: start, state, move, the AI's move, and all that can happen to a game."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Request, Response

from noughts.compute.limits import Progress
from noughts.server.ai.agents import refuse_missing
from noughts.server.ai.queue import Task
from noughts.server.http.errors import Problem
from noughts.server.http.route import DirectRoute
from noughts.server.rooms import commands
from noughts.server.rooms.registry import Live, new_ids, only_watches
from noughts.server.rooms.render import move_json
from noughts.server.rooms.room import Event, Table
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
from noughts.server.service import Service, json_response

__all__ = ["router", "service_of"]

router = APIRouter(tags=["play"], route_class=DirectRoute)

Id = Annotated[str, Path(description="the game's id; where nothing changes, its watchId will do")]


def service_of(request: Request) -> Service:
    """The service that answers a request."""
    service: Service = request.scope["service"]
    return service


def player_game(id: str) -> str:
    """The id of a game to be changed; one that only watches will not do."""
    if only_watches(id):
        raise Problem(403, "watch_only", "a watchId can watch a game, never change it")
    return id


@router.post("/game/move", response_model=GameState, summary="Play a move")
async def move(request: Request, body: MoveRequest) -> Response:
    """Play a move. The answer comes once the move is stored for good."""
    service = service_of(request)
    session = await service.session(request)
    game = player_game(body.gameId)
    live = await service.hall.act(
        game,
        lambda table: commands.made_move(table, session, body),
        key=body.idempotencyKey,
        same=lambda table, event: commands.is_same_move(table, event, body),
    )
    return json_response(service.state(live, session))


# Here, so that what an empty request costs can be compared with what a move does.
@router.get("/healthz", response_model=dict[str, str], summary="Whether the process lives", tags=["operation"])
async def health(request: Request) -> Response:
    """Answers as long as the process does."""
    return json_response(b'{"status":"ok"}')


@router.post("/game/start", response_model=GameState, summary="Begin a game")
async def start(request: Request, body: StartRequest) -> Response:
    """Begin a game. With a session the seats belong to it; without one, to whoever holds the id."""
    service = service_of(request)
    session = await service.session(request)
    ids = new_ids()
    settings = service.settings
    game = commands.board_game(body.game, settings.largest_side, settings.largest_layers)
    event = commands.start_event(body, session, game, watch_id=ids[1], agents=service.agents)
    live = await service.hall.start(event, ids)
    return json_response(service.state(live, session))


@router.get("/game/state/{id}", response_model=GameState, summary="Look at a game")
async def state(request: Request, id: Id) -> Response:
    """Look at a game, by its id or its watchId."""
    service = service_of(request)
    session = await service.session(request)
    game, watching = await service.hall.resolve(id)
    return json_response(service.state(await service.hall.live(game), session, watching=watching))


@router.post("/ai/move", response_model=AiMove, summary="Have the AI move")
async def ai_move(request: Request, body: AiRequest) -> Response:
    """Have the AI choose a move and play it."""
    service = service_of(request)
    session = await service.session(request)
    game = player_game(body.gameId)
    live = await service.hall.live(game)
    table = live.table
    seat = commands.ai_turn(table, session, body.expectedVersion)
    refuse_missing(seat.level, service.agents)
    choice = await _thought(service, live, seat.level, request.scope["client_key"])
    player = table.match.turn

    def decide(now: Table) -> Event | None:
        if now.acted == table.acted:
            return {"action": "make_move", "player": player, "move": choice["move"], "at": time.time()}
        if now.acted == table.acted + 1 and _is_last(now, player, choice["move"]):
            # Somebody else asked at the same time and was a little faster.
            return None
        commands.refuse_stale(now, table.acted)
        return None

    live = await service.hall.act(game, decide)
    chosen = move_json(table.match.game, table.match.game.parse_move(choice["move"]))
    rest = orjson.dumps({"player": player, **{key: value for key, value in choice.items() if key != "move"}})
    state = service.state(live, session)
    return json_response(chosen[:-1] + b"," + rest[1:-1] + b',"state":' + state + b"}")


def _is_last(table: Table, player: str, move: str) -> bool:
    history = table.match.history
    return bool(history) and history[-1].player == player and table.match.game.move_name(history[-1].move) == move


async def _thought(service: Service, live: Live, level: str, client: str) -> dict[str, Any]:
    """The AI's choice; who asks twice for the same position gets the same answer."""
    table = live.table
    about = (table.id, table.acted)
    thought = service.thoughts.get(about)
    if thought is None:
        match = table.match
        task = Task(
            "move", match.game.spec, match.first, tuple(commands.moves_of(table)), service.settings.ai_seconds, level
        )

        def told(news: Progress | None) -> None:
            if live.audience:
                progress = None if news is None else news._asdict()
                message = {"type": "thinking", "player": match.turn, "level": level, "progress": progress}
                live.audience.say(orjson.dumps(message).decode())

        told(None)
        thought = service.thoughts[about] = asyncio.ensure_future(service.thinkers.think(task, client, told))
        thought.add_done_callback(lambda _: service.thoughts.pop(about, None))
    return await asyncio.shield(thought)


@router.post("/game/{id}/undo", response_model=GameState, summary="Take a move back")
async def undo(request: Request, id: Id, body: SeatRequest | None = None) -> Response:
    """Take a move back: at once against the AI or on one screen, by offer and consent between people."""
    return await _ask(request, id, "undo", body or SeatRequest())


@router.post("/game/{id}/redo", response_model=GameState, summary="Play again what was taken back")
async def redo(request: Request, id: Id, body: SeatRequest | None = None) -> Response:
    """Play again what was taken back, under the same terms as undo."""
    return await _ask(request, id, "redo", body or SeatRequest())


@router.post("/game/{id}/reset", response_model=GameState, summary="Begin the same game again")
async def reset(request: Request, id: Id, body: SeatRequest | None = None) -> Response:
    """Clear the board, under the same terms as undo."""
    return await _ask(request, id, "reset", body or SeatRequest())


async def _ask(request: Request, id: str, what: commands.What, body: SeatRequest) -> Response:
    service = service_of(request)
    session = await service.session(request)
    game = player_game(id)
    live = await service.hall.act(
        game, lambda table: commands.asked(table, session, what, body.player, body.expectedVersion)
    )
    return json_response(service.state(live, session))


@router.post("/game/{id}/answer", response_model=GameState, summary="Agree to an offer, or not")
async def answer(request: Request, id: Id, body: AnswerRequest) -> Response:
    """Agree to what another player offers (undo, redo, reset), or decline it."""
    service = service_of(request)
    session = await service.session(request)
    game = player_game(id)
    live = await service.hall.act(game, lambda table: commands.answered(table, session, body.accept, body.player))
    return json_response(service.state(live, session))


@router.post("/game/{id}/resign", response_model=GameState, summary="Give up")
async def resign(request: Request, id: Id, body: SeatRequest | None = None) -> Response:
    """Give the game up."""
    service = service_of(request)
    session = await service.session(request)
    game = player_game(id)
    wish = body or SeatRequest()
    live = await service.hall.act(
        game, lambda table: commands.resigned(table, session, wish.player, wish.expectedVersion)
    )
    return json_response(service.state(live, session))


@router.post("/game/{id}/join", response_model=GameState, summary="Take the free seat")
async def join(request: Request, id: Id, body: JoinRequest | None = None) -> Response:
    """Take the free seat of a game by link. Needs a session."""
    service = service_of(request)
    session = await service.session(request)
    game = player_game(id)
    player = body.player if body else None
    live = await service.hall.act(game, lambda table: commands.joined(table, session, player))
    return json_response(service.state(live, session))


@router.post("/game/{id}/rematch", response_model=GameState, summary="Play the same again")
async def rematch(request: Request, id: Id, body: RematchRequest | None = None) -> Response:
    """Play the same again once it is over; whoever moved second begins. Both players get the same new game."""
    service = service_of(request)
    session = await service.session(request)
    game = player_game(id)
    live = await service.hall.live(game)
    ids = new_ids()
    event = commands.rematch_event(live.table, session, ids[1])
    if live.table.rematch is None:
        refuse_missing(live.table.level, service.agents)
        # The new game first: a link that leads nowhere would be worse than a game nobody finds.
        await service.hall.start(event, ids)
        live = await service.hall.act(
            game,
            lambda table: (
                None if table.rematch else {"action": "rematch", "next": ids[0], "watch": ids[1], "at": time.time()}
            ),
        )
    assert live.table.rematch is not None
    return json_response(service.state(await service.hall.live(live.table.rematch[0]), session))
