"""Many games stepped at once by the Python rules: what the kernel's batch does, for games without tables."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noughts.core import Move, Position
from noughts.errors import SearchError

__all__ = ["PythonBatch"]


class PythonBatch:
    """``count`` games that begin at ``position``; each is a position of its own.

    The methods are those of the kernel's batch: they fill arrays that the caller made.
    """

    STAY: Final = -(2**31)
    """The move of a game that is not to move in a step."""

    def __init__(self, position: Position, count: int, seed: int, *, held: bool = False) -> None:
        if position.outcome is not None:
            raise SearchError("a batch cannot start from a finished game")
        self._start = position
        self._held = held
        try:
            self._games = [position] * count
            self._ends: list[Position | None] = [None] * count
        except (MemoryError, OverflowError):
            raise SearchError(f"out of memory: no room for {count:,} games", "out_of_memory") from None
        self._rng = random.Random(seed)
        self.finished = 0
        """Games finished since the batch was made."""

    def copy(self) -> PythonBatch:
        """A batch that goes on from the same games by itself."""
        copied = PythonBatch(self._start, 0, 0, held=self._held)
        copied._games, copied._ends = list(self._games), list(self._ends)
        copied._rng.setstate(self._rng.getstate())
        copied.finished = self.finished
        return copied

    @property
    def size(self) -> tuple[int, int, int, int]:
        """Games, cells, actions and players."""
        game = self._start.game
        return len(self._games), game.grid.cells, game.grid.cells + len(game.specials), len(game.marks)

    @property
    def specials(self) -> list[Move]:
        """The moves behind the actions after the cells."""
        return list(self._start.game.specials)

    def positions(self, games: Iterable[int]) -> list[Position]:
        """Some of the games."""
        return [self._games[number] for number in games]

    def step(self, moves: NDArray[np.int64]) -> None:
        """Play a move in every game that is not told to stay, or in none if any is illegal."""
        chosen = [int(move) for move in moves]
        for number, (game, move) in enumerate(zip(self._games, chosen, strict=True)):
            if move != self.STAY and move not in game.legal_moves:
                raise SearchError(f"illegal move in game {number}: {move}", "illegal_move")
        for number, move in enumerate(chosen):
            if move != self.STAY:
                self._play(number, move)

    def step_random(self, steps: int) -> None:
        """Play random legal moves in every game that goes on."""
        for _ in range(steps):
            for number, game in enumerate(self._games):
                if game.outcome is None:
                    self._play(number, game.legal_moves.pick(self._rng))

    def random_until(self, seats: NDArray[np.uint8]) -> None:
        """Play random legal moves in every game until it is a seat's turn there, or the end."""
        marks = self._start.game.marks
        for number, seat in enumerate(seats):
            while (game := self._games[number]).outcome is None and game.turn != marks[seat]:
                self._play(number, game.legal_moves.pick(self._rng))
                if self._ends[number] is not None:
                    break

    def reset(self) -> None:
        """Put every game back to the start."""
        self._games = [self._start] * len(self._games)
        self._ends = [None] * len(self._games)

    def restart(self, which: NDArray[np.uint8]) -> None:
        """Put some games back to the start."""
        for number in np.flatnonzero(which):
            self._games[number], self._ends[number] = self._start, None

    def observe(self, into: NDArray[np.int8]) -> None:
        """Games x cells, seen by the player to move."""
        marks = self._start.game.marks
        into[:] = 0
        for number, game in enumerate(self._games):
            turn = marks.index(game.turn)
            codes = {mark: 1 if seat == turn else -((seat - turn) % len(marks)) for seat, mark in enumerate(marks)}
            for cell, mark in game.cells.items():
                into[number, cell] = codes[mark]

    def planes(self, seats: NDArray[np.uint8], into: NDArray[np.int8]) -> None:
        """Games x cells x planes, each game seen by a seat."""
        marks = self._start.game.marks
        if seats.size and seats.max() >= len(marks):
            raise SearchError(f"there is no seat {seats.max()}")
        into[:] = 0
        into[:, :, -2] = 1
        into[:, :, -1] = seats[:, np.newaxis]
        for number, (game, seat) in enumerate(zip(self._games, seats.tolist(), strict=True)):
            plane = {mark: (place - seat) % len(marks) for place, mark in enumerate(marks)}
            for cell, mark in game.cells.items():
                into[number, cell, plane[mark]] = 1
                into[number, cell, -2] = 0

    def legal(self, into: NDArray[np.uint8]) -> None:
        """Games x actions: 1 where legal."""
        cells, specials = self._start.game.grid.cells, self._start.game.specials
        into[:] = 0
        for number, game in enumerate(self._games):
            for move in game.legal_moves:
                into[number, move if move >= 0 else cells + specials.index(move)] = 1

    def rewards(self, into: NDArray[np.float32]) -> None:
        """Games x players: the results of the games that the last step ended."""
        marks = self._start.game.marks
        into[:] = 0
        for number, end in enumerate(self._ends):
            if end is not None and end.outcome is not None:
                into[number] = [end.outcome.score(mark) for mark in marks]

    def done(self, into: NDArray[np.uint8]) -> None:
        """Which games the last step ended; in a held batch, which are over."""
        into[:] = [end is not None for end in self._ends]

    def turns(self, into: NDArray[np.uint8]) -> None:
        """The seat to move in each game."""
        seats = {mark: seat for seat, mark in enumerate(self._start.game.marks)}
        into[:] = [seats[game.turn] for game in self._games]

    def _play(self, number: int, move: Move) -> None:
        after = self._games[number].play_unchecked(move)
        self._ends[number] = None
        if after.outcome is not None:
            self.finished += 1
            self._ends[number] = after
            after = after if self._held else self._start
        self._games[number] = after
