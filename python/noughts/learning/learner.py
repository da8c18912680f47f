"""Learner: what learns a game from play, and the settings that every learner has.

A learner with kernel tables for its game trains in the kernel; any other game is trained by the Python
rules, with the same settings, files and reports. Learners are found by themselves, one file each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from noughts.compute.limits import Limits
from noughts.core import Game, Move, Position
from noughts.errors import InvalidCheckpoint, NoughtsError, SearchError
from noughts.learning.checkpoint import Checkpoint
from noughts.spec import Configurable, Kind, Number, option

if TYPE_CHECKING:
    from noughts._kernel import _Trained

__all__ = ["ITSELF", "MEMORY", "Estimate", "InvalidTraining", "Learner", "Schedule", "ScheduleKind", "Settings"]

ITSELF: Final = "itself"
"""The opponent of a learner that plays both sides."""

MEMORY: Final = 2 << 30
"""Bytes that a learner may take unless told otherwise."""


class InvalidTraining(NoughtsError, ValueError):
    """Settings that no training can use."""

    code = "invalid_training"


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

    @property
    def ends(self) -> tuple[float, float]:
        """The first number and the last."""
        return self.start, self.end

    def __str__(self) -> str:
        return f"{self.start:g}:{self.end:g}"


class ScheduleKind(Kind[Schedule]):
    """A number from 0 to 1, or two: for the first game and the last."""

    expects = "a number from 0 to 1, or two, e.g. 1:0.1"

    def read(self, text: str | None) -> Schedule:
        """Read ``0.5`` or ``1:0.1``."""
        if text is None:
            raise ValueError
        start, colon, end = text.partition(":")
        return Schedule(float(start), float(end if colon else start))

    def check(self, value: Schedule) -> bool:
        """Accept schedules between the bounds."""
        return 0 <= value.start <= 1 and 0 <= value.end <= 1


@dataclass(frozen=True)
class Settings(Configurable):
    """How to learn from the games of a run. A learner with more options has a subclass of this."""

    error = InvalidTraining
    what = "training"

    total: int
    """The games of the whole run, which the schedules span."""
    seed: int = 0
    opponent: str = ITSELF
    """One of the opponents that the learner can play by itself."""
    threads: int = 1
    epsilon: Schedule = option(ScheduleKind(), "chance of a random move, first:last", default=Schedule(1.0, 0.2))
    rate: Schedule = option(ScheduleKind(), "learning rate, first:last", default=Schedule(0.5, 0.1))
    discount: float = option(Number(0, 1), "what a result one ply later is worth", default=0.95)

    @property
    def random_plies(self) -> int:
        """Training games begin with up to so many random moves."""
        return 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a training will take, told before it begins."""

    memory: int
    """Bytes."""
    seconds: float | None = None
    """On this machine as it is now; ``None`` where nothing can be said."""
    positions: int | None = None
    """Positions up to symmetry, for a learner that keeps a value for each."""


class Learner(ABC):
    """Learns a game from play. Starts take turns: in every other game the second mark begins.

    ``limits`` bound what the learner does before its first game, such as looking for every position.
    """

    kind: ClassVar[str]
    """Its name on the command line, in checkpoints, and of the player that plays what it learned."""
    summary: ClassVar[str]
    examples: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Options of ``noughts train`` after the learner's name, and what they do."""
    settings: ClassVar[type[Settings]] = Settings
    default_games: ClassVar[int]
    """The games of a run that names no number, in a game that :meth:`usual_games` says nothing else about."""
    arrays: ClassVar[tuple[str, ...]]
    """The arrays that each of its checkpoints has."""
    opponents: ClassVar[tuple[str, ...]] = (ITSELF,)
    """Whom :meth:`train` can play; games with anybody else are played between players."""

    def __init__(self, game: Game, limits: Limits | None = None) -> None:
        self.check_game(game)
        self.game = game

    @classmethod
    def check_game(cls, game: Game) -> None:
        """Refuse a game that it cannot learn, as far as that can be told at once."""
        if len(game.marks) != 2:
            raise SearchError(f"learning is for two players; {game} has {len(game.marks)} players")

    @classmethod
    def defaults(cls, game: Game) -> dict[str, object]:
        """The options that suit the learner in a game."""
        usual = cls.settings(cls.default_games)
        return {name: getattr(usual, name) for name in cls.settings.option_fields()}

    @classmethod
    def usual_games(cls, game: Game) -> int:
        """How many games a run takes that names no number."""
        return cls.default_games

    @classmethod
    def estimate(cls, game: Game, settings: Settings) -> Estimate | None:
        """What a training will take; ``None`` from a learner that cannot tell."""
        cls.check_game(game)
        return None

    @property
    @abstractmethod
    def games(self) -> int:
        """Games learned from."""

    @abstractmethod
    def train(self, games: int, settings: Settings, limits: Limits | None = None) -> _Trained:
        """Play and learn from so many more games. The limits' ``stop`` ends it early, between games."""

    @abstractmethod
    def learn(
        self, root: int, moves: Sequence[Move], settings: Settings, *, opening: int = 0, seat: int | None = None
    ) -> float:
        """Learn from one game that was played from a start; the result is the mean error.

        ``root`` is the seat that began. The first ``opening`` moves were random; ``seat`` is the
        learner's, if it had only one.
        """

    @abstractmethod
    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth now, from −1 to 1."""

    def grade(self) -> tuple[int, int, int, float] | None:
        """Compare its choice in every position with best play, if it knows every position.

        The numbers are those of a :class:`~noughts.lab.grading.Grade`: positions, best, sound, points lost.
        """
        return None

    @abstractmethod
    def checkpoint(self) -> Checkpoint:
        """All that was learned."""

    @abstractmethod
    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint of the same game."""

    def check(self, checkpoint: Checkpoint) -> None:
        """Refuse a checkpoint of another learner or game, or one that is not whole."""
        if checkpoint.kind != self.kind:
            raise InvalidCheckpoint(f"a checkpoint of {checkpoint.kind} is not one of {self.kind}", "other_learner")
        if checkpoint.game != self.game.spec:
            raise InvalidCheckpoint(f"a checkpoint of {checkpoint.game} is not one of {self.game}", "other_game")
        checkpoint.check_arrays(*self.arrays)
