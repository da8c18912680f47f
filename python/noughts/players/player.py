"""Player: chooses a move for whoever is on turn, and says how sure it is."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from noughts.core import Game, Mark, Move, Position
from noughts.errors import IllegalMove, InvalidPlayer, PlayerError
from noughts.spec import Configurable

__all__ = ["Choice", "Limits", "Player"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and what its player knows about it."""

    move: Move
    note: str = ""
    """How the move was found, in a few words for people."""
    score: float | None = None
    proven: bool = False
    """Whether the move is certain to be a best one."""
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a player may take. A player's own options may ask for less."""

    seconds: float | None = None
    nodes: int | None = None
    memory: int | None = None
    """Bytes that a search may take for what it remembers."""
    progress: Callable[[str], None] | None = None
    """Told now and then, in words, how the search is getting on."""
    stop: Callable[[], bool] = lambda: False
    """Asked often; once it answers true, the player moves as soon as it can."""

    def bytes(self, most: int) -> int:
        """The memory for a player that takes at most so much by itself."""
        return most if self.memory is None else min(most, self.memory)

    def tell(self, stage: str, depth: int, nodes: int, seconds: float) -> None:
        """Pass on the kernel's progress in words."""
        if self.progress is not None:
            self.progress(f"{stage}, depth {depth}, {nodes:,} positions")


@dataclass(frozen=True, kw_only=True)
class Player(Configurable, ABC):
    """Chooses moves. Subclasses implement :meth:`decide`."""

    error = InvalidPlayer
    name: ClassVar[str]
    summary: ClassVar[str]
    local: ClassVar[bool] = False
    """Whether it starts programs on this machine. Only who sits at the machine may name such a player: never
    make one from a spec that came from a file or over a network."""
    tries: ClassVar[int] = 1
    """How many moves it may try in a position before it has lost; more than one for those who learn the rules."""

    mark: Mark | None = None
    """The only mark this player moves for, or ``None`` for whoever is on turn."""

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
        """Let go of what the player holds outside this program, once its match is over."""

    def choose_legal(
        self, position: Position, limits: Limits | None = None, attempts: Counter[str] | None = None
    ) -> Choice:
        """Choose until a move is legal: every refusal is told to the player, and counted by its code.

        Raises the last :class:`IllegalMove` once the player has had all its tries.
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
        raise PlayerError("no_tries", f"{self.name} has no try at all")

    def refused(self, error: IllegalMove) -> None:
        """Hear why a move it tried was refused. Most players know the rules and need not."""

    @property
    def spec(self) -> str:
        """The shortest spec that makes this player."""
        return ",".join([self.name, *self.shown_options()])
