"""Measure what estimates are worth: predicted against real results.

Games begin with random moves and go on with the analysis's own best moves on both sides. At every
position that is not proven, what a quick and a longer analysis say (the reading) is set beside how
the game ended. Games with even numbers make the curves that the games' files carry; those with odd
numbers check the curves in use, in a reliability table.

    python docs/calibration.py                      every game: its curve and its reliability table
    python docs/calibration.py gomoku hex7          some of them
    python docs/calibration.py hex7 --games 40 --save readings.jsonl
    python docs/calibration.py --load readings.jsonl

Budgets are nodes, so that the same figures come out again on any machine, however busy. A curve of
several games is made when they are measured together: its interval goes from the lowest to the highest
mean among the games and budgets, each with its standard error.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal
from unittest.mock import patch

import numpy as np

import noughts
from noughts.analysis import Estimate, analyse
from noughts.analysis.calibration import Curve, curve_of
from noughts.core import Game, Position

Method = Literal["engine", "mcts"]


@dataclass(frozen=True, slots=True)
class Case:
    """A game to measure: nodes (simulations in a tree search) for a quick and a longer analysis, and how many games."""

    spec: str
    quick: int
    longer: int
    games: int


CASES = {
    "3x3": Case("3x3", 6, 20, 300),
    "5x5": Case("5x5,k=4", 100, 400, 300),
    "gomoku": Case("gomoku", 1_000, 8_000, 200),
    "qubic": Case("qubic", 1_000, 8_000, 200),
    "connect4": Case("connect4", 500, 4_000, 300),
    "hex7": Case("hex,size=7", 500, 4_000, 300),
    "hex11": Case("hex", 500, 4_000, 200),
    "duel": Case("duel", 20, 400, 300),
    "peaceful": Case("peaceful", 500, 4_000, 300),
    "three": Case("5x5,k=4,players=3", 300, 3_000, 300),
    "notakto": Case("notakto", 40, 200, 200),
}

RANDOM_MOVES = 8
"""Moves at random before the searches take over, at most."""

EDGES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
"""Where readings are parted for a curve."""

BUCKETS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Where predictions are parted for a reliability table: shares of the points."""

MIN_GAMES = 10
"""A group of fewer games says too little to make a curve."""

Knot = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """One look at one position."""

    case: str
    game: int
    budget: int
    by: Method
    reading: float
    result: int
    """How the game ended for the player who was to move."""


def play(name: str, number: int) -> Iterator[Row]:
    """One game, and what was said on the way."""
    case = CASES[name]
    rng = random.Random(f"{case.spec} {number}")
    position = noughts.position(case.spec)
    for _ in range(rng.randrange(1, RANDOM_MOVES + 1)):
        after = position.play(position.legal_moves.pick(rng))
        position = after if after.outcome is None else position
    said: list[tuple[str, int, Estimate]] = []
    while position.outcome is None:
        move, estimate = look(position, case.longer, rng.getrandbits(60))
        for budget, found in ((case.longer, estimate), (case.quick, look(position, case.quick, 0)[1])):
            if found is not None:
                said.append((position.turn, budget, found))
        position = position.play(move)
    for mark, budget, found in said:
        method: Method = "engine" if found.by == "engine" else "mcts"
        yield Row(name, number, budget, method, found.score, position.outcome.score(mark))


def plain(game: Game, method: Method) -> Curve:
    """A curve under which a score is the reading itself."""
    return replace(curve_of(game, method), knots=((0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0)), mirrored=True)


def look(position: Position, nodes: int, seed: int) -> tuple[int, Estimate | None]:
    """The best move of an analysis, and its reading of the position unless that is proven."""
    with patch("noughts.analysis.kernel.curve_of", plain), patch("noughts.analysis.calibration.curve_of", plain):
        found = analyse(position, noughts.Limits(nodes=nodes), every=False, seed=seed)
    return found.best[0] if found.best else next(iter(position.legal_moves)), found.estimate


def group(rows: Iterable[Row], low: float, high: float, *, mirrored: bool) -> list[list[int]]:
    """By game, the results that went with readings between two."""
    by_game = defaultdict(list)
    for row in rows:
        sign = -1 if mirrored and row.reading < 0 else 1
        if low <= sign * row.reading < high or (sign * row.reading == high == 1):
            by_game[row.case, row.game].append(sign * row.result)
    return list(by_game.values())


