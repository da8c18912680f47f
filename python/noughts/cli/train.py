"""``noughts train``: learn a game from play."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from noughts.cli.playouts import count
from noughts.cli.progress import interruptible
from noughts.games import game
from noughts.lab.config import LEARNERS, Config, InvalidTraining, read_schedule
from noughts.lab.tensorboard import check_tensorboard, write_events
from noughts.lab.training import News, Trained, Watcher, resume, train
from noughts.lab.workers import workers
from noughts.learning import Schedule

SUMMARY = "train an agent and grade it against exact play"
EPILOG = """\
learners:
  q    a table with a value for every position; for boards that have few enough of them (3x3, 4x3, 4x4)
  td   a network of lines and blocks that values any position; for larger boards (5x5,k=4, duel,size=6)

A run is a folder: manifest, metrics, checkpoints, some games. Ctrl-C stops with a checkpoint and --resume goes on.
The agent is a player: noughts play 3x3 --o q,path=RUN

examples:
  noughts train q --game 3x3                          plays every position perfectly within seconds
  noughts train q --game 3x3,misere --against random  learn from a random opponent
  noughts train q --game 3x3 --seeds 5                five runs, for a report with bands
  noughts train q --game 3x3 --blind --games 5000     find out by trying which moves are legal
  noughts train td --game 5x5,k=4 --games 50000       learned features
  noughts train td --game 4x4 --against rules         learn from games with a player
  noughts train --resume runs/td-5x5-k-4-s0           go on where it stopped
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("learner", nargs="?", choices=list(LEARNERS), help="how to learn")
    parser.add_argument("--game", metavar="SPEC", help="what to learn (default: 3x3)")
    parser.add_argument("--against", metavar="PLAYER", help="who sits opposite (default: itself)")
    parser.add_argument("--games", type=count, metavar="N", help="games to learn from (default: q 200000, td 50000)")
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same run (default: 0)")
    parser.add_argument("--seeds", type=count, default=1, metavar="K", help="make K runs, with seeds S, S+1, …")
    parser.add_argument("--out", type=Path, metavar="RUN", help="the run's folder (default: a new one in runs/)")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with a run; --games may ask for more")
    parser.add_argument("--epsilon", type=_schedule, metavar="E[:E]", help="chance of a random move, first:last")
    parser.add_argument("--rate", type=_schedule, metavar="R[:R]", help="learning rate, first:last")
    parser.add_argument("--discount", type=float, metavar="D", help="what a result one ply later is worth")
    parser.add_argument("--trace", type=float, metavar="L", help="td: how far targets look ahead, 0 to 1")
    parser.add_argument("--opening", type=int, metavar="PLIES", help="td: games begin with up to so many random moves")
    parser.add_argument("--blind", action="store_true", help="do not tell the learner which moves are legal")
    parser.add_argument("--evaluations", type=count, metavar="N", help="how often to evaluate (default: 12)")
    parser.add_argument("--matches", type=int, metavar="N", help="games with each opponent to evaluate (default: 20)")
    parser.add_argument("--workers", type=count, metavar="W", help="cores to use (default: all)")
    parser.add_argument("--on", default="local", metavar="PLACE", help="where to train (default: local, this machine)")
    parser.add_argument("--tensorboard", action="store_true", help="also write event files for TensorBoard")


def _schedule(text: str) -> Schedule:
    try:
        return read_schedule(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number, nor two such as 1:0.1") from None


def run(arguments: argparse.Namespace) -> int:
    """Train, and say what came of it."""
    if arguments.tensorboard:
        check_tensorboard()
    place = workers(arguments.on, arguments.workers)
    if arguments.resume is not None:
        fixed = (
            "learner",
            "game",
            "against",
            "seed",
            "out",
            "epsilon",
            "rate",
            "discount",
            "trace",
            "opening",
            "blind",
        )
        if given := [name for name in fixed if getattr(arguments, name)]:
            raise InvalidTraining(f"--resume goes on as the run began; leave out: {', '.join(given)}")
        with _bar() as watch, interruptible() as stop:
            _tell(done := resume(arguments.resume, games=arguments.games, watch=watch, stop=stop))
        return _end([done], arguments)
    if arguments.learner is None:
        raise InvalidTraining("say which learner: q or td, or --resume RUN")
    jobs = list(_jobs(arguments, place.count))
    if len(jobs) == 1:
        with _bar() as watch, interruptible() as stop:
            _tell(done := train(jobs[0].config, jobs[0].folder, watch=watch, stop=stop))
        return _end([done], arguments)
    found = []
    with _bar() as watch:
        for done in place.map(work, jobs):
            found.append(done)
            _tell(done)
            if watch is not None:
                watch(News(f"{len(found)} of {len(jobs)} runs", len(found), len(jobs), 0.0, done.grade))
    return _end(found, arguments)


@dataclass(frozen=True)
class Job:
    """One run to be made."""

    config: Config
    folder: Path


def work(job: Job) -> Trained:
    """Make one run of several."""
    return train(job.config, job.folder)


def _jobs(arguments: argparse.Namespace, cores: int) -> Iterator[Job]:
    chosen = game(arguments.game or "3x3")
    first = arguments.seed or 0
    for seed in range(first, first + arguments.seeds):
        config = Config.make(
            arguments.learner,
            chosen.spec,
            games=arguments.games,
            seed=seed,
            against=arguments.against,
            epsilon=arguments.epsilon,
            rate=arguments.rate,
            discount=arguments.discount,
            trace=arguments.trace,
            opening=arguments.opening,
            blind=arguments.blind,
            evaluations=arguments.evaluations,
            matches=arguments.matches,
            threads=cores if arguments.seeds == 1 else 1,
        )
        yield Job(config, _folder(arguments.out, config, several=arguments.seeds > 1))


def _folder(out: Path | None, config: Config, *, several: bool) -> Path:
    if out is not None:
        return Path(f"{out}-s{config.seed}") if several else out
    plain = re.sub(r"[^0-9a-z]+", "-", config.game.lower())
    wanted = Path("runs") / f"{config.learner}-{plain}-s{config.seed}"
    folder, number = wanted, 2
    while folder.exists():
        folder, number = wanted.with_name(f"{wanted.name}-{number}"), number + 1
    return folder


@contextmanager
def _bar() -> Iterator[Watcher | None]:
    """A progress bar with games per second, the time left and the current grade."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TextColumn("{task.fields[speed]}"),
        TextColumn("{task.fields[left]}"),
        TextColumn("[dim]{task.fields[grade]}"),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("starting", total=1, speed="", left="", grade="")

        def watch(news: News) -> None:
            told = {"description": news.stage, "completed": news.games, "total": news.total, "grade": news.grade}
            if news.rate:
                # What the games take; evaluations come on top, but are few.
                left = timedelta(seconds=round((news.total - news.games) / news.rate))
                told |= {"speed": f"{news.rate:,.0f} games/s", "left": f"{left} left"}
            bar.update(task, **told)  # type: ignore[arg-type]

        yield watch


def _tell(done: Trained) -> None:
    state = "trained on" if done.finished else "stopped after"
    print(f"{done.run.folder}: {state} {done.games:,} games" + (f"; {done.grade}" if done.grade else ""))


def _end(found: list[Trained], arguments: argparse.Namespace) -> int:
    for done in found:
        if arguments.tensorboard:
            write_events(done.run)
    if any(not done.finished for done in found):
        print(f"go on with: noughts train --resume {shlex.quote(str(found[0].run.folder))}")
        return 130
    run = found[0].run
    print(f"play it with: noughts play {run.manifest['game']} --o {shlex.quote(run.agent().spec)}")
    return 0
