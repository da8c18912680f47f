"""The registry: every game of this folder, and every game installed elsewhere.

A file here that defines a :class:`~noughts.core.Game` is found by itself. A package outside
announces its game in the entry-point group ``noughts.games``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import cache, lru_cache

from noughts.core import Game, Position, Preset
from noughts.discovery import announced, defined
from noughts.errors import InvalidGame
from noughts.spec import Spec, suggest

__all__ = ["all_games", "all_presets", "game", "position"]


def _game_class(value: object) -> type[Game] | None:
    return value if inspect.isclass(value) and issubclass(value, Game) and hasattr(value, "name") else None


@cache
def _built_in() -> dict[str, type[Game]]:
    found = {kind.name: kind for kind in defined(__name__, _game_class)}
    return dict(sorted(found.items(), key=lambda item: (not item[1].sized, item[0])))


@cache
def all_games() -> Mapping[str, type[Game]]:
    """Every game class by name, those of this package first."""
    known = _built_in()
    return {**known, **announced("noughts.games", "game", _game_class, lambda kind: kind.name, known)}


def all_presets() -> dict[str, Preset]:
    """Every preset of every game by name."""
    return {preset.name: preset for kind in all_games().values() for preset in kind.presets}


@lru_cache(maxsize=1024)
def game(spec: str) -> Game:
    """Make the game that a spec describes.

    >>> game("gomoku,exact").spec
    '15x15,k=5,exact'
    """
    parsed = Spec.parse(spec, error=InvalidGame)
    games = _built_in()
    if parsed.head not in games and parsed.head not in {p.name for kind in games.values() for p in kind.presets}:
        games = dict(all_games())
    presets = {preset.name: preset for kind in games.values() for preset in kind.presets}
    options = dict(parsed.options)
    if parsed.head in presets:
        preset = Spec.parse(presets[parsed.head].spec, error=InvalidGame)
        parsed = Spec(preset.head, {**preset.options, **options})
    if parsed.head in games:
        kind = games[parsed.head]
        return kind(**kind.read_options(parsed.options))
    if re.fullmatch(r"[0-9]+(x[0-9]+)+", parsed.head):
        if parsed.head == spec.split(",")[0].strip().lower() and "size" in options:
            raise InvalidGame(f"{spec!r} gives the size twice")
        kind = next(kind for kind in games.values() if kind.sized)
        return kind(**kind.read_options({"size": parsed.head, **parsed.options}))
    known = list(dict.fromkeys([*presets, *(name for name in games if not games[name].sized)]))
    raise InvalidGame(f"unknown game {parsed.head!r}: write a size, e.g. 4x4, or a name; {suggest(parsed.head, known)}")


def position(spec: str, text: str | None = None) -> Position:
    """The first position of a game, or the one that a text describes.

    >>> position("3x3", "X2/1O1/3 X")
    position('3x3', 'X2/1O1/3 X')
    """
    return game(spec).start() if text is None else game(spec).position(text)
