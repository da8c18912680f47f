"""``noughts solve``: who wins, how soon, and by which moves."""

from __future__ import annotations

import argparse
import json

from noughts.cli.progress import interruptible, progress_line
from noughts.compute.limits import Limits
from noughts.compute.solver import Verdict, solve
from noughts.core import Game, Position
from noughts.games import game
from noughts.terminal import words

SUMMARY = "find the exact value of a position"
EPILOG = """\
The value is for the player to move. A limit or Ctrl-C that comes before the proof is reported as unknown, with what is
known by then.

examples:
  noughts solve 4x4                      a draw, and every first move keeps it
  noughts solve 6x6,k=4                  a win in 11
  noughts solve 3x3 b2 a1 --map          what every move is worth after b2 a1
  noughts solve peaceful,size=4 --json   the margin in tiles
  noughts solve 7x7,k=5 --time 60 --memory 1000
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("spec", help="the game, e.g. 4x4 or hex,size=5")
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="moves played before, e.g. b2 a1")
    parser.add_argument("--map", action="store_true", help="what every legal move is worth")
    parser.add_argument("--time", type=positive, metavar="S", help="stop after this many seconds")
    parser.add_argument("--memory", type=positive, metavar="MB", help="megabytes it may take (default: 1024)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def positive(text: str) -> float:
    """A number greater than zero."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(text)
    return number


def run(arguments: argparse.Namespace) -> int:
    """Solve and print."""
    position = game(arguments.spec).start()
    played = []
    for move in arguments.moves:
        played.append(position.game.move_name(position.read_move(move)))
        position = position.play(move)
    with progress_line() as progress, interruptible() as stop:
        memory = int(arguments.memory * 1e6) if arguments.memory else None
        limits = Limits(seconds=arguments.time, memory=memory, progress=progress, stop=stop)
        verdict = solve(position, limits, map=arguments.map)
    if arguments.json:
        print(json.dumps({"game": position.game.spec, "moves": played, **verdict.to_json()}))
    else:
        _print(position, verdict)
    return 0


def _print(position: Position, verdict: Verdict) -> None:
    name = position.game.move_name
    print(position)
    print()
    print(f"{position.result()}: {words.verdict(verdict)}")
    if verdict.best:
        print(f"best: {' '.join(map(name, verdict.best))}")
    if verdict.line:
        print(f"line: {' '.join(map(name, verdict.line))}")
    if verdict.map is not None:
        print()
        _print_map(position.game, verdict)
    print(f"\n{verdict.nodes:,} positions searched in {verdict.seconds:.3f} s")


def _print_map(game: Game, verdict: Verdict) -> None:
    assert verdict.map is not None
    for move, worth in verdict.map.items():
        print(f"  {game.move_name(move):<6} {'unknown' if worth is None else words.evaluation(worth)}")
