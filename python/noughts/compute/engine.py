"""The engine: alpha-beta with an evaluation, as deep as its limits allow, for boards too large to solve.

:func:`think` is the only way to it. An :class:`Engine` keeps its table from move to move, so that the
next search starts from what the last one found. A search that is limited by nodes or by depth starts
empty and on one thread: the same question gets the same answer, whatever was asked before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from noughts._kernel import Engine as KernelEngine
from noughts.compute.kernel import cores, limited, moment
from noughts.compute.limits import Limits
from noughts.compute.value import Proven
from noughts.core import Game, Move, Position
from noughts.errors import SearchError
from noughts.hooks import Curve

if TYPE_CHECKING:
    from noughts._kernel import _Analysis

__all__ = ["TABLE_BYTES", "WON", "Engine", "EnginePool", "Thought", "proven_score", "think"]

TABLE_BYTES = 64 << 20
"""Bytes for the table of an engine, unless the limits allow less."""

SEARCH_BYTES = 256 << 20
"""Bytes for all that a search takes, its table included, unless the limits allow less."""

WON = 31_000
"""Scores from here up are proven wins, and from minus this down proven losses."""

WIN_AT_ONCE = 32_000
"""The score of a win on the spot; a win n plies away is worth n less."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What the engine came to, for the player to move."""

    position: Position
    best: Move
    score: int
    """In the engine's own units, which differ from game to game; proven results from :data:`WON` up."""
    steady: int
    """The mean of the last two depths, which tells more about who will win: the last mover always looks better."""
    proven: Proven | None
    """What is certain about the position, if anything is."""
    depth: int
    """Plies searched in full; 0 when there was no time, or no need, to look ahead."""
    nodes: int
    line: tuple[Move, ...]
    """How the game goes on, a best move each time."""
    moves: Mapping[Move, int]
    """The score of each move that was compared with the others, if that was asked for."""
    seconds: float
    stopped: str | None = None
    """The limit that ended the search, if one did."""


class Engine:
    """Thinks about one game after the other, and remembers the positions of the last one.

    A copy, also a pickled one, starts with an empty table.
    """

    def __init__(self, *, memory: int = TABLE_BYTES) -> None:
        self.memory = memory
        """The most bytes that its table may take."""
        self._game: Game | None = None
        self._inner: KernelEngine | None = None

    def think(
        self, position: Position, limits: Limits | None = None, *, every: bool = False, fours: int | None = None
    ) -> Thought:
        """Find a good move. With ``every``, score all moves alike, which takes longer.

        ``fours`` bounds how many threats are followed in one go, in games in a row.
        """
        if len(position.game.marks) != 2:
            raise SearchError(f"the engine does not play {position.game}")
        limits = (limits or Limits()).within(memory=SEARCH_BYTES)
        repeats = limits.nodes is not None or limits.depth is not None
        found = self._for(position.game).think(
            moment(position),
            limited(limits),
            depth=limits.depth,
            fours=fours,
            threads=limits.threads or (1 if repeats else cores()),
            every=every,
            fresh=repeats,
        )
        return Thought(
            position,
            found["best"],
            found["score"],
            found["steady"],
            _proven(found["proven"]),
            found["depth"],
            found["nodes"],
            tuple(found["line"]),
            dict(found["moves"]),
            found["seconds"],
            found["stopped"],
        )

    def analyse(
        self,
        position: Position,
        limits: Limits,
        *,
        curves: Mapping[Literal["engine", "mcts"], Curve],
        map_proofs: bool,
        map_estimates: bool,
        seed: int,
    ) -> _Analysis:
        """Ask the kernel for an analysis of a position of any game with tables; ``curves`` tell a score's worth."""
        return self._for(position.game).analyse(
            moment(position),
            limited(limits),
            by_engine=position.game.estimator == "engine",
            engine_curve=_parts(curves["engine"]),
            tree_curve=_parts(curves["mcts"]),
            map_proofs=map_proofs,
            map_estimates=map_estimates,
            seed=seed,
            threads=limits.threads or (1 if limits.nodes is not None else cores()),
        )

    def _for(self, game: Game) -> KernelEngine:
        """The engine of a game, empty if the last question was about another game."""
        if game.kernel is None:
            raise SearchError(f"the engine does not play {game}")
        if self._inner is None or self._game != game:
            self._game, self._inner = game, KernelEngine(game.kernel, memory=self.memory)
        return self._inner

    @property
    def bytes(self) -> int:
        """What the table takes now."""
        return 0 if self._inner is None else self._inner.bytes

    def clear(self) -> None:
        """Forget everything and free the table."""
        self._game = self._inner = None

    def __reduce__(self) -> tuple[Callable[[], Engine], tuple[()]]:
        return partial(Engine, memory=self.memory), ()


