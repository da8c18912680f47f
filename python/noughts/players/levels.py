"""Levels for people: easy, medium, hard and perfect, for every game.

A level is a name for a player's spec, one that suits the game: on small boards an exact player that
slips now and then, on large ones a search that looks less far. Each level beats the one below it by
more than 100 Elo; ``benchmarks/`` has the arenas that show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from noughts.core import LARGEST_COMPILED, Game, Mark, Position
from noughts.errors import InvalidPlayer
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Integer, option, suggest

__all__ = ["LEVELS", "EasyPlayer", "HardPlayer", "LevelPlayer", "MediumPlayer", "level", "level_spec"]

LEVELS: Final = ("easy", "medium", "hard", "perfect")

_EXACT: Final = {
    "easy": "perfect,cunning,epsilon=0.95",
    "medium": "perfect,cunning,epsilon=0.68",
    "hard": "perfect,cunning,epsilon=0.38",
    "perfect": "perfect,cunning",
}
_TREE: Final = {
    "easy": "mcts,simulations=30",
    "medium": "mcts,simulations=300",
    "hard": "mcts,simulations=3000",
    "perfect": "perfect,cunning",
}
_PLAIN: Final = {
    "easy": "mcts,simulations=10",
    "medium": "mcts,simulations=50",
    "hard": "mcts,simulations=250",
    "perfect": "perfect",
}
_HUGE: Final = {
    "easy": "rules,epsilon=0.5",
    "medium": "rules,epsilon=0.2",
    "hard": "rules,epsilon=0.05",
    "perfect": "rules",
}


def level_spec(name: str, game: Game) -> str:
    """The player that a level stands for in a game.

    >>> from noughts import game
    >>> level_spec("hard", game("gomoku"))
    'engine,depth=4'
    """
    if name not in LEVELS:
        raise InvalidPlayer(f"unknown level {name!r}; {suggest(name, LEVELS)}")
    return _ladder(game)[name]


def level(name: str, game: Game, *, mark: Mark | None = None, seed: int | None = None) -> Player:
    """Make the player of a level; the same seed errs in the same way."""
    from noughts.players import player

    spec = level_spec(name, game)
    return player(spec if seed is None else f"{spec},seed={seed}", mark=mark)


def _ladder(game: Game) -> Mapping[str, str]:
    return {**_usual(game), **(game.levels() or {})}


def _usual(game: Game) -> Mapping[str, str]:
    """The players that suit the size of a game."""
    cells = game.grid.cells
    if cells > LARGEST_COMPILED:
        return _HUGE
    if game.kernel is None:
        return _PLAIN
    return _EXACT if len(game.marks) == 2 and cells <= (20 if game.counts_tiles else 25) else _TREE


@dataclass(frozen=True, kw_only=True)
class LevelPlayer(Player):
    """Plays any game at a level."""

    seed: int | None = option(Integer(0, 2**63), "the same seed errs in the same way", default=None)

    @cached_property
    def _minds(self) -> dict[Game, Player]:
        return {}

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Ask the player that the level stands for."""
        game = position.game
        if game not in self._minds:
            self._minds[game] = level(self.name, game, seed=self.seed)
        return self._minds[game].decide(position, limits)


@dataclass(frozen=True, kw_only=True)
class EasyPlayer(LevelPlayer):
    """For a first game."""

    name = "easy"
    what = "the easy player"
    summary = "the easy level: sees little and slips often"


@dataclass(frozen=True, kw_only=True)
class MediumPlayer(LevelPlayer):
    """For someone who knows the game."""

    name = "medium"
    what = "the medium player"
    summary = "the medium level: sees the next threats and slips now and then"


@dataclass(frozen=True, kw_only=True)
class HardPlayer(LevelPlayer):
    """For someone who likes to work for it."""

    name = "hard"
    what = "the hard player"
    summary = "the hard level: strong, but it can be beaten"
