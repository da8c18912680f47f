"""Grading: what a player's moves are worth beside exact play.

A move is *best* when the solver has none better: it wins soonest, loses latest, or keeps most
tiles. It is *sound* when it keeps the value of the position. What it *loses* is counted in points:
½ from a win to a draw or from a draw to a loss, 1 from a win to a loss.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from noughts.compute.limits import Limits
from noughts.compute.solver import solve
from noughts.compute.value import Proven
from noughts.core import Game, Mark, Move, Position
from noughts.players import Player

__all__ = ["Grade", "Probe", "consistency", "grade", "probes", "reachable"]

Z95 = 1.959964
"""Standard deviations to either side that hold 95% of a normal distribution."""

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}

NODES = 10_000
"""What a solver may spend on a probe; counted in positions, so that a seed gives the same probes."""

NODES_IN_PYTHON = 1_000
"""The same for a game without kernel tables."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How many moves were judged, and how they were."""

    positions: int = 0
    best: int = 0
    sound: int = 0
    lost: float = 0.0
    """Points lost by all moves together."""

    def __add__(self, other: Grade) -> Grade:
        return Grade(
            self.positions + other.positions,
            self.best + other.best,
            self.sound + other.sound,
            self.lost + other.lost,
        )

    @property
    def optimal(self) -> float:
        """The share of best moves."""
        return self.best / self.positions if self.positions else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares of best moves the truth lies with 95% certainty, if the positions are a sample.

        Wilson's interval, which is right near 0 and 1 and for few positions, too.

        >>> [round(end, 3) for end in Grade(40, 40, 40).interval]
        [0.912, 1.0]
        """
        if not self.positions:
            return 0.0, 1.0
        n, p, z = self.positions, self.optimal, Z95
        middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)
        return (0.0 if self.best == 0 else max(low, 0.0)), (1.0 if self.best == n else min(high, 1.0))

    @property
    def mean_lost(self) -> float:
        """Points lost by a move, on average."""
        return self.lost / self.positions if self.positions else 0.0

    def to_json(self) -> dict[str, object]:
        """The grade as a JSON object."""
        return {
            "positions": self.positions,
            "optimal": round(self.optimal, 6),
            "sound": round(self.sound / self.positions, 6) if self.positions else 0.0,
            "value_lost": round(self.mean_lost, 6),
        }


@dataclass(frozen=True)
class Probe:
    """A position and the exact value of each of its moves."""

    position: Position
    values: Mapping[Move, Proven]

    @classmethod
    def of(cls, position: Position, nodes: int | None = None) -> Probe | None:
        """Solve a position, or give up once it takes too long."""
        moves = solve(position, Limits(nodes=nodes), map=True).map or {}
        values = {move: worth for move, worth in moves.items() if worth is not None}
        return cls(position, values) if values and len(values) == len(moves) else None

    def grade(self, move: Move) -> Grade:
        """Judge one move."""
        best = max(worth.rank for worth in self.values.values())
        top = max(POINTS[worth.value] for worth in self.values.values())
        mine = self.values[move]
        return Grade(1, int(mine.rank == best), int(POINTS[mine.value] == top), top - POINTS[mine.value])


def grade(choose: Callable[[Position], Move], judged: Iterable[Probe]) -> Grade:
    """Judge the moves that somebody chooses."""
    total = Grade()
    for probe in judged:
        total += probe.grade(choose(probe.position))
    return total


def grade_player(player: Player, judged: Iterable[Probe]) -> Grade:
    """Judge the moves of a player."""
    return grade(lambda position: player.choose(position).move, judged)


def reachable(game: Game, first: Mark | None = None) -> list[Position]:
    """Every position of a small game in which there is something to choose, for who begins."""
    seen: dict[Position, None] = {}
    stack = [game.start(first)]
    while stack:
        position = stack.pop()
        if position.outcome is None and position not in seen:
            seen[position] = None
            stack.extend(position.play_unchecked(move) for move in position.legal_moves)
    return list(seen)


def probes(game: Game, count: int, seed: int = 0, *, nodes: int | None = None) -> list[Probe]:
    """Positions of random games that the solver knows everything about, with several moves each.

    On a large board those are the late ones; there may be fewer than asked for.
    """
    if nodes is None:
        nodes = NODES if game.kernel is not None else NODES_IN_PYTHON
    rng = random.Random(f"probes {seed}")
    found: list[Probe] = []
    floor = 0.0
    for number in range(2 * count):
        if len(found) == count:
            break
        positions = _random_game(game, rng, game.marks[number % len(game.marks)])
        if not positions:
            continue
        share = rng.uniform(floor, 1.0)
        probe = Probe.of(positions[min(int(share * len(positions)), len(positions) - 1)], nodes)
        if probe is not None:
            found.append(probe)
        else:
            # What was too hard tells how late in a game to look from now on.
            floor += (1 - floor) * max(0.1, (share - floor) / 2)
    return found


def _random_game(game: Game, rng: random.Random, first: str) -> list[Position]:
    """The positions of a random game in which there was something to choose."""
    position, positions = game.start(first), []
    while position.outcome is None:
        moves = list(position.legal_moves)
        if len(moves) > 1:
            positions.append(position)
        position = position.play_unchecked(rng.choice(moves))
    return positions


def consistency(choices: Sequence[Sequence[Move]]) -> float:
    """How much a player sticks to its choices: the chance that two evaluations choose alike.

    ``choices`` has a row for each evaluation and a column for each position. 1 means that it always
    chose the same; the variance of its choices is 1 minus this.

    >>> consistency([[4, 0], [4, 8]])
    0.5
    """
    if len(choices) < 2 or not choices[0]:
        return 1.0
    rows, alike = len(choices), 0
    for column in zip(*choices, strict=True):
        counts = {move: column.count(move) for move in column}
        alike += sum(count * (count - 1) for count in counts.values())
    return alike / (rows * (rows - 1) * len(choices[0]))
