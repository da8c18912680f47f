"""The store: appends events in groups from one writer thread, and reads without holding up anybody.

Whatever arrives while a group is being synced makes up the next one, so the cost of a sync is
shared by all who wait. A caller hears of success after the commit, never before.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from noughts.server.storage.database import Database, Entry, Unavailable, connect

__all__ = ["Conflict", "Store"]

T = TypeVar("T")

LARGEST_GROUP: Final = 512
READERS: Final = 3


_Item = Entry | Callable[[Database], Any]
_Result = tuple[asyncio.Future[Any], Any, Exception | None]


class Conflict(Exception):
    """Another event took the version, or the key, first."""


class Store:
    """Asynchronous access to a database; belongs to one event loop."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.groups = 0
        self.appended = 0
        self._waiting: list[tuple[_Item, asyncio.Future[Any]]] = []
        self._groups: SimpleQueue[list[tuple[_Item, asyncio.Future[Any]]] | None] = SimpleQueue()
        self._busy = False
        """Whether the writer has a group, or is about to get one."""
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
            if not self._busy:
                self._groups.put(None)
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

    def _queued(self, item: _Item) -> asyncio.Future[Any]:
        assert self._loop is not None
        future = self._loop.create_future()
        if self._closing:
            future.set_exception(Unavailable("the server is closing"))
            return future
        self._waiting.append((item, future))
        if not self._busy:
            # What else this turn of the loop brings goes along.
            self._busy = True
            self._loop.call_soon(self._hand_over)
        return future

    def _hand_over(self) -> None:
        """Give the writer all that waits: one wake-up for it, one for the loop, however many there are."""
        group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
        self._groups.put(group)

    def _settle(self, results: list[_Result]) -> None:
        """Tell those who wait, and hand over what came meanwhile."""
        if self._waiting:
            self._hand_over()
        else:
            self._busy = False
            if self._closing:
                self._groups.put(None)
        for future, value, error in results:
            if future.done():
                continue
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)

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
        """The writer's thread."""
        assert self._loop is not None
        while (group := self._groups.get()) is not None:
            results: list[_Result] = []
            entries = [(item, future) for item, future in group if isinstance(item, Entry)]
            if entries:
                results += self._commit(entries)
            for item, future in group:
                if not isinstance(item, Entry):
                    results.append(self._do(item, future))
            self._loop.call_soon_threadsafe(self._settle, results)

    def _do(self, work: Callable[[Database], Any], future: asyncio.Future[Any]) -> _Result:
        try:
            return future, work(self._database()), None
        except Exception as error:
            return future, None, error

    def _commit(self, group: list[tuple[Entry, asyncio.Future[Any]]]) -> list[_Result]:
        first: dict[tuple[str, int], Entry] = {}
        for entry, _ in group:
            first.setdefault((entry.game, entry.version), entry)
        try:
            inside = self._database().append(list(first.values()))
        except Exception as error:
            return [(future, None, error) for _, future in group]
        self.groups += 1
        self.appended += len(inside)
        won = {id(first[at]) for at in inside}
        return [(future, id(entry) in won, None) for entry, future in group]
