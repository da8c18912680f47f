"""The way to the kernel: which games compile, how a position is handed over, how work is limited."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Literal

from noughts._kernel import Limited, Tables
from noughts.core import Game, Position
from noughts.errors import SearchError

__all__ = ["MEMORY", "Backend", "Moment", "Progress", "Stop", "cores", "limited", "moment", "share_cores", "tables"]

Backend = Literal["auto", "kernel", "python"]
"""Who does the work: the kernel, the Python reference, or whichever can."""

Progress = Callable[[str, int, int, float], object]
"""Told a few times a second: what is going on, how deep, how many nodes so far, and for how long."""

Stop = Callable[[], bool]
"""Asked often; once it answers true, the work ends with what is known by then."""

Moment = tuple[list[int], int, bool]
"""A position as the kernel takes it: seats by cell (−1 for none), the seat to move, whether it may swap."""

MEMORY = 1 << 30
"""Bytes a search may take unless told otherwise."""

TELL_EVERY = 0.2
"""Seconds between two reports of progress."""

_searches = 1
"""How many searches this process has to share the machine with, its own included."""


def share_cores(searches: int) -> None:
    """Say how many searches run side by side on this machine, so that none takes another's cores."""
    global _searches
    _searches = max(1, searches)


def cores() -> int:
    """The threads that a search takes unless told otherwise: its share of the machine's cores."""
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
    return cells, numbers[position.turn], position.extra == "swap" or not position.cells


def limited(
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Limited:
    """Limits for one search of the kernel."""
    told = time.monotonic()

    def watch(stage: str, depth: int, count: int, spent: float) -> None:
        nonlocal told
        if stop is not None and stop():
            limits.cancel()
        if progress is not None and time.monotonic() - told >= TELL_EVERY:
            told = time.monotonic()
            progress(stage, depth, count, spent)

    limits = Limited(seconds=seconds, nodes=nodes, memory=memory or MEMORY, progress=watch)
    return limits
