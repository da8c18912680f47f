"""How many positions a game has, estimated from random games before anything is explored.

Two positions that a symmetry of the board maps onto each other count once. At every ply the number of
positions is estimated from how many of the sampled ones came up once and twice (Chao's estimator, a lower
bound): where hardly any comes up again, there are many more. Passing, swapping and other things that the
board does not show are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noughts.compute.batch import Batch
from noughts.core import Game

__all__ = ["ClassCount", "count_classes"]

SAMPLES: Final = 16_384
"""Random games: enough to tell two million positions from three."""

SMALL_BOARD: Final = 12
"""Cells up to which there are few positions,"""

SAMPLES_OF_SMALL_BOARD: Final = 2_048
"""and fewer games tell how many."""

SAMPLES_IN_PYTHON: Final = 512
"""The same for a game without kernel tables."""

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class ClassCount:
    """Positions up to symmetry, whoever begins."""

    classes: int
    edges: int
    """Moves between them."""
    plies: float
    """The mean length of a random game."""
    complete: bool
    """False when counting stopped early, since there were too many."""


@lru_cache(maxsize=64)
def count_classes(game: Game, most: int) -> ClassCount:
    """Estimate how many classes of positions there are; once that is more than ``most``, stop.

    >>> from noughts.games import game
    >>> 1400 < count_classes(game("3x3"), 10**9).classes < 1600        # 1,530 in fact
    True
    """
    samples = SAMPLES if game.grid.cells > SMALL_BOARD else SAMPLES_OF_SMALL_BOARD
    samples = samples if game.kernel is not None else SAMPLES_IN_PYTHON
    rng = np.random.default_rng(0)
    keys = rng.integers(1 << 63, size=(game.grid.cells, 1 + len(game.marks)), dtype=np.uint64)
    batch = Batch(game.start(), samples, seed=0, held=True)
    # Either player may begin, and the positions that follow differ in whose turn it is.
    starts = len(game.marks)
    classes, edges, plies = float(starts), float(starts * len(game.start().legal_moves)), 0
    while classes <= most:
        legal = batch.legal
        live: NDArray[np.bool_] = legal.max(axis=1)
        if not live.any():
            break
        noise = rng.random(legal.shape, dtype=np.float32)
        batch.step((noise + legal).argmax(axis=1), where=live)
        plies += int(live.sum())
        found = starts * _distinct(_hashes(game, keys, batch.planes(0)[live]), batch.turns[live])
        classes += found
        edges += found * float(batch.legal[live].sum(axis=1).mean())
    return ClassCount(round(classes), round(edges), plies / samples, classes <= most)


def _hashes(game: Game, keys: Hashes, planes: NDArray[np.int8]) -> Hashes:
    """A number for each of many boards, equal for those that a symmetry maps onto each other."""
    marks = planes[:, :, : len(game.marks)] @ np.arange(1, 1 + len(game.marks), dtype=np.int8)
    least = np.full(len(planes), np.iinfo(np.uint64).max, dtype=np.uint64)
    for symmetry in game.symmetries:
        image = np.zeros(len(planes), dtype=np.uint64)
        for cell, place in enumerate(symmetry.table):
            image += keys[place][marks[:, cell]]
        least = np.minimum(least, image)
    return least


def _distinct(hashes: Hashes, turns: NDArray[np.uint8]) -> float:
    """How many there are in all, by how often those in the sample came up."""
    _, counts = np.unique(hashes * np.uint64(8) + turns, return_counts=True)
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return len(counts) + once * (once - 1) / (2 * (twice + 1))
