"""Learned features on a board that no table holds: 5x5, four in a row.

Run with a number of games to make it longer: python examples/learn_3_features.py 30000
"""

from __future__ import annotations

import sys

from noughts.lab.config import Config
from noughts.lab.evaluation import Evaluator
from noughts.learning import Features, Td


def main(games: int = 1500) -> None:
    """Train a network of tuples, and measure it against rules and against exact play."""
    config = Config.make("td", "5x5,k=4", games=games, seed=1, matches=20, probes=30, threads=1)
    features = Features.of(config.rules())
    print(f"{len(features.tuples)} tuples of cells share {max(features.tables) + 1} tables of weights")
    learner, evaluator = Td(config.rules()), Evaluator(config)
    evaluator.solvable = False  # an exact opponent for every position of this game takes too long here
    for games_so_far in (0, games // 10, games):
        learner.train(games_so_far - learner.games, config.settings())
        found = evaluator.measure(learner, []).metrics
        rules, graded = found["rules"], found["graded"]
        print(
            f"after {learner.games:,} games: {rules['wins']} wins, {rules['draws']} draws, {rules['losses']} losses "
            f"against rules; {graded['optimal']:.0%} best moves, {graded['value_lost']:.3f} points lost a move"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
