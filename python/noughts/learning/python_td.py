"""Temporal-difference learning by the Python rules: what the kernel's learner does, for games without tables.

After each game every position of it is drawn towards its return, seen by the player who made it: a
mixture of the values of all later positions and the result. Where the learner explored, the return
takes the value of the move it would rather have made. Each weight has a learning rate of its own that
falls as its errors begin to cancel out (temporal coherence).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from noughts.compute.limits import Limits
from noughts.core import Game, Move, Outcome, Position
from noughts.errors import InvalidCheckpoint
from noughts.learning.features import Features
from noughts.learning.learner import ITSELF, Settings
from noughts.learning.python_network import Places, PythonNetwork, Seen

if TYPE_CHECKING:
    from noughts._kernel import _Trained

__all__ = ["PythonTd"]


class Step(NamedTuple):
    """One move of a game that was played."""

    seat: int
    best: float
    """The best value there was to choose."""
    explored: bool
    """Whether another move was made in order to explore."""
    places: Places
    """The weights of the position after it, as the player who made it sees it."""


class PythonTd:
    """A network in training."""

    def __init__(self, game: Game, features: Features) -> None:
        self._marks = game.marks
        self._starts = [game.start(mark) for mark in game.marks]
        self.network = PythonNetwork(game, features)
        self._sums = np.zeros_like(self.network.weights)
        self._sizes = np.zeros_like(self.network.weights)
        self.games = 0
        """Games learned from."""

    def train(self, games: int, settings: Settings, trace: float, limits: Limits) -> _Trained:
        """Play and learn from so many more games; at least one, whatever the limits say."""
        end = self.games + games
        wins, draws, plies, explored, error, updates = [0, 0], 0, 0, 0, 0.0, 0
        lengths: list[int] = []
        stopped = None
        while self.games < end:
            steps, outcome, tried = self._play(settings)
            missed, count = self._draw(steps, outcome, settings, trace)
            explored, error, updates, plies = explored + tried, error + missed, updates + count, plies + len(steps)
            lengths += [0] * (len(steps) + 1 - len(lengths))
            lengths[len(steps)] += 1
            if outcome.winner is None:
                draws += 1
            else:
                wins[self._marks.index(outcome.winner)] += 1
            self.games += 1
            if self.games < end and limits.stop():
                stopped = "cancelled"
                break
        return {
            "games": sum(wins) + draws,
            "wins": wins,
            "draws": draws,
            "plies": plies,
            "lengths": lengths,
            "stopped": stopped,
            "error": error / max(updates, 1),
            "updates": updates,
            "explored": explored,
        }

    def _play(self, settings: Settings) -> tuple[list[Step], Outcome, int]:
        """The next game after its random opening, and how many moves explored. Starts and seats take turns."""
        rng = random.Random(f"{settings.seed} {self.games}")
        epsilon = settings.epsilon.at(self.games, settings.total)
        position = self._starts[self.games % 2]
        mine = None if settings.opponent == ITSELF else self.games // 2 % 2
        for _ in range(rng.randint(0, settings.random_plies)):
            after = position.play_unchecked(position.legal_moves.pick(rng))
            if after.outcome is not None:
                break
            position = after
        seen = self._see_all(position)
        steps: list[Step] = []
        explored = 0
        while position.outcome is None:
            seat = self._marks.index(position.turn)
            rated = self.network.rated(position, seen[seat])
            best = max(rated, key=lambda entry: entry.value)
            theirs = mine is not None and seat != mine
            by_chance = theirs or rng.random() < epsilon
            pick = rng.choice(rated) if by_chance else best
            explored += by_chance and not theirs
            position = pick.after
            seen = self._see_all(position, seen)
            steps.append(Step(seat, best.value, not theirs and pick.value < best.value, seen[seat].places))
        return steps, position.outcome, explored

    def learn(
        self,
        root: int,
        moves: Sequence[Move],
        settings: Settings,
        trace: float,
        *,
        opening: int = 0,
        seat: int | None = None,
    ) -> float:
        """Learn from one game that somebody played; the mean error."""
        position, steps = self._starts[root], list[Step]()
        for move in moves[:opening]:
            position = position.play(move)
        seen = self._see_all(position)
        for move in moves[opening:]:
            mover = self._marks.index(position.turn)
            values = {entry.move: entry.value for entry in self.network.rated(position, seen[mover])}
            best = max(values.values())
            position = position.play(move)
            seen = self._see_all(position, seen)
            explored = (seat is None or mover == seat) and values[move] < best
            steps.append(Step(mover, best, explored, seen[mover].places))
        error, updates = 0.0, 0
        if position.outcome is not None:
            error, updates = self._draw(steps, position.outcome, settings, trace)
        self.games += 1
        return error / max(updates, 1)

    def _see_all(self, position: Position, before: Sequence[Seen] | None = None) -> list[Seen]:
        seats = range(len(self._marks))
        return [self.network.see(position, seat, None if before is None else before[seat]) for seat in seats]

    def _draw(self, steps: Sequence[Step], outcome: Outcome, settings: Settings, trace: float) -> tuple[float, int]:
        """Draw the positions of a game towards their returns, the last one first; the errors added up, and how many.

        A finished game is known and teaches only those before it.
        """
        if not steps:
            return 0.0, 0
        rate = settings.rate.at(self.games, settings.total)
        after = value_after = float(outcome.score(self._marks[steps[-1].seat]))
        total = 0.0
        for step, following in zip(reversed(steps[:-1]), reversed(steps[1:]), strict=True):
            mixed = following.best if following.explored else (1 - trace) * value_after + trace * after
            target = -settings.discount * mixed
            value = float(np.tanh(self.network.weights[step.places].sum()))
            error = target - value
            total += abs(error)
            self._nudge(step.places, error * (1 - value * value), rate)
            after, value_after = target, value
        return total, len(steps) - 1

    def _nudge(self, places: Places, error: float, rate: float) -> None:
        """Move each weight of a position, by as much as its errors agree with each other."""
        share = np.float32(error / len(places))
        sums, sizes = self._sums[places], self._sizes[places]
        coherence = np.divide(np.abs(sums), sizes, out=np.ones_like(sums), where=sizes > 0)
        np.add.at(self.network.weights, places, np.float32(rate) * coherence * share)
        np.add.at(self._sums, places, share)
        np.add.at(self._sizes, places, abs(share))

    def arrays(self) -> tuple[bytes, bytes, bytes]:
        """The weights, the sums of their errors, and of those errors' sizes."""
        return self.network.weights.tobytes(), self._sums.tobytes(), self._sizes.tobytes()

    def restore(self, games: int, weights: bytes, sums: bytes, sizes: bytes) -> None:
        """Put back what was learned before."""
        for mine, given in ((self.network.weights, weights), (self._sums, sums), (self._sizes, sizes)):
            read = np.frombuffer(given, dtype="<f4")
            if len(read) != len(mine):
                raise InvalidCheckpoint(f"the checkpoint has {len(read):,} weights, not {len(mine):,}")
            mine[:] = read
        self.games = games
