"""The level perfect."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.players.levels.level import LevelPlayer

__all__ = ["PerfectLevel"]


@dataclass(frozen=True, kw_only=True)
class PerfectLevel(LevelPlayer):
    """For someone who wants the truth; the bare name is the player of that name."""

    name = "perfect"
    what = "the perfect player"
    summary = "the perfect level: plays what is proven best, and the most tempting of that"
    rank = 4
    exact = "perfect,cunning"
    tree = "perfect,cunning"
    plain = "perfect,seconds=2"
    huge = "perfect,cunning"
