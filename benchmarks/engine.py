"""The engine on Gomoku: positions a second and depth on fixed middle games."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table import Table, human
from noughts import Position, game
from noughts.compute.engine import think
from noughts.compute.limits import Limits
from noughts.search import deepening

POSITIONS = Path(__file__).parent / "gomoku.txt"
SECONDS = 1.0


@dataclass(frozen=True)
class Speed:
    """Nodes per second and depths of a search over all positions."""

    nodes: float
    depths: list[int]

    @property
    def depth(self) -> str:
        """The mean depth and the range."""
        return f"{sum(self.depths) / len(self.depths):.1f} ({min(self.depths)}-{max(self.depths)})"


def run() -> list[Table]:
    table = Table(
        f"The engine on ten middle games of 15x15, {SECONDS:g} s each",
        ("search", "positions /s", "depth reached", "compared with Python", "target"),
    )
    positions = _positions()
    textbook = _textbook(positions)
    cores = os.cpu_count() or 1
    for name, fours, threads, target in (
        ("engine, one thread", None, 1, "1 M"),
        ("engine, one thread, no runs of fours", 0, 1, ""),
        (f"engine, {cores} threads", None, cores, ""),
    ):
        found = _engine(positions, fours, threads)
        ratio = f"{found.nodes / textbook.nodes:,.0f} times"
        table.add(name, human(found.nodes), found.depth, ratio, target)
    table.add("alpha-beta in Python", human(textbook.nodes), textbook.depth, "1", "")
    return [table]


def _positions() -> list[Position]:
    rules, positions = game("gomoku"), []
    for line in POSITIONS.read_text(encoding="utf-8").splitlines():
        here = rules.start()
        for cell in line.split():
            here = here.play(int(cell))
        positions.append(here)
    return positions


def _engine(positions: list[Position], fours: int | None, threads: int) -> Speed:
    nodes, seconds, depths = 0, 0.0, []
    for here in positions:
        found = think(here, Limits(seconds=SECONDS, threads=threads), fours=fours)
        nodes, seconds = nodes + found.nodes, seconds + found.seconds
        depths.append(found.depth)
    return Speed(nodes / seconds, depths)


def _textbook(positions: list[Position]) -> Speed:
    results = [deepening(here, seconds=SECONDS) for here in positions]
    return Speed(sum(result.nodes for result in results) / (SECONDS * len(positions)), [r.depth for r in results])
