"""``noughts analyse``: what a position is worth, or how well a match was played."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from noughts.analysis import analyse, review
from noughts.cli.progress import interruptible, progress_line
from noughts.cli.solve import positive
from noughts.compute import limits as reports
from noughts.compute.limits import Limits, OnProgress
from noughts.core import Position
from noughts.errors import IllegalMove, InvalidNotation, InvalidRecord
from noughts.games import game
from noughts.match import State, load
from noughts.terminal import words
from noughts.terminal.report import show_analysis, show_review
from noughts.terminal.screen import Screen

Match = State | Sequence[Position]
"""A recorded match, or the positions of moves given on the command line."""

SUMMARY = "evaluate a position, or review a recorded match move by move"
EPILOG = """\
A value is proven (win, draw or loss, with the plies to the end) or an estimate: the expected share of points, and how
far off it may be. Ctrl-C ends the work with what is known by then.

examples:
  noughts analyse 3x3 b2 a1                 what every move is worth after b2 a1
  noughts analyse gomoku h8 i9 --seconds 5  an estimate; five seconds for it
  noughts analyse game.jsonl                grade every move of a recorded match
  noughts analyse game.jsonl --at 4         the position after its fourth move
  noughts analyse 3x3 a1 b1 c3 b2 --review  grade these moves
  noughts analyse game.jsonl --json         as JSON
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("what", metavar="FILE|SPEC", help="a record saved by noughts play, or a game, e.g. 4x4")
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="after SPEC: the moves played, e.g. b2 a1")
    parser.add_argument("--at", type=int, metavar="N", help="the position after N moves")
    parser.add_argument("--review", action="store_true", help="grade the moves that follow SPEC")
    parser.add_argument(
        "--seconds", type=positive, default=1.0, metavar="S", help="for a position, or each move reviewed (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--details", action="store_true", help="the figures behind moves: values, positions, seconds")
    parser.add_argument("--plain", action="store_true", help="plain text, for pipes and screen readers")


def run(arguments: argparse.Namespace) -> int:
    """Find the position or the match, study it and print."""
    match = _recorded(arguments) if _is_file(arguments.what) else _played(arguments)
    if arguments.at is None and (arguments.review or isinstance(match, State)):
        return _review(match, arguments)
    return _analyse(_at(match, arguments.at), arguments)


def _is_file(what: str) -> bool:
    """Whether a record is meant: a file that is there, or a name that no game has."""
    return Path(what).is_file() or what.lower().endswith((".jsonl", ".json")) or ("/" in what and "=" not in what)


def _recorded(arguments: argparse.Namespace) -> State:
    if arguments.moves:
        raise InvalidNotation(f"{arguments.moves[0]!r}: moves follow a game, not a file; --at N picks a moment of it")
    try:
        return load(arguments.what).state
    except InvalidRecord as error:
        raise InvalidRecord(f"{arguments.what}: {error.reason}", line=error.line, state=error.state) from None


def _played(arguments: argparse.Namespace) -> Match:
    positions: list[Position] = [game(arguments.what).start()]
    for number, move in enumerate(arguments.moves, start=1):
        refused = positions[-1].why_not(move)
        if refused is not None:
            raise IllegalMove(refused.code, f"move {number}: {refused}", position=positions[-1], move=move)
        positions.append(positions[-1].play(move))
    return positions


def _at(match: Match, number: int | None) -> Position:
    positions = match.positions[: match.cursor + 1] if isinstance(match, State) else match
    last = len(positions) - 1
    if number is not None and not 0 <= number <= last:
        raise InvalidNotation(f"--at {number}: the match has {last} moves; write a number from 0 to {last}")
    return positions[last if number is None else number]


def _analyse(position: Position, arguments: argparse.Namespace) -> int:
    with interruptible() as stop, progress_line() as progress:
        analysis = analyse(position, Limits(seconds=arguments.seconds, progress=progress, stop=stop))
    if arguments.json:
        print(json.dumps(words.analysis_json(analysis), ensure_ascii=False))
    else:
        show_analysis(analysis, Screen(plain=arguments.plain, details=arguments.details))
    return 0


def _review(match: Match, arguments: argparse.Namespace) -> int:
    moves = match.cursor if isinstance(match, State) else len(match) - 1
    with interruptible() as stop, _bar(moves) as progress:
        limits = Limits(seconds=arguments.seconds * (moves + 1), stop=stop, progress=progress)
        reviewed = review(match, limits)
    if arguments.json:
        print(json.dumps(words.review_json(reviewed), ensure_ascii=False))
    else:
        show_review(reviewed, Screen(plain=arguments.plain, details=arguments.details))
    return 0


@contextmanager
def _bar(moves: int) -> Iterator[OnProgress | None]:
    """A bar on stderr that grows with every move reviewed, or none when that is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    # Slow to load, and not needed without a terminal.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("moves reviewed"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("(Ctrl-C stops)"), console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("moves", total=moves)

        def advance(progress: reports.Progress) -> None:
            if progress.stage == "review":
                bar.update(task, completed=progress.depth)

        yield advance
