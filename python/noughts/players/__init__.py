"""Players, who choose moves: one file per kind, found by discovery."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from noughts.core import Mark
from noughts.discovery import announced, defined
from noughts.errors import InvalidPlayer
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Spec, suggest

__all__ = ["Choice", "Limits", "Player", "all_players", "player", "seeded"]


def _player_class(value: object) -> type[Player] | None:
    return value if inspect.isclass(value) and issubclass(value, Player) and hasattr(value, "name") else None


@cache
def all_players() -> Mapping[str, type[Player]]:
    """Every kind of player by name: the levels, those of this package, and those installed elsewhere.

    A package outside announces its player in the entry-point group ``noughts.players``. A level with the name
    of a player, such as ``perfect``, is not reached by its bare name.
    """
    # Loaded here, because levels make players.
    from noughts.players.levels import all_levels

    known = {**all_levels(), **{kind.name: kind for kind in defined(__name__, _player_class)}}
    return {**known, **announced("noughts.players", "player", _player_class, lambda kind: kind.name, known)}


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
