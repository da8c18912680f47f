"""Tabular Q-learning by the Python rules: what the kernel's learner does, for games without tables.

A move's value is kept with the class of positions it leads to. After each game the values of its moves
are drawn towards their targets, the last move first: towards the result for the last, and for the
others towards the discounted negative of the best reply.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from noughts.compute.limits import Limits
from noughts.core import Game, Move, Position
from noughts.errors import InvalidCheckpoint
from noughts.learning.graph import PositionGraph, class_code
from noughts.learning.learner import ITSELF, Settings

if TYPE_CHECKING:
    from noughts._kernel import _Trained

__all__ = ["PythonQ"]


class PythonQ:
    """A table of values, and how it came about."""

    def __init__(self, game: Game, limits: Limits) -> None:
        self._marks = game.marks
        self._starts = [game.start(mark) for mark in game.marks]
        self._graph = PositionGraph(self._starts, limits)
        self._values = array("f", bytes(4 * len(self._graph)))
        self._visits = array("I", bytes(4 * len(self._graph)))
        self.games = 0
        """Games learned from."""

    @property
    def classes(self) -> int:
        """Classes of positions that the game can reach."""
        return len(self._graph)

    def train(self, games: int, settings: Settings, limits: Limits) -> _Trained:
        """Play and learn from so many more games; at least one, whatever the limits say."""
        end = self.games + games
        wins, draws, plies, explored, error, updates = [0, 0], 0, 0, 0, 0.0, 0
        lengths: list[int] = []
        stopped = None
        while self.games < end:
            path, tried = self._play(settings)
            explored += tried
            error += self._draw(path, settings.rate.at(self.games, settings.total), settings.discount)
            updates += len(path)
            plies += len(path)
            lengths += [0] * (len(path) + 1 - len(lengths))
            lengths[len(path)] += 1
            winner = self._graph.winners[path[-1]]
            if winner is None:
                draws += 1
            else:
                wins[self._marks.index(winner)] += 1
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

    def _play(self, settings: Settings) -> tuple[list[int], int]:
        """The classes of the next game after its start, and how many moves explored. Starts and seats take turns."""
        graph, values = self._graph, self._values
        rng = random.Random(f"{settings.seed} {self.games}")
        epsilon = settings.epsilon.at(self.games, settings.total)
        at = graph.roots[self.games % 2]
        mine = None if settings.opponent == ITSELF else self._marks[self.games // 2 % 2]
        path: list[int] = []
        explored = 0
        while edges := graph.edges[at]:
            if mine is None or graph.turns[at] == mine:
                if rng.random() < epsilon:
                    explored += 1
                    at = rng.choice(edges)
                else:
                    at = max(edges, key=values.__getitem__)
            elif settings.opponent == "random":
                at = rng.choice(edges)
            else:
                best = max(graph.exact[edge] for edge in edges)
                at = rng.choice([edge for edge in edges if graph.exact[edge] == best])
            path.append(at)
        return path, explored

    def _draw(self, path: Sequence[int], rate: float, discount: float) -> float:
        """Draw the values along a path towards their targets, the last move first; the errors added up."""
        graph, values = self._graph, self._values
        total = 0.0
        for at in reversed(path):
            edges = graph.edges[at]
            target = -discount * max(values[edge] for edge in edges) if edges else graph.results[at]
            error = target - values[at]
            values[at] += rate * error
            self._visits[at] += 1
            total += abs(error)
        return total

    def learn(self, root: int, moves: Sequence[Move], rate: float, discount: float) -> float:
        """Learn from one game that somebody played; the mean error."""
        position, path = self._starts[root], list[int]()
        for move in moves:
            position = position.play(move)
            path.append(self._graph.index[class_code(position)])
        self.games += 1
        return self._draw(path, rate, discount) / max(len(path), 1)

    def rate(self, position: Position) -> Mapping[Move, float]:
        """What every legal move is worth now; 0 for positions that the game cannot reach."""
        index, values = self._graph.index, self._values
        found = {move: index.get(class_code(position.play_unchecked(move))) for move in position.legal_moves}
        return {move: 0.0 if at is None else values[at] for move, at in found.items()}

    def grade(self) -> tuple[int, int, int, float]:
        """Compare the moves that the table prefers with best play, over all classes."""
        graph, values = self._graph, self._values
        positions = best = sound = 0
        lost = 0.0
        for edges in graph.edges:
            if edges:
                top = max(graph.exact[edge] for edge in edges)
                chosen = graph.exact[max(edges, key=values.__getitem__)]
                positions += 1
                best += chosen == top
                sound += _sign(chosen) == _sign(top)
                lost += (_sign(top) - _sign(chosen)) / 2
        return positions, best, sound, lost

    def arrays(self) -> tuple[bytes, bytes, bytes]:
        """Codes in ascending order, values and visits of the classes learned from."""
        learned = sorted((code, at) for code, at in self._graph.index.items() if self._visits[at])
        places = [at for _, at in learned]
        values = np.array([self._values[at] for at in places], dtype="<f4")
        visits = np.array([self._visits[at] for at in places], dtype="<u4")
        return b"".join(code for code, _ in learned), values.tobytes(), visits.tobytes()

    def restore(self, games: int, codes: bytes, values: bytes, visits: bytes) -> None:
        """Put back what was learned before."""
        worth, times = np.frombuffer(values, dtype="<f4").tolist(), np.frombuffer(visits, dtype="<u4").tolist()
        for row, (value, visited) in enumerate(zip(worth, times, strict=True)):
            at = self._graph.index.get(codes[16 * row : 16 * row + 16])
            if at is None:
                raise InvalidCheckpoint("the checkpoint holds a position that the game cannot reach")
            self._values[at], self._visits[at] = value, visited
        self.games = games


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
