"""The engine: alpha-beta with an evaluation, as deep as its limits allow, for boards too large to solve.

:func:`think` is the only way to it. An :class:`Engine` keeps its table from move to move, so that the
next search starts from what the last one found. A search that is limited by nodes or by depth starts
empty and on one thread: the same question gets the same answer, whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from noughts._kernel import Engine as KernelEngine
from noughts._kernel import Tables
from noughts.compute.kernel import cores, limited, moment
from noughts.compute.limits import Limits
from noughts.compute.value import Proven
from noughts.core import Move, Position
from noughts.errors import SearchError

__all__ = ["TABLE_BYTES", "WON", "Engine", "Thought", "proven_score", "think"]

TABLE_BYTES = 256 << 20
"""Memory for what the search remembers, unless the limits allow less."""

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
    """Thinks about one game after the other, and remembers the positions of the last one."""

    def __init__(self) -> None:
        self._tables: Tables | None = None
        self._inner: KernelEngine | None = None

    def think(
        self, position: Position, limits: Limits | None = None, *, every: bool = False, fours: int | None = None
    ) -> Thought:
        """Find a good move. With ``every``, score all moves alike, which takes longer.

        ``fours`` bounds how many threats are followed in one go, in games in a row.
        """
        compiled = position.game.kernel
        if compiled is None or len(position.game.marks) != 2:
            raise SearchError(f"the engine does not play {position.game}")
        limits = (limits or Limits()).within(memory=TABLE_BYTES)
        repeats = limits.nodes is not None or limits.depth is not None
        if self._inner is None or self._tables is not compiled:
            self._tables, self._inner = compiled, KernelEngine(compiled)
        found = self._inner.think(
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
            _proven(found["proven"]),
            found["depth"],
            found["nodes"],
            tuple(found["line"]),
            dict(found["moves"]),
            found["seconds"],
            found["stopped"],
        )


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
