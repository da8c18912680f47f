"""The review of a match: every move graded by what it changed, with the better move.

The review works from the last move back. Endgames are proven in no time, what is proven of a
position holds for the move that led to it, and time that is left over goes to the moves before.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from noughts.analysis.evaluation import Evaluation, Proven
from noughts.analysis.grades import GRADES, Grade, GradedMove, Side, doubt, grade_of
from noughts.analysis.reasons import fault, merit
from noughts.analysis.study import DEFAULT_SECONDS, LEAST_SECONDS, Analysis, study
from noughts.compute.engine import Engine
from noughts.compute.limits import Limits
from noughts.core import Mark, Move, Position
from noughts.hooks import LARGEST_SCANNED
from noughts.match import Record, State

__all__ = ["Review", "Summary", "grade_move", "review", "settled", "values"]

EFFORT = 8
"""How many times as long as one position a doubtful move is looked at."""


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


class _Reviewer:
    """The analyses of a match, found from the last position back; any of them may be replaced by a longer one."""

    def __init__(self, positions: Sequence[Position], limits: Limits) -> None:
        self.positions = positions
        self.limits = replace(limits, engine=limits.engine or Engine())
        self.began = time.perf_counter()
        self.found: list[Analysis | None] = [None] * len(positions)
        self.nodes = 0
        self._searched_again: set[int] = set()

    def study(self, index: int) -> None:
        """Analyse a position, and look again at a doubtful move from here and at those that follow."""
        last = len(self.positions) - 1
        found = study(
            self.positions[index],
            _slice(self.limits, self.began, index + 1),
            map_proofs=False,
            map_estimates=index < last,
        )
        self.found[index], self.nodes = found, self.nodes + found.nodes
        for later in range(index, last):
            if not self._settle(later, index + 1):
                break

    def _settle(self, index: int, parts: int) -> bool:
        """Look longer at the unproven side of a move; whether that told more about the position after it."""
        seen, following = self.found[index], self.found[index + 1]
        if seen is None or following is None:
            return False
        before, after = values(seen, self.positions[index + 1], following)
        side = doubt(before, after)
        at = index + 1 if side == "after" else index
        if side is None or at in self._searched_again or self.limits.stop():
            return False
        self._searched_again.add(at)
        proof = settled(seen, following, side, _slice(self.limits, self.began, parts, times=EFFORT))
        self.nodes += proof.nodes
        if proof.proven:
            self.found[at] = proof
        return proof.proven and side == "after"

    def graded(self, index: int) -> GradedMove:
        """The grade of the move from a position."""
        return grade_move(index + 1, self.positions[index], self.positions[index + 1], *self.found[index : index + 2])


def _review(positions: Sequence[Position], resigned: Mark | None, limits: Limits) -> Review:
    reviewer = _Reviewer(positions, limits)
    total, stopped = len(positions) - 1, None
    for index in range(total, -1, -1):
        if limits.stop():
            stopped = "cancelled"
        if stopped is None:
            reviewer.study(index)
        if index < total:
            limits.report("review", total - index, reviewer.nodes, time.perf_counter() - reviewer.began)
    moves = tuple(map(reviewer.graded, range(total)))
    seconds = time.perf_counter() - reviewer.began
    return Review(tuple(positions), moves, resigned, reviewer.nodes, seconds, stopped)


def _slice(limits: Limits, began: float, parts: int, *, times: int = 1) -> Limits:
    """What one position may take of what is left, with ``parts`` positions to come; ``times`` as much, if there is."""
    left = limits.since(began, least=LEAST_SECONDS * parts)
    if left.nodes is not None:
        left = replace(left, nodes=left.nodes * times)
    return left.share(1 / parts if times == 1 else min(0.5, times / parts))


def settled(seen: Analysis, following: Analysis, side: Side, limits: Limits) -> Analysis:
    """Search one side of a move for a proof, the position before it or the one after."""
    if side == "after":
        return study(following.position, limits, map_proofs=False, map_estimates=False)
    again = study(seen.position, limits, map_proofs=False, map_estimates=False)
    if again.proven or not is_lost_at_once(following.position, seen.position.turn):
        return again
    return again if way_out(seen.position) is not None else replace(again, evaluation=Proven("loss", 2))


def grade_move(
    ply: int, position: Position, then: Position, seen: Analysis | None, following: Analysis | None
) -> GradedMove:
    """Grade the move from ``position`` to ``then`` by the analyses of both, as far as there are any."""
    move = then.last
    assert move is not None
    forced = len(position.legal_moves) == 1
    if seen is None:
        return GradedMove(ply, position.turn, move, "unknown", None, None, None, (), forced)
    before, after = values(seen, then, following)
    is_best = move in seen.best or (before is after and isinstance(after, Proven))
    grade: Grade = "best" if forced and before is not None else grade_of(before, after, is_best=is_best)
    better = None if grade in ("best", "good", "unknown") else _better(seen, move, then)
    played = (move, *(following.line if following is not None else ()))
    line = (
        seen.line
        if seen.line[:1] == ((move if better is None else better),)
        else played
        if better is None
        else (better,)
    )
    why = merit(seen, move, played=True)
    if grade in ("inaccuracy", "mistake", "blunder"):
        reply = following.best[0] if following is not None and following.best else None
        why = fault(position, move, before, after, better, reply)
    return GradedMove(ply, position.turn, move, grade, before, after, better, line, forced, why)


def values(seen: Analysis, then: Position, following: Analysis | None) -> tuple[Evaluation | None, Evaluation | None]:
    """What a position was worth, and what it is worth after a move, both to the player who made it.

    A position is worth at least what the move played proves, or shows by a surer estimate.
    """
    before, after = seen.evaluation, _after(seen, then, following)
    if isinstance(before, Proven) or after is None:
        return before, after
    if isinstance(after, Proven):
        return (after if after.value == "win" else before), after
    return (before if before is None or before.score >= after.score else after), after


def _after(seen: Analysis, then: Position, following: Analysis | None) -> Evaluation | None:
    """What the move played is worth: a proof first, then the surer of two estimates."""
    assert then.last is not None
    mine = seen.moves.get(then.last)
    later = None if following is None else _seen_by(seen.position.turn, following)
    known = [worth for worth in (mine, later) if worth is not None]
    proofs = [worth for worth in known if isinstance(worth, Proven)]
    if proofs:
        return min(proofs, key=lambda worth: worth.distance is None and worth.value != "draw")
    if len(then.game.marks) > 2 and is_lost_at_once(then, seen.position.turn):
        return Proven("loss", 2)
    return min(known, key=lambda worth: worth.high - worth.low, default=None)


def _seen_by(mark: Mark, following: Analysis) -> Evaluation | None:
    """The evaluation of the next position for the player who moved there, if two are playing."""
    worth = following.evaluation
    if worth is None or following.position.turn == mark:
        return None if worth is None else worth.later()
    return worth.flipped().later() if len(following.position.game.marks) == 2 else None


def _better(seen: Analysis, move: Move, then: Position) -> Move | None:
    """The best other move: of those preferred, of those looked at, or one that stops a loss at once."""
    preferred = [other for other in seen.best if other != move]
    if preferred:
        return preferred[0]
    others = {
        other: worth
        for other, worth in seen.moves.items()
        if other != move and worth is not None and not (isinstance(worth, Proven) and worth.value == "loss")
    }
    if others:
        return max(others, key=lambda other: others[other].rank)
    return way_out(seen.position) if is_lost_at_once(then, seen.position.turn) else None


def is_lost_at_once(position: Position, mark: Mark) -> bool:
    """Whether the player to move wins on the spot, and that is not ``mark``."""
    return position.turn != mark and next(wins_at_once(position), None) is not None


def wins_at_once(position: Position) -> Iterator[Move]:
    """The moves with which the player to move wins on the spot, by the rules."""
    if position.outcome is not None or position.game.counts_tiles:
        return
    for move in position.deciding():
        outcome = position.play_unchecked(move).outcome
        if outcome is not None and outcome.winner == position.turn:
            yield move


def way_out(position: Position) -> Move | None:
    """A move after which nobody else wins on the spot, if there is one: blocks first, then any other."""
    others = (position.seen_by(mark) for mark in position.game.marks if mark != position.turn)
    blocks = [move for seen in others if seen is not None for move in wins_at_once(seen)]
    legal = position.legal_moves
    rest = islice(legal, LARGEST_SCANNED)
    for move in dict.fromkeys((*blocks, *rest)):
        if move in legal and not is_lost_at_once(position.play_unchecked(move), position.turn):
            return move
    return None
