"""Proven: a value that is certain, of a position or of a move. What is not known is ``None``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from noughts.core import Mark, Outcome
from noughts.note import Note, note

__all__ = ["Proven", "ProvenValue"]

ProvenValue = Literal["win", "draw", "loss"]

UNKNOWN_PLIES = 10**6
"""Further away than any end: what stands in for plies that are not known."""

_SCORES: dict[ProvenValue, int] = {"win": 1, "draw": 0, "loss": -1}
_FLIPPED: dict[ProvenValue, ProvenValue] = {"win": "loss", "draw": "draw", "loss": "win"}


@dataclass(frozen=True, slots=True)
class Proven:
    """A value that is certain, seen by one player."""

    value: ProvenValue
    distance: int | None = None
    """Plies to the end under best play (the winner hurries, the loser delays), where that is proven too. For a move,
    the move itself counts."""
    margin: int | None = None
    """Tiles by which the player leads in the end, in games that count them."""
    within: int | None = None
    """The game is decided after at most this many plies, where only that is proven."""

    proven: ClassVar[Literal[True]] = True

    @classmethod
    def of(cls, outcome: Outcome, mark: Mark, *, tiles: bool) -> Proven:
        """What the end of a game is worth to ``mark``."""
        return cls(cls.value_of(outcome.score(mark)), 0, outcome.margin(mark) if tiles else None)

    @staticmethod
    def value_of(score: float) -> ProvenValue:
        """The value that a score stands for: more than 0 is a win, less a loss."""
        return "win" if score > 0 else "loss" if score < 0 else "draw"

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
        plies = (
            self.distance if self.distance is not None else self.within if self.within is not None else UNKNOWN_PLIES
        )
        return self.score, -self.score * plies

    def flipped(self) -> Proven:
        """The same, seen by the other of two players."""
        return replace(self, value=_FLIPPED[self.value], margin=None if self.margin is None else -self.margin)

    def later(self, plies: int = 1) -> Proven:
        """The same, seen from some plies before."""
        return replace(
            self,
            distance=None if self.distance is None else self.distance + plies,
            within=None if self.within is None else self.within + plies,
        )

    def note(self) -> Note:
        """The value as a note."""
        return note("proven", value=self.value, distance=self.distance, within=self.within, margin=self.margin)

    def to_json(self) -> dict[str, object]:
        """The value as a JSON object."""
        return {
            "proven": True,
            "value": self.value,
            "distance": self.distance,
            "margin": self.margin,
            "within": self.within,
        }
