"""The level medium."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.players.levels.level import LevelPlayer

__all__ = ["MediumPlayer"]


@dataclass(frozen=True, kw_only=True)
class MediumPlayer(LevelPlayer):
    """For someone who knows the game."""

    name = "medium"
    what = "the medium player"
    summary = "the medium level: sees the next threats and slips now and then"
    rank = 2
    exact = "perfect,cunning,epsilon=0.68"
    tree = "mcts,simulations=300"
    plain = "mcts,simulations=50,seconds=0.7"
    huge = "rules,epsilon=0.2"
