"""Where events are stored: SQLite on one machine, PostgreSQL for many.

A :class:`Database` is plain and synchronous, one connection for one thread;
:class:`~noughts.server.storage.storage.Storage` is what the server talks to.
"""

from __future__ import annotations

from noughts.server.storage.database.database import (
    DEADLINE_SECONDS,
    Database,
    Entry,
    Loaded,
    SessionRow,
    migrations,
)

__all__ = ["DEADLINE_SECONDS", "Database", "Entry", "Loaded", "SessionRow", "connect", "migrations"]


def connect(url: str, seconds: float = DEADLINE_SECONDS) -> Database:
    """Open a connection to the database that a URL or a path names; nothing but a migration takes longer than that."""
    if url.startswith(("postgresql://", "postgres://")):
        from noughts.server.storage.database.postgresql import PostgresqlDatabase

        return PostgresqlDatabase(url, seconds)
    from noughts.server.storage.database.sqlite import SqliteDatabase

    return SqliteDatabase(url.removeprefix("sqlite:///"), seconds)
