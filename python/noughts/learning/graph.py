"""Every class of positions that a small game can reach, with the moves between them, in Python.

Two positions that a symmetry of the board maps onto each other are one class. This is what tabular
learning plays on where the kernel has no tables for a game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from noughts.compute.limits import Limits
from noughts.core import Mark, Position
from noughts.errors import SearchError

__all__ = ["PositionGraph", "class_code"]

WIN: Final = 1_000_000
"""The exact value of a win at once; a later one is worth less by one for each ply."""

CLASS_BYTES: Final = 1_500
"""Memory that a class takes, its code, its position while it waits, and its moves."""

REPORT_EVERY: Final = 256
"""Classes between two looks at the limits."""


def class_code(position: Position) -> bytes:
    """The code of a position's class: 16 bytes, equal for the images of a position."""
    return blake2b(repr(position.canonical_key()).encode(), digest_size=16).digest()


class PositionGraph:
    """All classes that can be reached from some positions.

    ``exact[c]`` is what class ``c`` is worth under best play to the player who made it; only
    comparisons of those numbers mean something.
    """

    def __init__(self, roots: Sequence[Position], limits: Limits) -> None:
        game = roots[0].game
        self._tiles, self._cells = game.counts_tiles, game.grid.cells
        self.index: dict[bytes, int] = {}
        self.edges: list[tuple[int, ...]] = []
        """The classes after each legal move, in board order of one of the positions; none once the game is over."""
        self.results: list[float] = []
        """What a finished game is worth to the player who made the last move."""
        self.winners: list[Mark | None] = []
        self.turns: list[Mark] = []
        self._explore(roots, limits)
        self.exact = self._solve()

    def _explore(self, roots: Sequence[Position], limits: Limits) -> None:
        began = time.perf_counter()
        most = (limits.memory or 1 << 62) // CLASS_BYTES
        waiting: list[Position] = []

        def number(position: Position) -> int:
            code = class_code(position)
            known = self.index.get(code)
            if known is None:
                known = self.index[code] = len(waiting)
                waiting.append(position)
            return known

        self.roots = [number(root) for root in roots]
        for done, position in enumerate(waiting):
            if len(waiting) > most:
                raise SearchError(f"out of memory: more than {most:,} classes of positions", "out_of_memory")
            if done % REPORT_EVERY == 0:
                limits.report("exploring", 0, len(waiting), time.perf_counter() - began)
                if limits.stop():
                    raise SearchError("stopped while looking for every position", "cancelled")
            self.edges.append(tuple(number(position.play_unchecked(move)) for move in position.legal_moves))
            self.turns.append(position.turn)
            outcome = position.outcome
            self.winners.append(None if outcome is None else outcome.winner)
            if outcome is None:
                self.results.append(0.0)
            elif self._tiles:
                self.results.append(outcome.margin(position.turn) / self._cells)
            else:
                self.results.append(float(outcome.score(position.turn)))

    def _solve(self) -> list[int]:
        """Work out the exact value of every class, replies first."""
        exact = [0] * len(self.edges)
        opened, solved = bytearray(len(exact)), bytearray(len(exact))
        stack = list(self.roots)
        while stack:
            at = stack[-1]
            if solved[at]:
                stack.pop()
            elif not self.edges[at]:
                exact[at] = round(self.results[at] * (self._cells if self._tiles else WIN))
                solved[at] = 1
            elif not opened[at]:
                opened[at] = 1
                stack.extend(reply for reply in self.edges[at] if not opened[reply] and not solved[reply])
            else:
                best = max(exact[reply] for reply in self.edges[at])
                exact[at] = -best if self._tiles else -(best - (best > 0) + (best < 0))
                solved[at] = 1
        return exact

    def __len__(self) -> int:
        return len(self.edges)
