"""Tabular Q-learning: one value for every class of positions up to symmetry."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np

from noughts._kernel import QLearner
from noughts.compute.kernel import limited, moment
from noughts.compute.limits import Limits
from noughts.core import Game, Move, Position
from noughts.errors import SearchError
from noughts.games import game as game_of
from noughts.learning.checkpoint import Checkpoint
from noughts.learning.class_count import ClassCount, count_classes
from noughts.learning.graph import CLASS_BYTES
from noughts.learning.learner import MEMORY, Estimate, Learner, Schedule, Settings
from noughts.learning.python_q import PythonQ

if TYPE_CHECKING:
    from noughts._kernel import _Trained

__all__ = ["Q"]

MANY_CLASSES: Final = 20_000
"""Positions from which on a game has to be explored at random all the time."""

GAMES_PER_CLASS: Final = 3
"""Random games for each position: after so many, 99.98% of the positions of 4x4 have their best move."""

TABLE_CLASS_BYTES: Final = 110
"""Memory that the kernel takes for a position up to symmetry, its values included."""

EDGE_BYTES: Final = 8
"""Memory that the kernel takes for a move between two of them."""

TIMED_GAME: Final = "3x3"
"""A small game by which the machine's speed is told,"""

TIMED_GAMES: Final = 20_000
"""and how many games of it."""

CACHED_CLASSES: Final = 170_000
"""Positions for which the processor waits as long for memory as it works; for more, longer in proportion."""

SLOWEST_STEP: Final = 20
"""How many times as long a step takes at most when nothing is in the processor's caches."""

EXPLORE_STEPS: Final = 80
"""How many steps of a training game the look at one position takes before the first game."""


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
        _check_size(game, limits.memory or MEMORY)
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
        """Where tiles count, a later result is worth as much as an early one.

        Where there are many positions, every one has to come up: games are random, and a value is taken over at
        once, which is sound since a move always leads to the same position.
        """
        usual = super().defaults(game)
        if game.counts_tiles:
            usual["discount"] = 1.0
        if _count(game, MEMORY).classes > MANY_CLASSES:
            usual |= {"epsilon": Schedule(1.0, 1.0), "rate": Schedule(1.0, 1.0)}
        return usual

    @classmethod
    def usual_games(cls, game: Game) -> int:
        """As many as give nearly every position its best move: some for each of them."""
        classes = _count(game, MEMORY).classes
        if classes <= MANY_CLASSES:
            return cls.default_games
        wanted = GAMES_PER_CLASS * classes
        step = int(10 ** (len(str(wanted)) - 2))
        return max(cls.default_games, -(-wanted // step) * step)

    @classmethod
    def estimate(cls, game: Game, settings: Settings) -> Estimate:
        """By the number of positions, and by how quickly this machine learns a small game."""
        cls.check_game(game)
        _check_size(game, MEMORY)
        count = _count(game, MEMORY)
        if game.kernel is None:
            return Estimate(count.classes * CLASS_BYTES, None, count.classes)
        step = _step_seconds() * min(1 + count.classes / CACHED_CLASSES, SLOWEST_STEP)
        learning = settings.total * count.plies * step / settings.threads
        exploring = count.classes * EXPLORE_STEPS * _step_seconds()
        return Estimate(_bytes(count), exploring + learning, count.classes)

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


def _count(game: Game, memory: int) -> ClassCount:
    """How many positions there are; exploring them all takes too long to find out."""
    return count_classes(game, memory // (CLASS_BYTES if game.kernel is None else TABLE_CLASS_BYTES))


def _bytes(count: ClassCount) -> int:
    """What the kernel's table of a game takes."""
    return count.classes * TABLE_CLASS_BYTES + count.edges * EDGE_BYTES


def _check_size(game: Game, memory: int) -> None:
    """Refuse a game that has too many positions, before looking at them one by one."""
    if 3**game.grid.cells * TABLE_CLASS_BYTES <= memory:
        return
    count = _count(game, memory)
    needed = _bytes(count) if game.kernel is not None else count.classes * CLASS_BYTES
    if needed > memory:
        count_text = f"about {count.classes:,}" if count.complete else f"more than {count.classes:,}"
        raise SearchError(
            f"{game} has too many positions for a table ({count_text} up to symmetry, which would take "
            f"{needed / 1e9:,.1f} GB or more; {memory / 1e9:,.1f} GB are allowed); learn it with td: "
            f"noughts train td --game {game}",
            "out_of_memory",
        )


@cache
def _step_seconds() -> float:
    """What a move of a training game takes where all values are at hand."""
    small = game_of(TIMED_GAME)
    roots = [moment(small.start(mark)) for mark in small.marks]
    assert small.kernel is not None
    table, how = QLearner(small.kernel, limited(Limits()), roots=roots, tiles=False), Settings(TIMED_GAMES)
    began = time.perf_counter()
    plies = table.train(limited(Limits()), games=TIMED_GAMES, **training(how))["plies"]
    return (time.perf_counter() - began) / plies


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
