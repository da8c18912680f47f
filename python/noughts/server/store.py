"""The store: appends events in groups from one writer thread, and reads without holding up anybody.

Whatever arrives while a group is being synced makes up the next one, so the cost of a sync is
shared by all who wait. A caller hears of success after the commit, never before.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from noughts.server.database import Database, Entry, Unavailable, connect

__all__ = ["Conflict", "Store"]

T = TypeVar("T")

LARGEST_GROUP: Final = 512
READERS: Final = 3


class Conflict(Exception):
    """Another event took the version, or the key, first."""


class Store:
    """Asynchronous access to a database; belongs to one event loop."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.groups = 0
        self.appended = 0
        self._waiting: deque[tuple[Entry | Callable[[Database], Any], asyncio.Future[Any]]] = deque()
        self._wake = threading.Semaphore(0)
        self._closing = False
        self._local = threading.local()
        self._opened: list[Database] = []
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="read")
        self._writer: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> list[int]:
        """Bring the database up to date and begin to serve; says which migrations ran."""
        self._loop = asyncio.get_running_loop()
        ran = await self.read(lambda database: database.migrate())
        self._writer = threading.Thread(target=self._write, name="write", daemon=True)
        self._writer.start()
        return ran

    async def close(self) -> None:
        """Write what waits and let go of every connection."""
        if self._writer is not None:
            self._closing = True
            self._wake.release()
            await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        for database in self._opened:
            database.close()

    async def append(self, entry: Entry) -> None:
        """Commit an event; raises :class:`Conflict` or :class:`Unavailable` and then it is not there.

        After :class:`Unavailable` it may be there all the same if the connection broke in the act.
        """
        if not await self._queued(entry):
            raise Conflict

    async def write(self, work: Callable[[Database], T]) -> T:
        """Have the writer do something else between two groups."""
        done: T = await self._queued(work)
        return done

    def _queued(self, item: Entry | Callable[[Database], Any]) -> asyncio.Future[Any]:
        assert self._loop is not None
        future = self._loop.create_future()
        if self._closing:
            future.set_exception(Unavailable("the server is closing"))
            return future
        self._waiting.append((item, future))
        self._wake.release()
        return future

    async def read(self, ask: Callable[[Database], T]) -> T:
        """Ask the database something in a reader's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._ask, ask)

    def _ask(self, ask: Callable[[Database], T]) -> T:
        return ask(self._database())

    def _database(self) -> Database:
        database: Database | None = getattr(self._local, "database", None)
        if database is None:
            database = self._local.database = connect(self.url)
            self._opened.append(database)
        return database

    def _write(self) -> None:
        assert self._loop is not None
        while True:
            self._wake.acquire()
            group: list[tuple[Entry, asyncio.Future[Any]]] = []
            other: tuple[Callable[[Database], Any], asyncio.Future[Any]] | None = None
            while self._waiting and len(group) < LARGEST_GROUP:
                item, future = self._waiting.popleft()
                if isinstance(item, Entry):
                    group.append((item, future))
                else:
                    other = (item, future)
                    break
            results: list[tuple[asyncio.Future[Any], Any, Exception | None]] = []
            if group:
                results += self._commit(group)
            if other is not None:
                try:
                    results.append((other[1], other[0](self._database()), None))
                except Exception as error:
                    results.append((other[1], None, error))
            if results:
                self._loop.call_soon_threadsafe(_settle, results)
            if self._closing and not self._waiting:
                return

    def _commit(
        self, group: list[tuple[Entry, asyncio.Future[Any]]]
    ) -> list[tuple[asyncio.Future[Any], Any, Exception | None]]:
        try:
            inside = self._database().append([entry for entry, _ in group])
        except Exception as error:
            return [(future, None, error) for _, future in group]
        self.groups += 1
        self.appended += len(inside)
        return [(future, (entry.game, entry.version) in inside, None) for entry, future in group]


def _settle(results: list[tuple[asyncio.Future[Any], Any, Exception | None]]) -> None:
    for future, value, error in results:
        if future.done():
            continue
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)
