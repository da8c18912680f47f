"""Exact values: by the kernel where a game has tables for it, by the reference search elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from noughts.compute.kernel import TELL_EVERY, Backend, Progress, Stop, limited, moment, tables
from noughts.core import Move, Position
from noughts.errors import SearchError
from noughts.search import WIN, Negamax, Table, tile_margin, win_soon

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
        return _by_reference(position, map, seconds=seconds, nodes=nodes, progress=progress, stop=stop)
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


class _Stopped(Exception):
    """A limit was reached."""


def _by_reference(
    position: Position,
    map: bool,
    *,
    seconds: float | None,
    nodes: int | None,
    progress: Progress | None,
    stop: Stop | None,
) -> Verdict:
    """Search every move with the textbook negamax; for games the kernel has no tables for."""
    began = told_at = time.perf_counter()
    table, tiles = Table(), position.game.counts_tiles
    worth = tile_margin if tiles else win_soon
    searched = 0

    def watch(count: int) -> None:
        nonlocal told_at
        if nodes is not None and searched + count > nodes:
            raise _Stopped("node limit")
        if count % 256:
            return
        now = time.perf_counter()
        if seconds is not None and now - began > seconds:
            raise _Stopped("deadline")
        if stop is not None and stop():
            raise _Stopped("cancelled")
        if progress is not None and now - told_at > TELL_EVERY:
            told_at = now
            progress("search", 0, searched + count, now - began)

    def value(after: Position, mark: str) -> float:
        """A move's score, one ply further from the end than the position after it."""
        nonlocal searched
        if after.outcome is not None:
            return worth(after.outcome, mark, 1)
        result = Negamax(worth=worth, table=table, on_node=watch).best(after)
        searched += result.nodes
        decided = abs(result.score) > WIN / 2
        return -(result.score - math.copysign(1, result.score) if decided else result.score)

    def all_moves(here: Position) -> dict[Move, float]:
        return {move: value(here.play_unchecked(move), here.turn) for move in here.legal_moves}

    try:
        scores = all_moves(position)
        line, at = [], position
        while at.outcome is None:
            step = scores if at is position else all_moves(at)
            line.append(max(step, key=step.__getitem__))
            at = at.play_unchecked(line[-1])
    except (_Stopped, RecursionError) as why:
        stopped = str(why) if isinstance(why, _Stopped) else "recursion limit"
        spent = time.perf_counter() - began
        unknown = dict.fromkeys(position.legal_moves, MoveValue("unknown")) if map else None
        return Verdict(position, "unknown", ("loss", "win"), None, None, (), (), searched, spent, stopped, unknown)

    def told(score: float) -> MoveValue:
        if tiles:
            return MoveValue(_of_score(score), None, int(score))
        return MoveValue(_of_score(score), int(WIN - abs(score)) if abs(score) > WIN / 2 else None)

    top = max(scores.values())
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
