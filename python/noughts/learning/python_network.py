"""A network of tuples in Python: what the kernel's network does, for games without tables.

A tuple is some digits of a position in an order (see :mod:`noughts.learning.inputs`). Read as a number in
base three they pick a weight from the tuple's table; tuples that a symmetry maps onto each other share
a table. The value of a position for the player who made it is the hyperbolic tangent of the sum of all
weights picked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.core import Game, Move, Position
from noughts.learning.features import Features
from noughts.learning.inputs import Digits, Inputs

__all__ = ["PythonNetwork", "Seen"]

Weights = NDArray[np.float32]
Places = NDArray[np.int64]

LATER = 0.999
"""What a win one ply later is worth in a search."""


class Seen(NamedTuple):
    """A position as one seat sees it: its digits, and the place of the weight that each tuple picks."""

    digits: Digits
    places: Places


@dataclass(frozen=True)
class Rated:
    """What a move is worth to the player who makes it."""

    move: Move
    after: Position
    value: float


class PythonNetwork:
    """Weights for the tuples of some features."""

    def __init__(self, game: Game, features: Features, weights: Weights | None = None) -> None:
        self.marks = game.marks
        self.inputs = Inputs(game, features.mirror)
        lengths: dict[int, int] = {}
        for cells, table in zip(features.tuples, features.tables, strict=True):
            lengths[table] = len(cells)
        starts = np.cumsum([0, *(3 ** lengths[table] for table in range(len(lengths)))])
        self._offsets: Places = starts[list(features.tables)].astype(np.int64)
        tuples: list[list[int]] = [[] for _ in range(features.cells)]
        powers: list[list[int]] = [[] for _ in range(features.cells)]
        for number, cells in enumerate(features.tuples):
            for place, cell in enumerate(cells):
                tuples[cell].append(number)
                powers[cell].append(3**place)
        self._by_digit = [
            (np.array(numbers, dtype=np.int64), np.array(counts, dtype=np.int64))
            for numbers, counts in zip(tuples, powers, strict=True)
        ]
        self.weights: Weights = np.zeros(int(starts[-1]), dtype=np.float32) if weights is None else weights

    def see(self, position: Position, seat: int, before: Seen | None = None) -> Seen:
        """Read a position; ``before`` is how the seat saw the position one move earlier."""
        if before is None:
            digits = self.inputs.read(position, seat)
            changes = [(int(place), int(digits[place])) for place in np.flatnonzero(digits)]
            return Seen(digits, self._moved(np.zeros_like(digits), self._offsets, changes))
        changes = self.inputs.changes(position, seat, before.digits)
        digits = before.digits.copy()
        for place, digit in changes:
            digits[place] = digit
        return Seen(digits, self._moved(before.digits, before.places, changes))

    def _moved(self, digits: Digits, places: Places, changes: list[tuple[int, int]]) -> Places:
        """The places once some of the digits have changed."""
        moved = places.copy()
        for place, digit in changes:
            numbers, powers = self._by_digit[place]
            moved[numbers] += (digit - int(digits[place])) * powers
        return moved

    def _value_after(self, position: Position, seat: int, before: Seen, total: float) -> float:
        """What a position is worth to the seat that made it; ``total`` is the sum of the weights before."""
        changes = self.inputs.changes(position, seat, before.digits)
        if len(changes) != 1:
            moved = self._moved(before.digits, before.places, changes)
            return math.tanh(float(self.weights[moved].sum()))
        # One digit is in a few tuples only: the other weights stay what they are.
        [(place, digit)] = changes
        numbers, powers = self._by_digit[place]
        old = before.places[numbers]
        new = old + (digit - int(before.digits[place])) * powers
        return math.tanh(total + float(self.weights[new].sum()) - float(self.weights[old].sum()))

    def rate(self, position: Position, depth: int = 1) -> Mapping[Move, float]:
        """What every legal move is worth, from −1 to 1, looking ``depth`` plies ahead."""
        rated = self.rated(position, self.see(position, self.marks.index(position.turn)))
        if depth <= 1:
            return {entry.move: entry.value for entry in rated}
        return {
            entry.move: entry.value if entry.after.outcome else -self._search(entry.after, depth - 1, -2.0, 2.0)
            for entry in rated
        }

    def rated(self, position: Position, seen: Seen) -> list[Rated]:
        """Every legal move with the position after it and its value; exact where it ends the game."""
        seat, found = self.marks.index(position.turn), []
        total = float(self.weights[seen.places].sum())
        for move in position.legal_moves:
            after = position.play_unchecked(move)
            if after.outcome is not None:
                found.append(Rated(move, after, float(after.outcome.score(position.turn))))
            else:
                found.append(Rated(move, after, self._value_after(after, seat, seen, total)))
        return found

    def _search(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move, by alpha-beta. A win is worth a little less for each ply."""
        rated = self.rated(position, self.see(position, self.marks.index(position.turn)))
        best = -2.0
        for entry in sorted(rated, key=lambda entry: -entry.value):
            ends = entry.after.outcome is not None or depth == 1
            value = entry.value if ends else -self._search(entry.after, depth - 1, -beta, -alpha)
            best, alpha = max(best, value), max(alpha, value)
            if alpha >= beta:
                break
        return best * LATER
