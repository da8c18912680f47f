"""A network of scikit-learn learns tic-tac-toe through Gymnasium, and is measured against exact play.

Q-learning by self-play: hundreds of games side by side, each step one move, the network's nine
outputs what each cell is worth to the player on turn. After a move the opponent is on turn, so what
is best for them next is worst for us. Measured are the share of positions in which the network's
move is one of the solver's best, and the games it can lose at all when it plays one seat and every
possible opponent the other.

    python examples/learn_with_sklearn.py                 # ten seconds: 94% right
    python examples/learn_with_sklearn.py --steps 3000    # a minute: 99.5%, and nobody can beat it
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPRegressor
from threadpoolctl import threadpool_limits

import noughts
from noughts.core import Mark, Position
from noughts.lab.environments import View

Array = NDArray[np.float64]

GAME = noughts.game("3x3")
VIEW = View(GAME)
NEVER = -9.0
"""Less than any value, so that illegal moves are never the best."""


def flat(observations: NDArray[np.int8]) -> Array:
    """Observations as rows of numbers."""
    return observations.reshape(len(observations), -1).astype(np.float64)


def train(steps: int, games: int, explore: float, seed: int) -> MLPRegressor:
    """Play ``games`` games side by side for so many steps, learning from every move."""
    envs = gymnasium.make_vec("noughts/TicTacToe-v0", num_envs=games, opponent=None, autoreset_mode="SameStep")
    network = MLPRegressor(hidden_layer_sizes=(128, 128), learning_rate_init=0.003, batch_size=256, random_state=seed)
    rng = np.random.default_rng(seed)
    observations, infos = envs.reset(seed=seed)
    network.partial_fit(flat(observations), np.zeros((games, VIEW.actions)))
    for step in range(1, steps + 1):
        here, mask = flat(observations), infos["action_mask"] == 1
        values = network.predict(here)
        best = np.where(mask, values, NEVER).argmax(axis=1)
        actions = np.where(rng.random(games) < explore, envs.action_space.sample(), best)
        observations, rewards, over, _, infos = envs.step(actions)
        theirs = np.where(infos["action_mask"] == 1, network.predict(flat(observations)), NEVER).max(axis=1)
        targets = np.where(mask, values, 0.0)
        targets[np.arange(games), actions] = np.clip(np.where(over, rewards, -theirs), -1, 1)
        network.partial_fit(here, targets)
        if step % max(1, steps // 5) == 0:
            print(f"after {step * games:>9,} moves: {report(network)}", flush=True)
    return network


def choices(network: MLPRegressor, positions: list[Position]) -> list[int]:
    """The network's moves."""
    seen = np.stack([VIEW.observe(position, GAME.marks.index(position.turn)) for position in positions])
    legal = np.stack([VIEW.mask(position) for position in positions]) == 1
    return [VIEW.move(action) for action in np.where(legal, network.predict(flat(seen)), NEVER).argmax(axis=1)]


def reachable() -> list[Position]:
    """Every position of the game in which there is a move to make."""
    found = {GAME.start(): None}
    queue = list(found)
    for position in queue:
        for after in map(position.play_unchecked, position.legal_moves):
            if after.outcome is None and after not in found:
                found[after] = None
                queue.append(after)
    return queue


def best_moves(position: Position) -> set[int]:
    """The moves that keep what the solver proves the position to be worth."""
    verdict = noughts.solve(position, map=True)
    assert verdict.map is not None
    return {move for move, worth in verdict.map.items() if worth.value == verdict.value}


# Where every move is as good as any other, nothing can be learned and nothing is measured.
PROBLEMS = {here: best for here in reachable() if len(best := best_moves(here)) < len(here.legal_moves)}


def lost_games(network: MLPRegressor, mark: Mark) -> tuple[int, int]:
    """How many games end, and how many of them lost, when the network plays ``mark`` against everybody."""
    lost, ended, level = 0, 0, [GAME.start()]
    while level:
        if level[0].turn == mark:
            level = [here.play(move) for here, move in zip(level, choices(network, level), strict=True)]
        else:
            level = [here.play(move) for here in level for move in here.legal_moves]
        scores = [here.outcome.score(mark) for here in level if here.outcome is not None]
        lost, ended = lost + scores.count(-1), ended + len(scores)
        level = [here for here in level if here.outcome is None]
    return lost, ended


def report(network: MLPRegressor) -> str:
    """How good the network is, in words."""
    moves = zip(choices(network, list(PROBLEMS)), PROBLEMS.values(), strict=True)
    right = sum(move in best for move, best in moves) / len(PROBLEMS)
    seats = (f"{mark} loses {lost} of {ended}" for mark in GAME.marks for lost, ended in [lost_games(network, mark)])
    return f"{right:.1%} of {len(PROBLEMS):,} positions right; {', '.join(seats)} games"


def main(arguments: list[str] | None = None) -> None:
    """Train, telling how it goes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=500, help="moves in each game (default: 500)")
    parser.add_argument("--games", type=int, default=512, help="games side by side (default: 512)")
    parser.add_argument("--explore", type=float, default=0.9, help="the chance of a random move (default: 0.9)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # Matrices as small as these are quicker on one thread.
    with threadpool_limits(1):
        train(options.steps, options.games, options.explore, options.seed)


if __name__ == "__main__":
    main()
