"""The levels in the arena: each against the one below, on four common games."""

from __future__ import annotations

import itertools

from benchmarks.table import Table
from noughts import game
from noughts.lab.arena import Arena, arena
from noughts.players.levels import LEVELS, level_spec

GAMES = ("4x4", "gomoku", "hex,size=7", "duel", "duel,opening=peaceful")
GAMES_PER_PAIR, GAMES_WITH_PERFECT = 200, 60
"""Fewer games where the perfect level plays, as it thinks for longer."""
PERFECT_SECONDS = 0.3
"""Seconds a move for the perfect level; its default is two, so it is stronger than it looks here."""


def run() -> list[Table]:
    table = Table(
        f"Levels, each against the one below ({PERFECT_SECONDS} s a move for perfect)",
        ("game", "level", "against", "wins", "draws", "losses", "Elo above", "target"),
    )
    for spec in GAMES:
        for lower, upper in itertools.pairwise(LEVELS):
            pair = [_quick(level_spec(name, game(spec))) for name in (upper, lower)]
            met = arena(
                pair, game(spec), GAMES_WITH_PERFECT if upper == "perfect" and spec != "4x4" else GAMES_PER_PAIR, seed=1
            )
            total = met.total(0)
            table.add(spec, upper, lower, total.wins, total.draws, total.losses, _difference(met), "100")
    return [table]


def _quick(spec: str) -> str:
    return f"{spec},seconds={PERFECT_SECONDS}" if spec.startswith("perfect") else spec


def _difference(met: Arena) -> str:
    upper, lower = met.ratings()
    return f"{upper.elo - lower.elo:+.0f} ± {upper.error + lower.error:.0f}"
