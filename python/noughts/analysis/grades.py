"""The review of a match: every move graded by what it changed, with the better move.

The review works from the last move back. Endgames are proven in no time, what is proven of a
position holds for the move that led to it, and time that is left over goes to the moves before.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from noughts.analysis.evaluation import Evaluation, Proven, evaluation_to_json
from noughts.analysis.study import DEFAULT_SECONDS, LEAST_SECONDS, Analysis, study
from noughts.compute.engine import Engine
from noughts.compute.limits import Limits
from noughts.core import Game, Mark, Move, Position
from noughts.match import Record, State

__all__ = ["Grade", "GradedMove", "Review", "Summary", "review"]

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder", "unknown"]
"""``best``: nothing better is known. ``good``: nothing was lost as far as is known. ``inaccuracy``: a slower win, a
faster loss, fewer tiles, or by the estimates a little worse. ``mistake``: much worse by the estimates. ``blunder``: a
proven value was thrown away. ``unknown``: too little is known."""

GRADES: tuple[Grade, ...] = get_args(Grade)

INACCURACY_LOSS = 0.3
"""A move whose estimate, and both ends of it, are lower than the best one's by this much is inaccurate,"""

MISTAKE_LOSS = 0.6
"""and a mistake from here on; a whole win is worth 2 more than a loss."""


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
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """How one player did."""

    mark: Mark
    moves: int
    grades: Mapping[Grade, int]

    @property
    def graded(self) -> int:
        """Moves about which enough is known."""
        return self.moves - self.grades["unknown"]

    @property
    def accuracy(self) -> float | None:
        """The share of graded moves that are best or good."""
        return (self.grades["best"] + self.grades["good"]) / self.graded if self.graded else None

    def to_json(self) -> dict[str, object]:
        """The summary as a JSON object."""
        return {"player": self.mark, "moves": self.moves, "grades": dict(self.grades), "accuracy": self.accuracy}


@dataclass(frozen=True, slots=True)
class Review:
    """A match move by move."""

    positions: tuple[Position, ...]
    """The position before each move, and after the last."""
    moves: tuple[GradedMove, ...]
    resigned: Mark | None = None
    nodes: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)
    stopped: str | None = None
    """The limit that left moves unknown, if one did."""

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """How each player did, in the order of the marks."""
        found = []
        for mark in self.positions[0].game.marks:
            counts = Counter(move.grade for move in self.moves if move.mark == mark)
            found.append(Summary(mark, counts.total(), {grade: counts[grade] for grade in GRADES}))
        return tuple(found)

    def to_json(self) -> dict[str, object]:
        """The review as a JSON object, moves by name."""
        start = self.positions[0]
        return {
            "game": start.game.spec,
            "position": start.text,
            "result": self.positions[-1].result(),
            "resigned": self.resigned,
            "moves": [graded.to_json(start.game) for graded in self.moves],
            "players": [summary.to_json() for summary in self.summaries],
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "stopped": self.stopped,
        }


def review(match: State | Record | Sequence[Position], limits: Limits | None = None) -> Review:
    """Grade every move of a match: a state, a record, or the positions from the first to the last.

    The limits are for the whole review: a second for each move, unless they say otherwise. After each
    move, their progress has the stage ``review`` with the number of moves graded as its depth.

    >>> import noughts
    >>> positions = [noughts.position("3x3")]
    >>> for move in ("a1", "b1", "c3", "b2"):
    ...     positions.append(positions[-1].play(move))
    >>> [graded.grade for graded in noughts.review(positions).moves]
    ['best', 'blunder', 'blunder', 'best']
    """
    state = match.state if isinstance(match, Record) else match
    if isinstance(state, State):
        positions, resigned = state.positions[: state.cursor + 1], state.resigned
    else:
        positions, resigned = tuple(state), None
    return _review(positions, resigned, limits or Limits(seconds=DEFAULT_SECONDS * len(positions)))


