"""Many games of one kind stepped at once over NumPy arrays, for training.

Every game begins at the same position and begins again as soon as it ends; the step that ended it
reports how. An action is the number of a cell; after the cells come the game's moves that are not
cells (pass or swap), so that every game has the same number of actions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noughts._kernel import Batch as KernelBatch
from noughts.core import Move, Position
from noughts.errors import SearchError
from noughts.kernel import moment

__all__ = ["Batch"]


class Batch:
    """``count`` games that begin at ``position``.

    >>> import noughts
    >>> batch = Batch(noughts.position("3x3"), 4)
    >>> batch.step([0, 1, 2, 3])
    >>> batch.observations.shape, batch.legal.sum(axis=1).tolist(), batch.turns.tolist()
    ((4, 9), [8, 8, 8, 8], [1, 1, 1, 1])
    """

    def __init__(self, position: Position, count: int, *, seed: int = 0) -> None:
        compiled = position.game.kernel
        if compiled is None:
            raise SearchError(f"the kernel has no tables for {position.game}")
        self.game = position.game
        self._games = KernelBatch(compiled, moment(position), count, seed)
        count, cells, actions, players = self._games.size
        self._specials = np.array(self._games.specials, dtype=np.int16)
        self._cells = cells
        self._observations = np.zeros((count, cells), dtype=np.int8)
        self._legal = np.zeros((count, actions), dtype=np.uint8)
        self._rewards = np.zeros((count, players), dtype=np.float32)
        self._done = np.zeros(count, dtype=np.uint8)
        self._turns = np.zeros(count, dtype=np.uint8)

    def __len__(self) -> int:
        return len(self._done)

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

    def step(self, actions: NDArray[np.integer] | list[int]) -> None:
        """Play one action in every game.

        If any of them is illegal, :class:`SearchError` names the first, and nothing is played.
        """
        moves = np.ascontiguousarray(actions)
        if moves.shape != self._done.shape or not np.issubdtype(moves.dtype, np.integer):
            raise ValueError(f"a step takes {len(self)} whole numbers, not {moves.dtype} of shape {moves.shape}")
        if moves.size and not (moves.min() >= 0 and moves.max() < self.actions):
            raise ValueError(f"actions go from 0 to {self.actions - 1}")
        moves = moves.astype(np.int16)
        if len(self._specials):
            special = moves >= self._cells
            moves[special] = self._specials[moves[special] - self._cells]
        self._games.step(moves)

    def step_random(self, steps: int = 1) -> None:
        """Play random legal moves in every game."""
        self._games.step_random(steps)

    def reset(self) -> None:
        """Put every game back to the start."""
        self._games.reset()

    @property
    def observations(self) -> NDArray[np.int8]:
        """Games x cells, seen by the player to move: 1 own, −1 the next player's, −2 the one after, 0 empty."""
        self._games.observe(self._observations)
        return self._observations.copy()

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
