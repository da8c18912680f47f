"""What went wrong, in the one shape that every error has: ``{error, message, statusCode}``."""

from __future__ import annotations

import orjson

from noughts.errors import MatchError

__all__ = ["Problem", "problem_bytes"]


class Problem(Exception):
    """An error for a client: a status, a stable code and a message that says what would be right."""

    def __init__(
        self,
        status: int,
        error: str,
        message: str,
        *,
        headers: dict[str, str] | None = None,
        state: bytes | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.error = error
        self.message = message
        self.headers = headers or {}
        self.state = state
        """The game as it stands, where that helps: a stale version, a game that is over."""

    @classmethod
    def refused(cls, error: MatchError, state: bytes | None) -> Problem:
        """The answer to an action that a match refuses."""
        status = 409 if error.code in ("game_over", "nothing_to_undo", "nothing_to_redo") else 400
        return cls(status, error.code, str(error), state=state if status == 409 else None)

    def body(self) -> bytes:
        """The error as JSON."""
        return problem_bytes(self.status, self.error, self.message, self.state)


def problem_bytes(status: int, error: str, message: str, state: bytes | None = None) -> bytes:
    """The one shape of every error."""
    body = orjson.dumps({"error": error, "message": message, "statusCode": status})
    return body if state is None else body[:-1] + b',"state":' + state + b"}"
