"""PostgreSQL through psycopg: one connection per thread, reopened when it is lost."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import psycopg

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

__all__ = ["PostgresqlDatabase"]

T = TypeVar("T")

MIGRATION_LOCK: Final = 0x6E6F7567
"""The advisory lock under which one process migrates while others wait."""

ROLLED_BACK: Final = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
"""The server rolled a write back because of another one: it has not happened and may be tried again."""

MAX_TRIES: Final = 5

CONNECT_SECONDS: Final = 3

APPEND = (
    "INSERT INTO events (game, version, body, key) "
    "SELECT * FROM unnest(%s::text[], %s::int[], %s::text[], %s::text[]) AS new (game, version, body, key) "
    # Of a game that was deleted only the last version is left, and those below it must stay taken.
    "WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.game = new.game AND e.version > new.version) "
    "ON CONFLICT DO NOTHING RETURNING game, version"
)


class _Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that waits for nothing after its deadline: a server that hangs never says so itself."""

    deadline: float = math.inf

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for the server, until the deadline at most."""
        if self.deadline != math.inf:
            timeout = max(0.0, self.deadline - time.monotonic())
        return super().wait(gen, interval, timeout)


class PostgresqlDatabase(Database):
    """A connection to a PostgreSQL server."""

    dialect = "postgresql"

    def __init__(self, url: str, seconds: float = DEADLINE_SECONDS) -> None:
        self.url = url
        self.seconds = seconds
        self._connection: _Connection | None = None
        self._deadline = math.inf

    def _begin(self) -> None:
        """Begin something that has to be done in time, whatever it takes: new connections, repeated queries."""
        self._deadline = time.monotonic() + self.seconds

    def _connected(self) -> _Connection:
        if self._connection is None or self._connection.closed:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise psycopg.OperationalError("no answer in time")
            milliseconds = int(self.seconds * 1000)
            self._connection = _Connection.connect(
                self.url,
                autocommit=True,
                connect_timeout=CONNECT_SECONDS if left == math.inf else max(1, int(left)),
                options=f"-c synchronous_commit=on -c statement_timeout={milliseconds}",
                tcp_user_timeout=2 * milliseconds,
            )
        self._connection.deadline = self._deadline
        return self._connection

    @contextmanager
    def _guarded(self) -> Iterator[_Connection]:
        try:
            yield self._connected()
        except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction) as error:
            with suppress(Exception):
                if self._connection is not None:
                    self._connection.close()
            self._connection = None
            raise Unavailable(f"PostgreSQL: {str(error).splitlines()[0] if str(error) else 'gone'}") from error

    def _read(self, ask: Callable[[psycopg.Connection[tuple[Any, ...]]], T]) -> T:
        """Run a query, and once more over a new connection: the old one may have been lost long ago."""
        self._begin()
        return self._tried_twice(ask)

    def _tried_twice(self, ask: Callable[[psycopg.Connection[tuple[Any, ...]]], T]) -> T:
        fresh = self._connection is None
        try:
            with self._guarded() as connection:
                return ask(connection)
        except Unavailable:
            if fresh:
                raise
        with self._guarded() as connection:
            return ask(connection)

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._read(lambda connection: connection.execute(sql.encode(), values).fetchall())

    def migrate(self, upto: int | None = None) -> list[int]:
        """Run the missing ones while holding an advisory lock, however long it takes."""
        self._deadline = math.inf
        with self._guarded() as connection, connection.transaction():
            connection.execute("SET LOCAL statement_timeout = 0")
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            connection.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)")
            done = [number for (number,) in connection.execute("SELECT number FROM migrations")]
            todo = missing(self.dialect, done, upto)
            for number, sql in todo:
                connection.execute(sql.encode())
                connection.execute("INSERT INTO migrations VALUES (%s)", (number,))
        return [number for number, _ in todo]

    def _written(self, work: Callable[[psycopg.Connection[tuple[Any, ...]]], T]) -> T:
        """Write, again if the server rolled it back; what a lost connection leaves in doubt is never sent twice."""
        self._begin()
        self._reconnect_if_lost()
        with self._guarded() as connection:
            for _ in range(MAX_TRIES - 1):
                with suppress(*ROLLED_BACK):
                    return work(connection)
            return work(connection)

    def append(self, entries: Sequence[Entry]) -> set[tuple[str, int]]:
        """Insert all events in one statement, and what goes with them in the same transaction.

        Sorted, because servers that append the same versions in different orders would deadlock.
        """
        ordered = sorted(entries, key=lambda entry: (entry.game, entry.version))
        return self._written(lambda connection: _append(connection, ordered))

    def _reconnect_if_lost(self) -> None:
        """Check the connection before a write, as a write is never sent twice."""
        if self._connection is not None:
            self._tried_twice(lambda connection: connection.execute("SELECT 1"))

    def load(self, game: str, *, whole: bool = False) -> Loaded | None:
        """Two look-ups by primary key."""
        found = self._rows(
            "SELECT g.watch_id, s.version, s.body FROM games g LEFT JOIN snapshots s ON s.game = g.id WHERE g.id = %s",
            game,
        )
        if not found:
            return None
        [(watch_id, version, body)] = found
        if whole or version is None:
            version, body = 0, None
        return Loaded(watch_id, body, self.since(game, version))

    def watched(self, watch_id: str) -> str | None:
        """Look up the watch id."""
        found = self._rows("SELECT id FROM games WHERE watch_id = %s", watch_id)
        return found[0][0] if found else None

    def since(self, game: str, version: int) -> list[tuple[int, str, str | None]]:
        """A range of the primary key."""
        return self._rows(
            "SELECT version, body, key FROM events WHERE game = %s AND version > %s ORDER BY version", game, version
        )

    def heads(self, games: Sequence[str]) -> dict[str, int]:
        """The last version of each."""
        return dict(self._rows("SELECT game, max(version) FROM events WHERE game = ANY(%s) GROUP BY game", list(games)))

    def keyed(self, game: str, key: str) -> tuple[int, str] | None:
        """Look up the key."""
        found = self._rows("SELECT version, body FROM events WHERE game = %s AND key = %s", game, key)
        return (found[0][0], found[0][1]) if found else None

    def session(self, hash: str) -> SessionRow | None:
        """Look up the hash."""
        found = self._rows("SELECT hash, id, name, expires FROM sessions WHERE hash = %s", hash)
        return SessionRow(*found[0]) if found else None

    def put_session(self, row: SessionRow, now: float) -> None:
        """Insert or update."""

        def put(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
            connection.execute(
                "INSERT INTO sessions VALUES (%s, %s, %s, %s) ON CONFLICT (hash) DO UPDATE "
                "SET name = excluded.name, expires = excluded.expires",
                (row.hash, row.id, row.name, row.expires),
            )
            connection.execute("DELETE FROM sessions WHERE expires < %s", (now,))

        self._written(put)

    def drop_session(self, hash: str) -> None:
        """Delete."""
        self._written(lambda connection: connection.execute("DELETE FROM sessions WHERE hash = %s", (hash,)))

    def delete(self, game: str, result: str | None) -> None:
        """Its place in the list of games first, without which its events may go."""

        def remove(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
            with connection.transaction():
                connection.execute("DELETE FROM games WHERE id = %s", (game,))
                connection.execute("DELETE FROM snapshots WHERE game = %s", (game,))
                connection.execute("DELETE FROM visits WHERE game = %s", (game,))
                last = "SELECT max(version) FROM events WHERE game = %s"
                connection.execute(f"DELETE FROM events WHERE game = %s AND version < ({last})".encode(), (game, game))
                if result is not None:
                    connection.execute("INSERT INTO results VALUES (%s)", (result,))

        self._written(remove)

    def tick(self, seconds: float) -> float:
        """Update and return."""
        sql = b"UPDATE clock SET seconds = greatest(seconds, %s) RETURNING seconds"
        return self._written(lambda connection: float(connection.execute(sql, (seconds,)).fetchall()[0][0]))

    def visit(self, games: Sequence[str], now: float) -> None:
        """Insert or update, games that exist, in order so that servers do not lock each other out."""
        self._written(
            lambda connection: connection.execute(
                "INSERT INTO visits SELECT id, %s FROM games WHERE id = ANY(%s) ORDER BY id "
                "ON CONFLICT (game) DO UPDATE SET seconds = excluded.seconds",
                (now, list(games)),
            )
        )

    def forget_visits(self, game: str) -> None:
        """Delete the row."""
        self._written(lambda connection: connection.execute("DELETE FROM visits WHERE game = %s", (game,)))

    def unvisited(self, before: float, limit: int) -> list[str]:
        """The oldest first, by the index."""
        rows = self._rows("SELECT game FROM visits WHERE seconds < %s ORDER BY seconds LIMIT %s", before, limit)
        return [game for (game,) in rows]

    def count_games(self) -> int:
        """Count."""
        return int(self._rows("SELECT count(*) FROM games")[0][0])

    def ping(self) -> None:
        """Select a constant."""
        self._rows("SELECT 1")

    def check_writable(self) -> None:
        """Write a row as it is."""
        self._written(lambda connection: connection.execute(CHECK_WRITABLE))

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


def _append(connection: psycopg.Connection[tuple[Any, ...]], entries: Sequence[Entry]) -> set[tuple[str, int]]:
    columns = (
        [entry.game for entry in entries],
        [entry.version for entry in entries],
        [entry.body for entry in entries],
        [entry.key for entry in entries],
    )
    more = [entry for entry in entries if entry.watch_id is not None or entry.snapshot is not None]
    if not more:
        return {(game, version) for game, version in connection.execute(APPEND, columns)}
    with connection.transaction():
        inside = {(game, version) for game, version in connection.execute(APPEND, columns)}
        for entry in more:
            if (entry.game, entry.version) not in inside:
                continue
            if entry.watch_id is not None:
                connection.execute("INSERT INTO games VALUES (%s, %s)", (entry.game, entry.watch_id))
            if entry.snapshot is not None:
                connection.execute(
                    "INSERT INTO snapshots AS s VALUES (%s, %s, %s) ON CONFLICT (game) DO UPDATE "
                    "SET version = excluded.version, body = excluded.body WHERE excluded.version > s.version",
                    (entry.game, entry.version, entry.snapshot),
                )
    return inside
