"""What the server refuses to do. These errors carry a code and know nothing of HTTP.

    NoughtsError
    ├── RoomError      a room does not change; the code may be one of the game's own
    │   ├── Refused    the server itself refuses, before any rule of a game is asked
    │   └── Forbidden  somebody else may do it, not this client
    ├── Unavailable    the database cannot be reached or cannot write
    ├── AgentMissing   this process has no agent of that name
    ├── AgentFailed    an agent could not choose
    └── InvalidSetting (ValueError)  a setting has a value that it cannot have

:mod:`noughts.server.http.errors` has the one table from codes to HTTP statuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from noughts.errors import NoughtsError
from noughts.note import Fact

if TYPE_CHECKING:
    from noughts.server.rooms.room import Room

__all__ = [
    "AgentFailed",
    "AgentMissing",
    "Forbidden",
    "ForbiddenCode",
    "InvalidSetting",
    "RefusalCode",
    "Refused",
    "RoomError",
    "Unavailable",
]

RefusalCode = Literal[
    # The request makes no sense.
    "invalid_request",
    "unknown_player",
    "unknown_level",
    "level_cannot_play",
    "agent_cannot_play",
    "board_too_large",
    "out_of_bounds",
    "wrong_turn",
    "no_ai",
    # There is no such thing.
    "game_not_found",
    "not_solved",
    "no_session",
    # Not as the room is now.
    "game_over",
    "not_over",
    "stale_version",
    "nothing_to_undo",
    "nothing_to_redo",
    "already_offered",
    "no_offer",
    "key_reused",
    "too_long",
    "too_busy",
    # Too much at once.
    "too_many_ai_tasks",
    "ai_busy",
    "no_ai_worker",
    "closing",
    "too_many_games",
    # Not by this server.
    "newer_game",
]

ForbiddenCode = Literal[
    "not_your_seat",
    "not_your_game",
    "watch_only",
    "session_needed",
    "seat_taken",
    "no_free_seat",
    "your_own_offer",
    "no_help",
]


class RoomError(NoughtsError):
    """A room that stays as it is.

    ``room`` is that room, where it helps the client to see it; ``facts`` are those of a refused move, which the
    game's words for the code tell.
    """

    def __init__(
        self, code: str, message: str, *, room: Room | None = None, facts: Mapping[str, Fact] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.room = room
        self.facts = facts or {}


class Refused(RoomError):
    """A request that the server itself refuses, before any rule of a game is asked."""

    def __init__(self, code: RefusalCode, message: str, *, room: Room | None = None) -> None:
        super().__init__(code, message, room=room)


class Forbidden(RoomError):
    """Something that somebody else may do, not this client."""

    def __init__(self, code: ForbiddenCode, message: str) -> None:
        super().__init__(code, message)


class Unavailable(NoughtsError):
    """The database cannot be reached or cannot write; whatever waited for it is not done."""

    code = "unavailable"


class AgentMissing(NoughtsError):
    """This process has no agent of that name."""

    code = "agent_missing"


class AgentFailed(NoughtsError):
    """An agent could not choose; the log says why."""

    code = "agent_failed"


class InvalidSetting(NoughtsError, ValueError):
    """A setting with a value that it cannot have."""

    code = "invalid_setting"
