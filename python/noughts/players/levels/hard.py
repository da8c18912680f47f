"""The level hard."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.players.levels.level import LevelPlayer

__all__ = ["HardPlayer"]


@dataclass(frozen=True, kw_only=True)
class HardPlayer(LevelPlayer):
    """For someone who likes to work for it."""

    name = "hard"
    what = "the hard player"
    summary = "the hard level: strong, but it can be beaten"
    rank = 3
    exact = "perfect,cunning,epsilon=0.38"
    tree = "mcts,simulations=3000"
    plain = "mcts,simulations=250,seconds=1"
    huge = "rules,epsilon=0.05"
