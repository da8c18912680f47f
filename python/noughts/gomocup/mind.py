"""What the brain thinks with: the player of a level."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from noughts.core import Game, Position

if TYPE_CHECKING:
    from noughts.players import Player

__all__ = ["PERFECT", "Mind"]

PERFECT = "perfect"

UNLIMITED_SECONDS = 3600.0
"""Seconds that the engine may take; only the manager's limits count."""


class Mind:
    """Chooses moves as a level does; ``perfect`` is the engine, for all the time there is.

    The players are loaded with the first game and not before, so that a manager that only asks who
    is there need not wait.
    """

    def __init__(self, level: str = PERFECT, *, threads: int | None = None, stop: Callable[[], bool]) -> None:
        self._level, self._threads, self._stop = level, threads, stop
        self._levels: dict[Game, Player] = {}

    def prepare(self, game: Game) -> None:
        """Get ready for a game, so that its first move does not have to."""
        self._player(game)
        _ = game.kernel

    def choose(self, position: Position, seconds: float, memory: int | None) -> int:
        """A cell, within seconds and bytes, and sooner once ``stop`` says so."""
        from noughts.players import Limits

        limits = Limits(seconds=seconds, memory=memory, stop=self._stop)
        return self._player(position.game).choose(position, limits).move

    def _player(self, game: Game) -> Player:
        if self._level == PERFECT:
            return self._engine
        if game not in self._levels:
            from noughts.players.levels import level

            self._levels[game] = level(self._level, game)
        return self._levels[game]

    @cached_property
    def _engine(self) -> Player:
        from noughts.players.engine import EnginePlayer

        return EnginePlayer(seconds=UNLIMITED_SECONDS, threads=self._threads)
