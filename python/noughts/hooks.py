"""The plain values that games are told in: moves, outcomes, presets, facts, and what the hooks return.

A hook is an optional method of :class:`~noughts.core.Game` or :class:`~noughts.core.Position` through which
a game says what only it knows: its levels, rules of thumb, threats, calibration. Nothing outside
``games/`` asks which game it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from immutables import Map

from noughts.board.grid import Grid
from noughts.note import Note

if TYPE_CHECKING:
    from noughts.core import Position

__all__ = [
    "LARGEST_COMPILED",
    "LARGEST_EXACT",
    "LARGEST_SCANNED",
    "LAST_IN_MENU",
    "PASS",
    "SWAP",
    "Advice",
    "Cells",
    "Curve",
    "Fact",
    "Given",
    "Mark",
    "Move",
    "Outcome",
    "Preset",
    "Region",
    "Rule",
    "Scene",
    "Threat",
    "Window",
]

Mark = str
"""What a player puts on the board: ``X``, ``O``, ``R``, ``G``."""

Move = int
"""A cell, or :data:`PASS` or :data:`SWAP`."""

PASS: Final = -1
SWAP: Final = -2

Given = Move | str | Sequence[int]
"""A move as callers may write it: a number, a name, or (row, column) or (row, column, layer) from 0."""

Cells = Map[int, Mark]
"""The marks on a board by cell; an empty cell is absent."""

LARGEST_COMPILED: Final = 400
"""The most cells the kernel takes."""

LARGEST_EXACT: Final = 25
"""Cells up to which the highest level can be expected to play exactly."""

LARGEST_SCANNED: Final = 400
"""On boards with more cells not every move is tried for threats."""

LAST_IN_MENU: Final = 1000
"""The place of presets that do not ask for one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won, or nobody, and why."""

    winner: Mark | None
    reason: str
    """A code of the game's words: ``line``, ``chain``, ``tiles``, ``full`` (no empty cell), ``dead`` (no row left)."""
    cells: tuple[int, ...] = ()
    """The cells that decided it, in board order."""
    tiles: Map[Mark, int] | None = None
    """The final count of each mark, in games that count tiles."""

    def score(self, mark: Mark) -> int:
        """1 if ``mark`` won, −1 if somebody else did, 0 for a draw."""
        return 0 if self.winner is None else 1 if self.winner == mark else -1

    def margin(self, mark: Mark) -> int:
        """By how many tiles ``mark`` leads; 0 in games that count none."""
        return 0 if self.tiles is None else sum(n if m == mark else -n for m, n in self.tiles.items())


@dataclass(frozen=True, slots=True)
class Preset:
    """A game worth a name of its own."""

    name: str
    spec: str
    summary: str
    title: str = ""
    """What the menu calls it; the name unless told."""
    menu: int | None = LAST_IN_MENU
    """Its place in the menu, the smallest first; ``None`` keeps it out."""
    sample: str = ""
    """A moment for its picture: rows from the top joined by ``/``, a dot for an empty cell, layers one after another.
    On a large board it may be a part."""
    open: bool = False
    """Whether its options are what it is about, so that the menu shows them at once."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something known about a game, with its source: the ground truth of the tests."""

    spec: str
    about: str
    """``positions``, ``canonical``, ``games``, ``perft``, ``lines``, ``value``, ``margin``, ``openings``."""
    value: int | str | tuple[int, ...] | tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A board that shows a rule."""

    position: Position
    """Of this game, or of the same game on a smaller board."""
    legal: bool = False
    """Whether the cells are marked where the player to move may play."""
    refused: tuple[int, ...] = ()
    """Cells where that player may not play, to be crossed out."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a game."""

    note: Note
    """What it says: its code has a template ``rule.<code>`` in the game's words."""
    scenes: tuple[Scene, ...] = ()
    """Boards that show it: an example, or before and after."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The move that a game's rules of thumb ask for, and why."""

    move: Move
    note: Note
    """Its code has a template ``note.<code>`` in the game's words."""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the board that is decided, drawn as one large mark: a won board of nested ones."""

    cells: tuple[int, ...]
    mark: Mark | None
    """Whose it is, or nobody's."""


@dataclass(frozen=True, slots=True)
class Threat:
    """Something a player could do, were it on turn."""

    mark: Mark
    kind: str
    """A code of the game's words. For every game: ``win``, a move that wins at once, and ``lose``, one that loses at
    once. Others are the game's own: ``open``, ``fork``, ``capture``, ``bridge``."""
    cells: tuple[int, ...]
    """Where to play; all of these do the same."""
    stones: tuple[int, ...] = ()
    """The cells that make it a threat."""

    def note(self, position: Position) -> Note:
        """The threat as a note, to be said by ``threat.<kind>``."""
        cells = tuple(map(position.game.move_name, self.cells))
        return Note(self.kind, {"player": self.mark, "cells": cells})

    def to_json(self, position: Position) -> dict[str, object]:
        """The threat as a JSON object, cells by name."""
        name = position.game.move_name
        return {
            "player": self.mark,
            "kind": self.kind,
            "cells": [name(cell) for cell in self.cells],
            "stones": [name(cell) for cell in self.stones],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], position: Position) -> Threat:
        """Read what :meth:`to_json` wrote."""
        parse = position.game.parse_move
        return cls(data["player"], data["kind"], tuple(map(parse, data["cells"])), tuple(map(parse, data["stones"])))


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a board that is too large for the kernel, as a position of its own.

    The rest of the board matters too, so nothing found in a window is proven.
    """

    position: Position
    """What stands in the window."""
    grid: Grid
    """The whole board."""
    corner: tuple[int, int, int]
    """The first layer, row and column."""

    def outside(self, move: Move) -> Move:
        """A cell of the window as one of the whole board."""
        return self.position.game.grid.moved(move, self.grid, self.corner)

    @property
    def size(self) -> str:
        """Its sides: ``20x20``, or ``8x8x6`` with layers."""
        grid = self.position.game.grid
        sides = (grid.rows, grid.cols, grid.layers) if self.grid.layers > 1 else (grid.rows, grid.cols)
        return "x".join(map(str, sides))


@dataclass(frozen=True, slots=True)
class Curve:
    """What a search's readings were worth, between knots of (reading, lowest, mean, highest result)."""

    knots: tuple[tuple[float, float, float, float], ...]
    mirrored: bool = True
    """Whether the knots are for readings from 0 up, and hold with the opposite sign below."""
    scale: int = 2000
    """The score of the engine that reads as 1; beyond it, scores mean little more."""

    def at(self, reading: float) -> tuple[float, float, float]:
        """The lowest, the mean and the highest result that go with a reading."""
        if self.mirrored and reading < 0:
            low, mean, high = self.at(-reading)
            return -high, -mean, -low
        above = bisect_right(self.knots, (reading, 2.0, 2.0, 2.0))
        before, after = self.knots[max(0, above - 1)], self.knots[min(above, len(self.knots) - 1)]
        span = after[0] - before[0]
        share = (reading - before[0]) / span if span else 0.0
        low, mean, high = (a + share * (b - a) for a, b in zip(before[1:], after[1:], strict=True))
        return low, mean, high
