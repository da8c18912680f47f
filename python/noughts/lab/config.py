"""Config: everything that decides what a training run does."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from noughts.core import Game
from noughts.errors import InvalidCheckpoint, NoughtsError
from noughts.games import game as game_of
from noughts.learning import Q, Schedule, Stretch, Td
from noughts.learning.learner import KERNEL_OPPONENTS
from noughts.players import player

__all__ = ["LEARNERS", "Config", "InvalidTraining"]

LEARNERS: dict[str, type[Q] | type[Td]] = {"q": Q, "td": Td}

ITSELF = "itself"


class InvalidTraining(NoughtsError, ValueError):
    """Numbers that no training can use."""

    code = "invalid_training"


@dataclass(frozen=True, kw_only=True)
class Config:
    """How to train, from the first game to the last."""

    learner: str
    game: str
    games: int
    seed: int = 0
    against: str = ITSELF
    """A player's spec, or ``itself``."""
    epsilon: Schedule
    rate: Schedule
    discount: float
    trace: float
    opening: int
    blind: bool = False
    """Whether the learner has to find out by trying which moves are legal."""
    threads: int = 1
    evaluations: int = 12
    matches: int = 20
    """Games against each opponent at every evaluation."""
    probes: int = 40
    """Positions that are looked at in every evaluation."""

    @classmethod
    def make(cls, learner: str, game: str, **given: Any) -> Config:
        """Fill in whatever is not given (or is ``None``) with what suits the learner."""
        if learner not in LEARNERS:
            raise InvalidTraining(f"there is no learner {learner!r}; there are: {', '.join(LEARNERS)}")
        usual = LEARNERS[learner].defaults
        chosen = game_of(game)
        settings: dict[str, Any] = {
            "games": usual.total,
            "epsilon": usual.epsilon,
            "rate": usual.rate,
            "discount": 1.0 if chosen.counts_tiles and learner == "q" else usual.discount,
            "trace": usual.trace,
            "opening": usual.opening,
            "threads": os.cpu_count() or 1,
        }
        settings |= {name: value for name, value in given.items() if value is not None}
        config = cls(learner=learner, game=chosen.spec, **settings)
        config.check()
        return config

    def check(self) -> None:
        """Refuse what cannot work, before anything is done."""
        for name, low, high in (("games", 1, 10**12), ("threads", 1, 256), ("evaluations", 1, 1000)):
            if not low <= getattr(self, name) <= high:
                raise InvalidTraining(f"{name} go from {low} to {high:,}, not {getattr(self, name):,}")
        for name in ("matches", "probes", "opening"):
            if not 0 <= getattr(self, name) <= 10_000:
                raise InvalidTraining(f"{name} go from 0 to 10,000, not {getattr(self, name)}")
        for name in ("discount", "trace"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidTraining(f"{name} goes from 0 to 1, not {getattr(self, name):g}")
        for name in ("epsilon", "rate"):
            schedule: Schedule = getattr(self, name)
            if not (0 <= schedule.start <= 1 and 0 <= schedule.end <= 1):
                raise InvalidTraining(f"{name} goes from 0 to 1, not {schedule}")
        if not 0 <= self.seed < 2**63:
            raise InvalidTraining(f"a seed is a whole number from 0, not {self.seed}")
        if self.against != ITSELF:
            player(self.against).check_game(self.rules())

    @property
    def in_kernel(self) -> bool:
        """Whether the kernel plays the training games; else they are played between players."""
        return self.against in KERNEL_OPPONENTS[self.learner] and not self.blind

    def rules(self) -> Game:
        """The game."""
        return game_of(self.game)

    def stretch(self) -> Stretch:
        """What the learner needs to know."""
        return Stretch(
            total=self.games,
            seed=self.seed,
            epsilon=self.epsilon,
            rate=self.rate,
            discount=self.discount,
            opponent=self.against if self.in_kernel else ITSELF,
            threads=self.threads,
            trace=self.trace,
            opening=self.opening,
        )

    def points(self) -> list[int]:
        """After how many games to evaluate: ever further apart, and at the end.

        >>> Config.make("q", "3x3", games=1000, evaluations=4).points()
        [32, 101, 317, 1000]
        """
        first = min(32, self.games)
        growth = (self.games / first) ** (1 / max(self.evaluations - 1, 1))
        found = {round(first * growth**step) for step in range(self.evaluations)}
        return sorted({min(point, self.games) for point in found} | {self.games})

    def to_json(self) -> dict[str, object]:
        """The config as a JSON object."""
        plain = dataclasses.asdict(self)
        return {**plain, "epsilon": str(self.epsilon), "rate": str(self.rate)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Config:
        """Read the config of a manifest."""
        try:
            schedules = {name: read_schedule(data[name]) for name in ("epsilon", "rate")}
            config = cls(**{**data, **schedules})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidCheckpoint(f"the manifest's config cannot be used: {error}", "invalid_manifest") from None
        for name, kind in get_type_hints(cls).items():
            value = getattr(config, name)
            if type(value) is not kind and not (kind is float and type(value) is int):
                raise InvalidCheckpoint(f"the manifest's config has {value!r} as {name}", "invalid_manifest")
        return config


def read_schedule(text: str) -> Schedule:
    """Read ``0.5`` or ``1:0.1``."""
    start, colon, end = text.partition(":")
    return Schedule(float(start), float(end if colon else start))
