"""From what a search says to the result that may be expected, and how far off that may be.

A search reads a position: the mean of its simulated games, or the engine's score. What a reading is
worth differs from game to game, so it was measured: ``docs/calibration.py`` lets searches play games
out and sets what they said on the way beside how the games ended. A curve has, for a reading, the mean
result, and the lowest and highest mean among the games and lengths of search that were measured.

Games that were measured carry their own curves (:attr:`~noughts.core.Game.calibration`); here are those
for all others.
"""

from __future__ import annotations

import math
from typing import Literal

from noughts.analysis.evaluation import Estimate
from noughts.core import Game
from noughts.hooks import Curve

__all__ = ["ENGINE", "MANY", "TREE", "Curve", "by_engine", "by_tree", "curve_of", "engine_reading", "tree_reading"]

TREE = Curve(
    (
        (0.00, -0.46, 0.00, 0.46),
        (0.05, -0.21, 0.095, 0.71),
        (0.15, -0.20, 0.21, 0.71),
        (0.28, -0.20, 0.35, 0.90),
        (0.42, -0.15, 0.505, 1.00),
        (0.60, 0.37, 0.76, 1.00),
        (0.85, 0.67, 0.89, 1.00),
    )
)
"""Tree search with two players: between the extremes of two very different games."""

MANY = Curve(
    (
        (-0.85, -1.00, -0.49, -0.10),
        (-0.60, -0.58, -0.33, -0.05),
        (-0.42, -0.53, -0.17, 0.00),
        (-0.28, -0.35, -0.09, 0.00),
        (-0.15, -0.28, -0.02, 0.11),
        (-0.05, -0.07, 0.07, 0.43),
        (0.05, 0.00, 0.10, 0.44),
        # Higher ones were too rare to measure: a reading of 1 is a player who won every game simulated.
        (1.00, 0.00, 0.90, 1.00),
    ),
    mirrored=False,
)
"""Tree search with more than two players."""

ENGINE = Curve(
    (
        (0.00, -0.38, 0.00, 0.38),
        (0.05, -0.25, 0.25, 0.75),
        (0.15, -0.11, 0.44, 0.98),
        (0.28, -0.11, 0.52, 1.00),
        (0.42, -0.07, 0.52, 1.00),
        (0.60, 0.20, 0.70, 1.00),
        (0.85, 0.26, 0.74, 1.00),
    )
)
"""The engine: between the extremes of very different games."""


def curve_of(game: Game, method: Literal["engine", "mcts"]) -> Curve:
    """What a search's readings are worth in a game."""
    default = ENGINE if method == "engine" else MANY if len(game.marks) > 2 else TREE
    return game.calibration.get(method, default)


def tree_reading(value: float, visits: int) -> float:
    """The mean result of the best move's simulated games, from −1 to 1.

    The best of many means is too high, the more so the fewer games are behind it.
    """
    return max(-1.0, value - 2 / math.sqrt(visits))


def engine_reading(game: Game, score: int) -> float:
    """A score of the engine from −1 to 1. Its estimates go to 20000, but mean little more beyond some size."""
    return max(-1.0, min(1.0, score / curve_of(game, "engine").scale))


def by_tree(game: Game, value: float, visits: int, *, best: float | None = None) -> Estimate:
    """The estimate behind a mean result of simulated games: of the best move, or of one beside it.

    ``best`` is the best one's reading. A mean above it has fewer games behind it, and is luck.
    """
    curve = curve_of(game, "mcts")
    if best is None:
        return _estimate(curve, tree_reading(value, visits), 0.0, "mcts", visits)
    return _estimate(curve, min(value, best), 1.96 / math.sqrt(visits), "mcts", visits)


def by_engine(game: Game, score: int, nodes: int) -> Estimate:
    """The estimate behind a score of the engine."""
    return _estimate(curve_of(game, "engine"), engine_reading(game, score), 0.0, "engine", nodes)


def _estimate(curve: Curve, reading: float, error: float, by: str, samples: int) -> Estimate:
    low, high = curve.at(max(-1.0, reading - error))[0], curve.at(min(1.0, reading + error))[2]
    return Estimate(round(curve.at(reading)[1], 4), round(low, 4), round(high, 4), by, samples)
