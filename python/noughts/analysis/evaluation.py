"""What a position or a move is worth: proven, or estimated, and never a bit of both.

Both kinds are seen by one player. They are different types, so that code that shows a value has to
know which it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from noughts.compute.value import Proven, ProvenValue
from noughts.note import Note, note

__all__ = ["Estimate", "Evaluation", "Proven", "ProvenValue", "evaluation_from_json", "evaluation_to_json"]

WIDEST_CLEAR = 1.0
"""An estimate whose interval is wider than this, half of all results, and holds both sides ahead, says nothing."""


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
    def clear(self) -> bool:
        """Whether the interval says anything: not who is better nor how much, and a number would pretend to know."""
        return self.high - self.low <= WIDEST_CLEAR or self.low >= 0 or self.high <= 0

    @property
    def share(self) -> float:
        """The score as a share of points: 1 for a sure win, ½ for an even game."""
        return (self.score + 1) / 2

    def flipped(self) -> Estimate:
        """The same, seen by the other of two players."""
        return replace(self, score=-self.score, low=-self.high, high=-self.low)

    def later(self, plies: int = 1) -> Estimate:
        """The same, seen from some plies before."""
        return self

    def note(self) -> Note:
        """The estimate as a note."""
        return note(
            "estimate",
            score=self.score,
            low=self.low,
            high=self.high,
            by=self.by,
            samples=self.samples,
            clear=self.clear,
        )

    def to_json(self) -> dict[str, object]:
        """The estimate as a JSON object."""
        return {
            "proven": False,
            "score": self.score,
            "low": self.low,
            "high": self.high,
            "by": self.by,
            "samples": self.samples,
            "clear": self.clear,
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
    fields = {name: value for name, value in data.items() if name not in ("proven", "clear", "text")}
    return Proven(**fields) if data["proven"] else Estimate(**fields)
