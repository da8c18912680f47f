"""The player that plays anything."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from noughts.core import Position
from noughts.note import note
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Integer, option

__all__ = ["RandomPlayer"]


@dataclass(frozen=True, kw_only=True)
class RandomPlayer(Player):
    """Every legal move is as likely as any other."""

    name = "random"
    what = "the random player"
    summary = "plays any legal move"

    seed: int | None = option(Integer(0, 2**63), "the same seed plays the same moves", default=None)

    @cached_property
    def rng(self) -> random.Random:
        """This player's own generator."""
        return random.Random(self.seed)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Draw a move."""
        return Choice(position.legal_moves.pick(self.rng), note("random"))
