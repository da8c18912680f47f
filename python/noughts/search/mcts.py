"""Monte Carlo tree search with UCT, for any game and any number of players."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from noughts.core import Mark, Move, Position
from noughts.search.result import Result, check_searchable

__all__ = ["mcts", "mcts_with_stats"]


@dataclass(slots=True)
class _Node:
    """A position in the tree and what the games through it brought the player who moved there."""

    position: Position
    parent: _Node | None = None
    mover: Mark | None = None
    untried: list[Move] = field(default_factory=list)
    depth: int = 0
    children: dict[Move, _Node] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0
    deepest: int = 0
    """How deep the tree below has grown; kept at the root."""

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
    on_result: Callable[[Result], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Result:
    """Grow a tree by random games and return the move tried most often.

    The score is the mean result for the player to move, from −1 to 1. A random game that goes on
    for more than ``longest`` plies counts as a draw. The same seed gives the same tree.
    """
    root = _grow(position, simulations, seconds, random.Random(seed), exploration, longest, on_result, stop)
    return _result(root)


def mcts_with_stats(
    position: Position,
    *,
    simulations: int | None = 1000,
    seconds: float | None = None,
    seed: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Result, dict[Move, tuple[int, float]]]:
    """Search like :func:`mcts`, and give the visits and the mean result of every move tried."""
    root = _grow(position, simulations, seconds, random.Random(seed), math.sqrt(2), 1000, None, stop)
    return _result(root), {move: (c.visits, c.total / c.visits) for move, c in sorted(root.children.items())}


def _grow(
    position: Position,
    simulations: int | None,
    seconds: float | None,
    rng: random.Random,
    exploration: float,
    longest: int,
    on_result: Callable[[Result], None] | None,
    stop: Callable[[], bool],
) -> _Node:
    check_searchable(position, name="mcts", players=None)
    if simulations is None and seconds is None:
        raise ValueError("mcts needs a number of simulations or of seconds")
    deadline = None if seconds is None else time.monotonic() + seconds
    root = _Node(position, untried=_shuffled(position, rng))
    while simulations is None or root.visits < simulations:
        if root.visits and ((deadline is not None and time.monotonic() > deadline) or stop()):
            break
        node = root
        while not node.untried and node.children:
            node = node.best_child(exploration)
        if node.untried:
            move = node.untried.pop()
            after = node.position.play_unchecked(move)
            node.children[move] = _Node(after, node, node.position.turn, _shuffled(after, rng), node.depth + 1)
            node = node.children[move]
        root.deepest = max(root.deepest, node.depth)
        _credit(node, _random_end(node.position, rng, longest))
        if on_result is not None and root.visits % 256 == 0:
            on_result(_result(root))
    return root


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


def _result(root: _Node) -> Result:
    move, child = min(root.children.items(), key=lambda item: (-item[1].visits, item[0]))
    return Result(move, child.total / child.visits, root.visits, 0, root.deepest, False)
