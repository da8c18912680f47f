"""Exact values: by the kernel where a game has tables for it, by the reference search elsewhere."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from noughts.compute.kernel import Backend, limited, moment, tables
from noughts.compute.limits import Limits
from noughts.compute.reference import ReferenceSolver
from noughts.compute.value import Proven, ProvenValue
from noughts.core import Move, Position
from noughts.errors import SearchError

if TYPE_CHECKING:
    from noughts._kernel import _Bounds

__all__ = ["Value", "Verdict", "solve"]

Value = Literal["win", "draw", "loss", "unknown"]

_VALUES: dict[str, ProvenValue] = {"win": "win", "draw": "draw", "loss": "loss"}
_UNKNOWN = {"proven": False, "value": "unknown", "distance": None, "margin": None, "within": None}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about a position, for the player to move."""

    position: Position
    value: Value
    """``unknown`` when a limit was reached before the value was proven."""
    bounds: tuple[ProvenValue, ProvenValue]
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
    map: Mapping[Move, Proven | None] | None = field(default=None)
    """What every legal move is worth, if that was asked for; ``None`` for a move that is not known."""

    @property
    def proven(self) -> bool:
        """Whether the value is certain."""
        return self.value != "unknown"

    @property
    def known(self) -> Proven | None:
        """The value with its distance and margin, or ``None`` while it is unknown."""
        return None if self.value == "unknown" else Proven(self.value, self.distance, self.margin)

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
            verdict["map"] = {name(move): worth.to_json() if worth else _UNKNOWN for move, worth in self.map.items()}
        return verdict


def solve(position: Position, limits: Limits | None = None, *, map: bool = False, backend: Backend = "auto") -> Verdict:
    """Find the exact value of a two-player position, its distance, every best move and a line.

    With ``map``, also what every legal move is worth. A limit that comes first leaves an honest
    ``unknown`` with bounds.

    >>> import noughts
    >>> verdict = noughts.solve(noughts.position("3x3", "XO1/3/3 X"))
    >>> verdict.value, verdict.distance, [verdict.position.game.move_name(move) for move in verdict.best]
    ('win', 5, ['a2', 'b2', 'a3'])
    """
    if len(position.game.marks) != 2:
        raise SearchError(f"exact solving is for two players; {position.game} has {len(position.game.marks)}")
    if position.outcome is not None:
        return _finished(position)
    limits = limits or Limits()
    compiled = tables(position.game, backend)
    if compiled is None:
        return _by_reference(position, limits, map=map)
    began = time.perf_counter()
    given = moment(position)
    found = compiled.solve(given, limited(limits))
    values: dict[Move, Proven | None] | None = None
    stopped, searched = found["stopped"], found["nodes"]
    if map:
        mapped = compiled.map(given, limited(limits.since(began)))
        values = {move: _proven(bounds) for move, bounds in mapped["moves"]}
        stopped, searched = stopped or mapped["stopped"], searched + mapped["nodes"]
    bounds = found["bounds"]
    known = _proven(bounds)
    return Verdict(
        position,
        known.value if known else "unknown",
        (_VALUES[bounds["lower"]], _VALUES[bounds["upper"]]),
        bounds["distance"],
        _margin(bounds),
        tuple(found["best"]),
        tuple(found["line"]),
        searched,
        time.perf_counter() - began,
        stopped,
        values,
    )


def _proven(bounds: _Bounds) -> Proven | None:
    if bounds["lower"] != bounds["upper"]:
        return None
    return Proven(_VALUES[bounds["lower"]], bounds["distance"], _margin(bounds))


def _margin(bounds: _Bounds) -> int | None:
    margin = bounds["margin"]
    return margin[0] if margin is not None and margin[0] == margin[1] else None


def _finished(position: Position) -> Verdict:
    assert position.outcome is not None
    worth = Proven.of(position.outcome, position.turn, tiles=position.game.counts_tiles)
    return Verdict(position, worth.value, (worth.value, worth.value), 0, worth.margin, (), (), 0, 0.0)


def _by_reference(position: Position, limits: Limits, *, map: bool) -> Verdict:
    """Search every move with the textbook negamax; for games the kernel has no tables for."""
    began = time.perf_counter()
    found = ReferenceSolver(position, limits).solve()
    spent, tiles = time.perf_counter() - began, position.game.counts_tiles
    known = max(found.moves.values(), key=lambda worth: worth.rank, default=None)
    values = {move: found.moves.get(move) for move in position.legal_moves} if map else None
    if known is None:
        return Verdict(
            position, "unknown", ("loss", "win"), None, None, (), (), found.nodes, spent, found.stopped, values
        )
    return Verdict(
        position,
        known.value,
        (known.value, known.value),
        len(found.line) if tiles else known.distance,
        known.margin,
        tuple(move for move, worth in found.moves.items() if worth.rank == known.rank),
        found.line,
        found.nodes,
        spent,
        found.stopped,
        values,
    )
