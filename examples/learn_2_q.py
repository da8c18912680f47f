"""Q-learning in forty lines, and then in the kernel.

Run with a number of games to make it longer: python examples/learn_2_q.py 20000
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict

import noughts
from noughts.core import Move, Position
from noughts.lab.grading import Grade, Probe, grade, reachable
from noughts.learning import Q, Settings

Values = dict[tuple[object, ...], float]


def value(values: Values, position: Position, move: Move) -> float:
    """What a move is worth: the value of the position it makes, for the player who makes it."""
    return values[position.play_unchecked(move).canonical_key()]


def choose(values: Values, position: Position) -> Move:
    """The move that is worth most."""
    return max(position.legal_moves, key=lambda move: value(values, position, move))


def learn(values: Values, rng: random.Random, *, epsilon: float, rate: float, discount: float) -> None:
    """Play one game against itself and draw every value of it towards its target, the last one first."""
    position, path = noughts.position("3x3"), []
    while position.outcome is None:
        explores = rng.random() < epsilon
        move = position.legal_moves.pick(rng) if explores else choose(values, position)
        mover, position = position.turn, position.play_unchecked(move)
        path.append((mover, position))
    for mover, after in reversed(path):
        if after.outcome is not None:
            target = float(after.outcome.score(mover))
        else:
            # The opponent will take its best reply, and what is good for it is bad for the mover.
            target = -discount * max(value(values, after, reply) for reply in after.legal_moves)
        key = after.canonical_key()
        values[key] += rate * (target - values[key])


def main(games: int = 1000) -> None:
    """Learn in plain Python, grade against exact play, and do the same in the kernel."""
    found = [Probe.of(position) for position in reachable(noughts.game("3x3"))[::20]]
    judged = [probe for probe in found if probe is not None]
    values: Values = defaultdict(float)
    rng = random.Random(1)
    print(f"before: {grade(lambda at: choose(values, at), judged).optimal:.1%} best moves")
    began = time.perf_counter()
    for number in range(games):
        learn(values, rng, epsilon=1 - 0.8 * number / games, rate=0.5, discount=0.95)
    speed = games / (time.perf_counter() - began)
    print(f"after {games:,} games in Python ({speed:,.0f} a second): ", end="")
    print(f"{grade(lambda at: choose(values, at), judged).optimal:.1%} best moves")

    learner = Q(noughts.game("3x3"))
    began = time.perf_counter()
    learner.train(100_000, Settings(100_000, seed=1))
    speed = learner.games / (time.perf_counter() - began)
    known = Grade(*learner.grade())
    print(f"after {learner.games:,} games in the kernel ({speed:,.0f} a second): ", end="")
    print(f"{known.optimal:.1%} best moves in all {known.positions:,} positions up to symmetry")
    assert known.best == known.positions


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
