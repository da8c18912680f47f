"""Training: play, learn, evaluate, keep; and go on later where it stopped.

A run is decided by its config: the same seed on the same machine gives the same metrics, whether or
not it was interrupted. Only what a metric's ``timing`` says is measured by the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from noughts.compute.limits import Limits, Progress, Stop
from noughts.errors import InvalidCheckpoint, NoughtsError
from noughts.lab.config import Config
from noughts.lab.evaluation import Evaluation, Evaluator, Stopped
from noughts.lab.lock import run_lock
from noughts.lab.runs import Run
from noughts.lab.sparring import Sparring
from noughts.learning import Checkpoint, Learner, Schedule
from noughts.match import save

__all__ = ["OnTraining", "Trained", "TrainingProgress", "resume", "train"]

SAVE_INTERVAL = 20.0
"""Seconds of training after which a checkpoint is due."""

PROGRESS_INTERVAL = 0.25
"""Seconds between two pieces of news."""

RECORDED_EVALUATION_GAMES = 4
"""Games of every evaluation that are kept as records."""

RECORDED_TRAINING_GAMES = 2
"""Training games before every evaluation that are kept as records.

A learner does not show the games it plays by itself, so the last ones are played between players. It learns from
those as from all others.
"""


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How a training is getting on."""

    stage: str
    games: int
    total: int
    rate: float
    """Games per second."""
    grade: str
    """The last evaluation in a few words."""


OnTraining = Callable[[TrainingProgress], None]


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
    """How far values were from their targets, added up."""
    updates: int = 0
    """How many values that were."""

    def add(self, found: Any) -> None:
        """Count what a learner says it did."""
        self.games += found["games"]
        self.first_wins += found["wins"][0]
        self.second_wins += found["wins"][1]
        self.draws += found["draws"]
        self.plies += found["plies"]
        self.explored += found["explored"]
        self.invalid += found.get("invalid", 0)
        self.error += found["error"] * found["updates"]
        self.updates += found["updates"]

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
            "error": round(self.error / max(self.updates, 1), 4),
        }


def train(config: Config, folder: Path, *, watch: OnTraining | None = None, stop: Stop | None = None) -> Trained:
    """Begin a run in a new folder."""
    config.check()
    learner = _learner(config, watch, stop)
    evaluator = Evaluator(config)
    with run_lock(folder):
        run = Run.create(folder, config.learner, config.game, config.seed, config.to_json())
        return _Session(run, config, learner, evaluator, watch, stop).go()


def resume(
    folder: Path, *, games: int | None = None, watch: OnTraining | None = None, stop: Stop | None = None
) -> Trained:
    """Go on with a run from its newest good checkpoint, or train it for more games in all."""
    Run.open(folder)
    with run_lock(folder):
        return _resumed(Run.open(folder), games, watch, stop)


def _resumed(run: Run, games: int | None, watch: OnTraining | None, stop: Stop | None) -> Trained:
    config = Config.from_json(run.manifest["config"])
    if games is not None:
        config = replace(config, games=games)
    config.check()
    learner = _learner(config, watch, stop)
    session = _Session(run, config, learner, Evaluator(config), watch, stop)
    checkpoint = run.latest()
    if checkpoint is not None:
        learner.restore(checkpoint)
        session.restore(checkpoint)
    run.rewind(learner.games)
    session.run = replace(run, manifest={**run.manifest, "config": config.to_json()}).with_status("running")
    return session.go()


def _learner(config: Config, watch: OnTraining | None, stop: Stop | None) -> Learner:
    def report(progress: Progress) -> None:
        if watch is not None:
            watch(TrainingProgress("exploring", 0, config.games, 0.0, f"{progress.nodes:,} positions"))

    return config.kind(config.rules(), Limits(progress=report, stop=stop or (lambda: False)))


