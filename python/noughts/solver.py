"""Exact answers: by the kernel where a game has tables for it, by the reference elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Literal

from noughts import search
from noughts._kernel import Tables
from noughts.core import Game, Position
from noughts.errors import SearchError
from noughts.search import Count

__all__ = ["Backend", "Progress", "count", "perft"]

Backend = Literal["auto", "kernel", "python"]

Progress = Callable[[str, int, int, float], object]
"""Told a few times a second: what is going on, how deep, how many nodes so far, and for how long."""


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


def seats(position: Position) -> tuple[list[int], int]:
    """A position as the kernel takes it: the seat in each cell, −1 for none, and the seat to move."""
    numbers = {mark: seat for seat, mark in enumerate(position.game.marks)}
    cells = [-1] * position.game.grid.cells
    for cell, mark in position.cells.items():
        cells[cell] = numbers[mark]
    return cells, numbers[position.turn]


def perft(start: Game | Position, depth: int, *, backend: Backend = "auto", progress: Progress | None = None) -> int:
    """Count the ways to play exactly ``depth`` moves; a game that ends sooner is not one.

    >>> import noughts
    >>> perft(noughts.game("3x3"), 9)
    127872
    """
    if depth < 0:
        raise ValueError(f"a depth of {depth} is less than none")
    position = start.start() if isinstance(start, Game) else start
    compiled = tables(position.game, backend)
    if compiled is None:
        return search.perft(position, depth)
    return compiled.perft(*seats(position), depth, progress=progress)


def count(game: Game, *, backend: Backend = "auto", progress: Progress | None = None) -> Count:
    """Count all positions and games from the first position on.

    >>> import noughts
    >>> count(noughts.game("3x3")).positions
    5478
    """
    compiled = tables(game, backend)
    if compiled is None:
        began = time.perf_counter()

        def tell(ply: int, positions: int) -> None:
            if progress is not None:
                progress("count", ply, positions, time.perf_counter() - began)

        return search.count(game, progress=tell)
    counted = compiled.count(*seats(game.start()), memory=8 << 30, progress=progress)

    def by_outcome(outcomes: tuple[list[int], int]) -> Counter[str]:
        wins, draws = outcomes
        named = dict(zip(game.marks, wins, strict=True)) | {"draw": draws}
        return Counter({who: n for who, n in named.items() if n})

    return Count(
        positions=counted["positions"],
        canonical=counted["canonical"],
        terminal=by_outcome(counted["terminal"]),
        games=sum(n for _, _, n in counted["plies"]),
        games_by_outcome=by_outcome(counted["games"]),
        positions_by_ply=[n for n, _, _ in counted["plies"]],
        canonical_by_ply=[n for _, n, _ in counted["plies"]],
        games_by_ply=[n for _, _, n in counted["plies"]],
    )
