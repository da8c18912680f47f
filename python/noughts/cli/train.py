"""``noughts train``: learn a game from play."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import Field, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from noughts.cli.playouts import count
from noughts.cli.progress import interruptible
from noughts.errors import InvalidCheckpoint, InvalidPlayer
from noughts.games import game
from noughts.lab import words
from noughts.lab.config import Config, InvalidTraining
from noughts.lab.runs import Run
from noughts.lab.tensorboard import check_tensorboard, write_events
from noughts.lab.training import OnTraining, Trained, TrainingProgress, resume, train
from noughts.lab.workers import workers
from noughts.learning import all_learners
from noughts.learning.learner import ScheduleKind
from noughts.spec import Flag, Kind

PROGRESS_INTERVAL = 0.5
"""Seconds between two looks at several runs."""

PROGRESS_FILE = "progress"
"""The file in which one run of several notes how many games it has learned from."""

GOOD_SHARE = 0.99
"""The share of best moves from which on nobody needs to be told how to get more."""

SUMMARY = "train an agent and grade it against exact play"


def _epilog() -> str:
    learners = all_learners()
    first = next(iter(learners))
    width = max(map(len, learners)) + 1
    lines = ["learners:", *(f"  {name:<{width}} {kind.summary}" for name, kind in learners.items()), ""]
    lines += [
        "A run is a folder: manifest, metrics, checkpoints, some games. Ctrl-C stops with a checkpoint and --resume",
        f"goes on. What was learned is a player with the learner's name: noughts play 3x3 --o {first},path=RUN",
        "",
        "examples:",
    ]
    examples = [(f"{name} {options}", what) for name, kind in learners.items() for options, what in kind.examples]
    examples.append((f"--resume runs/{first}-3x3-s0", "go on where it stopped"))
    width = max(len(options) for options, _ in examples) + 1
    lines += [f"  noughts train {options:<{width}} {what}" for options, what in examples]
    return "\n".join(lines) + "\n"


EPILOG = _epilog()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options, those of the learners among them."""
    parser.add_argument("learner", nargs="?", choices=list(all_learners()), help="how to learn")
    parser.add_argument("--game", metavar="SPEC", help="what to learn (default: 3x3)")
    parser.add_argument("--against", metavar="PLAYER", help="who sits opposite (default: itself)")
    parser.add_argument("--games", type=count, metavar="N", help="games to learn from (default: what suits the board)")
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same run (default: 0)")
    parser.add_argument("--seeds", type=count, metavar="K", help="make K runs, with seeds S, S+1, …")
    parser.add_argument("--out", type=Path, metavar="RUN", help="the run's folder (default: a new one in runs/)")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with a run; --games may ask for more")
    for name, (field, owners) in _learner_options().items():
        of, help_text = field.metadata["kind"], field.metadata["help"]
        text = help_text if len(owners) == len(all_learners()) else f"{', '.join(owners)}: {help_text}"
        if isinstance(of, Flag):
            parser.add_argument(f"--{name}", action="store_true", default=None, help=text)
        else:
            metavar = "X[:X]" if isinstance(of, ScheduleKind) else "X"
            parser.add_argument(f"--{name}", type=_reader(of), metavar=metavar, help=text)
    parser.add_argument("--blind", action="store_true", default=None, help="do not tell it which moves are legal")
    parser.add_argument("--evaluations", type=count, metavar="N", help="how often to evaluate (default: 12)")
    parser.add_argument("--matches", type=int, metavar="N", help="games with each opponent to evaluate (default: 20)")
    parser.add_argument("--workers", type=count, metavar="W", help="cores to use (default: all)")
    parser.add_argument("--on", default="local", metavar="PLACE", help="where to train (default: local, this machine)")
    parser.add_argument("--tensorboard", action="store_true", help="also write event files for TensorBoard")


def _learner_options() -> dict[str, tuple[Field[Any], list[str]]]:
    """The options of all learners by name, each with the learners that have it."""
    found: dict[str, tuple[Field[Any], list[str]]] = {}
    for learner, kind in all_learners().items():
        for name, field in kind.settings.option_fields().items():
            found.setdefault(name, (field, []))[1].append(learner)
    return found


