"""The way to the kernel: which games compile, how a position is handed over, how work is limited."""

from __future__ import annotations

import os
import time
from typing import Literal

from noughts._kernel import Limited, Moment, Tables
from noughts.compute.limits import Limits
from noughts.core import Game, Position
from noughts.errors import SearchError

__all__ = ["MEMORY", "Backend", "Moment", "cores", "limited", "moment", "share_cores", "tables"]

Backend = Literal["auto", "kernel", "python"]
"""Who does the work: the kernel, the Python reference, or whichever can."""

MEMORY = 1 << 30
"""Bytes a search may take unless the limits say otherwise."""

REPORT_INTERVAL = 0.2
"""Seconds between two reports of progress."""

_searches = 1
"""How many searches this process has to share the machine with, its own included."""


def share_cores(searches: int) -> None:
    """Say how many searches run side by side on this machine, so that none takes another's cores."""
    global _searches
    _searches = max(1, searches)


def cores() -> int:
    """The threads that a search takes by default: its share of the machine's cores."""
    return max(1, (os.cpu_count() or 1) // _searches)


def tables(game: Game, backend: Backend) -> Tables | None:
    """The kernel's tables for a game, or ``None`` where the reference has to do."""
    if backend not in ("auto", "kernel", "python"):
        raise ValueError(f"{backend!r} is not a backend: auto, kernel or python")
    if backend == "python":
        return None
    compiled = game.kernel
    if compiled is None and backend == "kernel":
        raise SearchError(f"the kernel has no tables for {game}")
    return compiled


def moment(position: Position) -> Moment:
    """Hand over a position."""
    numbers = {mark: seat for seat, mark in enumerate(position.game.marks)}
    cells = [-1] * position.game.grid.cells
    for cell, mark in position.cells.items():
        cells[cell] = numbers[mark]
    swap = position.extra == "swap" or not position.cells
    return Moment(cells=cells, turn=numbers[position.turn], swap=swap)


def limited(limits: Limits | None = None, *, memory: int = MEMORY) -> Limited:
    """Limits for one search of the kernel; ``memory`` is what it may take where they do not say."""
    limits = limits or Limits()
    last_report = time.monotonic()

    def watch(stage: str, depth: int, nodes: int, seconds: float) -> None:
        nonlocal last_report
        if limits.stop():
            allowance.cancel()
        if limits.progress is not None and time.monotonic() - last_report >= REPORT_INTERVAL:
            last_report = time.monotonic()
            limits.report(stage, depth, nodes, seconds)

    allowance = Limited(seconds=limits.seconds, nodes=limits.nodes, memory=limits.memory or memory, progress=watch)
    return allowance
