"""Balance: what a game designer wants to know about a set of rules."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from noughts.compute.kernel import Progress, Stop
from noughts.compute.sampling import Tally, mcts, playouts
from noughts.compute.solver import Verdict, solve
from noughts.core import Game, Mark, Position
from noughts.errors import SearchError

__all__ = ["Balance", "Play", "balance"]


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
    *,
    games: int = 100_000,
    strong_games: int = 40,
    simulations: int = 2_000,
    seconds: float = 10.0,
    seed: int = 0,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Balance:
    """Measure a game: its proven value if that takes no more than ``seconds``, and how play goes.

    >>> import noughts
    >>> report = balance(noughts.game("3x3"), games=1000, strong_games=2, simulations=100)
    >>> report.verdict.value, report.random.games
    ('draw', 1000)
    """
    start = game.start()
    try:
        verdict = solve(start, seconds=seconds, progress=progress, stop=stop) if len(game.marks) == 2 else None
    except SearchError:
        verdict = None
    tally = playouts(start, games, seed, threads=None, progress=progress, stop=stop)
    strong = _strong(start, strong_games, simulations, seed, progress, stop)
    return Balance(game, verdict, _branching(start, seed), _play(tally, start.turn), strong)


def _play(tally: Tally, first: Mark) -> Play:
    draws = tally.draws / tally.games if tally.games else 0.0
    return Play(tally.games, tally.score(first), draws, tally.mean_length)


def _strong(
    start: Position, games: int, simulations: int, seed: int, progress: Progress | None, stop: Stop | None
) -> Play:
    """Games of a Monte Carlo tree search against itself, a new seed for every move."""
    winners: Counter[Mark | None] = Counter()
    plies = 0
    for number in range(games):
        if stop is not None and stop():
            break
        position = start
        while position.outcome is None:
            found = mcts(position, simulations, seed=seed + 7919 * number + plies)
            position = position.play_unchecked(found.best)
            plies += 1
        winners[position.outcome.winner] += 1
        if progress is not None:
            progress("strong play", number + 1, plies, 0.0)
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
