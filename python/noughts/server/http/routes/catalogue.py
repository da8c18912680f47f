"""The routes that show boards: any moment of a game, the board of a spec, the openings of solved games."""

from __future__ import annotations

from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Query, Request, Response

from noughts.core import Game, Position
from noughts.games import all_games
from noughts.games import game as game_of
from noughts.server.ai.queue import Task
from noughts.server.http.errors import Problem
from noughts.server.http.routes.play import Id, service_of
from noughts.server.rooms.commands import board_game
from noughts.server.rooms.render import board_json, move_json
from noughts.server.schema.analysis import BoardInfo, Moments, OpeningInfo, OpeningMap
from noughts.server.service import json_response

__all__ = ["board_info", "router"]

router = APIRouter(tags=["understand"])

LARGEST_MAP: Final = 27
"""Cells of the largest board whose openings are all proven in a moment."""

GameSpec = Annotated[str, Query(alias="game", min_length=1, max_length=200, description="a spec such as 4x4")]


def board_info(game: Game) -> dict[str, Any]:
    """What a page needs to draw a game's board."""
    grid = game.grid
    layout = {"kind": game.layout, "rows": grid.rows, "cols": grid.cols, "layers": grid.layers}
    return {"game": game.spec, "name": game.name, "title": game.title, "marks": list(game.marks), "layout": layout}


@router.get("/games/board", summary="The board of a spec")
async def board(request: Request, spec: GameSpec) -> BoardInfo:
    """The board that a spec stands for; 400 says what is wrong with it."""
    settings = service_of(request).settings
    game = board_game(spec, settings.largest_side, settings.largest_layers)
    return BoardInfo.model_validate(board_info(game))


@router.get("/game/{id}/moments", response_model=Moments, summary="Every moment of a game")
async def moments(request: Request, id: Id) -> Response:
    """The first board, and for every move the cells that it changed."""
    service = service_of(request)
    id_of_game, _ = await service.hall.resolve(id)
    table = (await service.hall.live(id_of_game)).table
    match = table.match
    game = match.game
    before = match.positions[0]
    parts = []
    for ply in match.history:
        after = before.play(ply.move)
        changed = orjson.dumps([_cell(after, cell) for cell in after.changed])
        head = move_json(game, ply.move)[:-1]
        parts.append(
            b'%b,"player":%b,"timestamp":%d,"capturedCount":%d,"changed":%b}'
            % (head, orjson.dumps(ply.player), ply.at * 1000, ply.captured_count, changed)
        )
        before = after
    start = board_json(match.positions[0])
    return json_response(b'{"version":%d,"board":%b,"moments":[%b]}' % (table.version, start, b",".join(parts)))


def _cell(position: Position, cell: int) -> dict[str, Any]:
    layer, row, col = position.game.grid.coordinates(cell)
    return {"row": row, "col": col, "layer": layer, "mark": position.cells.get(cell, 0)}


def _solved() -> dict[str, str]:
    """The solved games that are small enough for a map, with who solved them."""
    found: dict[str, str] = {}
    for kind in all_games().values():
        for fact in kind.facts:
            game = game_of(fact.spec)
            if fact.about in ("value", "openings", "margin") and game.grid.cells <= LARGEST_MAP:
                found.setdefault(game.spec, fact.source)
    return found


@router.get("/openings/list", summary="The solved games")
async def openings(request: Request) -> list[OpeningInfo]:
    """The solved games whose every first move has a proven value."""
    return [
        OpeningInfo.model_validate({**board_info(game_of(spec)), "source": source})
        for spec, source in _solved().items()
    ]


@router.get("/openings/map", response_model=OpeningMap, summary="What every first move is worth")
async def opening_map(request: Request, spec: GameSpec) -> Response:
    """The opening map of a solved game. It is worked out once and then kept."""
    service = service_of(request)
    source = _solved().get(spec)
    if source is None:
        raise Problem(404, "not_solved", f"there is no opening map of {spec!r}; /openings/list has those there are")
    known: bytes | None = service.maps.get(spec)
    if known is None:
        game = game_of(spec)
        task = Task("analysis", game.spec, game.marks[0], (), service.settings.analysis_seconds)
        analysis = await service.thinkers.think(task, request.scope["client_key"])
        info = orjson.dumps({**board_info(game), "source": source, "analysis": analysis})
        known = info[:-1] + b',"board":' + board_json(game.start()) + b"}"
        if analysis["stopped"] is None:
            service.maps[spec] = known
    return json_response(known)
