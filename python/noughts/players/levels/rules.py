"""The level rules: a game's own rules of thumb, where it has some."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.core import Game
from noughts.players.levels.level import LevelPlayer

__all__ = ["RulesLevel"]


@dataclass(frozen=True, kw_only=True)
class RulesLevel(LevelPlayer):
    """For someone who wants to see the simple plan at work; the bare name is the player of that name."""

    name = "rules"
    what = "the rules player"
    summary = "the rules level: follows the game's rules of thumb and looks no further"
    rank = None
    exact = tree = plain = huge = "rules"

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Only games that have rules of thumb."""
        return game.start().has_own("advise")
