"""Many games of one kind stepped at once over NumPy arrays, for training: by the kernel where it has tables.

Every game begins at the same position and begins again as soon as it ends, or in a held batch when
told to; the step that ended it reports how. An action is the number of a cell; after the cells come
the game's moves that are not cells (pass or swap), so that every game has the same number of actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np
from immutables import Map
from numpy.typing import ArrayLike, NDArray

from noughts._kernel import Batch as KernelBatch
from noughts.compute.kernel import Backend, moment, tables
from noughts.compute.python_batch import PythonBatch
from noughts.core import SWAP, Move, Position

__all__ = ["Batch"]


class Batch:
    """``count`` games that begin at ``position``; with ``held`` they stay at their end until told to begin again.

    >>> import noughts
    >>> batch = Batch(noughts.position("3x3"), 4)
    >>> batch.step([0, 1, 2, 3])
    >>> batch.observations.shape, batch.legal.sum(axis=1).tolist(), batch.turns.tolist()
    ((4, 9), [8, 8, 8, 8], [1, 1, 1, 1])
    """

    def __init__(
        self, position: Position, count: int, *, seed: int = 0, held: bool = False, backend: Backend = "auto"
    ) -> None:
        compiled = tables(position.game, backend)
        self.game = position.game
        self._games: KernelBatch | PythonBatch
        if compiled is None:
            self._games = PythonBatch(position, count, seed, held=held)
        else:
            self._games = KernelBatch(compiled, moment(position), count=count, seed=seed, held=held)
        count, cells, actions, players = self._games.size
        # The kernel's boards are small; those of the Python rules may have more cells than 16 bits count.
        self._specials = np.array(self._games.specials, dtype=np.int64 if compiled is None else np.int16)
        self._cells = cells
        self._observations = np.zeros((count, cells), dtype=np.int8)
        self._planes = players + 2
        self._legal = np.zeros((count, actions), dtype=np.uint8)
        self._rewards = np.zeros((count, players), dtype=np.float32)
        self._done = np.zeros(count, dtype=np.uint8)
        self._turns = np.zeros(count, dtype=np.uint8)

    def __len__(self) -> int:
        return len(self._done)

    def __copy__(self) -> Self:
        copied = object.__new__(type(self))
        # The arrays are shared: they are written just before they are read, and handed out as copies.
        copied.__dict__.update(self.__dict__, _games=self._games.copy())
        return copied

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.__copy__()

    @property
    def actions(self) -> int:
        """How many actions a game has."""
        return int(self._legal.shape[1])

    @property
    def finished(self) -> int:
        """Games finished since the batch was made."""
        return self._games.finished

    def move(self, action: int) -> Move:
        """The move behind an action."""
        return action if action < self._cells else int(self._specials[action - self._cells])

    def step(self, actions: NDArray[np.integer] | list[int], *, where: NDArray[np.bool_] | None = None) -> None:
        """Play one action in every game, or in those ``where`` says so; the others stay as they are.

        If any of them is illegal, :class:`SearchError` names the first, and nothing is played.
        """
        moves = np.ascontiguousarray(actions)
        if moves.shape != self._done.shape or not np.issubdtype(moves.dtype, np.integer):
            raise ValueError(f"a step takes {len(self)} whole numbers, not {moves.dtype} of shape {moves.shape}")
        if where is not None:
            moves = np.where(self._flags(where), moves, 0)
        if moves.size and not (moves.min() >= 0 and moves.max() < self.actions):
            raise ValueError(f"actions go from 0 to {self.actions - 1}")
        moves = moves.astype(self._specials.dtype)
        if len(self._specials):
            special = moves >= self._cells
            moves[special] = self._specials[moves[special] - self._cells]
        if where is not None:
            moves[~where] = self._games.STAY
        self._games.step(moves)

    def step_random(self, steps: int = 1) -> None:
        """Play random legal moves in every game."""
        self._games.step_random(steps)

    def random_until(self, seats: ArrayLike) -> None:
        """Play random legal moves in every game until it is a seat's turn there, or the end."""
        self._games.random_until(self._seats(seats))

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Put every game back to the start, or those ``where`` says so."""
        if where is None:
            self._games.reset()
        else:
            self._games.restart(self._flags(where).astype(np.uint8))

    def positions(self, games: Iterable[int]) -> list[Position]:
        """Some of the games as positions; what their last moves were is forgotten.

        >>> import noughts
        >>> batch = Batch(noughts.position("3x3"), 4)
        >>> batch.step([0, 1, 2, 3])
        >>> batch.positions([2])
        [position('3x3', '2X/3/3 O')]
        """
        if isinstance(self._games, PythonBatch):
            return self._games.positions(games)
        marks, planes, legal, turns = self.game.marks, self.planes(0), self.legal, self.turns
        swap = [self._cells + place for place, move in enumerate(self._specials) if move == SWAP]
        found = []
        for game in games:
            cells, owners = np.nonzero(planes[game, :, : len(marks)])
            stones = Map(zip(cells.tolist(), (marks[seat] for seat in owners.tolist()), strict=True))
            extra = "swap" if legal[game, swap].any() else ""
            found.append(self.game.at(stones, marks[int(turns[game])], extra))
        return found

    def _flags(self, where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        if where.shape != self._done.shape or where.dtype != np.bool_:
            raise ValueError(f"where takes {len(self)} booleans, not {where.dtype} of shape {where.shape}")
        return where

    def _seats(self, seats: ArrayLike) -> NDArray[np.uint8]:
        return np.ascontiguousarray(np.broadcast_to(np.asarray(seats, dtype=np.uint8), self._done.shape))

    @property
    def observations(self) -> NDArray[np.int8]:
        """Games x cells, seen by the player to move: 1 own, −1 the next player's, −2 the one after, 0 empty."""
        self._games.observe(self._observations)
        return self._observations.copy()

    def planes(self, seats: ArrayLike) -> NDArray[np.int8]:
        """Games x cells x planes, seen by a seat of each game, or by one seat of them all.

        The planes: the seat's own marks, those of the players after it, the empty cells (0 or 1 each),
        and the number of the seat.
        """
        planes = np.empty((len(self), self._cells, self._planes), dtype=np.int8)
        self._games.planes(self._seats(seats), planes)
        return planes

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Games x actions: which are legal."""
        self._games.legal(self._legal)
        return self._legal.astype(np.bool_)

    @property
    def rewards(self) -> NDArray[np.float32]:
        """Games x players: 1 for a win in the last step, −1 for a loss, 0 otherwise."""
        self._games.rewards(self._rewards)
        return self._rewards.copy()

    @property
    def done(self) -> NDArray[np.bool_]:
        """Which games the last step ended; they have begun again."""
        self._games.done(self._done)
        return self._done.astype(np.bool_)

    @property
    def turns(self) -> NDArray[np.uint8]:
        """The seat to move in each game."""
        self._games.turns(self._turns)
        return self._turns.copy()
