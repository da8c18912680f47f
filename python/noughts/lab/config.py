"""Config: everything that decides what a training run does."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from noughts.core import Game
from noughts.errors import InvalidCheckpoint
from noughts.games import game as game_of
from noughts.learning import InvalidTraining, Learner, Settings, all_learners
from noughts.learning.learner import ITSELF, ScheduleKind
from noughts.players import player

__all__ = ["ITSELF", "Config", "InvalidTraining"]

MANY_PROBES = 200
"""Positions to look at in every evaluation where the kernel solves them quickly: a share is then sure to 3 points,"""

MANY_PROBES_CELLS = 100
"""which it does on boards of up to so many cells."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """How to train, from the first game to the last."""

    learner: str
    game: str
    games: int
    seed: int = 0
    against: str = ITSELF
    """A player's spec, or ``itself``."""
    options: Mapping[str, object]
    """The learner's own options, every one of them."""
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
        """Fill in whatever is not given (or is ``None``) with what suits the learner; its options are given by name."""
        kind = _learner_class(learner)
        chosen = game_of(game)
        given = {name: value for name, value in given.items() if value is not None}
        names = {field.name for field in dataclasses.fields(cls)} - {"options"}
        own = {name: value for name, value in given.items() if name not in names}
        usual = kind.defaults(chosen)
        if unknown := sorted(own.keys() - usual.keys()):
            raise InvalidTraining(f"{learner} has no option {unknown[0]!r}; there are: {', '.join(usual)}")
        fixed: dict[str, Any] = {"threads": os.cpu_count() or 1}
        if "games" not in given:
            fixed["games"] = kind.usual_games(chosen)
        if chosen.kernel is not None and chosen.grid.cells <= MANY_PROBES_CELLS:
            fixed["probes"] = MANY_PROBES
        fixed |= {name: value for name, value in given.items() if name in names}
        config = cls(learner=learner, game=chosen.spec, options={**usual, **own}, **fixed)
        config.check()
        return config

    def check(self) -> None:
        """Refuse what cannot work, before anything is done."""
        for name, low, high in (("games", 1, 10**12), ("threads", 1, 256), ("evaluations", 1, 1000)):
            if not low <= getattr(self, name) <= high:
                raise InvalidTraining(f"{name} go from {low} to {high:,}, not {getattr(self, name):,}")
        for name in ("matches", "probes"):
            if not 0 <= getattr(self, name) <= 10_000:
                raise InvalidTraining(f"{name} go from 0 to 10,000, not {getattr(self, name)}")
        if not 0 <= self.seed < 2**63:
            raise InvalidTraining(f"a seed is a whole number from 0, not {self.seed}")
        self.settings()
        if self.against != ITSELF:
            player(self.against).check_game(self.rules())

    @property
    def kind(self) -> type[Learner]:
        """The learner's class."""
        return _learner_class(self.learner)

    @property
    def by_learner(self) -> bool:
        """Whether the learner plays the training games itself; else they are played between players."""
        return self.against in self.kind.opponents and not self.blind

    def rules(self) -> Game:
        """The game."""
        return game_of(self.game)

    def settings(self) -> Settings:
        """What the learner needs to know."""
        opponent = self.against if self.by_learner else ITSELF
        chosen: Any = self.options
        return self.kind.settings(self.games, seed=self.seed, opponent=opponent, threads=self.threads, **chosen)

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
        """The config as a JSON object, the learner's options among the others."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        del plain["options"]
        fields = self.kind.settings.option_fields()
        for name, value in self.options.items():
            plain[name] = str(value) if isinstance(fields[name].metadata["kind"], ScheduleKind) else value
        return plain

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Config:
        """Read the config of a manifest.

        Release 0.1.0 wrote the options of every learner into each manifest; those of others are left out.
        """
        try:
            kind = _learner_class(data["learner"])
            foreign = {name for other in all_learners().values() for name in other.settings.option_fields()}
            options, rest = dict[str, object](), dict(data)
            for name, field in kind.settings.option_fields().items():
                value, of = rest.pop(name), field.metadata["kind"]
                if isinstance(of, ScheduleKind) and not isinstance(value, str):
                    raise ValueError(f"{value!r} is no {name}")
                options[name] = of.read(value) if isinstance(of, ScheduleKind) else value
            config = cls(options=options, **{name: value for name, value in rest.items() if name not in foreign})
            config.settings()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidCheckpoint(f"the manifest's config cannot be used: {error}", "invalid_manifest") from None
        for name, wanted in get_type_hints(cls).items():
            value = getattr(config, name)
            if name != "options" and type(value) is not wanted:
                raise InvalidCheckpoint(f"the manifest's config has {value!r} as {name}", "invalid_manifest")
        return config


def _learner_class(name: str) -> type[Learner]:
    if name not in all_learners():
        raise InvalidTraining(f"there is no learner {name!r}; there are: {', '.join(all_learners())}")
    return all_learners()[name]
