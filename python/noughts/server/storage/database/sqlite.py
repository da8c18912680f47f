"""SQLite through apsw, which brings its own, recent SQLite: WAL, every commit synced."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import apsw
import orjson

from noughts.server.errors import Unavailable
from noughts.server.storage.database.database import (
    CHECK_WRITABLE,
    DEADLINE_SECONDS,
    Database,
    Entry,
    Loaded,
    SessionRow,
    missing,
)

__all__ = ["SAFE_VERSION", "SqliteDatabase", "is_safe_to_share"]

SAFE_VERSION: Final = (3, 51, 3)
"""Before this version several connections that write at once can damage a WAL."""

APPEND = """
INSERT INTO events (game, version, body, key)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)
WHERE NOT EXISTS (SELECT 1 FROM events WHERE game = value ->> 0 AND version > value ->> 1)
ON CONFLICT DO NOTHING
"""
"""Of a game that was deleted only the last version is left, and those below it must stay taken."""


def is_safe_to_share() -> bool:
    """Whether several processes may write to one file with this SQLite."""
    return tuple(int(part) for part in apsw.sqlite_lib_version().split(".")[:3]) >= SAFE_VERSION


@contextmanager
def _guarded() -> Iterator[None]:
    try:
        yield
    except (
        apsw.BusyError,
        apsw.CantOpenError,
        apsw.CorruptError,
        apsw.FullError,
        apsw.IOError,
        apsw.LockedError,
        apsw.NotADBError,
        apsw.PermissionsError,
        apsw.ReadOnlyError,
    ) as error:
        raise Unavailable(f"SQLite: {error}") from error


class SqliteDatabase(Database):
    """A connection to an SQLite file."""

    dialect = "sqlite"

    def __init__(self, path: str, seconds: float = DEADLINE_SECONDS) -> None:
        self.path = path
        self._files: dict[str, tuple[int, int]] = {}
        """The files that this connection has open, by path: their devices and numbers there."""
        with _guarded():
            if os.path.dirname(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
            self._connection = apsw.Connection(path)
            self._connection.set_busy_timeout(int(seconds * 1000))
            self._run("PRAGMA journal_mode = WAL")
            self._run("PRAGMA synchronous = FULL")
        self._note_file(path)

    def _run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _guarded():
            rows = self._connection.execute(sql, values).fetchall()
            if not self._connection.in_transaction:
                self._check_files()
        return rows

    def _note_file(self, path: str) -> None:
        with suppress(OSError):
            found = os.stat(path)
            self._files[path] = (found.st_dev, found.st_ino)

    def _check_files(self) -> None:
        """Raise :class:`Unavailable` if a file has been deleted or replaced: what is written to it then is lost."""
        for path, file in self._files.items():
            try:
                found = os.stat(path)
            except OSError as error:
                raise Unavailable(f"SQLite: {path}: {error.strerror}") from error
            if (found.st_dev, found.st_ino) != file:
                raise Unavailable(f"SQLite: {path} is another file now")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._run("BEGIN IMMEDIATE")
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            with suppress(apsw.Error, Unavailable):
                if self._connection.in_transaction:
                    self._run("ROLLBACK")
            raise

    def migrate(self, upto: int | None = None) -> list[int]:
        """Run the missing ones under the write lock."""
        self._run("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)")
        with self._transaction():
            done = [number for (number,) in self._run("SELECT number FROM migrations")]
            todo = missing(self.dialect, done, upto)
            for number, sql in todo:
                self._run(sql)
                self._run("INSERT INTO migrations VALUES (?)", (number,))
        return [number for number, _ in todo]

    def append(self, entries: Sequence[Entry]) -> set[tuple[str, int]]:
        """Insert all events in one statement, and what goes with them in the same transaction.

        Returning which of them went in takes the interpreter lock once for each row, so it asks only if
        fewer went in than were given.
        """
        rows = orjson.dumps([(entry.game, entry.version, entry.body, entry.key) for entry in entries]).decode()
        more = [entry for entry in entries if entry.watch_id is not None or entry.snapshot is not None]
        # Better not written than written to nowhere; and checked again after the commit.
        self._check_files()
        with self._transaction():
            self._run(APPEND, (rows,))
            inside = {(entry.game, entry.version) for entry in entries}
            if self._connection.changes() < len(entries):
                self._run("ROLLBACK")
                self._run("BEGIN IMMEDIATE")
                inside = set(self._run(f"{APPEND} RETURNING game, version", (rows,)))
            for entry in more:
                if (entry.game, entry.version) not in inside:
                    continue
                if entry.watch_id is not None:
                    self._run("INSERT INTO games VALUES (?, ?)", (entry.game, entry.watch_id))
                if entry.snapshot is not None:
                    self._run(
                        "INSERT INTO snapshots VALUES (?, ?, ?) ON CONFLICT (game) DO UPDATE "
                        "SET version = excluded.version, body = excluded.body WHERE excluded.version > version",
                        (entry.game, entry.version, entry.snapshot),
                    )
        if len(self._files) == 1:
            # It exists from the first write on, for as long as anybody has the database open.
            self._note_file(f"{self.path}-wal")
        return inside

    def load(self, game: str, *, whole: bool = False) -> Loaded | None:
        """Two look-ups by primary key."""
        found = self._run(
            "SELECT g.watch_id, s.version, s.body FROM games g LEFT JOIN snapshots s ON s.game = g.id WHERE g.id = ?",
            (game,),
        )
        if not found:
            return None
        [(watch_id, version, body)] = found
        if whole or version is None:
            version, body = 0, None
        return Loaded(watch_id, body, self.since(game, version))

    def watched(self, watch_id: str) -> str | None:
        """Look up the watch id."""
        found = self._run("SELECT id FROM games WHERE watch_id = ?", (watch_id,))
        return found[0][0] if found else None

    def since(self, game: str, version: int) -> list[tuple[int, str, str | None]]:
        """A range of the primary key."""
        return self._run(
            "SELECT version, body, key FROM events WHERE game = ? AND version > ? ORDER BY version", (game, version)
        )

    def heads(self, games: Sequence[str]) -> dict[str, int]:
        """The last version of each."""
        return dict(
            self._run(
                "SELECT value, (SELECT max(version) FROM events WHERE game = value) AS head "
                "FROM json_each(?) WHERE head IS NOT NULL",
                (orjson.dumps(list(games)).decode(),),
            )
        )

    def keyed(self, game: str, key: str) -> tuple[int, str] | None:
        """Look up the key."""
        found = self._run("SELECT version, body FROM events WHERE game = ? AND key = ?", (game, key))
        return (found[0][0], found[0][1]) if found else None

    def session(self, hash: str) -> SessionRow | None:
        """Look up the hash."""
        found = self._run("SELECT hash, id, name, expires FROM sessions WHERE hash = ?", (hash,))
        return SessionRow(*found[0]) if found else None

    def put_session(self, row: SessionRow, now: float) -> None:
        """Insert or update."""
        self._run(
            "INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE "
            "SET name = excluded.name, expires = excluded.expires",
            (row.hash, row.id, row.name, row.expires),
        )
        self._run("DELETE FROM sessions WHERE expires < ?", (now,))

    def drop_session(self, hash: str) -> None:
        """Delete."""
        self._run("DELETE FROM sessions WHERE hash = ?", (hash,))

    def delete(self, game: str, result: str | None) -> None:
        """Its place in the list of games first, without which its events may go."""
        with self._transaction():
            for table, column in (("games", "id"), ("snapshots", "game"), ("visits", "game")):
                self._run(f"DELETE FROM {table} WHERE {column} = ?", (game,))
            self._run(
                "DELETE FROM events WHERE game = ? AND version < (SELECT max(version) FROM events WHERE game = ?)",
                (game, game),
            )
            if result is not None:
                self._run("INSERT INTO results VALUES (?)", (result,))

    def tick(self, seconds: float) -> float:
        """Update and return."""
        [(now,)] = self._run("UPDATE clock SET seconds = max(seconds, ?) RETURNING seconds", (seconds,))
        return float(now)

    def visit(self, games: Sequence[str], now: float) -> None:
        """Insert or update, games that exist."""
        self._run(
            "INSERT INTO visits SELECT id, ? FROM games WHERE id IN (SELECT value FROM json_each(?)) "
            "ON CONFLICT (game) DO UPDATE SET seconds = excluded.seconds",
            (now, orjson.dumps(list(games)).decode()),
        )

    def forget_visits(self, game: str) -> None:
        """Delete the row."""
        self._run("DELETE FROM visits WHERE game = ?", (game,))

    def unvisited(self, before: float, limit: int) -> list[str]:
        """The oldest first, by the index."""
        rows = self._run("SELECT game FROM visits WHERE seconds < ? ORDER BY seconds LIMIT ?", (before, limit))
        return [game for (game,) in rows]

    def count_games(self) -> int:
        """Count."""
        return int(self._run("SELECT count(*) FROM games")[0][0])

    def ping(self) -> None:
        """Read the file's header."""
        self._run("SELECT 1 FROM migrations LIMIT 1")

    def check_writable(self) -> None:
        """Write a page."""
        self._run(CHECK_WRITABLE)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
