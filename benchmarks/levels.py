"""The levels in the arena: each against the one below, on the four games people meet first."""

from __future__ import annotations

import itertools

from benchmarks.table import Table
from noughts import game
from noughts.lab.arena import Arena, arena
from noughts.players.levels import LEVELS, level_spec

GAMES = ("4x4", "gomoku", "hex,size=7", "duel", "duel,opening=peaceful")
MANY, FEW = 200, 60
"""Games of a pair; few where the perfect level takes its time."""
THOUGHT = 0.3
"""Seconds a move for the perfect level, which takes two otherwise: it is stronger yet than it looks here."""


def run() -> list[Table]:
    table = Table(
        f"Levels, each beside the one below ({THOUGHT} s a move for perfect)",
        ("game", "level", "beside", "wins", "draws", "losses", "Elo above", "wanted"),
    )
    for spec in GAMES:
        for lower, upper in itertools.pairwise(LEVELS):
            pair = [_quick(level_spec(name, game(spec))) for name in (upper, lower)]
            met = arena(pair, game(spec), FEW if upper == "perfect" and spec != "4x4" else MANY, seed=1)
            total = met.total(0)
            table.add(spec, upper, lower, total.wins, total.draws, total.losses, _difference(met), "100")
    return [table]


def _quick(spec: str) -> str:
    return f"{spec},seconds={THOUGHT}" if spec.startswith("perfect") else spec


def _difference(met: Arena) -> str:
    upper, lower = met.ratings()
    return f"{upper.elo - lower.elo:+.0f} ± {upper.error + lower.error:.0f}"
