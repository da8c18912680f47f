"""Training: play, learn, evaluate, keep; and go on later where it stopped.

A run is decided by its config: the same seed on the same machine gives the same metrics, whether or
not it was interrupted. Only what a metric's ``timing`` says is measured by the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from noughts.errors import InvalidCheckpoint
from noughts.kernel import Stop
from noughts.lab.config import LEARNERS, Config
from noughts.lab.evaluation import Evaluation, Evaluator, Stopped
from noughts.lab.runs import Run
from noughts.lab.sparring import Sparring
from noughts.learning import Learner, Q
from noughts.match import save

__all__ = ["News", "Trained", "Watcher", "resume", "train"]

SAVE_EVERY = 20.0
"""Seconds of training after which a checkpoint is due."""

LOOK_EVERY = 0.25
"""Seconds between two pieces of news."""

SAMPLES = 4
"""Games of every evaluation that are kept as records."""


@dataclass(frozen=True, slots=True)
class News:
    """How a training is getting on."""

    stage: str
    games: int
    total: int
    rate: float
    """Games per second."""
    grade: str
    """The last evaluation in a few words."""


Watcher = Callable[[News], None]


@dataclass(frozen=True)
class Trained:
    """What a training came to."""

    run: Run
    games: int
    finished: bool
    """False when it was stopped; the run can be resumed."""
    grade: str


@dataclass
class Sums:
    """What happened in training since the last evaluation."""

    games: int = 0
    first_wins: int = 0
    second_wins: int = 0
    draws: int = 0
    plies: int = 0
    explored: int = 0
    invalid: int = 0
    error: float = 0.0
    """The mean error of each game, added up."""

    def add(self, found: Any) -> None:
        """Count what a learner says it did."""
        self.games += found["games"]
        self.first_wins += found["wins"][0]
        self.second_wins += found["wins"][1]
        self.draws += found["draws"]
        self.plies += found["plies"]
        self.explored += found["explored"]
        self.invalid += found.get("invalid", 0)
        self.error += found["error"] * found["games"]

    def to_json(self) -> dict[str, object]:
        """The sums as shares and means."""
        games = max(self.games, 1)
        return {
            "games": self.games,
            "wins": [self.first_wins, self.second_wins],
            "draws": self.draws,
            "length": round(self.plies / games, 3),
            "explored": round(self.explored / max(self.plies + self.invalid, 1), 4),
            "invalid_attempts": self.invalid,
            "error": round(self.error / games, 4),
        }


def train(config: Config, folder: Path, *, watch: Watcher | None = None, stop: Stop | None = None) -> Trained:
    """Begin a run in a new folder."""
    config.check()
    learner = _learner(config, watch, stop)
    evaluator = Evaluator(config)
    run = Run.create(folder, config.learner, config.game, config.seed, config.to_json())
    return _Session(run, config, learner, evaluator, watch, stop).go()


def resume(
    folder: Path, *, games: int | None = None, watch: Watcher | None = None, stop: Stop | None = None
) -> Trained:
    """Go on with a run from its newest good checkpoint, or train it for more games in all."""
    run = Run.open(folder)
    config = Config.from_json(run.manifest["config"])
    if games is not None:
        config = replace(config, games=games)
    config.check()
    learner = _learner(config, watch, stop)
    checkpoint = run.latest()
    sums = Sums()
    if checkpoint is not None:
        learner.restore(checkpoint)
        try:
            sums = Sums(**checkpoint.settings.get("sums", {}))  # type: ignore[arg-type]
        except TypeError:
            raise InvalidCheckpoint(f"the checkpoint of {folder} is damaged: its sums cannot be read") from None
    run.rewind(learner.games)
    run = replace(run, manifest={**run.manifest, "config": config.to_json()}).with_status("running")
    return _Session(run, config, learner, Evaluator(config), watch, stop, sums).go()


def _learner(config: Config, watch: Watcher | None, stop: Stop | None) -> Learner:
    def tell(stage: str, depth: int, count: int, seconds: float) -> None:
        if watch is not None:
            watch(News("exploring", 0, config.games, 0.0, f"{count:,} positions"))

    if config.learner == "q":
        return Q(config.rules(), progress=tell, stop=stop)
    return LEARNERS[config.learner](config.rules())


@dataclass
class _Session:
    """One sitting of a training."""

    run: Run
    config: Config
    learner: Learner
    evaluator: Evaluator
    watch: Watcher | None
    stop: Stop | None
    sums: Sums = field(default_factory=Sums)
    grade: str = ""
    _began: float = field(default_factory=time.perf_counter)
    _trained: float = 0.0

    def go(self) -> Trained:
        """Train to the end, or until told to stop."""
        before = [tuple(line["choices"]) for line in self.run.metrics()]
        done = {line["games"] for line in self.run.metrics()}
        for point in self.config.points():
            if point < self.learner.games or point in done:
                continue
            self._train_to(point)
            try:
                if self.learner.games < point:
                    raise Stopped
                self._news("evaluating")
                found = self.evaluator.measure(self.learner, before, stop=self.stop)
            except Stopped:
                self._keep()
                self.run = self.run.with_status("interrupted")
                return Trained(self.run, self.learner.games, False, self.grade)
            before.append(found.choices)
            self._write(found)
        self.run = self.run.with_status("finished")
        return Trained(self.run, self.learner.games, True, self.grade)

    def _train_to(self, point: int) -> None:
        """Learn until so many games are played, keeping a checkpoint now and then."""
        stretch, told = self.config.stretch(), time.perf_counter()
        sparring = None if self.config.in_kernel else Sparring(self.config, self.learner)
        kept = told
        while self.learner.games < point and not (self.stop is not None and self.stop()):
            began, before = time.perf_counter(), self.learner.games
            due = began + LOOK_EVERY

            def pause(due: float = due) -> bool:
                return time.perf_counter() >= due or (self.stop is not None and self.stop())

            wanted = point - before
            found = (
                self.learner.train(wanted, stretch, stop=pause)
                if sparring is None
                else sparring.train(wanted, stretch, pause)
            )
            self.sums.add(found)
            now = time.perf_counter()
            self._trained += now - began
            self._news("training", (self.learner.games - before) / max(now - began, 1e-9))
            if now - kept > SAVE_EVERY:
                self._keep()
                kept = now

    def _news(self, stage: str, rate: float = 0.0) -> None:
        if self.watch is not None:
            self.watch(News(stage, self.learner.games, self.config.games, rate, self.grade))

    def _keep(self) -> None:
        checkpoint = self.learner.checkpoint()
        settings = {**checkpoint.settings, "sums": vars(self.sums)}
        self.run.save(replace(checkpoint, settings=settings))

    def _write(self, found: Evaluation) -> None:
        """Add a line of metrics, keep some of its games, and a checkpoint."""
        games, config = self.learner.games, self.config
        line = {
            "games": games,
            "epsilon": round(config.epsilon.at(games, config.games), 4),
            "rate": round(config.rate.at(games, config.games), 4),
            "training": self.sums.to_json(),
            **found.metrics,
            "choices": list(found.choices),
            "timing": {
                "at": round(time.time(), 3),
                "training_seconds": round(self._trained, 4),
                "games_per_second": round(self.sums.games / self._trained, 1) if self._trained else 0.0,
                **{name: round(value, 7) for name, value in found.timing.items()},
            },
        }
        self.run.append(line, [{"games": games, **episode.metrics.to_json()} for episode in found.games])
        folder = self.run.folder / "games"
        folder.mkdir(exist_ok=True)
        half = len(found.games) // 2
        for episode in (*found.games[:half][: SAMPLES // 2], *found.games[half:][: SAMPLES // 2]):
            save(folder / f"{games:012}-{episode.store.state.id}.jsonl", episode.store.actions)
        self.grade = found.text
        self.sums, self._trained = Sums(), 0.0
        self._keep()
        self._news("evaluated")
