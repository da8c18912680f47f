"""Minimax as in a textbook: the best move is the one whose worst reply is best."""

from __future__ import annotations

from noughts.core import Position
from noughts.search.result import Result, Worth, check_searchable, win_soon

__all__ = ["minimax"]


def minimax(position: Position, *, depth: int | None = None, worth: Worth = win_soon) -> Result:
    """Look at every line to its end, or ``depth`` plies ahead and estimate there.

    >>> from noughts import position
    >>> result = minimax(position("3x3", "XX1/OO1/3 X"))
    >>> result.move, result.nodes
    (2, 156)
    """
    check_searchable(position, name="minimax")
    mark = position.turn
    nodes, deepest, complete = 0, 0, True

    def value(position: Position, ply: int) -> int:
        nonlocal nodes, deepest, complete
        nodes += 1
        deepest = max(deepest, ply)
        if position.outcome is not None:
            return worth(position.outcome, mark, ply)
        if ply == depth:
            complete = False
            return position.estimate(mark)
        values = (value(position.play_unchecked(move), ply + 1) for move in position.legal_moves)
        return max(values) if position.turn == mark else min(values)

    best, best_value = -1, None
    for move in position.legal_moves:
        score = value(position.play_unchecked(move), 1)
        if best_value is None or score > best_value:
            best, best_value = move, score
    return Result(best, best_value or 0, nodes, 0, deepest, complete)
