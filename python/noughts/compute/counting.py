"""Counting positions and games: by the kernel where a game has tables for it, else by the rules."""

from __future__ import annotations

import time
from collections import Counter

from noughts import search
from noughts.compute.kernel import Backend, limited, moment, tables
from noughts.compute.limits import Limits
from noughts.core import Game, Position
from noughts.search import Count

__all__ = ["Count", "count", "perft"]

COUNT_MEMORY = 8 << 30
"""Bytes a count may take unless the limits say otherwise: it keeps whole plies of a game."""


def perft(start: Game | Position, depth: int, *, limits: Limits | None = None, backend: Backend = "auto") -> int:
    """Count the ways to play exactly ``depth`` moves; a game that ends sooner is not one.

    >>> import noughts
    >>> noughts.perft(noughts.game("3x3"), 9)
    127872
    """
    if depth < 0:
        raise ValueError(f"a depth of {depth} is not possible: it starts at 0")
    position = start.start() if isinstance(start, Game) else start
    compiled = tables(position.game, backend)
    if compiled is None:
        return search.perft(position, depth)
    return compiled.perft(moment(position), limited(limits), depth=depth)


def count(game: Game, *, limits: Limits | None = None, backend: Backend = "auto") -> Count:
    """Count all positions and games from the first position on.

    >>> import noughts
    >>> noughts.count(noughts.game("3x3")).positions
    5478
    """
    compiled = tables(game, backend)
    if compiled is None:
        began = time.perf_counter()

        def report(ply: int, positions: int) -> None:
            if limits is not None:
                limits.report("count", ply, positions, time.perf_counter() - began)

        return search.count(game, on_ply=report)
    counted = compiled.count(moment(game.start()), limited(limits, memory=COUNT_MEMORY))

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
