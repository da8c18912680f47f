"""What every database can do, and the migrations of its schema."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import ClassVar, Final

from noughts.server.errors import InvalidSetting

__all__ = ["CHECK_WRITABLE", "DEADLINE_SECONDS", "Database", "Entry", "Loaded", "SessionRow", "migrations"]

DEADLINE_SECONDS: Final = 2.5
"""The longest that a database may take, unless a setting says otherwise."""

CHECK_WRITABLE: Final = "UPDATE migrations SET number = number WHERE number = 1"


@dataclass(slots=True)
class Entry:
    """One event to append; the first of a game brings its ``watch_id``, some bring a snapshot."""

    game: str
    version: int
    body: str
    key: str | None = None
    watch_id: str | None = None
    snapshot: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is stored of a game: its latest snapshot, if it was asked for, and all events after it."""

    watch_id: str
    snapshot: str | None
    events: Sequence[tuple[int, str, str | None]]
    """Version, body and idempotency key of each."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A guest session; the token itself is never stored."""

    hash: str
    id: str
    name: str
    expires: float


class Database(ABC):
    """One connection, for one thread. Every method may raise :class:`~noughts.server.errors.Unavailable`."""

    dialect: ClassVar[str]

    @abstractmethod
    def migrate(self, upto: int | None = None) -> list[int]:
        """Run the missing migrations in order, each in one transaction; return their numbers."""

    @abstractmethod
    def append(self, entries: Sequence[Entry]) -> set[tuple[str, int]]:
        """Commit and sync events in one transaction; return which are in.

        One that is missing from the result lost to another event with its version or its key.
        """

    @abstractmethod
    def load(self, game: str, *, whole: bool = False) -> Loaded | None:
        """A game's snapshot and the events after it, or all events if ``whole``."""

    @abstractmethod
    def watched(self, watch_id: str) -> str | None:
        """The id of the game with this watch id."""

    @abstractmethod
    def since(self, game: str, version: int) -> list[tuple[int, str, str | None]]:
        """The events of a game after a version."""

    @abstractmethod
    def heads(self, games: Sequence[str]) -> dict[str, int]:
        """The latest version of each of these games."""

    @abstractmethod
    def keyed(self, game: str, key: str) -> tuple[int, str] | None:
        """The version and body of the event with an idempotency key."""

    @abstractmethod
    def session(self, hash: str) -> SessionRow | None:
        """The session with this token hash."""

    @abstractmethod
    def put_session(self, row: SessionRow, now: float) -> None:
        """Insert a session or update its name and expiry; delete those that have expired."""

    @abstractmethod
    def drop_session(self, hash: str) -> None:
        """Delete a session."""

    @abstractmethod
    def delete(self, game: str, result: str | None) -> None:
        """Delete all of a game but its last event, which keeps its version taken; keep its result, if there is one."""

    @abstractmethod
    def tick(self, seconds: float) -> float:
        """Put the stored clock forward to a time, unless it is ahead; returns what it shows."""

    @abstractmethod
    def visit(self, games: Sequence[str], now: float) -> None:
        """Note that games were looked at."""

    @abstractmethod
    def forget_visits(self, game: str) -> None:
        """Let a game not expire unless it is looked at again."""

    @abstractmethod
    def unvisited(self, before: float, limit: int) -> list[str]:
        """Games that nobody has looked at since a time."""

    @abstractmethod
    def count_games(self) -> int:
        """How many games there are."""

    @abstractmethod
    def ping(self) -> None:
        """Check that the database answers."""

    @abstractmethod
    def check_writable(self) -> None:
        """Check that the database stores: write something that changes nothing."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""


def migrations(dialect: str) -> list[tuple[int, str]]:
    """The numbered migrations of a dialect as SQL, in order."""
    found: list[tuple[int, str]] = []
    folder = resources.files(__package__) / "migrations"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        match = re.fullmatch(rf"(\d{{4}})_\w+\.{dialect}\.sql", file.name)
        if match:
            found.append((int(match[1]), file.read_text(encoding="utf-8")))
    return found


def missing(dialect: str, done: Iterable[int], upto: int | None) -> list[tuple[int, str]]:
    """The migrations still to run; refuses a database that a newer version has migrated."""
    have, known = set(done), migrations(dialect)
    newest = known[-1][0]
    if max(have, default=0) > newest:
        raise InvalidSetting(
            f"the database has schema {max(have)}, made by a newer noughts; this one knows schemas up to {newest}: "
            "install the newer one, or restore the backup from before the upgrade"
        )
    return [(n, sql) for n, sql in known if n not in have and (upto is None or n <= upto)]