def _reader(of: Kind[Any]) -> Callable[[str], object]:
    """What argparse reads an option with."""

    def read(text: str) -> object:
        try:
            return of.read(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not {of.expects}") from None

    return read


def run(arguments: argparse.Namespace) -> int:
    """Train, and say what came of it."""
    if arguments.tensorboard:
        check_tensorboard()
    place = workers(arguments.on, arguments.workers)
    if arguments.resume is not None:
        fixed = (
            *("learner", "game", "against", "seed", "out"),
            *_learner_options(),
            *("blind", "seeds", "evaluations", "matches", "workers"),
        )
        if given := [name for name in fixed if getattr(arguments, name) is not None]:
            raise InvalidTraining(f"--resume goes on as the run began; leave out: {', '.join(given)}")
        with _bar() as watch, interruptible() as stop:
            done = resume(arguments.resume, games=arguments.games, watch=watch, stop=stop)
        return _end([done], arguments)
    if arguments.learner is None:
        raise InvalidTraining(f"say which learner: {' or '.join(all_learners())}, or --resume RUN")
    jobs = list(_jobs(arguments, place.count))
    _announce(jobs)
    if len(jobs) == 1:
        with _bar() as watch, interruptible() as stop:
            done = train(jobs[0].config, jobs[0].folder, watch=watch, stop=stop)
        return _end([done], arguments)
    found: list[Trained] = []
    try:
        with _bar() as watch, _overview(watch, jobs):
            for done in place.map(work, jobs):
                found.append(done)
    except KeyboardInterrupt:
        for done in found:
            _tell(done)
        begun = [job.folder for job in jobs if job.folder.exists() and all(job.folder != d.run.folder for d in found)]
        for folder in begun:
            print(f"go on with: noughts train --resume {shlex.quote(str(folder))}")
        raise
    return _end(found, arguments)


def _announce(jobs: Sequence[Job]) -> None:
    """Say what the training will take, before it begins; a game that is too large is refused here."""
    config = jobs[0].config
    found = config.kind.estimate(config.rules(), config.settings()) if config.by_learner else None
    told = [f"{config.games:,} games" + (f" in each of {len(jobs)} runs" if len(jobs) > 1 else "")]
    if found is not None:
        if found.positions is not None:
            told.append(f"about {words.roughly(found.positions)} positions up to symmetry")
        told.append(f"about {words.size(found.memory)}")
        if found.seconds is not None:
            told.append(f"about {words.duration(found.seconds)}")
    print(f"{config.learner} learns {config.game}: {', '.join(told)}", flush=True)
    usual = config.kind.usual_games(config.rules())
    if config.games < usual and found is not None and found.positions is not None:
        print(f"that is few games for so many positions; {usual:,} are usual", flush=True)


@dataclass(frozen=True)
class Job:
    """One run to be made."""

    config: Config
    folder: Path


def work(job: Job) -> Trained:
    """Make one run of several. Ctrl-C keeps a checkpoint and ends the others too."""
    last_look = time.monotonic()

    def note(news: TrainingProgress) -> None:
        nonlocal last_look
        if time.monotonic() - last_look >= PROGRESS_INTERVAL:
            last_look = time.monotonic()
            (job.folder / PROGRESS_FILE).write_text(str(news.games), encoding="ascii")

    try:
        with interruptible() as stop:
            done = train(job.config, job.folder, watch=note, stop=stop)
    finally:
        (job.folder / PROGRESS_FILE).unlink(missing_ok=True)
    if not done.finished:
        raise KeyboardInterrupt
    return done


@contextmanager
def _overview(watch: OnTraining | None, jobs: Sequence[Job]) -> Iterator[None]:
    """Show how several runs get on together, by what each of them notes in its folder."""
    if watch is None:
        yield
        return
    ended, began = threading.Event(), time.monotonic()
    total = sum(job.config.games for job in jobs)

    def look() -> None:
        while not ended.wait(PROGRESS_INTERVAL):
            runs = [_progress(job) for job in jobs]
            games, grade = sum(games for games, _ in runs), next((text for _, text in reversed(runs) if text), "")
            over = sum(games == job.config.games for (games, _), job in zip(runs, jobs, strict=True))
            watch(
                TrainingProgress(f"{over} of {len(jobs)} runs", games, total, games / (time.monotonic() - began), grade)
            )

    looker = threading.Thread(target=look, daemon=True)
    looker.start()
    try:
        yield
    finally:
        ended.set()
        looker.join()


def _progress(job: Job) -> tuple[int, str]:
    """The games of a run so far and its last grade."""
    try:
        metrics = Run.open(job.folder).metrics()
        path = job.folder / PROGRESS_FILE
        noted = path.read_text(encoding="ascii") if path.exists() else "0"
    except (InvalidCheckpoint, OSError):
        return 0, ""
    graded = metrics[-1]["graded"] if metrics else {}
    grade = f"{job.folder.name}: {words.percent(graded['optimal'])} optimal" if graded.get("positions") else ""
    return max(int(noted or 0), metrics[-1]["games"] if metrics else 0), grade


def _jobs(arguments: argparse.Namespace, cores: int) -> Iterator[Job]:
    chosen = game(arguments.game or "3x3")
    first, several = arguments.seed or 0, arguments.seeds or 1
    for seed in range(first, first + several):
        config = Config.make(
            arguments.learner,
            chosen.spec,
            games=arguments.games,
            seed=seed,
            against=arguments.against,
            **{name: getattr(arguments, name) for name in _learner_options()},
            blind=arguments.blind,
            evaluations=arguments.evaluations,
            matches=arguments.matches,
            threads=cores if several == 1 else 1,
        )
        yield Job(config, _folder(arguments.out, config, several=several > 1))


def _folder(out: Path | None, config: Config, *, several: bool) -> Path:
    if out is not None:
        return Path(f"{out}-s{config.seed}") if several else out
    plain = re.sub(r"[^0-9a-z]+", "-", config.game.lower())
    wanted = Path("runs") / f"{config.learner}-{plain}-s{config.seed}"
    folder, number = wanted, 2
    while folder.exists():
        folder, number = wanted.with_name(f"{wanted.name}-{number}"), number + 1
    return folder


class _Grade(ProgressColumn):
    """The current grade: what gives way where the line is too narrow."""

    def render(self, task: Task) -> Text:
        """As much of it as there is room for."""
        return Text(str(task.fields["grade"]), "dim", no_wrap=True, overflow="ellipsis")


@contextmanager
def _bar() -> Iterator[OnTraining | None]:
    """A progress bar with games per second, the time left and the current grade."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TextColumn("{task.fields[speed]}"),
        TextColumn("{task.fields[left]}"),
        _Grade(Column(no_wrap=False)),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("starting", total=1, speed="", left="", grade="")

        def watch(news: TrainingProgress) -> None:
            bar.update(task, description=news.stage, completed=news.games, total=news.total, grade=news.grade)
            if news.rate:
                # What the games take; evaluations come on top, but are few.
                left = timedelta(seconds=round((news.total - news.games) / news.rate))
                bar.update(task, speed=f"{news.rate:,.0f} games/s", left=f"{left} left")

        yield watch


def _tell(done: Trained) -> None:
    state = "trained on" if done.finished else "stopped after"
    print(f"{done.run.folder}: {state} {done.games:,} games" + (f"; {done.grade}" if done.grade else ""))


def _hint(run: Run) -> None:
    """Say that more games would help, where fewer were played than usual and best moves are still missed."""
    config, metrics = Config.from_json(run.manifest["config"]), run.metrics()
    graded = metrics[-1]["graded"] if metrics else {}
    usual = config.kind.usual_games(config.rules())
    if graded.get("positions") and graded["optimal"] < GOOD_SHARE and config.games < usual:
        print(
            f"{usual:,} games are usual for {config.game}; go on with: "
            f"noughts train --resume {shlex.quote(str(run.folder))} --games {usual}"
        )


def _end(found: list[Trained], arguments: argparse.Namespace) -> int:
    for done in found:
        _tell(done)
        if arguments.tensorboard:
            write_events(done.run)
    if any(not done.finished for done in found):
        print(f"go on with: noughts train --resume {shlex.quote(str(found[0].run.folder))}")
        return 130
    run = found[0].run
    _hint(run)
    # A learner from elsewhere may have no player for what it learned.
    with suppress(InvalidPlayer):
        print(f"play it with: noughts play {run.manifest['game']} --o {shlex.quote(run.agent().spec)}")
    return 0
