"""Levels for people: easy, medium, hard and perfect, for every game.

A level is a name for a player's spec, one that suits the game. Below the highest it is the casual player, who looks
a few moves ahead and overlooks what people overlook: every level takes a win on the spot, and from medium up
none hands one over. ``benchmarks/levels.py`` measures how far they are apart.

A file here that defines a :class:`LevelPlayer` is found by itself. A package outside announces its level in
the entry-point group ``noughts.levels``.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from functools import cache
from typing import Final

from noughts.core import Game, Mark
from noughts.discovery import announced, defined
from noughts.errors import InvalidPlayer
from noughts.players.levels.level import LevelPlayer
from noughts.players.player import Player
from noughts.spec import suggest

__all__ = ["LEVELS", "LevelPlayer", "all_levels", "level", "level_spec"]


def _level_class(value: object) -> type[LevelPlayer] | None:
    return value if inspect.isclass(value) and issubclass(value, LevelPlayer) and hasattr(value, "name") else None


@cache
def all_levels() -> Mapping[str, type[LevelPlayer]]:
    """Every level by name: the steps from weak to strong, then those that are none, such as ``rules``."""
    known = {kind.name: kind for kind in defined(__name__, _level_class)}
    found = {**known, **announced("noughts.levels", "level", _level_class, lambda kind: kind.name, known)}
    return dict(sorted(found.items(), key=lambda item: math.inf if item[1].rank is None else item[1].rank))


LEVELS: Final = tuple(name for name, kind in all_levels().items() if kind.rank is not None)
"""The names of the levels that are steps of strength and play every game, the weakest first."""


def level_spec(name: str, game: Game) -> str:
    """The player that a level stands for in a game.

    >>> from noughts import game
    >>> level_spec("hard", game("gomoku"))
    'casual,depth=4,width=12,lapses=0.08,noise=0.4,careful'
    """
    return _level(name, game).spec_for(game)


def level(name: str, game: Game, *, mark: Mark | None = None, seed: int | None = None) -> Player:
    """Make the player of a level; the same seed errs in the same way."""
    return _level(name, game).player_for(game, mark=mark, seed=seed)


def _level(name: str, game: Game) -> type[LevelPlayer]:
    if name not in all_levels():
        raise InvalidPlayer(f"unknown level {name!r}; {suggest(name, all_levels())}")
    kind = all_levels()[name]
    if not kind.plays(game):
        there = ", ".join(other for other, able in all_levels().items() if able.plays(game))
        raise InvalidPlayer(f"the level {name!r} cannot play {game.spec}; there are: {there}")
    return kind
