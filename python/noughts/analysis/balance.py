"""Balance: what a game designer wants to know about a set of rules."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, replace

from noughts.compute.kernel import cores
from noughts.compute.limits import Limits
from noughts.compute.sampling import Tally, mcts, playouts
from noughts.compute.solver import Verdict, solve
from noughts.core import Game, Mark, Position
from noughts.errors import SearchError

__all__ = ["Balance", "Play", "balance"]

PROOF_SECONDS = 10.0
"""What a proof may take unless the limits say otherwise."""


@dataclass(frozen=True, slots=True)
class Play:
    """How games go when they are played in one way."""

    games: int
    first_score: float
    """The first player's share of points: 1 for a win, ½ for a draw."""
    draw_rate: float
    mean_length: float

    def to_json(self) -> dict[str, object]:
        """The figures as a JSON object."""
        return {
            "games": self.games,
            "first_score": round(self.first_score, 4),
            "draw_rate": round(self.draw_rate, 4),
            "mean_length": round(self.mean_length, 2),
        }


@dataclass(frozen=True, slots=True)
class Balance:
    """The report on a game."""

    game: Game
    verdict: Verdict | None
    """The exact value of the first position, as far as it is known; ``None`` with more than two players."""
    branching: float
    """Legal moves in a position of a random game, on average."""
    random: Play
    strong: Play
    """Between two Monte Carlo tree searches."""

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        known = self.verdict
        return {
            "game": self.game.spec,
            "value": known.value if known else None,
            "distance": known.distance if known else None,
            "margin": known.margin if known else None,
            "proven": known.proven if known else False,
            "branching": round(self.branching, 2),
            "random": self.random.to_json(),
            "mcts": self.strong.to_json(),
        }


def balance(
    game: Game,
    limits: Limits | None = None,
    *,
    games: int = 100_000,
    strong_games: int = 40,
    simulations: int = 2_000,
    seed: int = 0,
) -> Balance:
    """Measure a game: its proven value if the limits allow it (10 seconds, unless they say more), and how play goes.

    >>> import noughts
    >>> report = balance(noughts.game("3x3"), games=1000, strong_games=2, simulations=100)
    >>> report.verdict.value, report.random.games
    ('draw', 1000)
    """
    start, limits = game.start(), limits or Limits()
    try:
        verdict = solve(start, _proof_limits(limits)) if len(game.marks) == 2 else None
    except SearchError:
        verdict = None
    unlimited = Limits(progress=limits.progress, stop=limits.stop, threads=limits.threads or cores())
    tally = playouts(start, games, seed, limits=unlimited)
    strong = _strong(start, strong_games, simulations, seed, unlimited)
    return Balance(game, verdict, _branching(start, seed), _play(tally, start.turn), strong)


def _proof_limits(limits: Limits) -> Limits:
    return limits if limits.seconds is not None else replace(limits, seconds=PROOF_SECONDS)


def _play(tally: Tally, first: Mark) -> Play:
    draws = tally.draws / tally.games if tally.games else 0.0
    return Play(tally.games, tally.score(first), draws, tally.mean_length)


def _strong(start: Position, games: int, simulations: int, seed: int, limits: Limits) -> Play:
    """Games of a Monte Carlo tree search against itself, a new seed for every move."""
    began = time.perf_counter()
    winners: Counter[Mark | None] = Counter()
    plies = 0
    for number in range(games):
        if limits.stop():
            break
        position = start
        while position.outcome is None:
            found = mcts(position, simulations, seed=seed + 7919 * number + plies)
            position = position.play_unchecked(found.best)
            plies += 1
        winners[position.outcome.winner] += 1
        limits.report("strong_play", number + 1, plies, time.perf_counter() - began)
    tally = Tally(winners.total(), {mark: winners[mark] for mark in start.game.marks}, winners[None], plies, (), 0.0)
    return _play(tally, start.turn)


def _branching(start: Position, seed: int, games: int = 20) -> float:
    rng = random.Random(seed)
    moves = positions = 0
    for _ in range(games):
        position = start
        while position.outcome is None:
            moves += len(position.legal_moves)
            positions += 1
            position = position.play_unchecked(position.legal_moves.pick(rng))
    return moves / positions
