"""Every exception noughts raises on purpose.

    NoughtsError
    ├── InvalidGame      (ValueError)  a spec or its parameters describe no game
    ├── InvalidPlayer    (ValueError)  a spec describes no player
    ├── InvalidNotation  (ValueError)  a move or position text cannot be read
    ├── InvalidRecord    (ValueError)  a stored match is broken at a line
    ├── InvalidCheckpoint (ValueError) a file of a learner or its run cannot be used
    ├── IllegalMove      (ValueError)  the rules forbid a move
    ├── MatchError                     a match refuses an action; it keeps its state
    ├── PlayerError                    a player cannot choose
    │   └── Forfeit                    a player broke off and loses the game
    └── SearchError                    a search does not apply to a game

Each carries a stable ``code``, the same word the server and the page use, and a lower-case
message that shows the offending value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noughts.core import Position
    from noughts.match.state import State
    from noughts.note import Fact

__all__ = [
    "Forfeit",
    "IllegalMove",
    "InvalidCheckpoint",
    "InvalidGame",
    "InvalidNotation",
    "InvalidPlayer",
    "InvalidRecord",
    "MatchError",
    "NoughtsError",
    "PlayerError",
    "SearchError",
]


class NoughtsError(Exception):
    """Base of all errors of this package."""

    code = "error"


class InvalidGame(NoughtsError, ValueError):
    """A spec or a parameter that describes no game."""

    code = "invalid_game"


class InvalidPlayer(NoughtsError, ValueError):
    """A spec that describes no player."""

    code = "invalid_player"


class InvalidNotation(NoughtsError, ValueError):
    """A move or position text that cannot be read.

    ``facts`` are what a refusal of such a move says: the text and the last cell of the board.
    """

    def __init__(
        self, message: str, *, code: str = "invalid_notation", facts: Mapping[str, Fact] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.facts = facts or {}


class InvalidRecord(NoughtsError, ValueError):
    """A stored match that breaks off or was damaged.

    ``line`` is the 1-based line at fault, and ``state`` what all lines before it amount to.
    """

    code = "invalid_record"

    def __init__(self, message: str, *, line: int, state: State | None = None) -> None:
        super().__init__(f"line {line}: {message}")
        self.reason = message
        self.line = line
        self.state = state


class InvalidCheckpoint(NoughtsError, ValueError):
    """A checkpoint or a run that is damaged, or of another version, learner or game."""

    def __init__(self, message: str, code: str = "invalid_checkpoint") -> None:
        super().__init__(message)
        self.code = code


class IllegalMove(NoughtsError, ValueError):
    """A move the rules forbid.

    ``code`` is the first reason that applies, in this order: ``game_over``, ``wrong_turn``,
    ``out_of_bounds`` (or ``invalid_notation`` for text that names no cell), ``occupied``, then the
    game's own, such as ``not_adjacent``. ``facts`` are what the game's words for the code tell: the message is
    ``refusal.<code>`` filled with them. ``move`` is the move as it was given.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        position: Position,
        move: object,
        facts: Mapping[str, Fact] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.facts = facts or {}
        self.position = position
        self.move = move


class MatchError(NoughtsError):
    """An action that a match refuses. ``state`` is the match as it was and still is.

    ``facts`` are those of the refused move, if it was one.
    """

    def __init__(
        self, code: str, message: str, *, state: State | None, facts: Mapping[str, Fact] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.facts = facts or {}
        self.state = state


class PlayerError(NoughtsError):
    """A player that cannot choose: the game is over, or it is somebody else's turn."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Forfeit(PlayerError):
    """A player that crashed, hung or answered nonsense: it loses the game, and the message says why."""


class SearchError(NoughtsError):
    """A search that does not apply, such as minimax with three players, or had to stop."""

    def __init__(self, message: str, code: str = "search_does_not_apply") -> None:
        super().__init__(message)
        self.code = code
