"""Proofs in games without tables: what the rules and the reference search know for certain."""

from __future__ import annotations

from noughts.analysis.finding import Finding
from noughts.analysis.threats import Threat
from noughts.compute.limits import Limits
from noughts.compute.solver import solve
from noughts.compute.value import Proven
from noughts.core import LARGEST_COMPILED, Position

__all__ = ["proved"]

VALUE_SHARE = 0.5
"""The part of the time that goes into a proof; the rest is for an estimate."""

MOST_EMPTY_CELLS = 25
"""Empty cells up to which a board that the kernel does not take is worth a try."""


def proved(position: Position, seen: tuple[Threat, ...], limits: Limits, *, every: bool) -> Finding:
    """Find the value of a position, and with ``every`` that of each move, as far as limits allow."""
    return _at_once(position, seen) or _by_solver(position, limits.share(VALUE_SHARE), every=every)


def _at_once(position: Position, seen: tuple[Threat, ...]) -> Finding | None:
    """What threats alone decide."""
    game, mark = position.game, position.turn
    if game.counts_tiles:
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
    if game.grid.cells <= LARGEST_COMPILED:
        moves = dict.fromkeys(position.legal_moves, value)
    return Finding("rules", value, tuple(lost), (lost[0], lost[1]), moves, ("loss", "loss"))


def _by_solver(position: Position, limits: Limits, *, every: bool) -> Finding:
    empty = position.game.grid.cells - len(position.cells)
    if len(position.game.marks) != 2 or (position.game.grid.cells > LARGEST_COMPILED and empty > MOST_EMPTY_CELLS):
        return Finding()
    verdict = solve(position, limits, map=every)
    value = verdict.known
    if value is None:
        return Finding(bounds=verdict.bounds, nodes=verdict.nodes, stopped=verdict.stopped)
    moves = dict.fromkeys(verdict.best, value)
    moves |= {move: worth for move, worth in (verdict.map or {}).items() if worth is not None}
    # A move that keeps the value takes as long as the position says.
    moves |= dict.fromkeys(verdict.best, value)
    return Finding("solver", value, verdict.best, verdict.line, moves, verdict.bounds, verdict.nodes)
