"""Whoever chooses a move: one file per kind of player, found by itself."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache

from noughts.core import Mark
from noughts.errors import InvalidPlayer
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Spec, suggest

__all__ = ["Choice", "Limits", "Player", "all_players", "player"]


@cache
def all_players() -> Mapping[str, type[Player]]:
    """Every kind of player by name."""
    found: dict[str, type[Player]] = {}
    for module in pkgutil.iter_modules(__path__):
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        for value in vars(loaded).values():
            if inspect.isclass(value) and issubclass(value, Player) and hasattr(value, "name"):
                found[value.name] = value
    return found


def player(spec: str, *, mark: Mark | None = None) -> Player:
    """Make the player that a spec describes; with a ``mark`` it plays for that mark alone.

    >>> player("minimax,depth=4").spec
    'minimax,depth=4'
    """
    parsed = Spec.parse(spec, error=InvalidPlayer)
    kinds = all_players()
    if parsed.head not in kinds:
        raise InvalidPlayer(f"unknown player {parsed.head!r}; {suggest(parsed.head, kinds)}")
    kind = kinds[parsed.head]
    return kind(mark=mark, **kind.read_options(parsed.options))
