"""Exact values: by the kernel where a game has tables for it, by the reference search elsewhere."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from noughts.core import Move, Position
from noughts.errors import SearchError
from noughts.kernel import Backend, Progress, Stop, limited, moment, tables
from noughts.search import WIN, Table, negamax, tile_margin, win_soon

if TYPE_CHECKING:
    from noughts._kernel import _Bounds

__all__ = ["MoveValue", "Value", "Verdict", "solve"]

Value = Literal["win", "draw", "loss", "unknown"]

_VALUES: dict[str, Value] = {"win": "win", "draw": "draw", "loss": "loss"}


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What a move is worth to the player who makes it."""

    value: Value
    distance: int | None = None
    """Plies to the end of the game under best play, this move included, where that is known."""
    margin: int | None = None
    """Tiles by which the player then leads, in games that count them."""

    def __str__(self) -> str:
        """The value in words: ``win in 11``, ``draw``, ``loss by 4 tiles``."""
        if self.margin:
            return f"{self.value} by {abs(self.margin)} tiles"
        if self.distance is not None and self.value in ("win", "loss"):
            return f"{self.value} in {self.distance}"
        return self.value

    def to_json(self) -> dict[str, object]:
        """The value as a JSON object."""
        return {"value": self.value, "distance": self.distance, "margin": self.margin}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about a position, for the player to move."""

    position: Position
    value: Value
    """``unknown`` when a limit was reached before the value was proven."""
    bounds: tuple[Value, Value]
    """The worst and the best that the value can still be; equal when it is proven."""
    distance: int | None
    """Plies to the end under best play (the winner hurries, the loser delays), where proven."""
    margin: int | None
    """Tiles by which the player leads in the end, in games that count them."""
    best: tuple[Move, ...]
    """Every best move in board order."""
    line: tuple[Move, ...]
    """A line of best play."""
    nodes: int
    seconds: float
    stopped: str | None = None
    """The limit that left something open, if one did."""
    map: Mapping[Move, MoveValue] | None = field(default=None)
    """What every legal move is worth, if that was asked for."""

    @property
    def proven(self) -> bool:
        """Whether the value is certain."""
        return self.value != "unknown"

    def to_json(self) -> dict[str, object]:
        """The verdict as a JSON object, moves by name."""
        name = self.position.game.move_name
        verdict: dict[str, object] = {
            "value": self.value,
            "distance": self.distance,
            "margin": self.margin,
            "best": [name(move) for move in self.best],
            "line": [name(move) for move in self.line],
            "proven": self.proven,
            "bounds": list(self.bounds),
            "stopped": self.stopped,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
        if self.map is not None:
            verdict["map"] = {name(move): value.to_json() for move, value in self.map.items()}
        return verdict


def solve(
    position: Position,
    *,
    map: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = None,
    backend: Backend = "auto",
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Verdict:
    """Find the exact value of a two-player position, its distance, every best move and a line.

    With ``map``, also what every legal move is worth. A limit (time, nodes, bytes of memory, or
    ``stop``) that comes first leaves an honest ``unknown`` with bounds.

    >>> import noughts
    >>> verdict = noughts.solve(noughts.position("3x3", "XO1/3/3 X"))
    >>> verdict.value, verdict.distance, [verdict.position.game.move_name(move) for move in verdict.best]
    ('win', 5, ['a2', 'b2', 'a3'])
    """
    if len(position.game.marks) != 2:
        raise SearchError(f"exact solving is for two players; {position.game} has {len(position.game.marks)}")
    if position.outcome is not None:
        return _finished(position)
    compiled = tables(position.game, backend)
    if compiled is None:
        return _by_reference(position, map)
    began = time.perf_counter()

    given = moment(position)
    allowance = limited(seconds=seconds, nodes=nodes, memory=memory, progress=progress, stop=stop)
    found = compiled.solve(given, allowance)
    values: dict[Move, MoveValue] | None = None
    stopped, searched = found["stopped"], found["nodes"]
    if map:
        left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - began))
        allowance = limited(seconds=left, nodes=nodes, memory=memory, progress=progress, stop=stop)
        mapped = compiled.map(given, allowance)
        values = {move: _move_value(bounds) for move, bounds in mapped["moves"]}
        stopped, searched = stopped or mapped["stopped"], searched + mapped["nodes"]
    known = _move_value(found["bounds"])
    return Verdict(
        position,
        known.value,
        (_VALUES[found["bounds"]["lower"]], _VALUES[found["bounds"]["upper"]]),
        known.distance,
        known.margin,
        tuple(found["best"]),
        tuple(found["line"]),
        searched,
        time.perf_counter() - began,
        stopped,
        values,
    )


def _move_value(bounds: _Bounds) -> MoveValue:
    proven = bounds["lower"] == bounds["upper"]
    margin = bounds["margin"]
    return MoveValue(
        _VALUES[bounds["lower"]] if proven else "unknown",
        bounds["distance"],
        margin[0] if margin is not None and margin[0] == margin[1] else None,
    )


def _finished(position: Position) -> Verdict:
    assert position.outcome is not None
    value = _of_score(position.outcome.score(position.turn))
    margin = position.outcome.margin(position.turn) if position.game.counts_tiles else None
    return Verdict(position, value, (value, value), 0, margin, (), (), 0, 0.0, None, None)


def _of_score(score: float) -> Value:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def _by_reference(position: Position, map: bool) -> Verdict:
    """Search every move with the textbook negamax; for games the kernel has no tables for."""
    began = time.perf_counter()
    table, tiles = Table(), position.game.counts_tiles
    searched = 0

    def value(after: Position, mark: str) -> float:
        nonlocal searched
        worth = tile_margin if tiles else win_soon
        if after.outcome is not None:
            return worth(after.outcome, mark, 1)
        result = negamax(after, worth=worth, table=table)
        searched += result.nodes
        # One ply further from the end than the position after the move.
        return -(
            result.score - 1
            if result.score > WIN / 2
            else result.score + 1
            if result.score < -WIN / 2
            else result.score
        )

    def best_of(position: Position) -> tuple[dict[Move, float], float]:
        scores = {move: value(position.play_unchecked(move), position.turn) for move in position.legal_moves}
        return scores, max(scores.values())

    scores, top = best_of(position)
    line, at = [], position
    while at.outcome is None:
        step, best = best_of(at) if at is not position else (scores, top)
        line.append(next(move for move, score in step.items() if score == best))
        at = at.play_unchecked(line[-1])

    def told(score: float) -> MoveValue:
        if tiles:
            return MoveValue(_of_score(score), None, int(score))
        distance = int(WIN - abs(score)) if abs(score) > WIN / 2 else None
        return MoveValue(_of_score(score), distance)

    known = told(top)
    return Verdict(
        position,
        known.value,
        (known.value, known.value),
        len(line) if tiles else known.distance,
        known.margin,
        tuple(move for move, score in scores.items() if score == top),
        tuple(line),
        searched,
        time.perf_counter() - began,
        None,
        {move: told(score) for move, score in scores.items()} if map else None,
    )
