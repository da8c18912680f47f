"""Time and memory of a brain: what the manager has allowed, and how much of it goes into a move."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Budget"]

UNLIMITED = 2147483647
"""The time left of a match that has no end, as the protocol writes it."""

DEFAULT_SECONDS = 1.0
"""Seconds for a move when the manager has set no limit at all."""

FASTEST_SECONDS = 0.02
"""Seconds for a move that should be as fast as possible."""

LEAST_SECONDS = 0.001
"""Seconds for a move when there is no time left."""

EXPECTED_MOVES = 30
"""Own moves that a game is expected to take, and ..."""
LEAST_MOVES_AHEAD = 10
"""... that are kept time for however long it has become."""

PROGRAM_BYTES = 40 << 20
"""Bytes that the program takes besides what its search remembers."""

LEAST_TABLE_BYTES = 4 << 20
"""Bytes that a search needs."""


@dataclass
class Budget:
    """What the manager has said about limits. Times are in seconds."""

    turn: float | None = None
    """For a move; 0 asks for the fastest, ``None`` means that the manager has not said."""
    match: float | None = None
    """For all moves of a game, unless there is no limit."""
    left: float | None = None
    """What remains of it."""
    memory: int | None = None
    """Bytes for the whole program."""
    fresh: bool = False
    """Whether the manager has said the time left for the move to come."""

    def update(self, key: str, value: int) -> None:
        """Take in one of the manager's limits, in milliseconds and bytes; other keys mean nothing here."""
        match key:
            case "timeout_turn":
                self.turn = max(0, value) / 1000
            case "timeout_match":
                self.match = value / 1000 if value > 0 else None
                if not self.fresh:
                    self.left = self.match
            case "time_left":
                self.left = value / 1000 if value < UNLIMITED else None
                self.fresh = True
            case "max_memory":
                self.memory = value if value > 0 else None

    def begin(self) -> None:
        """Start a game with all of its time, unless the manager has just said how much that is."""
        if not self.fresh:
            self.left = self.match

    def spend(self, seconds: float) -> None:
        """Count the time that a move has taken."""
        self.fresh = False
        if self.left is not None:
            self.left -= seconds

    def seconds(self, moves: int) -> float:
        """How long to think from when the move was asked for, after a number of own moves.

        The answer has to be out and read before the limit, also on a busy machine, so a part of it
        is left unused.

        >>> Budget(turn=5.0).seconds(0), Budget(turn=0.1).seconds(0), Budget(turn=5.0, left=60.0).seconds(10)
        (4.5, 0.05, 2.975)
        """
        choices = []
        if self.turn is not None:
            choices.append(self.turn - _margin(self.turn) if self.turn else FASTEST_SECONDS)
        if self.left is not None:
            expected = max(LEAST_MOVES_AHEAD, EXPECTED_MOVES - moves)
            choices.append(max(LEAST_SECONDS, (self.left - _margin(self.left)) / expected))
        return min(choices, default=DEFAULT_SECONDS)

    def table(self) -> int | None:
        """Bytes for what the search remembers, or ``None`` for as much as it likes."""
        return None if self.memory is None else max(LEAST_TABLE_BYTES, self.memory - PROGRAM_BYTES)

    @property
    def is_cramped(self) -> bool:
        """Whether the memory allowed is less than the program takes."""
        return self.memory is not None and self.memory < PROGRAM_BYTES + LEAST_TABLE_BYTES


def _margin(seconds: float) -> float:
    """The part of a limit to leave unused: a tenth of it, within bounds; of a very short one, most of it."""
    return min(max(seconds / 10, 0.05), 0.5, 0.75 * max(seconds, 0.0))
