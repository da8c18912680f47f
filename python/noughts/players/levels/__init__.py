"""Levels for people: easy, medium, hard and perfect, for every game.

A level is a name for a player's spec, one that suits the game: on small boards an exact player that
slips now and then, on large ones a search that looks less far. Each level beats the one below it by
more than 100 Elo; ``benchmarks/`` has the arenas that show it.

A file here that defines a :class:`LevelPlayer` is found by itself. A package outside announces its level in
the entry-point group ``noughts.levels``.
"""

from __future__ import annotations

import inspect
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
    """Every level by name, the weakest first."""
    known = {kind.name: kind for kind in defined(__name__, _level_class)}
    found = {**known, **announced("noughts.levels", "level", _level_class, lambda kind: kind.name, known)}
    return dict(sorted(found.items(), key=lambda item: item[1].rank))


LEVELS: Final = tuple(all_levels())
"""The names of the levels, the weakest first."""


def level_spec(name: str, game: Game) -> str:
    """The player that a level stands for in a game.

    >>> from noughts import game
    >>> level_spec("hard", game("gomoku"))
    'engine,depth=4'
    """
    return _level(name).spec_for(game)


def level(name: str, game: Game, *, mark: Mark | None = None, seed: int | None = None) -> Player:
    """Make the player of a level; the same seed errs in the same way."""
    return _level(name).player_for(game, mark=mark, seed=seed)


def _level(name: str) -> type[LevelPlayer]:
    if name not in all_levels():
        raise InvalidPlayer(f"unknown level {name!r}; {suggest(name, all_levels())}")
    return all_levels()[name]
