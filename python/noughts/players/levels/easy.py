"""The level easy."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.players.levels.level import LevelPlayer

__all__ = ["EasyPlayer"]


@dataclass(frozen=True, kw_only=True)
class EasyPlayer(LevelPlayer):
    """For a first game."""

    name = "easy"
    what = "the easy player"
    summary = "the easy level: sees little and slips often"
    rank = 1
    exact = "perfect,cunning,epsilon=0.95"
    tree = "mcts,simulations=30"
    plain = "mcts,simulations=10,seconds=0.5"
    huge = "rules,epsilon=0.5"
