"""A database in memory with the promises of the real ones, and the ways in which those fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from noughts.server.errors import Unavailable
from noughts.server.storage.database import Database, Entry, Loaded, SessionRow
from tests.simulation.faults import Faults
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.loop import SimulatedLoop

Row = tuple[int, str, str | None]


class Store:
    """What is committed: it outlives every process."""

    def __init__(self) -> None:
        self.games: dict[str, str] = {}
        """Watch ids by game."""
        self.events: dict[str, list[Row]] = {}
        """Rows of each game; row ``n`` has version ``n + 1``."""
        self.snapshots: dict[str, tuple[int, str]] = {}
        self.sessions: dict[str, SessionRow] = {}
        self.gaps: list[str] = []
        """Versions that came before the one below them."""

    def keyed(self, game: str, key: str) -> list[Row]:
        """The events with a key: never more than one."""
        return [row for row in self.events.get(game, ()) if row[2] == key]

    def commit(self, entries: Sequence[Entry]) -> set[tuple[str, int]]:
        """Append events in one transaction; which of them are in."""
        inside = set()
        for entry in entries:
            rows = self.events.setdefault(entry.game, [])
            if entry.version != len(rows) + 1 or (entry.key is not None and self.keyed(entry.game, entry.key)):
                if entry.version > len(rows) + 1:
                    self.gaps.append(f"{entry.game} has {len(rows)} events and was given version {entry.version}")
                continue
            rows.append((entry.version, entry.body, entry.key))
            inside.add((entry.game, entry.version))
            if entry.watch_id is not None:
                self.games[entry.game] = entry.watch_id
            if entry.snapshot is not None:
                self.snapshots[entry.game] = (entry.version, entry.snapshot)
        return inside


class SimulatedDatabase(Database):
    """The connections of one process to the store."""

    dialect = "sqlite"

    def __init__(self, store: Store, faults: Faults, name: str) -> None:
        self.store, self.faults, self.name = store, faults, name

    @contextmanager
    def _asked(self, what: str) -> Iterator[None]:
        """Fail before anything is done, or after all of it is."""
        self.faults.before_query(self.name, what)
        yield
        self.faults.after_query(self.name, what)

    def migrate(self, upto: int | None = None) -> list[int]:
        return []

    def append(self, entries: Sequence[Entry]) -> set[tuple[str, int]]:
        with self._asked("append"):
            if self.faults.disk_is_full:
                raise Unavailable("the disk is full")
            return self.store.commit(entries)

    def load(self, game: str, *, whole: bool = False) -> Loaded | None:
        with self._asked("load"):
            if game not in self.store.games:
                return None
            version, snapshot = (0, None) if whole else self.store.snapshots.get(game, (0, None))
            return Loaded(self.store.games[game], snapshot, self.store.events[game][version:])

    def watched(self, watch_id: str) -> str | None:
        with self._asked("watched"):
            return next((game for game, watched in self.store.games.items() if watched == watch_id), None)

    def since(self, game: str, version: int) -> list[Row]:
        with self._asked("since"):
            return self.store.events.get(game, [])[version:]

    def heads(self, games: Sequence[str]) -> dict[str, int]:
        with self._asked("heads"):
            return {game: len(self.store.events[game]) for game in games if game in self.store.events}

    def keyed(self, game: str, key: str) -> tuple[int, str] | None:
        with self._asked("keyed"):
            return next(((version, body) for version, body, _ in self.store.keyed(game, key)), None)

    def session(self, hash: str) -> SessionRow | None:
        with self._asked("session"):
            return self.store.sessions.get(hash)

    def put_session(self, row: SessionRow, now: float) -> None:
        with self._asked("put_session"):
            self.store.sessions[row.hash] = row

    def drop_session(self, hash: str) -> None:
        with self._asked("drop_session"):
            self.store.sessions.pop(hash, None)

    def delete(self, game: str, result: str | None) -> None:
        with self._asked("delete"):
            self.store.games.pop(game, None)
            self.store.snapshots.pop(game, None)

    def tick(self, seconds: float) -> float:
        return seconds

    def visit(self, games: Sequence[str], now: float) -> None:
        """Nothing expires here."""

    def forget_visits(self, game: str) -> None:
        """Nothing expires here."""

    def unvisited(self, before: float, limit: int) -> list[str]:
        return []

    def count_games(self) -> int:
        return len(self.store.games)

    def ping(self) -> None:
        with self._asked("ping"):
            pass

    def check_writable(self) -> None:
        with self._asked("ping"):
            pass

    def close(self) -> None:
        """Nothing is open."""


class SimulatedThread:
    """The writer's thread: one piece of work after the other, each some time after it was handed over."""

    def __init__(self, world: World, loop: SimulatedLoop) -> None:
        self.world, self.loop = world, loop
        self._free_at = 0.0
        self._handed_over = 0

    def hand_over(self, work: Callable[[], None]) -> None:
        self._free_at = max(self._free_at, self.world.now) + self.world.delay(0.002, 0.3)
        # What was sent to the database before a process was killed may be committed or not.
        survives = self.world.rng.random() < 0.5
        self._handed_over += 1

        def run() -> None:
            self._handed_over -= 1
            if self.loop.alive or survives:
                work()

        self.world.at(self._free_at, run)

    async def close(self) -> None:
        assert self._handed_over == 0, "closed while it works"
