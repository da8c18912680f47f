"""The registry: every game of this folder, and every game installed elsewhere.

A file here that defines a :class:`~noughts.core.Game` is found by itself. A package outside
announces its game in the entry-point group ``noughts.games``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import warnings
from collections.abc import Mapping
from functools import cache, lru_cache

from noughts.core import Game, Position, Preset
from noughts.errors import InvalidGame
from noughts.spec import Spec, suggest

__all__ = ["all_games", "all_presets", "game", "position"]


@cache
def _built_in() -> dict[str, type[Game]]:
    found: dict[str, type[Game]] = {}
    for module in pkgutil.iter_modules(__path__):
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        for value in vars(loaded).values():
            if inspect.isclass(value) and issubclass(value, Game) and value.__module__ == loaded.__name__:
                found[value.name] = value
    return dict(sorted(found.items(), key=lambda item: (not item[1].sized, item[0])))


@cache
def all_games() -> Mapping[str, type[Game]]:
    """Every game class by name, those of this package first."""
    # Slow to import, and only needed to look beyond this package.
    from importlib.metadata import entry_points

    found = dict(_built_in())
    for entry in entry_points(group="noughts.games"):
        try:
            value = entry.load()
        except Exception as error:
            warnings.warn(f"the game {entry.name!r} ({entry.value}) cannot be loaded: {error}", stacklevel=2)
            continue
        if not (inspect.isclass(value) and issubclass(value, Game)):
            warnings.warn(f"the game {entry.name!r} ({entry.value}) is not a Game class", stacklevel=2)
        elif value.name in found:
            warnings.warn(f"the game {entry.name!r} ({entry.value}) is a second {value.name!r}", stacklevel=2)
        else:
            found[value.name] = value
    return found


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
    raise InvalidGame(
        f"unknown game {parsed.head!r}: write a size such as 4x4, or a name; {suggest(parsed.head, known)}"
    )


def position(spec: str, text: str | None = None) -> Position:
    """The first position of a game, or the one that a text describes.

    >>> position("3x3", "X2/1O1/3 X")
    position('3x3', 'X2/1O1/3 X')
    """
    return game(spec).start() if text is None else game(spec).position(text)
