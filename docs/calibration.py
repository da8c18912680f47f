"""Measure what estimates are worth: the constants of ``noughts.analysis.calibration`` and the table in ``analysis.md``.

Games begin with random moves and go on with search on both sides. At every position that is not yet
proven, what the search says is set beside how the game ended and, now and then, beside what a search
of ten times the length says. Run as ``python docs/calibration.py engine`` or ``… mcts``; each takes
about twenty minutes, and the same figures come out again.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import noughts
from noughts.analysis.calibration import engine_reading
from noughts.core import Game, Move, Position
from noughts.kernel import limited, moment

SPECS = {
    "engine": (
        "gomoku",
        "gomoku,exact",
        "19x19,k=5",
        "10x10,k=5",
        "8x8,k=4,exact",
        "7x7,k=5",
        "qubic",
        "6x6,k=4,misere",
    ),
    "mcts": ("hex,size=6", "hex,size=7", "hex,size=9", "hex", "peaceful,size=5", "peaceful", "peaceful,size=8"),
    "many": ("5x5,k=4,players=3", "7x7,k=4,players=3", "6x6,k=4,players=4"),
}

BUDGETS = {"engine": (3_000, 30_000), "mcts": (300, 10_000), "many": (300, 10_000)}
"""How much is searched for a quick look, and for a move."""

LONGER = 10
"""How many times longer the search is that tells how far off one is."""

EDGES = (-1.01, -0.6, -0.35, -0.15, 0, 0.15, 0.35, 0.6, 1.01)
"""Where readings are parted to be shown."""

EVERY = 10
"""One position in so many gets a longer search."""


@dataclass(frozen=True, slots=True)
class Row:
    """One look at one position."""

    game: int
    budget: int
    reading: float
    """What the search said, from −1 to 1."""
    depth: int
    longer: float | None
    """What a longer search said, if there was one."""
    result: int
    """How the game ended for the player who was to move."""


def look(kind: str, position: Position, budget: int, seed: int) -> tuple[Move, float, int, bool]:
    """The move, the reading, the depth or visits, and whether it is proven."""
    if kind == "engine":
        compiled = position.game.kernel
        assert compiled is not None
        found = compiled.engine(moment(position), limited(nodes=budget, memory=128 << 20), threads=1)
        return found["best"], engine_reading(found["score"]), found["depth"], found["proven"] is not None
    survey = noughts.mcts(position, budget, seed=seed)
    stats = survey.moves[survey.best]
    return survey.best, stats.value, stats.visits, survey.proven is not None


def play(kind: str, game: Game, number: int) -> Iterator[Row]:
    """One game, and what was said on the way."""
    rng = random.Random(f"{kind} {game.spec} {number}")
    position = game.start()
    for _ in range(rng.randrange(1, 9)):
        after = position.play(position.legal_moves.pick(rng))
        position = after if after.outcome is None else position
    said = []
    quick, usual = BUDGETS[kind]
    while position.outcome is None:
        move, reading, depth, proven = look(kind, position, usual, rng.getrandbits(60))
        if not proven and depth:
            longer = None
            if len(said) % (2 * EVERY) == 0:
                longer = look(kind, position, LONGER * usual, rng.getrandbits(60))[1]
            said.append((position.turn, usual, reading, depth, longer))
            _, reading, depth, proven = look(kind, position, quick, rng.getrandbits(60))
            said.append((position.turn, quick, reading, depth, longer))
        position = position.play(move)
    for mark, budget, reading, depth, longer in said:
        yield Row(number, budget, reading, depth, longer, position.outcome.score(mark))


Numbers = NDArray[np.float64]


def slope(readings: Numbers, results: Numbers, weights: Numbers) -> float:
    """The b of the likeliest curve tanh(b · reading) through results."""
    b = 1.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-2 * b * readings))
        ahead = np.sum(weights * 2 * readings * ((results + 1) / 2 - p)) - 1e-3 * b
        b += ahead / (np.sum(weights * 4 * readings**2 * p * (1 - p)) + 1e-3)
    return float(b)


def report(spec: str, budget: int, rows: list[Row]) -> None:
    """Print what the rows of one game and one budget come to; every game counts the same."""
    lengths = Counter(row.game for row in rows)
    readings = np.array([row.reading for row in rows])
    results = np.array([row.result for row in rows], dtype=float)
    weights = np.array([1 / lengths[row.game] for row in rows])
    off = [abs(row.longer - row.reading) for row in rows if row.longer is not None]
    means = []
    for low, high in pairwise(EDGES):
        inside = (readings >= low) & (readings < high)
        mean = np.average(results[inside], weights=weights[inside]) if inside.any() else np.nan
        means.append(f"{mean:+.2f}/{len({row.game for row, here in zip(rows, inside, strict=True) if here})}")
    print(
        f"{spec:<20} {budget:>6}: {len(lengths)} games, slope {slope(readings, results, weights):.2f}, draws"
        f" {np.average(results == 0, weights=weights):.2f}, mean {np.average(results, weights=weights):+.2f},"
        f" off {np.quantile(off, 0.95):.2f}, depth {np.median([row.depth for row in rows]):.0f} | {' '.join(means)}",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=SPECS)
    parser.add_argument("--games", type=int, default=60)
    arguments = parser.parse_args()
    for spec in SPECS[arguments.kind]:
        game = noughts.game(spec)
        rows = [row for number in range(arguments.games) for row in play(arguments.kind, game, number)]
        for budget in BUDGETS[arguments.kind]:
            report(spec, budget, [row for row in rows if row.budget == budget])


if __name__ == "__main__":
    main()
