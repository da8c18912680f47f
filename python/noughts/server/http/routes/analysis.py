"""The routes to understand a game: hints, analysis, review, its record and every moment of it."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import orjson
from fastapi import APIRouter, Request, Response

from noughts.core import Position
from noughts.server.ai.task import Task, TaskKind, without_hint
from noughts.server.errors import Forbidden, Refused
from noughts.server.http.dependencies import (
    CurrentService,
    CurrentSession,
    GameId,
    SeenRoom,
    Viewed,
    charge,
    json_response,
    while_connected,
)
from noughts.server.http.ratelimit import cost
from noughts.server.rooms import commands
from noughts.server.rooms.render import board_rows, move_fields, owned_fields, place_fields, ply_fields
from noughts.server.rooms.room import Room
from noughts.server.rooms.seats import marks_of
from noughts.server.schema.analysis import AnalysisState, Moments, ReviewState
from noughts.server.schema.game import AnalysisRequest, Hint
from noughts.server.service import Service

__all__ = ["router"]

router = APIRouter(tags=["understand"])

PLIES_PER_TOKEN: Final = 20
EVENTS_PER_TOKEN: Final = 100
"""How much of a long game a client gets for the price of one request."""

TOKENS_PER_SECOND: Final = 5
"""What a second of thinking costs a client."""


async def _run(
    request: Request, service: Service, seen: Viewed, kind: TaskKind, body: AnalysisRequest | None
) -> dict[str, Any]:
    """Ask the AI about a room, for as long as the client waits."""
    match = seen.room.match
    wanted = body or AnalysisRequest()
    seconds = min(wanted.seconds, service.settings.analysis_seconds)
    moves = commands.move_names(seen.room)
    if wanted.ply is not None and (kind != "analysis" or wanted.ply > len(moves)):
        why = f"the game has {len(moves)} moves" if kind == "analysis" else "it is for analyses"
        raise Refused("invalid_request", f"ply: {why}")
    charge(request, TOKENS_PER_SECOND * seconds)
    task = Task(kind, match.game.spec, match.first, tuple(moves[: wanted.ply]), seconds)
    # An earlier position would have to be played again to be known.
    position = match.position.text if kind != "review" and wanted.ply is None else None
    return await while_connected(request, service.ai.analyse(task, request.scope["client_key"], position))


@router.post("/game/{id}/hint", response_model=Hint, summary="Ask for a good move", openapi_extra=cost(5))
async def hint(
    request: Request,
    service: CurrentService,
    session: CurrentSession,
    seen: SeenRoom,
    body: AnalysisRequest | None = None,
) -> Response:
    """Ask for a good move, and whether it is proven. Not in games between people."""
    room = seen.room
    commands.check_help_allowed(room)
    if seen.watching or not marks_of(room, session):
        raise Forbidden("not_your_seat", "only players can ask for hints")
    if room.match.is_over:
        raise Refused("game_over", f"the game is over: {room.match.status}", room=room)
    result = await _run(request, service, seen, "hint", body)
    move = move_fields(room.match.game, room.match.game.parse_move(result["move"]))
    return json_response(
        {
            **move,
            "note": result["note"],
            "reason": result.get("reason"),
            "proven": result["proven"],
            "version": room.version,
        }
    )


@router.post(
    "/game/{id}/analysis",
    response_model=AnalysisState,
    summary="Ask what the position is worth",
    openapi_extra=cost(5),
)
async def analysis(
    request: Request, service: CurrentService, seen: SeenRoom, body: AnalysisRequest | None = None
) -> Response:
    """Ask what the position and every move are worth, proven or estimated."""
    room = seen.room
    commands.check_help_allowed(room)
    result = await _run(request, service, seen, "analysis", body)
    ply = len(room.match.history) if body is None or body.ply is None else body.ply
    return json_response({**without_hint(result), "version": room.version, "ply": ply})


@router.post("/game/{id}/review", response_model=ReviewState, summary="Grade every move", openapi_extra=cost(5))
async def review(
    request: Request, service: CurrentService, seen: SeenRoom, body: AnalysisRequest | None = None
) -> Response:
    """Grade every move, with what would have been better."""
    room = seen.room
    commands.check_help_allowed(room)
    result = await _run(request, service, seen, "review", body)
    return json_response({**result, "version": room.version, "resigned": room.match.resigned})


@router.get(
    "/game/{id}/record",
    summary="The record of a game",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def record(request: Request, service: CurrentService, id: GameId) -> Response:
    """Every action as JSON lines; ``noughts replay`` plays them again."""
    game, _ = await service.registry.resolve(id)
    events = await service.registry.events(game)
    charge(request, len(events) / EVENTS_PER_TOKEN)

    def write() -> bytes:
        lines = [commands.record_line(event) for event in events]
        return b"".join(orjson.dumps(line) + b"\n" for line in lines if line is not None)

    return Response(await service.aside(write), media_type="application/x-ndjson")


@router.get("/game/{id}/moments", response_model=Moments, summary="Every moment of a game")
async def moments(request: Request, service: CurrentService, seen: SeenRoom) -> Response:
    """The first board, and for every move the cells that it changed."""
    charge(request, len(seen.room.match.history) / PLIES_PER_TOKEN)
    return Response(await service.aside(partial(_moments, seen.room)), media_type="application/json")


def _moments(room: Room) -> bytes:
    match = room.match
    position = match.positions[0]
    found = []
    for ply in match.history:
        position = position.play_unchecked(ply.move)
        changed = [_cell(position, cell) for cell in position.changed]
        found.append({**ply_fields(match.game, ply), "changed": changed, "owned": owned_fields(position)})
    return orjson.dumps({"version": room.version, "board": board_rows(match.positions[0]), "moments": found})


def _cell(position: Position, cell: int) -> dict[str, Any]:
    return {**place_fields(position.game, cell), "mark": position.cells.get(cell, 0)}
