"""From what a search says to the result that may be expected, and how far off that may be.

A search reads a position: the mean of its simulated games, or the engine's score. What a reading is
worth differs from game to game, so it was measured: ``docs/calibration.py`` lets searches play games
out and sets what they said on the way beside how the games ended. A curve has, for a reading, the mean
result, and the lowest and highest mean among the games and lengths of search that were measured.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from noughts.analysis.evaluation import Estimate
from noughts.core import Game
from noughts.games.duel import Duel
from noughts.games.hex import Hex
from noughts.games.lines import Lines

__all__ = ["Curve", "by_engine", "by_tree", "engine_reading", "tree_reading"]


@dataclass(frozen=True, slots=True)
class Curve:
    """What readings were worth, between knots of (reading, lowest, mean, highest result)."""

    knots: tuple[tuple[float, float, float, float], ...]
    mirrored: bool = True
    """Whether the knots are for readings from 0 up, and hold with the opposite sign below."""

    def at(self, reading: float) -> tuple[float, float, float]:
        """The lowest, the mean and the highest result that go with a reading."""
        if self.mirrored and reading < 0:
            low, mean, high = self.at(-reading)
            return -high, -mean, -low
        above = bisect_right(self.knots, (reading, 2.0, 2.0, 2.0))
        before, after = self.knots[max(0, above - 1)], self.knots[min(above, len(self.knots) - 1)]
        span = after[0] - before[0]
        share = (reading - before[0]) / span if span else 0.0
        low, mean, high = (a + share * (b - a) for a, b in zip(before[1:], after[1:], strict=True))
        return low, mean, high


HEX = Curve(
    (
        (0.00, -0.29, 0.00, 0.29),
        (0.05, -0.21, 0.12, 0.37),
        (0.15, 0.14, 0.35, 0.64),
        (0.28, 0.29, 0.62, 0.90),
        (0.42, 0.34, 0.71, 1.00),
        (0.60, 0.54, 0.83, 1.00),
        (0.85, 0.67, 0.85, 1.00),
    )
)

TREE_DUEL = Curve(
    (
        (0.00, -0.46, 0.00, 0.46),
        (0.05, -0.20, 0.07, 0.71),
        (0.15, -0.20, 0.07, 0.71),
        (0.28, -0.20, 0.08, 0.71),
        (0.42, -0.15, 0.30, 0.86),
        (0.60, 0.37, 0.69, 1.00),
        (0.85, 0.85, 0.93, 1.00),
    )
)

DUEL = Curve(
    (
        (0.00, -0.32, 0.00, 0.32),
        (0.05, -0.02, 0.24, 0.63),
        (0.15, 0.38, 0.54, 0.71),
        (0.28, 0.38, 0.71, 1.00),
        (0.42, 0.49, 0.79, 1.00),
        (0.60, 0.66, 0.81, 1.00),
        (0.85, 0.81, 0.93, 1.00),
    )
)

ROW = Curve(
    (
        (0.00, -0.38, 0.00, 0.38),
        (0.05, 0.00, 0.42, 0.75),
        (0.15, 0.47, 0.74, 0.98),
        (0.28, 0.57, 0.85, 1.00),
        (0.42, 0.57, 0.85, 1.00),
        (0.60, 0.68, 0.85, 1.00),
        (0.85, 0.84, 0.93, 1.00),
    )
)

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

ANY = Curve(
    tuple(
        (
            reading,
            min(low, TREE_DUEL.at(reading)[0]),
            (mean + TREE_DUEL.at(reading)[1]) / 2,
            max(high, TREE_DUEL.at(reading)[2]),
        )
        for reading, low, mean, high in HEX.knots
    )
)
"""For games that were not measured: between the extremes of two very different ones under tree search."""


def tree_reading(value: float, visits: int) -> float:
    """The mean result of the best move's simulated games, from −1 to 1.

    The best of many means is too high, the more so the fewer games are behind it.
    """
    return max(-1.0, value - 2 / math.sqrt(visits))


def engine_reading(game: Game, score: int) -> float:
    """A score of the engine from −1 to 1. Its estimates go to 20000, but mean little more beyond some size."""
    return max(-1.0, min(1.0, score / (1000 if isinstance(game, Lines) else 2000)))


def by_tree(game: Game, value: float, visits: int, *, best: float | None = None) -> Estimate:
    """The estimate behind a mean result of simulated games: of the best move, or of one beside it.

    ``best`` is the best one's reading. A mean above it has fewer games behind it, and is luck.
    """
    curve = MANY if len(game.marks) > 2 else HEX if isinstance(game, Hex) else ANY
    if best is None:
        return _estimate(curve, tree_reading(value, visits), 0.0, "mcts", visits)
    return _estimate(curve, min(value, best), 1.96 / math.sqrt(visits), "mcts", visits)


def by_engine(game: Game, score: int, nodes: int) -> Estimate:
    """The estimate behind a score of the engine."""
    curve = DUEL if isinstance(game, Duel) else ROW
    return _estimate(curve, engine_reading(game, score), 0.0, "engine", nodes)


def _estimate(curve: Curve, reading: float, error: float, by: str, samples: int) -> Estimate:
    low, high = curve.at(max(-1.0, reading - error))[0], curve.at(min(1.0, reading + error))[2]
    return Estimate(round(curve.at(reading)[1], 4), round(low, 4), round(high, 4), by, samples)
