"""The route that says whom one can play: the levels, and the agents of this server."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, Request

from noughts.players import all_players
from noughts.players.levels import LEVELS
from noughts.server.ai.agents import AgentFailed
from noughts.server.http.routes.play import service_of
from noughts.server.rooms.commands import board_game
from noughts.server.schema.game import LevelInfo

__all__ = ["router"]

router = APIRouter(tags=["understand"])

GameSpec = Annotated[
    str | None, Query(min_length=1, max_length=200, description="only those that can play this game, by its spec")
]


@router.get("/levels", summary="How strong the AI can be")
async def levels(request: Request, game: GameSpec = None) -> list[LevelInfo]:
    """The levels, weakest first, then the agents of this server with the games that they play."""
    service = service_of(request)
    settings, kinds = service.settings, all_players()
    wanted = None if game is None else board_game(game, settings.largest_side, settings.largest_layers)
    found = [LevelInfo(name=name, summary=kinds[name].summary, games=None) for name in LEVELS]
    for agent in service.agents.values():
        # One that fails is in the log, and left out here.
        with suppress(AgentFailed):
            if wanted is None or agent.plays(wanted):
                games = None if agent.games is None else list(agent.games)
                found.append(LevelInfo(name=agent.name, summary=agent.summary, games=games))
    return found
