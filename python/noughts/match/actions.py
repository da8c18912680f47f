"""The actions of a match. An action is plain data; ``at`` is its time in seconds.

As JSON an action is an object with its name under ``action``::

    {"action": "make_move", "player": "X", "move": "b2", "at": 1700000000.0}
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from noughts.core import Mark

__all__ = ["ACTIONS", "Action", "MakeMove", "Redo", "ResetGame", "Resign", "StartGame", "Undo", "action_from_json"]


@dataclass(frozen=True, kw_only=True)
class Action:
    """A change that somebody asks for."""

    name: ClassVar[str]
    at: float = 0.0

    def to_json(self) -> dict[str, object]:
        """The action as a JSON object; fields that are ``None`` or empty are left out."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        given = {key: dict(value) if isinstance(value, Mapping) else value for key, value in fields.items()}
        return {"action": self.name, **{key: value for key, value in given.items() if value not in (None, {}, "")}}


@dataclass(frozen=True, kw_only=True)
class StartGame(Action):
    """Start a game; an earlier one in the same match is dropped."""

    name = "start_game"
    game: str
    first: Mark | None = None
    id: str = ""
    players: Mapping[Mark, str] = dataclasses.field(default_factory=dict, hash=False)
    """The person's name or the player's spec for each mark."""


@dataclass(frozen=True, kw_only=True)
class MakeMove(Action):
    """Play a move, given by its name."""

    name = "make_move"
    player: Mark
    move: str


@dataclass(frozen=True, kw_only=True)
class Undo(Action):
    """Take back one ply, or with ``player`` every ply since that player's last choice.

    Against an AI that is two plies, or more where somebody had to pass.
    """

    name = "undo"
    player: Mark | None = None


@dataclass(frozen=True, kw_only=True)
class Redo(Action):
    """Replay one ply that was taken back, or with ``player`` all plies up to that player's next choice."""

    name = "redo"
    player: Mark | None = None


@dataclass(frozen=True, kw_only=True)
class ResetGame(Action):
    """Start the same game again."""

    name = "reset_game"


@dataclass(frozen=True, kw_only=True)
class Resign(Action):
    """Resign; ``reason`` says why when the player did not choose to, e.g. a program that crashed."""

    name = "resign"
    player: Mark
    reason: str = ""


ACTIONS: dict[str, type[Action]] = {kind.name: kind for kind in (StartGame, MakeMove, Undo, Redo, ResetGame, Resign)}

_JSON_TYPES: dict[str, tuple[type, ...]] = {"at": (int, float), "players": (dict,)}


def action_from_json(value: object) -> Action:
    """Read an action from JSON; raises ``ValueError`` that says what is wrong."""
    if not isinstance(value, dict) or not isinstance(value.get("action"), str):
        raise ValueError('not an action: it must be an object with a name under "action"')
    fields = dict(value)
    name = fields.pop("action")
    if name not in ACTIONS:
        raise ValueError(f"unknown action {name!r}; there are: {', '.join(ACTIONS)}")
    kind = ACTIONS[name]
    known = {field.name: field for field in dataclasses.fields(kind)}
    for key, given in fields.items():
        if key not in known:
            raise ValueError(f"{name} has no field {key!r}; there are: {', '.join(known)}")
        if not isinstance(given, _JSON_TYPES.get(key, (str,))) or isinstance(given, bool):
            raise ValueError(f"{name}: {key} cannot be {given!r}")
    if not math.isfinite(fields.get("at", 0.0)):
        raise ValueError(f"{name}: at cannot be {fields['at']!r}")
    if not all(isinstance(who, str) for who in fields.get("players", {}).values()):
        raise ValueError(f"{name}: players cannot be {fields['players']!r}")
    missing = [
        key
        for key, field in known.items()
        if key not in fields and field.default is field.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise ValueError(f"{name} lacks {', '.join(missing)}")
    return kind(**fields)
