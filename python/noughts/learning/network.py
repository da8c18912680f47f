"""TupleNetwork: what a network of tuples knows, read from a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from noughts._kernel import Network
from noughts.compute.kernel import moment
from noughts.core import Move, Position
from noughts.games import game as game_of
from noughts.learning.checkpoint import Array, Checkpoint
from noughts.learning.features import Features
from noughts.learning.python_network import PythonNetwork

__all__ = ["TupleNetwork", "pack", "unpack"]

NO_CELL = 0xFFFF
"""Fills up the rows of shorter tuples."""


@dataclass(frozen=True)
class TupleNetwork:
    """A value for any position of a game, for the player who made it."""

    game: str
    games: int
    network: Network | PythonNetwork

    @classmethod
    def load(cls, path: Path) -> TupleNetwork:
        """Read the network of a checkpoint."""
        return cls.of(Checkpoint.load(path, kind="td"))

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> TupleNetwork:
        """Take the network out of a checkpoint."""
        checkpoint.check_arrays("tuples", "tables", "weights")
        features = unpack(checkpoint.arrays, int(str(checkpoint.settings["cells"])))
        weights, game = checkpoint.arrays["weights"], game_of(checkpoint.game)
        network: Network | PythonNetwork
        if game.kernel is None:
            network = PythonNetwork(game, features, weights)
        else:
            network = Network(
                cells=features.cells,
                tuples=features.tuples,
                groups=features.tables,
                mirror=features.mirror,
                weights=weights.tobytes(),
            )
        return cls(checkpoint.game, checkpoint.games, network)

    def rate(self, position: Position, depth: int = 1) -> Mapping[Move, float]:
        """What every legal move is worth, from −1 to 1, looking ``depth`` plies ahead."""
        if isinstance(self.network, PythonNetwork):
            return self.network.rate(position, depth)
        compiled = position.game.kernel
        assert compiled is not None
        return dict(self.network.rate(compiled, moment(position), depth=depth))


def pack(features: Features) -> dict[str, Array]:
    """Features as arrays."""
    longest = max(len(cells) for cells in features.tuples)
    rows = [[*cells, *[NO_CELL] * (longest - len(cells))] for cells in features.tuples]
    found = {"tuples": np.array(rows, dtype="<u2"), "tables": np.array(features.tables, dtype="<u2")}
    return found | ({"mirror": np.array(features.mirror, dtype="<u2")} if features.mirror else {})


def unpack(arrays: Mapping[str, Array], cells: int) -> Features:
    """Features from arrays; those of release 0.1.0 have no mirror in any game."""
    tuples = tuple(tuple(int(cell) for cell in row if cell != NO_CELL) for row in arrays["tuples"])
    return Features(cells, tuples, tuple(map(int, arrays["tables"])), tuple(map(int, arrays.get("mirror", ()))))
