"""Minimax with alpha-beta pruning: the same answer for a fraction of the positions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from noughts.board.grid import Grid
from noughts.core import Move, Position
from noughts.search.result import Result, Worth, check_searchable, win_soon

__all__ = ["Order", "alphabeta", "board_order", "centre_first"]

Order = Callable[[Position], Iterable[Move]]
"""In which order the moves of a position are tried."""


def board_order(position: Position) -> Iterable[Move]:
    """The moves as they come."""
    return position.legal_moves


def centre_first(position: Position) -> Iterable[Move]:
    """The centre, the corners, then the rest: good moves first leave more to cut off.

    >>> from noughts import game
    >>> start = game("3x3").start()
    >>> " ".join(map(start.game.move_name, centre_first(start)))
    'b2 a1 c1 a3 c3 b1 a2 c2 b3'
    """
    rank = _ranks(position.game.grid)
    return sorted(position.legal_moves, key=lambda move: rank.get(move, 2))


@lru_cache(maxsize=64)
def _ranks(grid: Grid) -> Mapping[Move, int]:
    return {**dict.fromkeys(grid.corners(), 1), **dict.fromkeys(grid.centre(), 0)}


def alphabeta(
    position: Position, *, depth: int | None = None, worth: Worth = win_soon, order: Order = centre_first
) -> Result:
    """Look at every line that can still matter.

    ``alpha`` is what the player to move at the root already has elsewhere, ``beta`` what the
    opponent already has; between ``beta <= alpha`` there is nothing left to learn. The order in
    which moves are tried changes the work, never the answer.
    """
    check_searchable(position, name="alpha-beta")
    mark = position.turn
    nodes, cutoffs, deepest, complete = 0, 0, 0, True

    def value(position: Position, ply: int, alpha: float, beta: float) -> float:
        nonlocal nodes, cutoffs, deepest, complete
        nodes += 1
        deepest = max(deepest, ply)
        if position.outcome is not None:
            return worth(position.outcome, mark, ply)
        if ply == depth:
            complete = False
            return position.estimate(mark)
        maximising = position.turn == mark
        best = -math.inf if maximising else math.inf
        moves = list(order(position))
        for tried, move in enumerate(moves, start=1):
            score = value(position.play_unchecked(move), ply + 1, alpha, beta)
            if maximising:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if beta <= alpha:
                cutoffs += tried < len(moves)
                break
        return best

    best, alpha = position.legal_moves[0], -math.inf
    place = {move: at for at, move in enumerate(position.legal_moves)}
    for move in order(position):
        # Of equal moves the first in board order counts, so one that comes before the best has to be told from worse.
        needed = alpha - 1 if place[move] < place[best] else alpha
        score = value(position.play_unchecked(move), 1, needed, math.inf)
        if score > needed:
            best, alpha = move, score
    return Result(best, alpha, nodes, cutoffs, deepest, complete)
