"""Players that can be set to make mistakes, so that people can win against them.

Three mechanisms make a strong player weaker: a limit on what it looks at, a chance of a random
move (``epsilon``), and sampling among its moves by what it thinks of them (``temperature``).
"""

from __future__ import annotations

import math
import random
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from noughts.core import Move, Position
from noughts.note import note
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Integer, Number, option

__all__ = ["Fallible"]


@dataclass(frozen=True, kw_only=True)
class Fallible(Player):
    """Plays its best move, except where chance decides otherwise."""

    epsilon: float = option(Number(0, 1), "the chance of a random move", default=0.0)
    temperature: float = option(Number(0, 100), "sample among moves: 0 the best, 1 nearly any", default=0.0)
    seed: int | None = option(Integer(0, 2**63), "the same seed errs in the same way", default=None)

    @cached_property
    def rng(self) -> random.Random:
        """This player's own generator."""
        return random.Random(self.seed)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Play the best move, a random one, or one sampled by rating."""
        if self.epsilon and self.rng.random() < self.epsilon:
            return Choice(position.legal_moves.pick(self.rng), note("epsilon", epsilon=self.epsilon))
        if not self.temperature:
            return self.best(position, limits)
        ratings = self.rate(position, limits)
        top = max(ratings.values())
        weights = [math.exp((rating - top) / self.temperature) for rating in ratings.values()]
        [move] = self.rng.choices(list(ratings), weights)
        return Choice(move, note("sampled", temperature=self.temperature), score=ratings[move])

    @abstractmethod
    def best(self, position: Position, limits: Limits) -> Choice:
        """The best move this player can find."""

    @abstractmethod
    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """What this player thinks of every move it has looked at, from −1 (lost) to 1 (won)."""
