"""Random play, measured: the first step from nothing to an agent that knows.

Run with a number of games to make it longer: python examples/learn_1_random.py 1000
"""

from __future__ import annotations

import sys

import noughts
from noughts.lab.arena import arena
from noughts.lab.grading import Probe, grade_player, reachable
from noughts.players import player


def main(games: int = 60) -> None:
    """Let three players meet, then ask the solver about their choices."""
    game = noughts.game("3x3")
    result = arena(["random", "rules", "perfect"], game, games, seed=1, opening_plies=0, workers=1)
    for spec, rating in zip(result.players, result.ratings(), strict=True):
        print(f"{spec:<8} {rating.elo:+5.0f} ±{rating.error:.0f} Elo")

    every = [Probe.of(position) for position in reachable(game)[::20]]
    judged = [probe for probe in every if probe is not None]
    for spec in ("random,seed=1", "rules", "perfect"):
        grade = grade_player(player(spec), judged)
        print(f"{spec:<14} plays {grade.optimal:6.1%} best moves and loses {grade.mean_lost:.3f} points a move")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