@dataclass
class _Session:
    """A training from its start or a checkpoint to its end or the next stop."""

    run: Run
    config: Config
    learner: Learner
    evaluator: Evaluator
    watch: OnTraining | None
    stop: Stop | None
    sums: Sums = field(default_factory=Sums)
    grade: str = ""
    trained: float = 0.0
    """Seconds of training since the last evaluation."""

    def __post_init__(self) -> None:
        self.sparring = Sparring(self.config, self.learner, remembered=RECORDED_TRAINING_GAMES)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Take up what the checkpoint says about the training itself."""
        try:
            kept: Any = checkpoint.settings["session"]
            self.sums, self.trained, self.grade = Sums(**kept["sums"]), float(kept["trained"]), str(kept["grade"])
            self.sparring.restore(checkpoint.arrays)
        except (KeyError, TypeError, ValueError):
            raise InvalidCheckpoint(f"the checkpoint of {self.run.folder} does not say how its run stood") from None

    def go(self) -> Trained:
        """Train to the end, or until told to stop; what fails on the way leaves a checkpoint if it can."""
        try:
            return self._go()
        except (NoughtsError, OSError):
            with suppress(OSError):
                self._keep()
                self.run = self.run.with_status("interrupted")
            raise

    def _go(self) -> Trained:
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
        settings, kept = self.config.settings(), time.perf_counter()
        while self.learner.games < point and not (self.stop is not None and self.stop()):
            began, before = time.perf_counter(), self.learner.games
            due = began + PROGRESS_INTERVAL

            def pause(due: float = due) -> bool:
                return time.perf_counter() >= due or (self.stop is not None and self.stop())

            unseen = point - RECORDED_TRAINING_GAMES - before if self.config.by_learner else 0
            if unseen > 0:
                self.sums.add(self.learner.train(unseen, settings, Limits(stop=pause)))
            else:
                self.sums.add(self.sparring.train(point - before, settings, pause))
            now = time.perf_counter()
            self.trained += now - began
            self._news("training", (self.learner.games - before) / max(now - began, 1e-9))
            if now - kept > SAVE_INTERVAL:
                self._keep()
                kept = now

    def _news(self, stage: str, rate: float = 0.0) -> None:
        if self.watch is not None:
            self.watch(TrainingProgress(stage, self.learner.games, self.config.games, rate, self.grade))

    def _keep(self) -> None:
        checkpoint = self.learner.checkpoint()
        session = {"sums": vars(self.sums), "trained": self.trained, "grade": self.grade}
        settings = {**checkpoint.settings, "session": session}
        self.run.save(replace(checkpoint, settings=settings, arrays={**checkpoint.arrays, **self.sparring.arrays()}))

    def _write(self, found: Evaluation) -> None:
        """Add a line of metrics, keep some of its games, and a checkpoint."""
        games, config = self.learner.games, self.config
        line = {
            "games": games,
            **{
                name: round(value.at(games, config.games), 4)
                for name, value in config.options.items()
                if isinstance(value, Schedule)
            },
            "training": self.sums.to_json(),
            **found.metrics,
            "choices": list(found.choices),
            "timing": {
                "at": round(time.time(), 3),
                "training_seconds": round(self.trained, 4),
                "games_per_second": round(self.sums.games / self.trained, 1) if self.trained else 0.0,
                **{name: round(value, 7) for name, value in found.timing.items()},
            },
        }
        self.run.append(line, [{"games": games, **episode.metrics.to_json()} for episode in found.games])
        folder = self.run.folder / "games"
        folder.mkdir(exist_ok=True)
        half, each = len(found.games) // 2, RECORDED_EVALUATION_GAMES // 2
        for episode in (*found.games[:half][:each], *found.games[half:][:each]):
            save(folder / f"{games:012}-{episode.store.state.id}.jsonl", episode.store.actions)
        for number, store in enumerate(self.sparring.records(), 1):
            save(folder / f"{games:012}-training-{number}.jsonl", store.actions)
        self.grade = found.text
        self.sums, self.trained = Sums(), 0.0
        self._keep()
        self._news("evaluated")
