"""Random games and Monte Carlo trees: by the kernel where a game has tables for it."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from noughts import search
from noughts.compute.kernel import REPORT_INTERVAL, Backend, limited, moment, tables
from noughts.compute.limits import Limits
from noughts.compute.value import Proven
from noughts.core import Mark, Move, Position

__all__ = ["MoveStats", "Survey", "Tally", "mcts", "playouts", "proven_result"]

MCTS_MEMORY = 512 << 20
"""Bytes a tree may take unless the limits say otherwise."""

DEFAULT_SIMULATIONS = 10_000
"""Simulations where nothing limits a search."""

UNLIMITED_SIMULATIONS = 10**12
"""Simulations where only the time counts."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What many random games came to."""

    games: int
    wins: Mapping[Mark, int]
    draws: int
    plies: int
    """Moves in all games together."""
    lengths: tuple[int, ...]
    """``lengths[n]`` games took n moves."""
    seconds: float
    stopped: str | None = None
    """Why fewer games were played than asked for, if so."""

    @property
    def mean_length(self) -> float:
        """Moves in a game, on average."""
        return self.plies / self.games if self.games else 0.0

    def score(self, mark: Mark) -> float:
        """The share of points ``mark`` made: 1 for a win, ½ for a draw."""
        return (self.wins[mark] + self.draws / 2) / self.games if self.games else 0.0

    def to_json(self) -> dict[str, object]:
        """The tally as a JSON object."""
        return {
            "games": self.games,
            "wins": dict(self.wins),
            "draws": self.draws,
            "mean_length": round(self.mean_length, 4),
            "lengths": list(self.lengths),
            "seconds": round(self.seconds, 6),
            "stopped": self.stopped,
        }


def playouts(
    position: Position,
    games: int,
    seed: int = 0,
    *,
    limits: Limits | None = None,
    backend: Backend = "auto",
) -> Tally:
    """Play complete random games; every legal move is always as likely as any other.

    They run on one thread unless the limits say otherwise. A seed gives the same tally whatever the
    number of threads, but not the same on both backends.

    >>> import noughts
    >>> noughts.playouts(noughts.position("3x3"), 1000, seed=1).games
    1000
    """
    if games < 0:
        raise ValueError(f"cannot play {games} games")
    marks = position.game.marks
    limits = limits or Limits()
    began = time.perf_counter()
    compiled = tables(position.game, backend)
    if compiled is None:
        return _play(position, games, seed, limits)
    found = compiled.playouts(moment(position), limited(limits), games=games, seed=seed, threads=limits.threads or 1)
    return Tally(
        found["games"],
        dict(zip(marks, found["wins"], strict=True)),
        found["draws"],
        found["plies"],
        tuple(found["lengths"]),
        time.perf_counter() - began,
        found["stopped"],
    )


def _play(start: Position, games: int, seed: int, limits: Limits) -> Tally:
    began = time.perf_counter()
    rng, stopped = random.Random(seed), None
    wins, draws, lengths = dict.fromkeys(start.game.marks, 0), 0, [0]
    played, reported = 0, 0.0
    while played < games and stopped is None:
        position, length = start, 0
        while position.outcome is None:
            position = position.play_unchecked(position.legal_moves.pick(rng))
            length += 1
        played += 1
        lengths += [0] * (length + 1 - len(lengths))
        lengths[length] += 1
        if position.outcome.winner is None:
            draws += 1
        else:
            wins[position.outcome.winner] += 1
        spent = time.perf_counter() - began
        if spent - reported > REPORT_INTERVAL:
            reported = spent
            limits.report("playouts", 0, played, spent)
        if limits.seconds is not None and spent > limits.seconds:
            stopped = "deadline"
        elif limits.stop():
            stopped = "cancelled"
    plies = sum(length * count for length, count in enumerate(lengths))
    reason = stopped if played < games else None
    return Tally(played, wins, draws, plies, tuple(lengths), time.perf_counter() - began, reason)


@dataclass(frozen=True, slots=True)
class MoveStats:
    """What a tree search thinks of a move."""

    visits: int
    value: float
    """The mean result for the player who makes it, from −1 to 1."""
    proven: Mark | str | None = None
    """Who wins for certain after it, or ``draw``, where that is proven."""


def proven_result(winner: Mark | str, mark: Mark) -> Proven:
    """A certain end, a winner or ``draw``, as ``mark`` sees it."""
    return Proven("draw" if winner == "draw" else "win" if winner == mark else "loss")


@dataclass(frozen=True, slots=True)
class Survey:
    """What a Monte Carlo tree search came to."""

    position: Position
    best: Move
    value: float
    """The mean result for the player to move, from −1 to 1; exact once proven."""
    proven: Mark | str | None
    """Who wins with best play, or ``draw``, once proven."""
    moves: Mapping[Move, MoveStats]
    line: tuple[Move, ...]
    """The moves tried most often, one after the other."""
    simulations: int
    seconds: float
    stopped: str | None = None
    full: bool = False
    """Whether the tree filled its memory and stopped growing."""

    @property
    def known(self) -> Proven | None:
        """What is proven of the position, for the player to move."""
        return None if self.proven is None else proven_result(self.proven, self.position.turn)


def mcts(
    position: Position,
    simulations: int | None = None,
    seed: int = 0,
    *,
    limits: Limits | None = None,
    backend: Backend = "auto",
) -> Survey:
    """Search with UCT from random games, for any number of players. The same seed gives the same tree.

    It plays ``simulations`` games, or as many as the limits allow; without either, 10,000. The kernel's
    search carries proven results up the tree, and stops once the position is proven.

    >>> import noughts
    >>> noughts.mcts(noughts.position("3x3"), 100_000).proven
    'draw'
    """
    search.check_searchable(position, name="mcts", players=None)
    limits = (limits or Limits()).within(nodes=simulations)
    simulations = limits.nodes or (DEFAULT_SIMULATIONS if limits.seconds is None else UNLIMITED_SIMULATIONS)
    game = position.game
    began = time.perf_counter()
    compiled = tables(game, backend)
    if compiled is None:
        result, stats = search.mcts_with_stats(
            position, simulations=simulations, seconds=limits.seconds, seed=seed, stop=limits.stop
        )
        moves = {move: MoveStats(visits, value) for move, (visits, value) in stats.items()}
        spent = time.perf_counter() - began
        return Survey(position, result.move, result.score, None, moves, (result.move,), result.nodes, spent)

    def who(seat: int | None) -> Mark | str | None:
        return None if seat is None else "draw" if seat < 0 else game.marks[seat]

    # The number of simulations is the limit; the kernel's nodes are something else.
    allowance = limited(replace(limits, nodes=None), memory=MCTS_MEMORY)
    found = compiled.mcts(moment(position), allowance, simulations=simulations, seed=seed)
    moves = {move: MoveStats(visits, value, who(proven)) for move, visits, value, proven in found["moves"]}
    best = found["best"]
    assert best is not None
    return Survey(
        position,
        best,
        found["value"],
        who(found["proven"]),
        moves,
        tuple(found["line"]),
        found["simulations"],
        time.perf_counter() - began,
        found["stopped"],
        found["full"],
    )
