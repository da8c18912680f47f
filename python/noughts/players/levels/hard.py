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
    summary = "the hard level: looks several moves ahead and misses little; a deep plan beats it"
    rank = 3
    exact = tree = huge = "casual,depth=4,width=12,lapses=0.08,noise=0.4,careful"
    plain = "casual,depth=5,lapses=0.03,noise=0.2,careful"
