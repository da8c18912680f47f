"""The strengths a client may ask for."""

from __future__ import annotations

from noughts.core import Game
from noughts.players import Player, player

LEVELS = {"easy": "rules", "medium": "rules", "hard": "mcts", "perfect": "perfect"}


def level(name: str, game: Game) -> Player:
    """The player of a level."""
    return player(LEVELS[name])
