"""Tabular Q-learning: one value for every class of positions up to symmetry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from noughts._kernel import QLearner
from noughts.compute.kernel import limited, moment
from noughts.compute.limits import Limits
from noughts.core import Game, Move, Position
from noughts.errors import SearchError
from noughts.learning.checkpoint import Checkpoint
from noughts.learning.learner import MEMORY, Learner, Settings
from noughts.learning.python_q import PythonQ

if TYPE_CHECKING:
    from noughts._kernel import _Trained

__all__ = ["Q"]


class Q(Learner):
    """Learns a table: for games with few enough positions to look at each of them."""

    kind = "q"
    summary = "a table with a value for every position; for boards that have few enough of them (3x3, 4x3, 4x4)"
    examples = (
        ("--game 3x3", "plays every position perfectly within seconds"),
        ("--game 3x3,misere --against random", "learn from a random opponent"),
        ("--game 3x3 --seeds 5", "five runs, for a report with bands"),
        ("--game 3x3 --blind --games 5000", "find out by trying which moves are legal"),
    )
    default_games = 200_000
    arrays = ("codes", "values", "visits")
    opponents = ("itself", "random", "perfect")

    def __init__(self, game: Game, limits: Limits | None = None) -> None:
        super().__init__(game)
        limits = (limits or Limits()).within(memory=MEMORY)
        self._tables = game.kernel
        self._table: QLearner | PythonQ
        try:
            if self._tables is None:
                self._table = PythonQ(game, limits)
            else:
                roots = [moment(game.start(mark)) for mark in game.marks]
                self._table = QLearner(self._tables, limited(limits), roots=roots, tiles=game.counts_tiles)
        except SearchError as error:
            if error.code in ("out_of_memory", "search_does_not_apply"):
                raise SearchError(
                    f"{game} has too many positions for a table ({error}); learn it with td", error.code
                ) from None
            raise

    @classmethod
    def defaults(cls, game: Game) -> dict[str, object]:
        """Where tiles count, a later result is worth as much as an early one."""
        usual = super().defaults(game)
        return {**usual, "discount": 1.0} if game.counts_tiles else usual

    @property
    def games(self) -> int:
        """Games learned from."""
        return self._table.games

    @property
    def classes(self) -> int:
        """Classes of positions that the game can reach."""
        return self._table.classes

    def train(self, games: int, settings: Settings, limits: Limits | None = None) -> _Trained:
        """Play and learn from so many more games."""
        limits = limits or Limits()
        if isinstance(self._table, PythonQ):
            return self._table.train(games, settings, limits)
        return self._table.train(limited(limits), games=games, **training(settings))

    def learn(
        self, root: int, moves: Sequence[Move], settings: Settings, *, opening: int = 0, seat: int | None = None
    ) -> float:
        """Learn from one game what its moves are worth against best play, whoever played them."""
        rate = settings.rate.at(self.games, settings.total)
        if isinstance(self._table, PythonQ):
            return self._table.learn(root, moves, rate, settings.discount)
        return self._table.learn(moves, root=root, rate=rate, discount=settings.discount)

    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth now."""
        if isinstance(self._table, PythonQ):
            return self._table.rate(position)
        assert self._tables is not None
        return {move: value for move, value, _ in self._table.rate(self._tables, moment(position))}

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
        return Checkpoint(self.kind, self.game.spec, self.games, arrays, {})

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint."""
        self.check(checkpoint)
        self._table.restore(checkpoint.games, *(checkpoint.arrays[name].tobytes() for name in self.arrays))


class Training(TypedDict):
    """What every learner of the kernel takes to train."""

    seed: int
    total: int
    epsilon: tuple[float, float]
    rate: tuple[float, float]
    discount: float
    opponent: str
    threads: int


def training(settings: Settings) -> Training:
    """Settings as the kernel takes them."""
    return {
        "seed": settings.seed,
        "total": settings.total,
        "epsilon": settings.epsilon.ends,
        "rate": settings.rate.ends,
        "discount": settings.discount,
        "opponent": settings.opponent,
        "threads": settings.threads,
    }
