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
    summary = "the easy level: looks one move ahead and overlooks a lot, but never a win on the spot"
    rank = 1
    exact = tree = huge = "casual,depth=1,width=16,lapses=0.8,noise=5"
    plain = "casual,depth=1,lapses=0.4,noise=2"
