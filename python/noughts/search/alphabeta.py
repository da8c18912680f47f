"""Minimax with alpha-beta pruning: the same answer for a fraction of the positions."""

from __future__ import annotations

import math

from noughts.core import Position
from noughts.search.result import Result, Worth, check_searchable, win_soon

__all__ = ["alphabeta"]


def alphabeta(position: Position, *, depth: int | None = None, worth: Worth = win_soon) -> Result:
    """Look at every line that can still matter.

    ``alpha`` is what the player to move at the root already has elsewhere, ``beta`` what the
    opponent already has; between ``beta <= alpha`` there is nothing left to learn.
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
        moves = list(position.legal_moves)
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

    best, alpha = -1, -math.inf
    for move in position.legal_moves:
        score = value(position.play_unchecked(move), 1, alpha, math.inf)
        if score > alpha:
            best, alpha = move, score
    return Result(best, alpha, nodes, cutoffs, deepest, complete)
