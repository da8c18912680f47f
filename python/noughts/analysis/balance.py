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

RANDOM_GAMES = 100_000
"""Random games unless told otherwise."""

STRONG_GAMES = 40
"""Games by search unless told otherwise."""

SIMULATIONS = 2_000
"""Simulations behind a move by search unless told otherwise."""

PLAY_SECONDS = 60.0
"""What the random games may take unless told otherwise, and again the games by search."""

MIN_STRONG_GAMES = 4
"""A move by search takes at most what leaves time for so many games."""

BRANCHING_SECONDS = 5.0
"""What counting the choices in a position may take."""


@dataclass(frozen=True, slots=True)
class Play:
    """How games go when they are played in one way."""

    games: int
    first_score: float
    """The first player's share of points: 1 for a win, ½ for a draw."""
    draw_rate: float
    mean_length: float
    simulations: float | None = None
    """Simulations behind a move by search, on average."""

    def to_json(self) -> dict[str, object]:
        """The figures as a JSON object."""
        return {
            "games": self.games,
            "first_score": round(self.first_score, 4),
            "draw_rate": round(self.draw_rate, 4),
            "mean_length": round(self.mean_length, 2),
            **({} if self.simulations is None else {"simulations": round(self.simulations)}),
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
    cut_short: bool = False
    """Whether time was up before as many games were played as asked for."""

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
            "cut_short": self.cut_short,
        }


def balance(
    game: Game,
    limits: Limits | None = None,
    *,
    games: int = RANDOM_GAMES,
    strong_games: int = STRONG_GAMES,
    simulations: int = SIMULATIONS,
    play_seconds: float = PLAY_SECONDS,
    seed: int = 0,
) -> Balance:
    """Measure a game: its proven value if the limits allow it (10 seconds, unless they say more), and how play goes.

    The random games take at most ``play_seconds``, and so do the games by search, where moves come sooner
    with fewer simulations if they have to.

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
    threads = limits.threads or cores()
    playing = Limits(seconds=play_seconds, progress=limits.progress, stop=limits.stop, threads=threads)
    tally = playouts(start, games, seed, limits=playing)
    a_move = play_seconds / (max(tally.mean_length, 1.0) * MIN_STRONG_GAMES)
    strong = _strong(start, strong_games, simulations, a_move, seed, playing)
    cut_short = tally.games < games or strong.games < strong_games
    return Balance(game, verdict, _branching(start, seed), _play(tally, start.turn), strong, cut_short)


def _proof_limits(limits: Limits) -> Limits:
    return limits if limits.seconds is not None else replace(limits, seconds=PROOF_SECONDS)


def _play(tally: Tally, first: Mark) -> Play:
    draws = tally.draws / tally.games if tally.games else 0.0
    return Play(tally.games, tally.score(first), draws, tally.mean_length)


def _strong(start: Position, games: int, simulations: int, a_move: float, seed: int, limits: Limits) -> Play:
    """Games of a Monte Carlo tree search against itself, a new seed for every move; ``a_move`` is its time for one.

    The game that is being played when the time is up does not count.
    """
    began = time.perf_counter()
    winners: Counter[Mark | None] = Counter()
    plies = moves = simulated = 0
    thinking = Limits(seconds=a_move, stop=limits.stop)

    def is_up() -> bool:
        return limits.stop() or (limits.seconds is not None and time.perf_counter() - began > limits.seconds)

    for number in range(games):
        position, length = start, 0
        while position.outcome is None and not is_up():
            found = mcts(position, simulations, seed=seed + 7919 * number + moves, limits=thinking)
            position = position.play_unchecked(found.best)
            moves, length, simulated = moves + 1, length + 1, simulated + found.simulations
            limits.report("strong_play", number + 1, moves, time.perf_counter() - began)
        if position.outcome is None:
            break
        winners[position.outcome.winner] += 1
        plies += length
    tally = Tally(winners.total(), {mark: winners[mark] for mark in start.game.marks}, winners[None], plies, (), 0.0)
    return replace(_play(tally, start.turn), simulations=simulated / max(moves, 1))


def _branching(start: Position, seed: int, games: int = 20) -> float:
    rng, began = random.Random(seed), time.perf_counter()
    moves = positions = 0
    for _ in range(games):
        position = start
        while position.outcome is None:
            if positions and time.perf_counter() - began > BRANCHING_SECONDS:
                return moves / positions
            moves += len(position.legal_moves)
            positions += 1
            position = position.play_unchecked(position.legal_moves.pick(rng))
    return moves / positions
