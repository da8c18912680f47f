"""Iterative deepening: search one ply ahead, then two, then three, until time is up.

Each round leaves the table with a good guess of the best move, and learns which moves cause
cutoffs: killers (at the same ply) and history (anywhere). Both only decide what to try first.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable

from noughts.core import Move, Position
from noughts.search.negamax import ENDLESS, Negamax, Table
from noughts.search.result import WIN, Result, Worth, check_searchable, win_soon
from noughts.search.zobrist import Zobrist

__all__ = ["deepening"]

OnRound = Callable[[Result], None]
"""Called after each round with its result."""


class _OutOfTime(Exception):
    """Raised inside the search to leave it."""


class _Experience:
    """Which moves have caused cutoffs so far."""

    def __init__(self) -> None:
        self.killers: dict[int, list[Move]] = defaultdict(list)
        self.history: dict[tuple[str, Move], int] = defaultdict(int)

    def learn(self, position: Position, move: Move, ply: int, left: int) -> None:
        """Remember a cutoff, the more so the more it saved."""
        killers = self.killers[ply]
        if move not in killers:
            killers.insert(0, move)
            del killers[2:]
        self.history[position.turn, move] += left * left if left < ENDLESS // 2 else 1

    def order(self, position: Position, ply: int, hint: Move | None) -> Iterable[Move]:
        """The table's move, then killers, then by history, then board order."""
        killers = self.killers[ply]

        def rank(move: Move) -> tuple[bool, bool, int]:
            return (move != hint, move not in killers, -self.history[position.turn, move])

        return sorted(position.legal_moves, key=rank)


def deepening(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    worth: Worth = win_soon,
    table: Table | None = None,
    on_round: OnRound | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Result:
    """Search ever deeper until the score is exact or a limit is reached.

    Returns the result of the last round that was finished; ``on_round`` is called after each.
    """
    check_searchable(position, name="iterative deepening")
    deadline = None if seconds is None else time.monotonic() + seconds
    experience, zobrist, table = _Experience(), Zobrist(), Table() if table is None else table
    spent = cutoffs = 0
    result = Result(next(iter(position.legal_moves)), 0, 0, 0, 0, False)

    def watch(count: int) -> None:
        if nodes is not None and spent + count > nodes:
            raise _OutOfTime
        if count % 256 == 0 and (stop() or (deadline is not None and time.monotonic() > deadline)):
            raise _OutOfTime

    for ahead in range(1, (depth or ENDLESS) + 1):
        search = Negamax(
            depth=ahead,
            worth=worth,
            table=table,
            zobrist=zobrist,
            order=experience.order,
            on_node=watch,
            on_cutoff=experience.learn,
        )
        try:
            found = search.best(position, first=result.move)
        except _OutOfTime:
            break
        finally:
            spent += search.nodes
            cutoffs += search.cutoffs
        # A win or loss within the depth searched is exact: every shallower round has ruled out a faster one.
        decided = worth is win_soon and abs(found.score) > WIN / 2
        result = Result(found.move, found.score, spent, cutoffs, ahead, found.complete or decided)
        if on_round is not None:
            on_round(result)
        if result.complete:
            break
    return Result(result.move, result.score, spent, cutoffs, result.depth, result.complete)
