"""How a game looks to a learner: moves as numbered actions, positions as planes of numbers.

An action is the number of a cell; after the cells come the game's moves that are not cells (pass or
swap), so that every game has a fixed number of actions. An observation holds one place per cell and
plane: the observer's own marks, those of the players after it, the empty cells, and the number of
the observer's seat, without which nobody could tell in Hex which sides to join. The layers of a cube
lie below each other. The planes come last, or first for libraries that want them so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from noughts.core import Game, Mark, Move, Position

__all__ = ["LegalActions", "View"]


@dataclass(frozen=True)
class View:
    """Actions and observations of one game.

    >>> import noughts
    >>> view = View(noughts.game("hex,size=3,swap"))
    >>> view.actions, view.shape, view.game.move_name(view.move(9))
    (10, (3, 3, 4), 'swap')
    """

    game: Game
    channels_first: bool = False

    @cached_property
    def actions(self) -> int:
        """How many actions there are."""
        return self.game.grid.cells + len(self.game.specials)

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """The shape of an observation: rows (of all layers), columns, planes; or the planes first."""
        rows, cols, planes = self.plain_shape
        return (planes, rows, cols) if self.channels_first else (rows, cols, planes)

    @cached_property
    def plain_shape(self) -> tuple[int, int, int]:
        """The shape with the planes last, as the kernel has it."""
        grid = self.game.grid
        return grid.layers * grid.rows, grid.cols, len(self.game.marks) + 2

    def arranged(self, seen: NDArray[np.int8]) -> NDArray[np.int8]:
        """Observations whose planes are their last axis, with the planes where they belong."""
        return np.ascontiguousarray(np.moveaxis(seen, -1, -3)) if self.channels_first else seen

    @cached_property
    def agents(self) -> Mapping[Mark, str]:
        """What each mark's player is called."""
        return {mark: f"player_{seat}" for seat, mark in enumerate(self.game.marks)}

    def space(self) -> spaces.Box[np.int8]:
        """A new space of observations."""
        high = np.ones(self.plain_shape, dtype=np.int8)
        high[:, :, -1] = len(self.game.marks) - 1
        high = self.arranged(high)
        return spaces.Box(np.zeros_like(high), high, dtype=np.int8)

    def move(self, action: object) -> Move:
        """The move behind an action; whatever is not the number of one raises ``ValueError``."""
        try:
            number = index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if not 0 <= number < self.actions:
            raise ValueError(f"actions of {self.game} go from 0 to {self.actions - 1}, not {action!r}")
        cells = self.game.grid.cells
        return number if number < cells else self.game.specials[number - cells]

    def action(self, move: Move) -> int:
        """The action that plays a move."""
        return move if move >= 0 else self.game.grid.cells + self.game.specials.index(move)

    def mask(self, position: Position) -> NDArray[np.int8]:
        """1 for each legal action, 0 for the others."""
        # Single bytes are quicker to set in a bytearray than in an array.
        mask = bytearray(self.actions)
        for move in position.legal_moves:
            mask[move if move >= 0 else self.action(move)] = 1
        return np.frombuffer(mask, dtype=np.int8)

    def observe(self, position: Position, seat: int) -> NDArray[np.int8]:
        """The position as the player in a seat sees it."""
        marks, planes = self.game.marks, self.plain_shape[2]
        empty = planes - 2
        shift = {mark: (number - seat) % len(marks) for number, mark in enumerate(marks)}
        seen = bytearray(self._empty[seat])
        for cell, mark in position.cells.items():
            seen[cell * planes + shift[mark]] = 1
            seen[cell * planes + empty] = 0
        return self.arranged(np.frombuffer(seen, dtype=np.int8).reshape(self.plain_shape))

    def seat_plane(self, observation: NDArray[np.int8]) -> NDArray[np.int8]:
        """The part of an observation that says the observer's seat."""
        return observation[-1] if self.channels_first else observation[:, :, -1]

    def start(self, options: Mapping[str, Any] | None, known: tuple[str, ...]) -> Position:
        """The position that the options of a reset begin with; options that are not known are refused."""
        options = options or {}
        if unknown := sorted(options.keys() - set(known)):
            raise ValueError(f"reset has no option {unknown[0]!r} here; there are: {', '.join(known)}")
        if "position" not in options:
            return self.game.start()
        given = options["position"]
        position = self.game.position(given) if isinstance(given, str) else given
        if not isinstance(position, Position) or position.game != self.game:
            raise ValueError(f"position={given!r}: a position of {self.game}, or its text, was expected")
        if position.outcome is not None:
            raise ValueError(f"position={position.text!r}: the game is over there ({position.result()})")
        return position

    @cached_property
    def _empty(self) -> tuple[bytes, ...]:
        """The empty board as each seat sees it."""
        players, cells = len(self.game.marks), self.game.grid.cells
        return tuple(bytes([*[0] * players, 1, seat]) * cells for seat in range(players))


class LegalActions(spaces.Discrete):
    """The actions of a game. Sampled without a mask, they are those legal in ``legal``.

    An environment keeps ``legal`` up to date, so that ``env.step(env.action_space.sample())`` is never
    refused.
    """

    def __init__(self, view: View) -> None:
        super().__init__(view.actions)
        self.legal: NDArray[np.int8] | None = None

    def sample(self, mask: NDArray[Any] | None = None, probability: NDArray[Any] | None = None) -> Any:
        """Draw an action; without a mask or probabilities, a legal one."""
        return super().sample(self.legal if mask is None and probability is None else mask, probability)
