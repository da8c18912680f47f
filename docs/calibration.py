"""Measure what estimates are worth: prints the curves that games carry, and those of ``noughts.analysis.calibration``.

Games begin with random moves and go on with search on both sides. At every position that is not yet
proven, what a quick and a longer search say (the reading) is set beside how the game ended. Positions
of like readings make a group for each game and length of search; a curve has the mean result of all
groups, and the lowest and the highest of single ones, each with its standard error.

Run as ``python docs/calibration.py hex`` (or another family). Each takes ten minutes or so,
and the same figures come out again. With ``--check``, other games are played, and each of their groups
is set beside the curve.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

import noughts
from noughts.analysis.calibration import Curve, curve_of, engine_reading, tree_reading
from noughts.compute.engine import think
from noughts.core import Move, Position

FAMILIES: dict[str, tuple[Literal["engine", "mcts"], tuple[str, ...]]] = {
    "connect4": ("engine", ("connect4", "connect4,size=7x8")),
    "duel": ("engine", ("peaceful,size=5", "peaceful", "peaceful,size=8")),
    "hex": ("mcts", ("hex,size=6", "hex,size=7", "hex,size=9", "hex")),
    "tree-duel": ("mcts", ("peaceful,size=5", "peaceful", "peaceful,size=8")),
    "many": ("mcts", ("5x5,k=4,players=3", "7x7,k=4,players=3", "6x6,k=4,players=4")),
    "row": ("engine", ("gomoku", "gomoku,exact", "19x19,k=5", "10x10,k=5", "7x7,k=5", "qubic")),
}

CHECKS = {
    "connect4": ("connect4,size=6x8",),
    "hex": ("hex,size=8", "hex,size=10"),
    "duel": ("peaceful,size=7", "peaceful,size=4x6"),
    "tree-duel": ("peaceful,size=7", "peaceful,size=4x6"),
    "many": ("6x6,k=4,players=3",),
    "row": ("12x12,k=5", "9x9,k=5", "17x17,k=5,exact", "6x6x6,k=5"),
}
"""Games that the curves are not made from."""

BUDGETS = {
    "connect4": (1_000, 10_000),
    "duel": (3_000, 30_000),
    "row": (3_000, 30_000),
    "hex": (300, 10_000),
    "tree-duel": (300, 10_000),
    "many": (300, 10_000),
}
"""Positions or simulations for a quick look, and for a move."""

EDGES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
"""Where readings are parted."""

FEWEST = 10
"""A group of fewer games says too little to make a curve,"""

ENOUGH = 8
"""and one of fewer than this too little to check it."""


Knot = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """One look at one position."""

    game: int
    budget: int
    reading: float
    result: int
    """How the game ended for the player who was to move."""


Groups = dict[tuple[str, int], list[Row]]
"""What was said, by game and budget."""


def look(method: str, position: Position, budget: int, seed: int) -> tuple[Move, float | None]:
    """The move that a search prefers and its reading, or ``None`` if it is proven."""
    if method == "engine":
        found = think(position, noughts.Limits(nodes=budget, memory=128 << 20))
        open_still = found.proven is None and found.depth > 0
        return found.best, engine_reading(position.game, found.score) if open_still else None
    survey = noughts.mcts(position, budget, seed=seed)
    stats = survey.moves[survey.best]
    return survey.best, tree_reading(stats.value, stats.visits) if survey.proven is None else None


def play(family: str, spec: str, number: int) -> Iterator[Row]:
    """One game, and what was said on the way."""
    method = FAMILIES[family][0]
    rng = random.Random(f"{method} {spec} {number}")
    position = noughts.position(spec)
    for _ in range(rng.randrange(1, 9)):
        after = position.play(position.legal_moves.pick(rng))
        position = after if after.outcome is None else position
    said = []
    quick, usual = BUDGETS[family]
    while position.outcome is None:
        move, reading = look(method, position, usual, rng.getrandbits(60))
        if reading is not None:
            said.append((position.turn, usual, reading))
            _, reading = look(method, position, quick, rng.getrandbits(60))
            said += [(position.turn, quick, reading)] if reading is not None else []
        position = position.play(move)
    for mark, budget, reading in said:
        yield Row(number, budget, reading, position.outcome.score(mark))


def group(rows: list[Row], low: float, high: float, *, mirrored: bool) -> tuple[list[float], list[float]]:
    """The mean result of every game with readings between two, and those readings."""
    by_game = defaultdict(list)
    readings = []
    for row in rows:
        sign = -1 if mirrored and row.reading < 0 else 1
        if low <= sign * row.reading < high or (sign * row.reading == high == 1):
            by_game[row.game].append(sign * row.result)
            readings.append(sign * row.reading)
    return [float(np.mean(results)) for results in by_game.values()], readings


def edges(*, mirrored: bool) -> tuple[float, ...]:
    """Where the readings of a curve are parted."""
    return EDGES if mirrored else (*(-edge for edge in EDGES[:0:-1]), *EDGES)


def curve(groups: Groups, *, mirrored: bool) -> Iterator[Knot]:
    """The knots of a curve: reading, lowest, mean and highest result; none falls as the reading rises."""
    lowest = mean = highest = -1.0
    for low, high in pairwise(edges(mirrored=mirrored)):
        found = []
        for rows in groups.values():
            means, _ = group(rows, low, high, mirrored=mirrored)
            if len(means) >= FEWEST:
                # One drawn game more than there were: no group is ever certain.
                means.append(0.0)
                found.append((np.mean(means), np.std(means) / np.sqrt(len(means)), len(means)))
        if found:
            lowest = max(lowest, min(m - e for m, e, _ in found))
            mean = max(mean, float(np.average([m for m, _, _ in found], weights=[n for _, _, n in found])))
            highest = min(1.0, max(highest, *(m + e for m, e, _ in found)))
            yield (low + high) / 2, lowest, mean, highest


def check(groups: Groups, against: Curve) -> None:
    """Print every group beside what a curve says of it."""
    for (spec, budget), rows in groups.items():
        for low, high in pairwise(edges(mirrored=against.mirrored)):
            means, readings = group(rows, low, high, mirrored=against.mirrored)
            if len(means) < ENOUGH:
                continue
            result, error = np.mean(means), np.std(means) / np.sqrt(len(means))
            least, mean, most = np.mean([against.at(reading) for reading in readings], axis=0)
            off = max(least - result, result - most, 0.0)
            verdict = "inside" if off == 0 else "near" if off <= 2 * error else "outside"
            print(
                f"{spec} {budget}, {low} to {high}: {len(means)} games, {result:+.2f} ± {error:.2f};"
                f" {mean:+.2f} ({least:+.2f} to {most:+.2f}): {verdict}"
            )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("--games", type=int, help="of each kind (default: 30, or 20 to check)")
    parser.add_argument("--check", action="store_true", help="hold the curve against other games")
    arguments = parser.parse_args()
    method, specs = FAMILIES[arguments.family]
    against = curve_of(noughts.game(specs[0]), method)
    groups: Groups = defaultdict(list)
    for spec in CHECKS[arguments.family] if arguments.check else specs:
        for number in range(arguments.games or (20 if arguments.check else 30)):
            for row in play(arguments.family, spec, number):
                groups[spec, row.budget].append(row)
        print(f"{spec}: {sum(len(rows) for (of, _), rows in groups.items() if of == spec)} readings", flush=True)
    if arguments.check:
        check(groups, against)
        return
    knots = list(curve(groups, mirrored=against.mirrored))
    if against.mirrored:
        # An even reading stands for an even game, as sure as the nearest knot.
        half = (knots[0][3] - knots[0][1]) / 2
        knots.insert(0, (0.0, -half, 0.0, half))
    for knot in knots:
        print("    (" + ", ".join(f"{number:.2f}" for number in knot) + "),")


if __name__ == "__main__":
    main()
