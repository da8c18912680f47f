"""The routes to understand a game by: hints, analysis, review, record, and what can be played."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter, Request, Response

from noughts.games import all_games
from noughts.games import game as game_of
from noughts.server.ai.queue import Task
from noughts.server.http.errors import Problem
from noughts.server.http.route import DirectRoute
from noughts.server.http.routes.catalogue import board_info
from noughts.server.http.routes.play import Id, service_of
from noughts.server.rooms import commands
from noughts.server.rooms.render import View, move_json
from noughts.server.rooms.room import Table
from noughts.server.schema.analysis import AnalysisState, ReviewState
from noughts.server.schema.game import AnalysisRequest, GameInfo, Hint
from noughts.server.service import json_response
from noughts.server.settings import Settings
from noughts.spec import Choice, Flag, Integer, Number, Size

__all__ = ["router"]

router = APIRouter(tags=["understand"], route_class=DirectRoute)

_ALONG_A_SIDE = ("size", "k")
_KINDS = {Flag: "flag", Choice: "choice", Integer: "integer", Number: "number", Size: "size"}


async def _studied(request: Request, id: str, kind: Any, body: AnalysisRequest | None) -> tuple[Table, dict[str, Any]]:
    service = service_of(request)
    game, watching = await service.hall.resolve(id)
    table = (await service.hall.live(game)).table
    commands.refuse_help(table)
    if kind == "hint":
        if watching or not commands.marks_of(table, await service.session(request)):
            raise Problem(403, "not_your_seat", "hints are for those who play")
        if table.match.is_over:
            raise Problem(409, "game_over", f"the game is over: {table.match.status}", state=View(table).for_players())
    match = table.match
    seconds = min((body or AnalysisRequest()).seconds, service.settings.analysis_seconds)
    moves = commands.moves_of(table)
    ply = body.ply if body else None
    if ply is not None and (kind != "analysis" or ply > len(moves)):
        why = f"the game has {len(moves)} moves" if kind == "analysis" else "it is for analyses"
        raise Problem(400, "invalid_request", f"ply: {why}")
    task = Task(kind, match.game.spec, match.first, tuple(moves[:ply]), seconds)
    return table, await service.thinkers.think(task, request.scope["client_key"])


@router.post("/game/{id}/hint", response_model=Hint, summary="Ask for a good move")
async def hint(request: Request, id: Id, body: AnalysisRequest | None = None) -> Response:
    """Ask for a good move, and whether it is proven. Not in games between people."""
    table, result = await _studied(request, id, "hint", body)
    move = move_json(table.match.game, table.match.game.parse_move(result["move"]))
    rest = {"note": result["note"], "proven": result["proven"], "version": table.version}
    return json_response(move[:-1] + b"," + orjson.dumps(rest)[1:])


@router.post("/game/{id}/analysis", response_model=AnalysisState, summary="Ask what the position is worth")
async def analysis(request: Request, id: Id, body: AnalysisRequest | None = None) -> Response:
    """Ask what the position and every move are worth, proven or estimated."""
    table, result = await _studied(request, id, "analysis", body)
    ply = len(table.match.history) if body is None or body.ply is None else body.ply
    return json_response(orjson.dumps({**result, "version": table.version, "ply": ply}))


@router.post("/game/{id}/review", response_model=ReviewState, summary="Have every move graded")
async def review(request: Request, id: Id, body: AnalysisRequest | None = None) -> Response:
    """Have every move graded, with what would have been better."""
    table, result = await _studied(request, id, "review", body)
    return json_response(orjson.dumps({**result, "version": table.version, "resigned": table.match.resigned}))


@router.get(
    "/game/{id}/record",
    summary="The record of a game",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def record(request: Request, id: Id) -> Response:
    """Every action as JSON lines; ``noughts replay`` plays them again."""
    service = service_of(request)
    game, _ = await service.hall.resolve(id)
    lines = [commands.record_line(event) for event in await service.hall.record(game)]
    text = b"".join(orjson.dumps(line) + b"\n" for line in lines if line is not None)
    return Response(text, media_type="application/x-ndjson")


@router.get("/games", response_model=list[GameInfo], summary="What can be played")
async def games(request: Request) -> Response:
    """Every game with its presets and options."""
    settings = service_of(request).settings
    return json_response(orjson.dumps([_described(kind, settings) for kind in all_games().values()]))


def _described(kind: Any, settings: Settings) -> dict[str, Any]:
    options = []
    for name, field in kind.option_fields().items():
        of, derived = field.metadata["kind"], field.metadata["derived"]
        options.append(
            {
                "name": name,
                "kind": next((word for kind, word in _KINDS.items() if isinstance(of, kind)), "text"),
                "help": field.metadata["help"],
                "expects": of.expects,
                "default": None if derived is not None or field.default is None else _plain(field.default),
                "choices": list(of.words) if isinstance(of, Choice) else None,
                "minimum": of.low if isinstance(of, Integer | Number) else 2 if isinstance(of, Size) else None,
                "maximum": _maximum(name, of, settings) if isinstance(of, Integer | Number) else None,
                "sides": _sides(of, settings) if isinstance(of, Size) else None,
                "flag": isinstance(of, Flag),
            }
        )
    presets = [_preset(p.name, p.spec, p.summary) for p in kind.presets]
    return {
        "name": kind.name, "title": kind.title, "summary": kind.summary, "presets": presets, "options": options,
    }  # fmt: skip


def _maximum(name: str, of: Integer | Number, settings: Settings) -> float:
    """The largest value of a number: what counts cells in a line ends where the boards of this server end."""
    return min(of.high, settings.largest_side) if name in _ALONG_A_SIDE else of.high


def _sides(of: Size, settings: Settings) -> dict[str, int]:
    """The longest side of a board here, flat and with layers."""
    here = {2: settings.largest_side, 3: settings.largest_layers}
    return {str(count): min(longest, here.get(count, longest)) for count, longest in of.longest.items()}


def _preset(name: str, spec: str, summary: str) -> dict[str, Any]:
    game = game_of(spec)
    values = {option: _plain(getattr(game, option)) for option in game.option_fields()}
    board = board_info(game)
    return {
        "name": name, "spec": spec, "summary": summary,
        "marks": board["marks"], "layout": board["layout"], "options": values,
    }  # fmt: skip


def _plain(value: Any) -> Any:
    return "x".join(map(str, value)) if isinstance(value, tuple) else value
