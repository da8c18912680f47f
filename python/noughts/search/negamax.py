"""Negamax with a transposition table: one point of view, and no position searched twice.

A table entry says how far the search below it went, and whether its score is exact or a bound
(the search was cut off, or every move fell short of the window it was given). Scores of wins
count plies from the entry's own position, not from the root, so that an entry is true wherever the
position turns up again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from noughts.core import Mark, Move, Position
from noughts.search.result import WIN, Result, Worth, check_searchable, win_soon
from noughts.search.zobrist import Zobrist

__all__ = ["ENDLESS", "Bound", "Entry", "Negamax", "Order", "Table", "negamax"]

ENDLESS = WIN
"""A depth that no game reaches."""


class Bound(Enum):
    """What a stored score says of the true one."""

    EXACT = "="
    LOWER = ">="
    UPPER = "<="


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a position."""

    depth: int
    """How many plies below it were searched."""
    bound: Bound
    score: float
    move: Move
    """The best move, or the one that caused the cutoff."""


class Table:
    """A transposition table of limited size; when it is full, the oldest entries go first."""

    def __init__(self, entries: int = 1_000_000) -> None:
        self._limit = entries
        self._entries: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: int) -> Entry | None:
        """The entry of a position, if there is one."""
        return self._entries.get(key)

    def put(self, key: int, entry: Entry) -> None:
        """Remember an entry."""
        if key not in self._entries and len(self._entries) >= self._limit:
            del self._entries[next(iter(self._entries))]
        self._entries[key] = entry


Order = Callable[[Position, int, Move | None], Iterable[Move]]
"""The moves of a position in the order to try them, given the ply and the table's move."""


def table_move_first(position: Position, ply: int, hint: Move | None) -> Iterable[Move]:
    """The table's move, then board order."""
    if hint is not None:
        yield hint
    for move in position.legal_moves:
        if move != hint:
            yield move


@dataclass
class Negamax:
    """One search: its table, its way to order moves, and its counts."""

    depth: int = ENDLESS
    worth: Worth = win_soon
    table: Table = field(default_factory=Table)
    zobrist: Zobrist = field(default_factory=Zobrist)
    order: Order = table_move_first
    on_node: Callable[[int], None] = lambda nodes: None
    """Called with the count of every node; may raise to stop the search."""
    on_cutoff: Callable[[Position, Move, int, int], None] = lambda position, move, ply, left: None
    nodes: int = 0
    cutoffs: int = 0
    deepest: int = 0
    complete: bool = True
    """Whether no estimate was needed, here or in the entries that were used."""

    def best(self, position: Position, first: Move | None = None) -> Result:
        """Search all moves of the root in board order, the ``first`` one before the others.

        Among equals the first in board order is returned, whatever came first in the search.
        """
        key, mark = self.zobrist.key(position), position.turn
        best, alpha = -1, -math.inf
        moves = sorted(position.legal_moves, key=lambda move: move != first)
        for move in moves:
            after = position.play_unchecked(move)
            # One below alpha, so that a move as good as the best shows as such.
            floor = alpha - 1 if move < best else alpha
            after_key = self.zobrist.follow(key, position, after)
            score = -self.value(after, after_key, position.game.after(mark), 1, -math.inf, -floor)
            if score > alpha or (score == alpha and move < best):
                best, alpha = move, score
        return Result(best, alpha, self.nodes, self.cutoffs, self.deepest, self.complete)

    def value(self, position: Position, key: int, mark: Mark, ply: int, alpha: float, beta: float) -> float:
        """The score of a position for ``mark``, exact if it lies between ``alpha`` and ``beta``."""
        self.nodes += 1
        self.on_node(self.nodes)
        self.deepest = max(self.deepest, ply)
        if position.outcome is not None:
            return self.worth(position.outcome, mark, ply)
        left = self.depth - ply
        if left <= 0:
            self.complete = False
            return position.estimate(mark)

        entry = self.table.get(key)
        if entry is not None and entry.depth >= left:
            score = _from_root(entry.score, ply)
            if (
                entry.bound is Bound.EXACT
                or (entry.bound is Bound.LOWER and score >= beta)
                or (entry.bound is Bound.UPPER and score <= alpha)
            ):
                self.complete = self.complete and entry.depth == ENDLESS
                return score

        was_complete, self.complete = self.complete, True
        entered_with, best, best_move = alpha, -math.inf, -1
        moves = list(self.order(position, ply, entry.move if entry else None))
        for tried, move in enumerate(moves, start=1):
            after = position.play_unchecked(move)
            after_key = self.zobrist.follow(key, position, after)
            score = -self.value(after, after_key, position.game.after(mark), ply + 1, -beta, -alpha)
            if score > best:
                best, best_move = score, move
                alpha = max(alpha, best)
                if alpha >= beta:
                    self.cutoffs += tried < len(moves)
                    self.on_cutoff(position, move, ply, left)
                    break
        bound = Bound.LOWER if best >= beta else Bound.UPPER if best <= entered_with else Bound.EXACT
        # A subtree searched to its ends holds at any depth.
        self.table.put(key, Entry(ENDLESS if self.complete else left, bound, _from_node(best, ply), best_move))
        self.complete = self.complete and was_complete
        return best


def _from_node(score: float, ply: int) -> float:
    """A score that counts plies from the node, given one that counts from the root."""
    return score + ply if score > WIN / 2 else score - ply if score < -WIN / 2 else score


def _from_root(score: float, ply: int) -> float:
    return score - ply if score > WIN / 2 else score + ply if score < -WIN / 2 else score


def negamax(
    position: Position, *, depth: int | None = None, worth: Worth = win_soon, table: Table | None = None
) -> Result:
    """Search with a transposition table; pass ``table`` to keep what was learned for the next call."""
    check_searchable(position, name="negamax")
    search = Negamax(depth=ENDLESS if depth is None else depth, worth=worth, table=Table() if table is None else table)
    return search.best(position)