def _review(positions: Sequence[Position], resigned: Mark | None, limits: Limits) -> Review:
    began = time.perf_counter()
    limits = replace(limits, engine=limits.engine or Engine())
    total = len(positions) - 1
    graded: list[GradedMove] = []
    nodes, stopped = 0, None
    following: Analysis | None = None
    for index in range(total, -1, -1):
        if limits.stop():
            stopped = "cancelled"
        seen: Analysis | None = None
        if stopped is None:
            seen = study(
                positions[index], _slice(limits, began, index + 1), map_proofs=False, map_estimates=index < total
            )
            nodes += seen.nodes
        if index < total:
            graded.append(_grade(index, positions, seen, following))
            limits.report("review", len(graded), nodes, time.perf_counter() - began)
        following = seen
    graded.reverse()
    return Review(tuple(positions), tuple(graded), resigned, nodes, time.perf_counter() - began, stopped)


def _slice(limits: Limits, began: float, parts: int) -> Limits:
    """What one position may take of what is left, with ``parts`` positions to come."""
    return limits.since(began, least=LEAST_SECONDS * parts).share(1 / parts)


def _grade(index: int, positions: Sequence[Position], seen: Analysis | None, following: Analysis | None) -> GradedMove:
    position, move = positions[index], positions[index + 1].last
    assert move is not None
    forced = len(position.legal_moves) == 1
    if seen is None:
        return GradedMove(index + 1, position.turn, move, "unknown", None, None, None, (), forced)
    after = _after(seen, move, following)
    before = _before(seen, after)
    is_best = move in seen.best or before is after
    grade = _name(before, after, is_best or forced)
    better = seen.best[0] if grade not in ("best", "good", "unknown") and seen.best and not is_best else None
    played = (move, *(following.line if following is not None else ()))
    line = seen.line if better is not None or seen.line[:1] == (move,) else played
    return GradedMove(index + 1, position.turn, move, grade, before, after, better, line, forced)


def _after(seen: Analysis, move: Move, following: Analysis | None) -> Evaluation | None:
    """What the move played is worth to the player who made it: a proof first, then the surer of two estimates."""
    mine = seen.moves.get(move)
    later = None if following is None else _seen_by(seen.position.turn, following)
    known = [worth for worth in (mine, later) if worth is not None]
    proofs = [worth for worth in known if isinstance(worth, Proven)]
    if proofs:
        return min(proofs, key=lambda worth: worth.distance is None and worth.value != "draw")
    return min(known, key=lambda worth: worth.high - worth.low, default=None)


def _before(seen: Analysis, after: Evaluation | None) -> Evaluation | None:
    """What the position was worth: what was found out about it, or a win that the move played proves."""
    if isinstance(seen.evaluation, Proven) or not (isinstance(after, Proven) and after.value == "win"):
        return seen.evaluation
    return after


def _seen_by(mark: Mark, following: Analysis) -> Evaluation | None:
    """The evaluation of the next position for the player who moved there, if two are playing."""
    worth = following.evaluation
    if worth is None or following.position.turn == mark:
        return None if worth is None else worth.later()
    return worth.flipped().later() if len(following.position.game.marks) == 2 else None


def _name(before: Evaluation | None, after: Evaluation | None, is_best: bool) -> Grade:
    if before is None or after is None:
        return "best" if is_best and before is not None else "unknown"
    if isinstance(before, Proven) and isinstance(after, Proven):
        if after.score < before.score:
            return "blunder"
        return "best" if is_best else _name_of_same(before, after)
    # Whatever of the interval holds for this game, it holds before and after.
    lost = min(before.score - after.score, before.low - after.low, before.high - after.high)
    if is_best or lost < INACCURACY_LOSS:
        return "best" if is_best else "good"
    return "mistake" if lost >= MISTAKE_LOSS else "inaccuracy"


def _name_of_same(before: Proven, after: Proven) -> Grade:
    """Compare two ways to the same result."""
    if before.margin is not None and after.margin is not None:
        return "best" if after.margin >= before.margin else "inaccuracy"
    if before.value == "draw":
        return "best"
    if before.distance is None or after.distance is None:
        return "good"
    return "best" if after.rank >= before.rank else "inaccuracy"
