"""``noughts balance``: whether a set of rules is fair, and how it plays."""

from __future__ import annotations

import argparse
import json

from noughts.analysis.balance import (
    PLAY_SECONDS,
    PROOF_SECONDS,
    RANDOM_GAMES,
    SIMULATIONS,
    STRONG_GAMES,
    Balance,
    balance,
)
from noughts.cli.playouts import count
from noughts.cli.progress import interruptible, progress_line
from noughts.cli.solve import positive
from noughts.compute.limits import Limits
from noughts.games import game
from noughts.terminal import words

SUMMARY = "report to a game designer: who wins, how often it is drawn, how long it takes"
EPILOG = """\
Takes the exact value if it can be proven in time, random games, and games between two Monte Carlo tree searches.

examples:
  noughts balance 4x4
  noughts balance 5x5,k=4,corners --time 30
  noughts balance duel --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("spec", help="the game, e.g. 4x4 or hex,size=7")
    for flag, kind, default, letter, what in (
        ("--games", count, RANDOM_GAMES, "N", "random games"),
        ("--strong-games", count, STRONG_GAMES, "N", "games by search"),
        ("--simulations", count, SIMULATIONS, "N", "simulations behind a move by search"),
        ("--time", positive, PROOF_SECONDS, "S", "seconds for the proof"),
        ("--play-time", positive, PLAY_SECONDS, "S", "seconds at most for the games of each kind"),
    ):
        parser.add_argument(flag, type=kind, default=default, metavar=letter, help=f"{what} (default: {default:g})")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="where the random numbers begin (default: 0)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    with progress_line() as progress, interruptible() as stop:
        report = balance(
            game(arguments.spec),
            Limits(seconds=arguments.time, progress=progress, stop=stop),
            games=arguments.games,
            strong_games=arguments.strong_games,
            simulations=arguments.simulations,
            play_seconds=arguments.play_time,
            seed=arguments.seed % 2**63,
        )
    print(json.dumps(report.to_json()) if arguments.json else _table(report))
    return 0


def _table(report: Balance) -> str:
    known = report.verdict
    if known is None:
        value = "only two-player games are proven"
    elif known.proven:
        value = f"{words.verdict(known)} for the first player, proven"
    else:
        value = words.verdict(known)
    rows = [
        ("", "random", "search"),
        ("games", f"{report.random.games:,}", f"{report.strong.games:,}"),
        ("first player scores", f"{report.random.first_score:.1%}", f"{report.strong.first_score:.1%}"),
        ("drawn", f"{report.random.draw_rate:.1%}", f"{report.strong.draw_rate:.1%}"),
        ("moves in a game", f"{report.random.mean_length:.1f}", f"{report.strong.mean_length:.1f}"),
    ]
    lines = [f"{report.game.spec}: {value}", f"choices in a position: {report.branching:.1f} on average"]
    if report.strong.simulations is not None:
        lines.append(f"simulations behind a move by search: {report.strong.simulations:,.0f} on average")
    if report.cut_short:
        lines.append("fewer games than asked for: the time was up (--play-time)")
    lines.append("")
    return "\n".join([*lines, *(f"  {what:<20} {one:>10} {two:>10}" for what, one, two in rows)])
