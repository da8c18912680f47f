"""Whoever chooses a move: one file per kind of player, found by itself."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from noughts.core import Mark
from noughts.errors import InvalidPlayer
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Spec, suggest

__all__ = ["Choice", "Limits", "Player", "all_players", "player", "seeded"]


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


def seeded(chooser: Player, seed: int) -> Player:
    """A fresh copy of a player, with a seed if it takes one and was not given any.

    >>> seeded(player("random"), 7).spec, seeded(player("random,seed=1"), 7).spec
    ('random,seed=7', 'random,seed=1')
    """
    changed: dict[str, Any] = {"seed": seed} if getattr(chooser, "seed", 0) is None else {}
    return replace(chooser, **changed)
