"""Threats on the board: what a player would do if it were on turn.

A win or a loss at once is found through the rules, for every game. More is told by the games themselves
(:meth:`~noughts.core.Position.threats`): forks and open rows, captures, bridges.
"""

from __future__ import annotations

from collections.abc import Iterator

from noughts.core import Move, Position
from noughts.hooks import Threat

__all__ = ["Threat", "threats"]


def threats(position: Position) -> tuple[Threat, ...]:
    """Every threat on the board, those of the player to move first.

    >>> import noughts
    >>> [(threat.mark, threat.kind, threat.cells) for threat in threats(noughts.position("3x3", "XX1/OO1/3 X"))]
    [('X', 'win', (2,)), ('O', 'win', (5,))]
    """
    if position.outcome is not None:
        return ()
    marks = position.game.marks
    first = marks.index(position.turn)
    found: list[Threat] = []
    for mark in (*marks[first:], *marks[:first]):
        seen = position.seen_by(mark)
        if seen is not None:
            found += (*_ends(seen), *seen.threats())
    return tuple(found)


def _ends(position: Position) -> Iterator[Threat]:
    """Moves that end the game at once, one way or the other."""
    mark = position.turn
    lost: list[Move] = []
    for move in position.deciding():
        outcome = position.play_unchecked(move).outcome
        if outcome is None or outcome.winner is None or move < 0:
            continue
        if outcome.winner == mark:
            stones = () if outcome.tiles else tuple(cell for cell in outcome.cells if cell != move)
            yield Threat(mark, "win", (move,), stones)
        else:
            lost.append(move)
    if lost:
        yield Threat(mark, "lose", tuple(lost))