class EnginePool:
    """Engines for many matches at once, within a bounded number of tables and of bytes.

    The same key gets the same engine again, unless others needed its place: the least recently used
    goes first.

    >>> pool = EnginePool(tables=2, memory=32 << 20)
    >>> with pool.borrow("match 1") as engine:
    ...     engine.memory
    16777216
    """

    def __init__(self, *, tables: int = 8, memory: int = 512 << 20) -> None:
        if tables < 1:
            raise ValueError(f"a pool of {tables} engines has none to lend")
        self.tables = tables
        """The most engines, lent ones included."""
        self.memory = memory
        """The most bytes for the tables of them all."""
        self._idle: OrderedDict[Hashable, Engine] = OrderedDict()
        self._lent = 0
        self._returned = threading.Condition()

    @contextmanager
    def borrow(self, key: Hashable) -> Iterator[Engine]:
        """Lend the engine of ``key``, or a new one; waits while all are lent.

        Nobody else gets it meanwhile: asking with the same key at the same time gives another one.
        """
        engine = self._take(key)
        try:
            yield engine
        finally:
            self._give_back(key, engine)

    @property
    def bytes(self) -> int:
        """What the tables of idle engines take now."""
        with self._returned:
            return sum(engine.bytes for engine in self._idle.values())

    def _take(self, key: Hashable) -> Engine:
        with self._returned:
            while self._lent >= self.tables:
                self._returned.wait()
            engine = self._idle.pop(key, None)
            self._lent += 1
            self._make_room()
        return engine or Engine(memory=self.memory // self.tables)

    def _give_back(self, key: Hashable, engine: Engine) -> None:
        with self._returned:
            self._lent -= 1
            self._idle[key] = engine
            self._idle.move_to_end(key)
            self._make_room()
            self._returned.notify()

    def _make_room(self) -> None:
        while self._idle and self._lent + len(self._idle) > self.tables:
            self._idle.popitem(last=False)


def think(
    position: Position, limits: Limits | None = None, *, every: bool = False, fours: int | None = None
) -> Thought:
    """Ask the engine of the limits, or else a new one, for a good move.

    >>> import noughts
    >>> thought = think(noughts.position("gomoku"), Limits(depth=4))
    >>> thought.position.game.move_name(thought.best)
    'h8'
    """
    limits = limits or Limits()
    engine = limits.engine or Engine()
    return engine.think(position, replace(limits, engine=None), every=every, fours=fours)


def _parts(curve: Curve) -> tuple[tuple[tuple[float, float, float, float], ...], bool, int]:
    return curve.knots, curve.mirrored, curve.scale


def _proven(found: tuple[str, int] | None) -> Proven | None:
    match found:
        case ("win" | "loss") as value, plies:
            return Proven(value, within=plies)
        case None:
            return None
        case _:
            return Proven("draw")


def proven_score(score: int) -> Proven | None:
    """What a score of the engine proves, if anything."""
    if abs(score) < WON:
        return None
    return Proven("win" if score > 0 else "loss", within=WIN_AT_ONCE - abs(score))
