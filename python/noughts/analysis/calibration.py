"""From what a search says to an expected result, and how far off that may be."""

from __future__ import annotations

import math

from noughts.analysis.evaluation import Estimate

__all__ = ["by_engine", "by_tree"]


def by_tree(value: float, visits: int) -> Estimate:
    """The estimate behind a mean result of simulated games."""
    error = 1.96 / math.sqrt(visits + 1)
    return _estimate(value, error, "mcts", visits)


def by_engine(score: int, depth: int, nodes: int) -> Estimate:
    """The estimate behind a score of the engine."""
    return _estimate(math.tanh(score / 1000), 1.0 / math.sqrt(depth), "engine", nodes)


def _estimate(score: float, error: float, by: str, samples: int) -> Estimate:
    low, high = max(-1.0, score - error), min(1.0, score + error)
    return Estimate(round(score, 4), round(low, 4), round(high, 4), by, samples)
