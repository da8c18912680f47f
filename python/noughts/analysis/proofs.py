"""Proofs: what the rules and the solver know for certain about a position and its moves."""

from __future__ import annotations

from collections.abc import Callable

from noughts.analysis.finding import Finding
from noughts.analysis.threats import Threat
from noughts.compute.limits import Limits
from noughts.compute.solver import Verdict, solve
from noughts.compute.value import Proven
from noughts.core import LARGEST_COMPILED, Move, Position

__all__ = ["proved"]

VALUE_SHARE = 0.5
"""The part of the time that goes into the value of the position; the rest is for its moves, or for an estimate."""

MANY_EMPTY_CELLS = 64
"""With more empty cells a proof is rare, and gets half as much."""

MOST_EMPTY_UNCOMPILED = 25
"""Empty cells up to which a board that the kernel does not take is worth a try."""

Left = Callable[[float], Limits]
"""Gives limits for a part of what is left."""


def proved(position: Position, seen: tuple[Threat, ...], left: Left, *, every: bool) -> Finding:
    """Find the value of a position, and with ``every`` that of each move, as far as limits allow."""
    return _at_once(position, seen) or _by_solver(position, left, every=every)


def _at_once(position: Position, seen: tuple[Threat, ...]) -> Finding | None:
    """What threats alone decide, where the kernel is no help."""
    game, mark = position.game, position.turn
    if game.counts_tiles or (game.kernel is not None and len(game.marks) == 2):
        return None
    wins = sorted(cell for threat in seen if (threat.mark, threat.kind) == (mark, "win") for cell in threat.cells)
    if wins:
        value = Proven("win", 1)
        return Finding("rules", value, tuple(wins), (wins[0],), dict.fromkeys(wins, value), ("win", "win"))
    if not game.one_block or len(game.marks) > 2:
        return None
    lost = sorted(cell for threat in seen if threat.kind == "win" for cell in threat.cells)
    if len(lost) < 2:
        return None
    # Only one of them can be taken away.
    value = Proven("loss", 2)
    moves = dict.fromkeys(lost, value)
    return Finding("rules", value, tuple(lost), (lost[0], lost[1]), moves, ("loss", "loss"))


def _by_solver(position: Position, left: Left, *, every: bool) -> Finding:
    empty = position.game.grid.cells - len(position.cells)
    if len(position.game.marks) != 2 or (position.game.grid.cells > LARGEST_COMPILED and empty > MOST_EMPTY_UNCOMPILED):
        return Finding()
    verdict = solve(position, left(VALUE_SHARE if empty <= MANY_EMPTY_CELLS else VALUE_SHARE / 2))
    value = verdict.known
    if value is None:
        return Finding(bounds=verdict.bounds, nodes=verdict.nodes, stopped=verdict.stopped)
    moves, nodes, stopped = _inferred(position, verdict, value), verdict.nodes, None
    if every:
        mapped = solve(position, left(1.0), map=True)
        moves |= {move: worth for move, worth in (mapped.map or {}).items() if worth is not None}
        nodes, stopped = nodes + mapped.nodes, mapped.stopped
    return Finding("solver", value, verdict.best, verdict.line, moves, verdict.bounds, nodes, stopped)


def _inferred(position: Position, verdict: Verdict, value: Proven) -> dict[Move, Proven]:
    """What the value of a position says about its moves."""
    moves = dict.fromkeys(verdict.best, value)
    if value.value == "loss" or (value.value == "draw" and verdict.stopped is None):
        # In a lost position all moves lose; in a drawn one, all that are not among the best.
        rest = Proven("loss", within=value.distance if value.value == "loss" and value.margin is None else None)
        moves = {move: moves.get(move, rest) for move in position.legal_moves}
    return moves
