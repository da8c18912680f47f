"""Monte Carlo tree search with UCT, for any game and any number of players."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from noughts.core import Mark, Move, Position
from noughts.search.result import Result, check_searchable

__all__ = ["mcts"]


@dataclass(slots=True)
class _Node:
    """A position in the tree and what the games through it brought whoever moved there."""

    position: Position
    parent: _Node | None = None
    mover: Mark | None = None
    untried: list[Move] = field(default_factory=list)
    children: dict[Move, _Node] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0

    def best_child(self, exploration: float) -> _Node:
        """The child with the best mix of result and novelty."""
        log = math.log(self.visits)
        return max(
            self.children.values(),
            key=lambda child: child.total / child.visits + exploration * math.sqrt(log / child.visits),
        )


def mcts(
    position: Position,
    *,
    simulations: int | None = 1000,
    seconds: float | None = None,
    seed: int | None = None,
    exploration: float = math.sqrt(2),
    longest: int = 1000,
    progress: Callable[[Result], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Result:
    """Grow a tree by random games and return the move tried most often.

    The score is the mean result for the player to move, from −1 to 1. A random game that goes on
    for more than ``longest`` plies counts as a draw. The same seed gives the same tree.
    """
    check_searchable(position, name="mcts", players=None)
    if simulations is None and seconds is None:
        raise ValueError("mcts needs a number of simulations or of seconds")
    rng = random.Random(seed)
    deadline = None if seconds is None else time.monotonic() + seconds
    root = _Node(position, untried=_shuffled(position, rng))
    deepest = done = 0
    while simulations is None or done < simulations:
        if done and ((deadline is not None and time.monotonic() > deadline) or stop()):
            break
        node, depth = root, 0
        while not node.untried and node.children:
            node = node.best_child(exploration)
            depth += 1
        if node.untried:
            move = node.untried.pop()
            after = node.position.play_unchecked(move)
            node.children[move] = _Node(after, node, node.position.turn, _shuffled(after, rng))
            node = node.children[move]
            depth += 1
        deepest = max(deepest, depth)
        _credit(node, _random_end(node.position, rng, longest))
        done += 1
        if progress is not None and done % 256 == 0:
            progress(_result(root, done, deepest))
    return _result(root, done, deepest)


def _shuffled(position: Position, rng: random.Random) -> list[Move]:
    moves = list(position.legal_moves)
    rng.shuffle(moves)
    return moves


def _random_end(position: Position, rng: random.Random, longest: int) -> Position:
    for _ in range(longest):
        if position.outcome is not None:
            break
        position = position.play_unchecked(position.legal_moves.pick(rng))
    return position


def _credit(node: _Node | None, end: Position) -> None:
    """Tell every node on the way up what the game brought the player who moved there."""
    while node is not None:
        node.visits += 1
        if node.mover is not None and end.outcome is not None:
            node.total += end.outcome.score(node.mover)
        node = node.parent


def _result(root: _Node, done: int, deepest: int) -> Result:
    move, child = min(root.children.items(), key=lambda item: (-item[1].visits, item[0]))
    return Result(move, child.total / child.visits, done, 0, deepest, False)
