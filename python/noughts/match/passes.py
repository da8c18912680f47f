"""Forced passes: who can do nothing but pass does so without being asked.

The rules know a pass as a move, and so do records: a forced pass is an action like any other, which the match makes
by itself after the one that led to it. So a record says the same wherever it is replayed, and one in which players
passed themselves is no different.
"""

from __future__ import annotations

from dataclasses import replace

from noughts.core import PASS, Position
from noughts.match.actions import MakeMove, Redo, Undo
from noughts.match.state import State

__all__ = ["forced_pass", "must_pass", "whole_step"]


def must_pass(position: Position) -> bool:
    """Whether the player to move has no move but to pass."""
    return PASS in position.game.specials and list(position.legal_moves[:2]) == [PASS]


def forced_pass(state: State, *, at: float = 0.0) -> MakeMove | None:
    """The pass that the player to move has to make, or ``None`` if there is a choice or the game is over."""
    if state.resigned is not None or not must_pass(state.position):
        return None
    return MakeMove(player=state.turn, move=state.game.move_name(PASS), at=at)


def whole_step(state: State, action: Undo | Redo) -> Undo | Redo:
    """An undo or redo of one ply as one of a whole step: a move and the forced passes after it.

    Where there are such passes it names the player whose choice it leads to.
    """
    if action.player is not None or PASS not in state.game.specials:
        return action
    back = isinstance(action, Undo)
    plies = range(state.cursor - 1, -1, -1) if back else range(state.cursor + 1, len(state.plies) + 1)
    for cursor in plies:
        position = state.positions[cursor]
        if not must_pass(position):
            return action if abs(cursor - state.cursor) == 1 else replace(action, player=position.turn)
    return action
