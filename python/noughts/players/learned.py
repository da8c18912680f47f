"""Players that learned: they take their values from a checkpoint of the lab."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from noughts.core import Game, Move, Position
from noughts.errors import InvalidPlayer, PlayerError
from noughts.learning import newest
from noughts.note import Note, note
from noughts.players.fallible import Fallible
from noughts.players.player import Choice, Limits
from noughts.spec import Text, option

__all__ = ["Learned", "best_of", "loaded"]


class Knowledge(Protocol):
    """What was learned about one game."""

    @property
    def game(self) -> str:
        """The spec of the game."""

    @property
    def games(self) -> int:
        """The games it was learned from."""


@dataclass(frozen=True, kw_only=True)
class Learned(Fallible):
    """Plays the move that it learned to be worth most; the first of several in board order."""

    path: str = option(Text("a checkpoint, or the folder of a run"), "where what it learned is kept", default="")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.path:
            raise InvalidPlayer(f"{self.what} needs what it learned: {self.name},path=RUN (noughts runs lists them)")

    @property
    @abstractmethod
    def knowledge(self) -> Knowledge:
        """What it learned."""

    @abstractmethod
    def values(self, position: Position) -> Mapping[Move, float]:
        """What it thinks of every move of the game it knows."""

    def check_game(self, game: Game) -> None:
        """Refuse a game that it did not learn."""
        if game.spec != self.knowledge.game:
            raise InvalidPlayer(f"{self.path} learned {self.knowledge.game}; it cannot play {game}")

    def best(self, position: Position, limits: Limits) -> Choice:
        """The move it learned to be worth most."""
        return best_of(self.rate(position, limits), note("learned", games=self.knowledge.games))

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """What it learned about every move."""
        try:
            self.check_game(position.game)
        except InvalidPlayer as error:
            raise PlayerError("other_game", str(error)) from None
        return self.values(position)

    @cached_property
    def file(self) -> Path:
        """The checkpoint itself."""
        path = Path(self.path)
        return newest(path) if path.is_dir() else path


def best_of(ratings: Mapping[Move, float], why: Note) -> Choice:
    """The first move of the highest rating."""
    move = max(ratings, key=ratings.__getitem__)
    return Choice(move, why, score=ratings[move], nodes=len(ratings))


T = TypeVar("T")


def loaded(read: Callable[[Path], T], path: Path) -> T:
    """What a file holds, read once for as long as the file stays the same."""
    facts = path.stat()
    found: T = _loaded(read, path.resolve(), facts.st_mtime_ns, facts.st_size)
    return found


@lru_cache(maxsize=16)
def _loaded(read: Callable[[Path], Any], path: Path, changed: int, size: int) -> Any:
    return read(path)
