"""What a position or a move is worth: proven, or estimated, and never a bit of both.

Both kinds are seen by one player. They are different types, so that whoever shows a value has to
know which it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from noughts.core import Mark, Outcome

__all__ = ["Estimate", "Evaluation", "Proven", "ProvenValue", "evaluation_from_json", "evaluation_to_json"]

ProvenValue = Literal["win", "draw", "loss"]

FAR = 10**6
"""Further away than any end: what stands in for plies that are not known."""

_SCORES: dict[ProvenValue, int] = {"win": 1, "draw": 0, "loss": -1}
_FLIPPED: dict[ProvenValue, ProvenValue] = {"win": "loss", "draw": "draw", "loss": "win"}


@dataclass(frozen=True, slots=True)
class Proven:
    """A value that is certain."""

    value: ProvenValue
    distance: int | None = None
    """Plies to the end under best play (the winner hurries, the loser delays), where that is proven too."""
    margin: int | None = None
    """Tiles by which the player leads in the end, in games that count them."""
    within: int | None = None
    """The game is decided after at most so many plies, where only that is proven."""

    proven: ClassVar[Literal[True]] = True

    @classmethod
    def of(cls, outcome: Outcome, mark: Mark, *, tiles: bool) -> Proven:
        """What the end of a game is worth to ``mark``."""
        score = outcome.score(mark)
        value: ProvenValue = "win" if score > 0 else "loss" if score < 0 else "draw"
        return cls(value, 0, outcome.margin(mark) if tiles else None)

    @property
    def score(self) -> float:
        """1 for a win, 0 for a draw, −1 for a loss."""
        return float(_SCORES[self.value])

    @property
    def low(self) -> float:
        """The same: there is no doubt."""
        return self.score

    @property
    def high(self) -> float:
        """The same: there is no doubt."""
        return self.score

    @property
    def rank(self) -> tuple[float, float]:
        """Larger for the better: by value, then more tiles, a sooner win, a later loss."""
        if self.margin is not None:
            return self.score, float(self.margin)
        plies = self.distance if self.distance is not None else self.within if self.within is not None else FAR
        return self.score, -self.score * plies

    def flipped(self) -> Proven:
        """The same, seen by the other of two players."""
        return replace(self, value=_FLIPPED[self.value], margin=None if self.margin is None else -self.margin)

    def later(self, plies: int = 1) -> Proven:
        """The same, seen from so many plies before."""
        return replace(
            self,
            distance=None if self.distance is None else self.distance + plies,
            within=None if self.within is None else self.within + plies,
        )

    def __str__(self) -> str:
        """The value in words: ``win in 11``, ``draw``, ``loss by 4 tiles``, ``win within 30``."""
        if self.margin:
            return f"{self.value} by {abs(self.margin)} tile{'s' if abs(self.margin) > 1 else ''}"
        if self.value == "draw" or (self.distance is None and self.within is None) or self.distance == 0:
            return self.value
        return f"{self.value} in {self.distance}" if self.distance is not None else f"{self.value} within {self.within}"

    def to_json(self) -> dict[str, object]:
        """The value as a JSON object."""
        return {
            "proven": True,
            "value": self.value,
            "distance": self.distance,
            "margin": self.margin,
            "within": self.within,
            "text": str(self),
        }


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a search thinks, and how far off it may be."""

    score: float
    """The expected result for the player: 1 is a sure win, 0 even, −1 a sure loss."""
    low: float
    high: float
    """Its interval: between these the mean result lay, game by game, wherever a search said the same."""
    by: str
    """How it was got: ``mcts`` or ``engine``."""
    samples: int
    """Simulated games, or positions searched."""

    proven: ClassVar[Literal[False]] = False

    @property
    def rank(self) -> tuple[float, float]:
        """Larger for the better."""
        return self.score, 0.0

    @property
    def share(self) -> float:
        """The score as a share of points: 1 for a sure win, ½ for an even game."""
        return (self.score + 1) / 2

    def flipped(self) -> Estimate:
        """The same, seen by the other of two players."""
        return replace(self, score=-self.score, low=-self.high, high=-self.low)

    def later(self, plies: int = 1) -> Estimate:
        """The same, seen from so many plies before."""
        return self

    def __str__(self) -> str:
        """The score as a share of points: ``about 62 % (55–70 %)``."""
        low, high = (round(50 * (end + 1)) for end in (self.low, self.high))
        return f"about {round(100 * self.share)} % ({low}–{high} %)"

    def to_json(self) -> dict[str, object]:
        """The estimate as a JSON object."""
        return {
            "proven": False,
            "score": self.score,
            "low": self.low,
            "high": self.high,
            "by": self.by,
            "samples": self.samples,
            "text": str(self),
        }


Evaluation = Proven | Estimate
"""Either; ``None`` stands for unknown."""


def evaluation_to_json(evaluation: Evaluation | None) -> dict[str, object] | None:
    """An evaluation as JSON, ``null`` for an unknown one."""
    return None if evaluation is None else evaluation.to_json()


def evaluation_from_json(data: Mapping[str, Any] | None) -> Evaluation | None:
    """Read what :func:`evaluation_to_json` wrote."""
    if data is None:
        return None
    fields = {name: value for name, value in data.items() if name not in ("proven", "text")}
    return Proven(**fields) if data["proven"] else Estimate(**fields)
