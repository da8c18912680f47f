"""``noughts perft``: count the ways to play."""

from __future__ import annotations

import argparse
import json
import time

from noughts.cli.progress import progress_line
from noughts.compute.counting import perft
from noughts.compute.limits import Limits
from noughts.errors import InvalidGame
from noughts.games import game

SUMMARY = "count the ways to play exactly DEPTH moves"
EPILOG = """\
Games that end sooner do not count. The numbers test the rules: compare them with another program's.

examples:
  noughts perft 3x3 9
  noughts perft hex,size=4 5 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("spec", help="the game, e.g. 4x4 or hex,size=7")
    parser.add_argument("depth", type=int, help="how many moves")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    chosen = game(arguments.spec)
    if arguments.depth < 0:
        raise InvalidGame(f"a depth of {arguments.depth} is not possible: it starts at 0")
    began = time.perf_counter()
    with progress_line() as progress:
        nodes = perft(chosen, arguments.depth, limits=Limits(progress=progress))
    seconds = time.perf_counter() - began
    if arguments.json:
        print(json.dumps({"game": chosen.spec, "depth": arguments.depth, "nodes": nodes, "seconds": round(seconds, 6)}))
    else:
        print(f"{chosen.spec} at depth {arguments.depth}: {nodes:,} in {seconds:.2f} s")
    return 0
