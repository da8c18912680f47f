"""The routes that say what can be played: games and their boards, levels and agents, openings of solved games."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import TypeAdapter

from noughts.core import Game
from noughts.core import Preset as GamePreset
from noughts.games import all_games
from noughts.games import game as game_of
from noughts.hooks import Rule, Scene
from noughts.players.levels import all_levels
from noughts.server.ai.agents import Agents, played_games
from noughts.server.ai.task import Task, without_hint
from noughts.server.errors import AgentFailed, Refused
from noughts.server.http.dependencies import ClientKey, CurrentService, PlayableGame, json_response, while_connected
from noughts.server.rooms.commands import playable_game
from noughts.server.rooms.render import about_fields, board_rows, layout_fields, owned_fields
from noughts.server.schema.analysis import BoardInfo, OpeningInfo, OpeningMap, RulesInfo
from noughts.server.schema.game import About, GameInfo, Layout, LevelInfo, OptionInfo, Preset
from noughts.server.settings import Settings
from noughts.spec import Choice, Flag, Integer, Length, Number, Size
from noughts.words import sentence

__all__ = ["router"]

router = APIRouter(tags=["understand"])

MAX_MAP_CELLS: Final = 27
"""Cells of the largest board whose openings are all proven in a moment."""

_GAMES: Final = TypeAdapter(list[GameInfo])
_OPENINGS: Final = TypeAdapter(list[OpeningInfo])

_KINDS: Final[Mapping[type, Literal["flag", "choice", "integer", "number", "size"]]] = {
    Flag: "flag",
    Choice: "choice",
    Integer: "integer",
    Number: "number",
    Size: "size",
}


@router.get("/games", response_model=list[GameInfo], summary="What can be played")
async def games(service: CurrentService) -> Response:
    """Every game with its presets and options."""

    def write() -> bytes:
        return _GAMES.dump_json([_game_info(kind, service.settings) for kind in all_games().values()], by_alias=True)

    return Response(await service.written("games", write), media_type="application/json")


def _game_info(kind: type[Game], settings: Settings) -> GameInfo:
    return GameInfo(
        name=kind.name,
        title=kind.title,
        summary=kind.summary,
        words={language: dict(words) for language, words in kind.catalogues().items()},
        presets=[_preset(preset) for preset in kind.presets],
        options=[_option(name, field, settings) for name, field in kind.option_fields().items()],
    )


def _option(name: str, field: dataclasses.Field[Any], settings: Settings) -> OptionInfo:
    of, derived = field.metadata["kind"], field.metadata["derived"]
    return OptionInfo(
        name=name,
        kind=next((word for kind, word in _KINDS.items() if isinstance(of, kind)), "text"),
        help=field.metadata["help"],
        expects=of.expects,
        default=None if derived is not None or field.default is None else _plain(field.default),
        choices=list(of.words) if isinstance(of, Choice) else None,
        minimum=of.low if isinstance(of, Integer | Number) else 2 if isinstance(of, Size) else None,
        maximum=_maximum(of, settings) if isinstance(of, Integer | Number) else None,
        sides=_sides(of, settings) if isinstance(of, Size) else None,
        flag=isinstance(of, Flag),
        hidden=field.metadata["hidden"],
    )


def _maximum(of: Integer | Number, settings: Settings) -> float:
    """The largest value of a number on this server."""
    return of.within(settings.largest_side) if isinstance(of, Length) else of.high


def _sides(of: Size, settings: Settings) -> dict[str, int]:
    """The longest side of a board on this server, flat and with layers."""
    here = {2: settings.largest_side, 3: settings.largest_layers}
    return {str(count): min(longest, here.get(count, longest)) for count, longest in of.longest.items()}


def _preset(preset: GamePreset) -> Preset:
    game = game_of(preset.spec)
    return Preset(
        name=preset.name,
        spec=preset.spec,
        title=preset.title or preset.name,
        summary=preset.summary,
        fullTitle=game.full_title,
        goal=game.goal,
        about=About.model_validate(about_fields(game)),
        menu=preset.menu,
        sample=preset.sample,
        open=preset.open,
        marks=list(game.marks),
        layout=Layout.model_validate(layout_fields(game)),
        options={name: _plain(getattr(game, name)) for name in game.option_fields()},
    )


def _plain(value: Any) -> Any:
    return "x".join(map(str, value)) if isinstance(value, tuple) else value


def _board_fields(game: Game) -> dict[str, Any]:
    """What a page needs to draw a game's board."""
    return {
        "game": game.spec,
        "name": game.name,
        "title": game.full_title,
        "goal": game.goal,
        "about": about_fields(game),
        "marks": list(game.marks),
        "layout": layout_fields(game),
    }


