"""``noughts arena``: players meet, and are rated."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from noughts.cli.playouts import count
from noughts.games import game
from noughts.lab.arena import Arena, arena
from noughts.lab.rating import Sprt

SUMMARY = "let players meet and rate them"
EPILOG = """\
Every two players meet in N games: in pairs that open alike, seats swapped. A draw counts half a win; ratings are Elo by
maximum likelihood with 95% intervals, their mean 0. A player that crashes, hangs or answers nonsense loses that game.

examples:
  noughts arena perfect random --game 4x4 --games 100
  noughts arena mcts,simulations=100 mcts,simulations=1000 rules --game hex,size=7 --games 40
  noughts arena mcts rules --game gomoku --games 1000 --sprt
  noughts arena perfect mcts --game 4x4 --games 20 --records games/ --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="at least two, e.g. mcts,simulations=500")
    parser.add_argument("--game", default="4x4", metavar="SPEC", help="what they play (default: 4x4)")
    parser.add_argument("--games", type=count, default=100, metavar="N", help="games for every two (default: 100)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the same seed gives the same games")
    parser.add_argument("--opening", type=int, default=2, metavar="PLIES", help="random first moves (default: 2)")
    parser.add_argument("--workers", type=count, metavar="W", help="processes (default: all cores)")
    parser.add_argument("--on", default="local", metavar="PLACE", help="where to play (default: local, this machine)")
    parser.add_argument("--records", type=Path, metavar="DIR", help="keep a record of every game")
    parser.add_argument("--sprt", action="store_true", help="stop as soon as it is clear whether the first is better")
    parser.add_argument("--elo", type=float, default=50.0, metavar="E", help="by how much, for --sprt (default: 50)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Play and print."""
    chosen = game(arguments.game)
    test = Sprt(elo1=arguments.elo) if arguments.sprt else None
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("games", total=None)
        result = arena(
            arguments.players,
            chosen,
            arguments.games,
            seed=arguments.seed,
            opening_plies=max(0, arguments.opening),
            workers=arguments.workers,
            on=arguments.on,
            records=arguments.records,
            sprt=test,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    print(json.dumps(result.to_json()) if arguments.json else _table(result, test))
    return 0


def _table(result: Arena, test: Sprt | None) -> str:
    width = max(len(spec) for spec in result.players)
    lines = [f"{result.game}: {result.games:,} games", ""]
    lines.append(f"  {'player':<{width}}   wins  draws losses   score    elo  95%")
    order = sorted(zip(result.ratings(), range(len(result.players)), strict=True), key=lambda item: -item[0].elo)
    for rating, i in order:
        total = result.total(i)
        share = total.points / total.games if total.games else 0.0
        lines.append(
            f"  {result.players[i]:<{width}} {total.wins:>6} {total.draws:>6} {total.losses:>6}"
            f"  {share:>6.1%} {rating.elo:>+6.0f}  ±{rating.error:.0f}"
        )
    if test is not None:
        one, two = result.players[:2]
        decided = f"{one} is {result.sprt} than {two}; tested for {test.elo1:g} Elo"
        open_yet = f"{result.games:,} games do not decide whether {one} is better than {two} by {test.elo1:g} Elo"
        lines += ["", decided if result.sprt else open_yet]
    lines += ["", *result.failures] if result.failures else []
    return "\n".join(lines)
