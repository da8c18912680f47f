"""Learners: a table or a network that the kernel trains, saves and goes on with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from noughts._kernel import QLearner, TdLearner
from noughts.compute.kernel import limited, moment
from noughts.compute.limits import Limits
from noughts.core import Game, Move, Position
from noughts.errors import InvalidCheckpoint, SearchError
from noughts.learning.checkpoint import Checkpoint
from noughts.learning.features import Features
from noughts.learning.network import pack, unpack
from noughts.learning.table import tables_of

if TYPE_CHECKING:
    from noughts._kernel import _Numbers, _Trained

__all__ = ["KERNEL_OPPONENTS", "Learner", "Q", "Schedule", "Stretch", "Td"]

KERNEL_OPPONENTS = {"q": ("itself", "random", "perfect"), "td": ("itself", "random")}
"""Whom the kernel can play in training, by learner; other opponents play through their players."""

MEMORY = 2 << 30
"""Bytes that a table may take unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A number that changes evenly from the first game to the last."""

    start: float
    end: float

    def at(self, done: int, total: int) -> float:
        """The number once ``done`` of ``total`` games are played.

        >>> Schedule(1.0, 0.2).at(50, 100)
        0.6
        """
        share = min(done / total, 1.0) if total else 1.0
        return self.start + (self.end - self.start) * share

    def __str__(self) -> str:
        return f"{self.start:g}:{self.end:g}"


@dataclass(frozen=True, slots=True)
class Stretch:
    """How to learn from the games of a run."""

    total: int
    """The games of the whole run, which the schedules span."""
    seed: int = 0
    epsilon: Schedule = Schedule(1.0, 0.2)
    rate: Schedule = Schedule(0.5, 0.1)
    discount: float = 0.95
    """What a result one ply later is worth: below 1, a quick win is worth more than a slow one."""
    opponent: str = "itself"
    threads: int = 1
    trace: float = 0.8
    """How far a network's targets look ahead: 0 one move, 1 to the result."""
    opening: int = 2
    """A network's games begin with up to so many random moves."""

    def numbers(self) -> _Numbers:
        """As the kernel takes them."""
        epsilon, rate = (self.epsilon.start, self.epsilon.end), (self.rate.start, self.rate.end)
        return self.seed, self.total, epsilon, rate, self.discount, self.opponent, self.threads


class Learner(ABC):
    """Learns a game from play. Starts take turns: in every other game the second mark begins."""

    kind: ClassVar[str]
    defaults: ClassVar[Stretch]
    """How this learner learns best, as far as we know."""

    def __init__(self, game: Game) -> None:
        if len(game.marks) != 2:
            raise SearchError(f"learning is for games of two; {game} has {len(game.marks)} players")
        self.game = game
        self.compiled = tables_of(game.start())
        self.roots = [moment(game.start(mark)) for mark in game.marks]

    @property
    @abstractmethod
    def games(self) -> int:
        """Games learned from."""

    @abstractmethod
    def train(self, games: int, stretch: Stretch, *, limits: Limits | None = None) -> _Trained:
        """Play and learn from so many more games. The limits can end it early, between rounds of games."""

    @abstractmethod
    def follow(
        self, root: int, moves: Sequence[Move], stretch: Stretch, *, opening: int = 0, seat: int | None = None
    ) -> float:
        """Learn from one game that was played from a start; the result is the mean error.

        The first ``opening`` moves were drawn by lot; ``seat`` is the learner's, if it had but one.
        """

    @abstractmethod
    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth now, from −1 to 1."""

    @abstractmethod
    def checkpoint(self) -> Checkpoint:
        """All that was learned."""

    @abstractmethod
    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint of the same game."""

    def _check(self, checkpoint: Checkpoint) -> None:
        if checkpoint.kind != self.kind:
            raise InvalidCheckpoint(f"a checkpoint of {checkpoint.kind} is not one of {self.kind}", "other_learner")
        if checkpoint.game != self.game.spec:
            raise InvalidCheckpoint(f"a checkpoint of {checkpoint.game} is not one of {self.game}", "other_game")


