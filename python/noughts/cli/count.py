"""``noughts count``: the size of a game."""

from __future__ import annotations

import argparse
import json

from noughts.cli.progress import progress_line
from noughts.compute.counting import count
from noughts.compute.limits import Limits
from noughts.games import game

SUMMARY = "count the positions and games of a game"
EPILOG = """\
Every position that play can reach, modulo symmetry too, final positions by outcome, complete games.

examples:
  noughts count 3x3
  noughts count 4x4 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("spec", help="the game, e.g. 3x3 or hex,size=3")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    chosen = game(arguments.spec)
    with progress_line() as progress:
        counted = count(chosen, limits=Limits(progress=progress))
    if arguments.json:
        print(json.dumps({"game": chosen.spec, **counted.to_json()}))
        return 0
    print(f"{chosen.spec}")
    print(f"  positions   {counted.positions:,}")
    print(f"  canonical   {counted.canonical:,}")
    print("  terminal    " + ", ".join(f"{who} {n:,}" for who, n in sorted(counted.terminal.items())))
    print(f"  games       {counted.games:,}")
    print("  outcomes    " + ", ".join(f"{who} {n:,}" for who, n in sorted(counted.games_by_outcome.items())))
    print("\n  ply  positions  canonical  games that end here")
    rows = zip(counted.positions_by_ply, counted.canonical_by_ply, counted.games_by_ply, strict=True)
    for ply, (positions, canonical, games) in enumerate(rows):
        print(f"  {ply:>3}  {positions:>9,}  {canonical:>9,}  {games:,}")
    return 0
