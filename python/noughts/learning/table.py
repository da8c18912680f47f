"""QTable: what tabular learning knows, read from a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noughts.compute.kernel import moment
from noughts.core import Move, Position
from noughts.learning.checkpoint import Checkpoint
from noughts.learning.graph import class_code

__all__ = ["QTable"]


@dataclass(frozen=True)
class QTable:
    """A value for every class of positions met in training, for the player who made it."""

    game: str
    games: int
    codes: NDArray[np.bytes_]
    """The classes' codes, ascending: 16 bytes each."""
    values: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> QTable:
        """Read the table of a checkpoint."""
        return cls.of(Checkpoint.load(path, kind="q"))

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> QTable:
        """Take the table out of a checkpoint."""
        checkpoint.check_arrays("codes", "values")
        codes = checkpoint.arrays["codes"]
        return cls(checkpoint.game, checkpoint.games, codes.view("S16").ravel(), checkpoint.arrays["values"])

    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth, from −1 to 1; 0 where nothing was learned."""
        found = _codes_after(position)
        wanted = np.frombuffer(b"".join(code for _, code in found), dtype="S16")
        if not len(self.codes):
            return dict.fromkeys((move for move, _ in found), 0.0)
        places = np.minimum(np.searchsorted(self.codes, wanted), len(self.codes) - 1)
        known = self.codes[places] == wanted
        return {
            move: float(self.values[place]) if hit else 0.0
            for (move, _), place, hit in zip(found, places, known, strict=True)
        }


def _codes_after(position: Position) -> list[tuple[Move, bytes]]:
    """The code of the class after each legal move, as the learner wrote it."""
    compiled = position.game.kernel
    if compiled is None:
        return [(move, class_code(position.play_unchecked(move))) for move in position.legal_moves]
    return [(move, code.to_bytes(16, "big")) for move, code in compiled.codes(moment(position))]
