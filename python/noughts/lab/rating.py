"""Ratings: Elo by maximum likelihood with intervals, and the test that stops when it knows.

A draw counts as half a win. Every pair that has met is given one drawn game more than it played, so
that a player who won everything gets a finite rating.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from noughts.errors import NoughtsError

__all__ = ["InvalidTest", "Rating", "Score", "Sprt", "expected", "rate"]

_SCALE = 400 / math.log(10)
_PRIOR_DRAWS = 1.0
_TWO_SIDED_95 = 1.959964


class InvalidTest(NoughtsError, ValueError):
    """A test that could not tell anything."""

    code = "invalid_test"


@dataclass(frozen=True, slots=True)
class Score:
    """Games between two players, from the first one's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win, ½ for a draw."""
        return self.wins + self.draws / 2

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> Score:
        """The same games from the other side."""
        return Score(self.losses, self.draws, self.wins)


@dataclass(frozen=True, slots=True)
class Rating:
    """An Elo rating and how sure it is."""

    elo: float
    """The mean of all players is 0."""
    error: float
    """The true rating lies within this much of it in 95 cases of 100."""


def expected(difference: float) -> float:
    """The share of points that a rating advantage promises.

    >>> round(expected(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-difference / 400))


def rate(scores: Mapping[tuple[int, int], Score], players: int) -> list[Rating]:
    """Rate players from the games between pairs of them, by Newton's method on the likelihood."""
    strength = np.zeros(players)
    information = np.zeros((players, players))
    for _ in range(100):
        gradient = np.zeros(players)
        information = np.zeros((players, players))
        for (one, two), score in scores.items():
            games = score.games + _PRIOR_DRAWS
            share = 1 / (1 + math.exp(strength[two] - strength[one]))
            surplus = score.points + _PRIOR_DRAWS / 2 - games * share
            gradient[one] += surplus
            gradient[two] -= surplus
            weight = games * share * (1 - share)
            information[[one, two], [one, two]] += weight
            information[[one, two], [two, one]] -= weight
        # Only differences matter: the mean stays at nought.
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        strength += np.clip(step, -2, 2)
        strength -= strength.mean()
        if np.abs(step).max(initial=0) < 1e-10:
            break
    variance = np.diag(np.linalg.pinv(information))
    return [
        Rating(_SCALE * float(value), _TWO_SIDED_95 * _SCALE * math.sqrt(max(float(spread), 0.0)))
        for value, spread in zip(strength, variance, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of whether the first player is better by ``elo1`` rather than by ``elo0``."""

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    """The chance of calling it better when it is not."""
    beta: float = 0.05
    """The chance of calling it no better when it is."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo1) and self.elo1 > self.elo0):
            raise InvalidTest(f"a test needs more than {self.elo0:g} Elo to tell apart, not {self.elo1:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends when the log-likelihood ratio leaves this interval."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, score: Score) -> float:
        """The log-likelihood ratio after these games, by the normal approximation."""
        if score.games == 0:
            return 0.0
        counts: Sequence[tuple[float, float]] = (
            (1.0, score.wins + 0.5),
            (0.5, score.draws + 0.5),
            (0.0, score.losses + 0.5),
        )
        total = sum(count for _, count in counts)
        mean = sum(value * count for value, count in counts) / total
        variance = sum(count * (value - mean) ** 2 for value, count in counts) / total
        low, high = expected(self.elo0), expected(self.elo1)
        return (high - low) * (2 * mean - low - high) / (2 * variance / total)

    def verdict(self, score: Score) -> str | None:
        """``better``, ``not better``, or ``None`` while the games do not say."""
        lower, upper = self.bounds
        ratio = self.ratio(score)
        return "better" if ratio >= upper else "not better" if ratio <= lower else None