class Q(Learner):
    """Tabular Q-learning: one value for every class of positions up to symmetry."""

    kind = "q"
    defaults = Stretch(200_000)

    def __init__(self, game: Game, *, limits: Limits | None = None) -> None:
        super().__init__(game)
        allowance = limited(limits, memory=MEMORY)
        try:
            self._table = QLearner(self.compiled, self.roots, game.counts_tiles, allowance)
        except SearchError as error:
            if error.code in ("out_of_memory", "search_does_not_apply"):
                raise SearchError(
                    f"{game} has too many positions for a table ({error}); learn it with td", error.code
                ) from None
            raise

    @property
    def games(self) -> int:
        """Games learned from."""
        return self._table.games

    @property
    def classes(self) -> int:
        """Classes of positions that the game can reach."""
        return self._table.classes

    def train(self, games: int, stretch: Stretch, *, limits: Limits | None = None) -> _Trained:
        """Play and learn from so many more games."""
        return self._table.train(games, stretch.numbers(), limited(limits))

    def follow(
        self, root: int, moves: Sequence[Move], stretch: Stretch, *, opening: int = 0, seat: int | None = None
    ) -> float:
        """Learn from one game what its moves are worth against best play, whoever played them."""
        return self._table.follow(root, moves, stretch.rate.at(self.games, stretch.total), stretch.discount)

    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth now."""
        return {move: value for move, value, _ in self._table.rate(self.compiled, moment(position))}

    def grade(self) -> tuple[int, int, int, float]:
        """Compare its choice in every position with best play: positions, best, sound, points lost."""
        return self._table.grade()

    def checkpoint(self) -> Checkpoint:
        """Codes, values and visits of every class learned from."""
        codes, values, visits = self._table.arrays()
        arrays = {
            "codes": np.frombuffer(codes, dtype="|u1").reshape(-1, 16),
            "values": np.frombuffer(values, dtype="<f4"),
            "visits": np.frombuffer(visits, dtype="<u4"),
        }
        return Checkpoint("q", self.game.spec, self.games, arrays, {})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint."""
        self._check(checkpoint)
        arrays = (checkpoint.arrays[name].tobytes() for name in ("codes", "values", "visits"))
        self._table.restore(checkpoint.games, *arrays)


class Td(Learner):
    """Temporal-difference learning of a network of tuples."""

    kind = "td"
    defaults = replace(Q.defaults, total=50_000, epsilon=Schedule(0.2, 0.05), rate=Schedule(1.0, 0.3), discount=0.99)

    def __init__(self, game: Game, features: Features | None = None) -> None:
        super().__init__(game)
        self.features = features or Features.of(game)
        self._learner = TdLearner(self.compiled, self.roots, self.features.tuples, self.features.tables)

    @property
    def games(self) -> int:
        """Games learned from."""
        return self._learner.games

    def train(self, games: int, stretch: Stretch, *, limits: Limits | None = None) -> _Trained:
        """Play and learn from so many more games."""
        more = stretch.trace, stretch.opening
        return self._learner.train(games, stretch.numbers(), more, limited(limits))

    def follow(
        self, root: int, moves: Sequence[Move], stretch: Stretch, *, opening: int = 0, seat: int | None = None
    ) -> float:
        """Learn from one game what positions are worth against whoever sits opposite."""
        numbers = replace(stretch, opponent="itself").numbers()
        return self._learner.follow((root, opening, seat), moves, numbers, (stretch.trace, stretch.opening))

    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth now."""
        return dict(self._learner.rate(self.compiled, moment(position)))

    def checkpoint(self) -> Checkpoint:
        """The tuples, their weights, and how far the errors of each weight agree."""
        parts = zip(("weights", "sums", "sizes"), self._learner.arrays(), strict=True)
        arrays = {name: np.frombuffer(part, dtype="<f4") for name, part in parts}
        return Checkpoint(
            "td", self.game.spec, self.games, {**pack(self.features), **arrays}, {"cells": self.features.cells}
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint."""
        self._check(checkpoint)
        if unpack(checkpoint.arrays, self.game.grid.cells) != self.features:
            raise InvalidCheckpoint("the checkpoint has other features than this noughts uses", "other_version")
        arrays = (checkpoint.arrays[name].tobytes() for name in ("weights", "sums", "sizes"))
        self._learner.restore(checkpoint.games, *arrays)
