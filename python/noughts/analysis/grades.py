"""Grades: what a move changed, by what is proven and what is only estimated of the position and the move.

A proof and an estimate can be compared. Before the rules below are asked, :func:`doubt` says which of
the two positions deserves a second, longer search, so that "not proven" means: not found by a search
with more effort than the one that proved the other side.

========== ============================ ============================ ================================================
before     after: win                   after: draw or loss          after: not proven
========== ============================ ============================ ================================================
win        best; inaccuracy if slower   blunder                      blunder, if the win was :data:`SHORT` plies away
                                                                     at most; else by the estimate (1)
draw       --                           best, if a draw; a loss is   by the estimates (2)
                                        a blunder
loss       --                           best; inaccuracy if faster   best, if among the best moves; else good
not proven best                         a draw by the estimates (2); by the estimates (2)
                                        a loss in :data:`SHORT`
                                        plies at most is a blunder,
                                        a later one by the estimate
                                        (1)
========== ============================ ============================ ================================================

1. One side is certain, so the middle of the estimate counts: from :data:`MISTAKE_LOSS` on it is a blunder, as
   everything is at stake.
2. A move is blamed only if it is worse by as much at both ends of the intervals too, and it is a mistake at most.

A move that was the only one is best. A loss counts as one that could have been avoided while some other
move is not proven lost; a position in which all are lost is a proven loss itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from noughts.analysis.evaluation import Evaluation, Proven, evaluation_to_json
from noughts.core import Game, Mark, Move
from noughts.note import Note

__all__ = ["GRADES", "Grade", "GradedMove", "Side", "doubt", "grade_of"]

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder", "unknown"]
"""``best``: nothing better is known. ``good``: nothing was lost as far as is known. ``inaccuracy``: a slower win, a
faster loss, fewer tiles, or by the estimates a little worse. ``mistake``: much worse by the estimates. ``blunder``: a
proven value was thrown away, or a loss nearby walked into. ``unknown``: too little is known."""

GRADES: tuple[Grade, ...] = get_args(Grade)

Side = Literal["before", "after"]
"""The position before a move, or the one after it."""

INACCURACY_LOSS = 0.3
"""A move whose estimate is lower than the best one's by this much is inaccurate,"""

MISTAKE_LOSS = 0.6
"""and a mistake from here on; a whole win is worth 2 more than a loss."""

SHORT = 9
"""A win or loss at most this many plies away is one that a search sees on either side of a move."""


@dataclass(frozen=True, slots=True)
class GradedMove:
    """One move of a match and what it changed, seen by the player who made it."""

    ply: int
    """Its number in the match, from 1."""
    mark: Mark
    move: Move
    grade: Grade
    before: Evaluation | None
    """What the position was worth."""
    after: Evaluation | None
    """What it is worth after the move."""
    better: Move | None
    """The move that would have been better, if one is known."""
    line: tuple[Move, ...]
    """How the game goes on from the better move, itself first; from the move played where there is none."""
    forced: bool = False
    """Whether there was no other move."""
    reason: Note | None = None
    """What speaks for the move or against it, where there is something to say: said by ``reason.<code>``."""

    @property
    def proven(self) -> bool:
        """Whether the grade rests on proof alone."""
        return isinstance(self.before, Proven) and isinstance(self.after, Proven)

    def to_json(self, game: Game) -> dict[str, object]:
        """The move as a JSON object, moves by name."""
        name = game.move_name
        return {
            "ply": self.ply,
            "player": self.mark,
            "move": name(self.move),
            "grade": self.grade,
            "proven": self.proven,
            "forced": self.forced,
            "before": evaluation_to_json(self.before),
            "after": evaluation_to_json(self.after),
            "better": None if self.better is None else name(self.better),
            "line": [name(move) for move in self.line],
            "reason": None if self.reason is None else self.reason.to_json(),
        }


def doubt(before: Evaluation | None, after: Evaluation | None) -> Side | None:
    """The side that a longer search should look at: the one that is not proven, where the other one is.

    A proven loss leaves no doubt about what follows, nor a win about what went before.

    >>> doubt(Proven("win", 3), None), doubt(Proven("loss", 2), None)
    ('after', None)
    """
    if isinstance(before, Proven) and not isinstance(after, Proven):
        return None if before.value == "loss" else "after"
    if isinstance(after, Proven) and not isinstance(before, Proven):
        return None if after.value == "win" else "before"
    return None


def grade_of(before: Evaluation | None, after: Evaluation | None, *, is_best: bool) -> Grade:
    """Grade a move by what the position was worth and what it is worth after it, by the rules of this module.

    ``is_best`` says that the move is among those preferred. It does not excuse one that a proof refutes.

    >>> grade_of(Proven("win", 1), Proven("draw"), is_best=False)
    'blunder'
    """
    if isinstance(before, Proven) and isinstance(after, Proven):
        if after.score < before.score:
            return "blunder"
        return "best" if is_best else _of_same(before, after)
    if isinstance(before, Proven) and before.value == "loss":
        return "best" if is_best else "good"
    if isinstance(before, Proven) and before.value == "win":
        return _by_a_proof(before, 1.0 if after is None else before.score - after.score)
    if isinstance(after, Proven) and after.value == "loss":
        return _by_a_proof(after, 1.0 if before is None else before.score - after.score)
    if isinstance(after, Proven) and after.value == "win":
        return "best"
    if before is None or after is None:
        return "best" if is_best and before is not None else "unknown"
    # Whatever of the interval holds for this game, it holds before and after.
    lost = min(before.score - after.score, before.low - after.low, before.high - after.high)
    if is_best or lost < INACCURACY_LOSS:
        return "best" if is_best else "good"
    return "mistake" if lost >= MISTAKE_LOSS else "inaccuracy"


def _by_a_proof(proof: Proven, lost: float) -> Grade:
    """A win that is no longer found, or a loss that nobody saw: ``lost`` of it by the estimate of the other side."""
    plies = proof.distance if proof.distance is not None else proof.within
    if (plies is not None and plies <= SHORT) or lost >= MISTAKE_LOSS:
        return "blunder"
    return "inaccuracy" if lost >= INACCURACY_LOSS else "good"


def _of_same(before: Proven, after: Proven) -> Grade:
    """Compare two ways to the same result."""
    if before.margin is not None and after.margin is not None:
        return "best" if after.margin >= before.margin else "inaccuracy"
    if before.value == "draw":
        return "best"
    if before.distance is None or after.distance is None:
        return "good"
    return "best" if after.rank >= before.rank else "inaccuracy"
