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
    summary = "the medium level: looks two moves ahead and never hands you a win on the spot, but misses traps"
    rank = 2
    exact = tree = huge = "casual,depth=2,width=16,lapses=0.4,noise=2.5,careful"
    plain = "casual,depth=3,lapses=0.15,noise=1,careful"