def curve(rows: list[Row], *, mirrored: bool) -> Iterator[Knot]:
    """The knots of a curve: reading, lowest, mean and highest result; none falls as the reading rises."""
    edges = EDGES if mirrored else (*(-edge for edge in EDGES[:0:-1]), *EDGES)
    groups = defaultdict(list)
    for row in rows:
        groups[row.case, row.budget].append(row)
    lowest = mean = highest = -1.0
    for low, high in pairwise(edges):
        found = []
        for each in groups.values():
            games = group(each, low, high, mirrored=mirrored)
            if len(games) >= MIN_GAMES:
                # One drawn game more than there were: no group is ever certain. Positions of one game end alike, so the
                # error is that of so many games.
                games.append([0])
                error = np.std([np.mean(results) for results in games]) / np.sqrt(len(games))
                found.append((np.mean(np.concatenate(games)), error, sum(map(len, games))))
        if found:
            lowest = max(lowest, min(m - e for m, e, _ in found))
            mean = max(mean, float(np.average([m for m, _, _ in found], weights=[n for _, _, n in found])))
            highest = min(1.0, max(highest, *(m + e for m, e, _ in found)))
            yield (low + high) / 2, lowest, mean, highest


def print_curve(rows: list[Row], against: Curve) -> None:
    """Print a curve as the files of games have it."""
    knots = list(curve(rows, mirrored=against.mirrored))
    if against.mirrored and knots:
        # An even reading stands for an even game, as sure as the nearest knot.
        half = (knots[0][3] - knots[0][1]) / 2
        knots.insert(0, (0.0, -half, 0.0, half))
    for knot in knots:
        print("    (" + ", ".join(f"{number:.2f}" for number in knot) + "),")


def reliability(name: str, rows: list[Row]) -> str:
    """A line of the reliability table: in every bucket what was predicted, what came of it, and how often."""
    game = noughts.game(CASES[name].spec)
    predicted = np.array([(curve_of(game, row.by).at(row.reading)[1] + 1) / 2 for row in rows])
    real = np.array([(row.result + 1) / 2 for row in rows])
    cells, error = [], 0.0
    for low, high in pairwise(BUCKETS):
        inside = (predicted >= low) & ((predicted < high) | (high == 1.0))
        count = int(inside.sum())
        if count == 0:
            cells.append("–")
            continue
        said, came = float(predicted[inside].mean()), float(real[inside].mean())
        error += abs(said - came) * count / len(rows)
        cells.append(f"{100 * said:.0f} → {100 * came:.0f} ({count})")
    games = len({row.game for row in rows})
    return f"| {name} | {len(rows)} of {games} games | {' | '.join(cells)} | {100 * error:.1f} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"what to measure: {', '.join(CASES)} (default: all)")
    parser.add_argument("--games", type=int, help="how many of each (default: as many as the table in the docs has)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="append every reading to a file")
    parser.add_argument("--load", type=Path, metavar="FILE", nargs="+", help="read them from files instead of playing")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.cases if name not in CASES]
    if unknown:
        parser.error(f"there is no case {unknown[0]}; there are {', '.join(CASES)}")
    rows: list[Row] = []
    for path in arguments.load or ():
        rows += [Row(**json.loads(line)) for line in path.read_text().splitlines()]
    wanted = arguments.cases or (list(dict.fromkeys(row.case for row in rows)) if arguments.load else list(CASES))
    for name in wanted if not arguments.load else ():
        for number in range(arguments.games or CASES[name].games):
            played = list(play(name, number))
            rows += played
            if arguments.save:
                with arguments.save.open("a") as file:
                    file.writelines(json.dumps(asdict(row)) + "\n" for row in played)
        print(f"{name}: {sum(row.case == name for row in rows)} readings", flush=True)
    rows = [row for row in rows if row.case in wanted]
    methods: tuple[Method, ...] = ("engine", "mcts")
    for method in methods:
        if made := [row for row in rows if row.by == method and row.game % 2 == 0]:
            names = list(dict.fromkeys(row.case for row in made))
            print(f"\n{method}: {', '.join(names)}")
            print_curve(made, curve_of(noughts.game(CASES[names[0]].spec), method))
    print("\n| game | estimates | 0–20 % | 20–40 % | 40–60 % | 60–80 % | 80–100 % | error |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in wanted:
        if checked := [row for row in rows if row.case == name and row.game % 2 == 1]:
            print(reliability(name, checked))


if __name__ == "__main__":
    main()
