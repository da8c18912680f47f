"""``noughts playouts``: what many random games come to."""

from __future__ import annotations

import argparse
import json

from noughts.cli.progress import interruptible, progress_line
from noughts.compute.kernel import cores
from noughts.compute.limits import Limits
from noughts.compute.sampling import playouts
from noughts.games import game
from noughts.terminal import words

SUMMARY = "play random games and count how they end"
EPILOG = """\
The same seed gives the same numbers, whatever the number of threads.

examples:
  noughts playouts 3x3 --games 1000000 --seed 1
  noughts playouts gomoku --games 100000 --threads 2 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("spec", help="the game, e.g. 4x4 or hex,size=7")
    parser.add_argument("--games", type=count, default=100_000, metavar="N", help="how many (default: 100000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="where the random numbers begin (default: 0)")
    parser.add_argument("--threads", type=count, default=None, metavar="T", help="default: all cores")
    parser.add_argument("--json", action="store_true", help="as JSON")


def count(text: str) -> int:
    """A whole number from 1 on."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def run(arguments: argparse.Namespace) -> int:
    """Play and print."""
    chosen = game(arguments.spec)
    with progress_line() as progress, interruptible() as stop:
        tally = playouts(
            chosen.start(),
            arguments.games,
            arguments.seed % 2**64,
            limits=Limits(threads=arguments.threads or cores(), progress=progress, stop=stop),
        )
    if arguments.json:
        print(json.dumps({"game": chosen.spec, "seed": arguments.seed, **tally.to_json()}))
        return 0
    rate = tally.games / tally.seconds if tally.seconds else 0
    print(f"{chosen.spec}: {tally.games:,} games in {tally.seconds:.2f} s ({rate:,.0f} a second)")
    for mark, wins in tally.wins.items():
        print(f"  {mark} wins  {wins / max(tally.games, 1):7.2%}  {wins:,}")
    print(f"  drawn   {tally.draws / max(tally.games, 1):7.2%}  {tally.draws:,}")
    print(f"  length  {tally.mean_length:.2f} moves on average")
    if tally.stopped:
        print(f"stopped early by {words.STOPS[tally.stopped]}")
    return 0
