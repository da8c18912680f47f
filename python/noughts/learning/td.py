"""Temporal-difference learning of a network of tuples."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from noughts._kernel import TdLearner
from noughts.compute.kernel import limited, moment
from noughts.compute.limits import Limits
from noughts.core import Game, Move, Position
from noughts.learning.checkpoint import Checkpoint
from noughts.learning.features import Features
from noughts.learning.learner import ITSELF, Estimate, Learner, Schedule, ScheduleKind, Settings
from noughts.learning.network import pack, unpack
from noughts.learning.python_td import PythonTd
from noughts.learning.q import training
from noughts.spec import Integer, Number, option

if TYPE_CHECKING:
    from noughts._kernel import _Trained

__all__ = ["Td", "TdSettings"]

TIMED_GAMES = 200
"""Games by which the machine's speed is told,"""

TIMED_SECONDS = 0.5
"""and how long they may take."""

SMALL_BOARD = 16
"""Cells up to which training aims at the best move in every position, not just at strong play from the start."""


@dataclass(frozen=True)
class TdSettings(Settings):
    """How to train a network."""

    epsilon: Schedule = option(ScheduleKind(), "chance of a random move, first:last", default=Schedule(0.2, 0.05))
    rate: Schedule = option(ScheduleKind(), "learning rate, first:last", default=Schedule(1.0, 0.3))
    discount: float = option(Number(0, 1), "what a result one ply later is worth", default=0.99)
    trace: float = option(Number(0, 1), "how far targets look ahead: 0 one move, 1 to the result", default=0.8)
    opening: int = option(Integer(0, 10_000), "games begin with up to so many random moves", default=2)

    @property
    def random_plies(self) -> int:
        """Training games begin with up to so many random moves."""
        return self.opening


class Td(Learner):
    """Learns weights of lines and blocks of the board, which value any position."""

    kind = "td"
    summary = "a network of lines and blocks that values any position; for larger boards (5x5,k=4, duel,size=6)"
    examples = (
        ("--game 5x5,k=4 --games 50000", "learned features"),
        ("--game 4x4 --against rules", "learn from games with a player"),
    )
    settings = TdSettings
    default_games = 50_000
    small_board_games = 200_000
    arrays = ("tuples", "tables", "weights", "sums", "sizes")
    opponents = ("itself", "random")

    def __init__(self, game: Game, limits: Limits | None = None, *, features: Features | None = None) -> None:
        super().__init__(game)
        self._tables = game.kernel
        self._begin(features or Features.of(game))

    def _begin(self, features: Features) -> None:
        self.features = features
        self._learner: TdLearner | PythonTd
        if self._tables is None:
            self._learner = PythonTd(self.game, features)
        else:
            roots = [moment(self.game.start(mark)) for mark in self.game.marks]
            self._learner = TdLearner(
                self._tables, roots=roots, tuples=features.tuples, groups=features.tables, mirror=features.mirror
            )

    @classmethod
    def usual_games(cls, game: Game) -> int:
        """More on a small board, where the games are short and every move can be learned exactly."""
        return cls.small_board_games if _is_small(game) else cls.default_games

    @classmethod
    def defaults(cls, game: Game) -> dict[str, object]:
        """On a small board, what tells a quick win from a slow one, and positions of all kinds."""
        usual = super().defaults(game)
        if not _is_small(game):
            return usual
        exact = {"epsilon": Schedule(0.5, 0.1), "discount": 0.7, "trace": 0.5, "opening": game.grid.cells // 2}
        return usual | exact

    @classmethod
    def estimate(cls, game: Game, settings: Settings) -> Estimate:
        """By the weights, and by how long a few games take."""
        scratch = cls(game)
        began = time.perf_counter()
        with_one = replace(_checked(settings), threads=1)
        played = scratch.train(TIMED_GAMES, with_one, Limits(stop=lambda: time.perf_counter() - began > TIMED_SECONDS))
        each = (time.perf_counter() - began) / played["games"]
        weights = len(scratch._learner.arrays()[0])
        # The weights, the sums and sizes of their errors; every thread has a copy.
        return Estimate(3 * weights * (1 + settings.threads), each * settings.total / settings.threads)

    @property
    def games(self) -> int:
        """Games learned from."""
        return self._learner.games

    def train(self, games: int, settings: Settings, limits: Limits | None = None) -> _Trained:
        """Play and learn from so many more games."""
        limits, chosen = limits or Limits(), _checked(settings)
        if isinstance(self._learner, PythonTd):
            return self._learner.train(games, chosen, chosen.trace, limits)
        return self._learner.train(
            limited(limits), games=games, trace=chosen.trace, opening=chosen.opening, **training(chosen)
        )

    def learn(
        self, root: int, moves: Sequence[Move], settings: Settings, *, opening: int = 0, seat: int | None = None
    ) -> float:
        """Learn from one game what positions are worth against whoever sits opposite."""
        chosen = replace(_checked(settings), opponent=ITSELF)
        if isinstance(self._learner, PythonTd):
            return self._learner.learn(root, moves, chosen, chosen.trace, opening=opening, seat=seat)
        return self._learner.learn(
            moves,
            root=root,
            opening=opening,
            seat=seat,
            total=chosen.total,
            rate=chosen.rate.ends,
            discount=chosen.discount,
            trace=chosen.trace,
        )

    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth now."""
        if isinstance(self._learner, PythonTd):
            return self._learner.network.rate(position)
        assert self._tables is not None
        return dict(self._learner.rate(self._tables, moment(position)))

    def checkpoint(self) -> Checkpoint:
        """The tuples, their weights, and how far the errors of each weight agree."""
        parts = zip(("weights", "sums", "sizes"), self._learner.arrays(), strict=True)
        arrays = {name: np.frombuffer(part, dtype="<f4") for name, part in parts}
        return Checkpoint(
            self.kind, self.game.spec, self.games, {**pack(self.features), **arrays}, {"cells": self.features.cells}
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint, with the features it has."""
        self.check(checkpoint)
        features = unpack(checkpoint.arrays, self.features.cells)
        if features != self.features:
            self._begin(features)
        arrays = (checkpoint.arrays[name].tobytes() for name in ("weights", "sums", "sizes"))
        self._learner.restore(checkpoint.games, *arrays)


def _is_small(game: Game) -> bool:
    return game.grid.cells <= SMALL_BOARD and game.kernel is not None and not game.counts_tiles


def _checked(settings: Settings) -> TdSettings:
    """The settings of a network; those that all learners share are filled up with its own."""
    if isinstance(settings, TdSettings):
        return settings
    shared = {name: getattr(settings, name) for name in Settings.__dataclass_fields__}
    return TdSettings(**shared)
