"""Player: chooses a move for the player on turn, and says how sure it is."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

from noughts.compute.limits import Limits
from noughts.core import Game, Mark, Move, Position
from noughts.errors import IllegalMove, InvalidPlayer, PlayerError
from noughts.note import Note
from noughts.spec import Configurable

__all__ = ["Choice", "Limits", "Player"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and what its player knows about it."""

    move: Move
    note: Note | None = None
    """How the move was found."""
    score: float | None = None
    proven: bool = False
    """Whether the move is certain to be a best one."""
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Player(Configurable, ABC):
    """Chooses moves. Subclasses implement :meth:`decide`."""

    error = InvalidPlayer
    name: ClassVar[str]
    summary: ClassVar[str]
    local: ClassVar[bool] = False
    """Whether it starts programs on this machine. Only the person at the machine may name such a player: never make one
    from a spec that came from a file or over a network."""
    tries: ClassVar[int] = 1
    """How many moves it may try in a position before it has lost; more than one for players that learn the rules."""

    mark: Mark | None = None
    """The only mark this player moves for, or ``None`` for all of them."""

    def choose(self, position: Position, limits: Limits | None = None) -> Choice:
        """Choose a move for the player on turn.

        Raises :class:`PlayerError` when the game is over or it is not this player's turn.
        """
        if position.outcome is not None:
            raise PlayerError("game_over", f"{self.name} has nothing to choose: the game is over, {position.result()}")
        if self.mark is not None and position.turn != self.mark:
            raise PlayerError("wrong_turn", f"{self.name} plays {self.mark}, but it is {position.turn}'s turn")
        began = time.perf_counter()
        choice = self.decide(position, limits or Limits())
        return replace(choice, seconds=time.perf_counter() - began)

    @abstractmethod
    def decide(self, position: Position, limits: Limits) -> Choice:
        """Choose a move, given that there is one to choose."""

    def check_game(self, game: Game) -> None:
        """Raise :class:`InvalidPlayer` if this player cannot play a game at all."""

    def close(self) -> None:
        """Release what the player holds outside this program, once its match is over."""

    def choose_legal(
        self, position: Position, limits: Limits | None = None, attempts: Counter[str] | None = None
    ) -> Choice:
        """Choose until a move is legal. The player hears of every refusal, and each is counted by its code.

        Raises the last :class:`IllegalMove` when the player has used all its tries.
        """
        for left in reversed(range(self.tries)):
            choice = self.choose(position, limits)
            refused = position.why_not(choice.move)
            if refused is None:
                return choice
            if attempts is not None:
                attempts[refused.code] += 1
            self.refused(refused)
            if not left:
                raise refused
        raise PlayerError("no_tries", f"{self.name} may not try any move")

    def refused(self, error: IllegalMove) -> None:
        """Learn why a move was refused. Most players know the rules and ignore it."""

    @property
    def spec(self) -> str:
        """The shortest spec that makes this player."""
        return ",".join([self.name, *self.shown_options()])