@router.get("/games/board", summary="The board of a spec")
async def board(service: CurrentService, game: PlayableGame) -> BoardInfo:
    """The board of a spec and the levels that play on it; 400 says what is wrong with it."""
    able = [info.name for info in _levels(service.agents, game)]
    return BoardInfo.model_validate({**_board_fields(game), "levels": able})


@router.get("/games/rules", summary="How a game is played")
async def rules(game: PlayableGame) -> RulesInfo:
    """The rules of a spec, with boards that show them."""
    return RulesInfo.model_validate({**_board_fields(game), "rules": [_rule(game, rule) for rule in game.rules()]})


def _rule(game: Game, rule: Rule) -> dict[str, Any]:
    return {
        "note": rule.note.to_json(),
        "text": sentence(game.say("rule", rule.note)),
        "scenes": [_scene(scene) for scene in rule.scenes],
    }


def _scene(scene: Scene) -> dict[str, Any]:
    position = scene.position
    outcome, last = position.outcome, position.last
    return {
        "layout": layout_fields(position.game),
        "board": board_rows(position),
        "turn": position.turn,
        "last": last if last is not None and last >= 0 else None,
        "winning": list(outcome.cells) if outcome and outcome.tiles is None else [],
        "owned": owned_fields(position),
        "legal": [move for move in position.legal_moves if move >= 0] if scene.legal else [],
        "refused": list(scene.refused),
    }


@router.get("/levels", summary="How strong the AI can be")
async def levels(
    service: CurrentService,
    game: Annotated[
        str | None, Query(min_length=1, max_length=200, description="only those that can play this game, by its spec")
    ] = None,
) -> list[LevelInfo]:
    """The levels, weakest first, and the agents of this server, each with the games that it plays.

    After the steps of strength comes `rules`, for the games that have rules of thumb.
    """
    settings = service.settings
    wanted = None if game is None else playable_game(game, settings.largest_side, settings.largest_layers)
    return _levels(service.agents, wanted)


def _levels(agents: Agents, game: Game | None) -> list[LevelInfo]:
    """The levels and agents that can play a game, or all there are."""
    found = []
    for name, kind in all_levels().items():
        if game is None or kind.plays(game):
            # What the game itself says of a level is worth more than what holds for all games.
            said = {} if game is None else game.catalogues()["en"]
            summary = said.get(f"level.{name}", kind.summary)
            found.append(LevelInfo(name=name, summary=summary, games=_listed(_played_by_level(name))))
    for agent in agents.values():
        # One that fails is in the log, and left out here.
        with suppress(AgentFailed):
            if game is None or agent.plays(game):
                found.append(LevelInfo(name=agent.name, summary=agent.summary, games=_listed(agent.games)))
    return found


@cache
def _played_by_level(name: str) -> tuple[str, ...] | None:
    return played_games(all_levels()[name].plays)


def _listed(games: tuple[str, ...] | None) -> list[str] | None:
    return None if games is None else list(games)


@cache
def _solved() -> dict[str, str]:
    """The solved games that are small enough for a map, with who solved them: the games' own facts say so."""
    found: dict[str, str] = {}
    for kind in all_games().values():
        for fact in kind.facts:
            game = game_of(fact.spec)
            if fact.about in ("value", "openings", "margin") and game.grid.cells <= MAX_MAP_CELLS:
                found.setdefault(game.spec, fact.source)
    return found


@router.get("/openings/list", response_model=list[OpeningInfo], summary="The solved games")
async def openings(service: CurrentService) -> Response:
    """The solved games whose every first move has a proven value."""

    def write() -> bytes:
        solved = _solved().items()
        found = [{**_board_fields(game_of(spec)), "source": source} for spec, source in solved]
        return _OPENINGS.dump_json(_OPENINGS.validate_python(found), by_alias=True)

    return Response(await service.written("openings", write), media_type="application/json")


@router.get("/openings/map", response_model=OpeningMap, summary="What every first move is worth")
async def opening_map(
    request: Request,
    service: CurrentService,
    client: ClientKey,
    spec: Annotated[str, Query(alias="game", min_length=1, max_length=200, description="a spec, e.g. 4x4")],
) -> Response:
    """The opening map of a solved game. It is computed once and then kept."""
    source = _solved().get(spec)
    if source is None:
        raise Refused("not_solved", f"there is no opening map of {spec!r}; GET /openings/list lists those there are")
    found = service.opening_maps.get(spec)
    if found is None:
        game = game_of(spec)
        task = Task("analysis", game.spec, game.marks[0], (), service.settings.analysis_seconds)
        analysis = await while_connected(request, service.ai.analyse(task, client, game.start().text))
        board = board_rows(game.start())
        found = {**_board_fields(game), "source": source, "analysis": without_hint(analysis), "board": board}
        if analysis["stopped"] is None:
            service.opening_maps[spec] = found
    return json_response(found)
