"""Analyses by the kernel, for games with tables: a position and limits in, facts out.

The kernel holds what every analysis must satisfy: the value of a position is that of its best moves,
no move is worth more, and a proven win has a move that is proven to win. What only a game knows, its
calibration curves, is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from noughts.analysis.calibration import curve_of
from noughts.analysis.evaluation import Estimate, Evaluation, Proven
from noughts.analysis.finding import Finding
from noughts.compute.engine import Engine
from noughts.compute.limits import Limits
from noughts.core import Position

__all__ = ["analysed"]

SEARCHES: tuple[Literal["engine", "mcts"], ...] = ("engine", "mcts")


def analysed(position: Position, limits: Limits, *, map_proofs: bool, map_estimates: bool, seed: int) -> Finding:
    """Have the kernel analyse a position whose game has tables and is not over."""
    found = (limits.engine or Engine()).analyse(
        position,
        limits,
        curves={search: curve_of(position.game, search) for search in SEARCHES},
        map_proofs=map_proofs,
        map_estimates=map_estimates,
        seed=seed,
    )
    return Finding(
        found["method"],
        _evaluation(found["worth"]),
        tuple(found["best"]),
        tuple(found["line"]),
        {move: worth for move, value in found["moves"] if (worth := _evaluation(value)) is not None},
        found["bounds"],
        found["nodes"],
        found["stopped"],
    )


def _evaluation(worth: Mapping[str, Any] | None) -> Evaluation | None:
    if worth is None:
        return None
    if worth["proven"]:
        return Proven(worth["value"], worth["distance"], worth["margin"], worth["within"])
    score, low, high = (round(worth[name], 4) for name in ("score", "low", "high"))
    return Estimate(score, low, high, worth["by"], worth["samples"])
