"""Storage: asynchronous access to a database, with one writer and a few readers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from noughts.server.errors import Unavailable
from noughts.server.storage.database import DEADLINE_SECONDS, Database, Entry, connect
from noughts.server.storage.thread import WorkThread
from noughts.server.storage.writer import GroupWriter
from noughts.server.tracing import span

__all__ = ["Storage"]

T = TypeVar("T")

READER_THREADS: Final = 3


class Storage:
    """A database that the event loop can wait for; belongs to one event loop.

    ``connect`` opens a connection, ``thread`` starts the writer's thread.
    """

    def __init__(
        self,
        url: str,
        seconds: float = DEADLINE_SECONDS,
        *,
        connect: Callable[[str, float], Database] = connect,
        thread: Callable[[str], WorkThread] = WorkThread,
    ) -> None:
        self.url = url
        self.seconds = seconds
        """The longest that anything may take."""
        self._connect = connect
        self._thread = thread
        self._local = threading.local()
        self._opened: list[Database] = []
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="read")
        self._writer: GroupWriter | None = None

    @property
    def groups(self) -> int:
        """Groups of events committed so far."""
        return self._writer.groups if self._writer else 0

    @property
    def appended(self) -> int:
        """Events committed so far."""
        return self._writer.appended if self._writer else 0

    async def open(self) -> list[int]:
        """Migrate the database and start to write; returns the numbers of the migrations that ran."""
        # However long that takes: a migration may have a lot to do.
        ran = await self._in_reader(lambda database: database.migrate())
        self._writer = GroupWriter(self._connection, self._thread("write"), self.seconds)
        return ran

    async def close(self) -> None:
        """Write what waits and close every connection."""
        if self._writer is not None:
            await self._writer.close()
        await asyncio.to_thread(self._readers.shutdown, cancel_futures=True)
        for database in self._opened:
            database.close()

    async def append(self, entry: Entry) -> None:
        """Commit an event; see :meth:`GroupWriter.append`."""
        assert self._writer is not None
        with span("store event"):
            await self._writer.append(entry)

    async def write(self, work: Callable[[Database], T]) -> T:
        """Run something else in the writer's thread."""
        assert self._writer is not None
        return await self._writer.write(work)

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a query in a reader's thread; :class:`Unavailable` if it takes too long."""
        try:
            async with asyncio.timeout(self.seconds):
                with span("read database"):
                    return await self._in_reader(query)
        except TimeoutError:
            raise Unavailable(f"no answer for {self.seconds:g} s") from None

    async def check(self) -> None:
        """Check that the database answers and stores."""
        await asyncio.gather(
            self.read(lambda database: database.ping()), self.write(lambda database: database.check_writable())
        )

    async def _in_reader(self, query: Callable[[Database], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._query, query)

    def _query(self, query: Callable[[Database], T]) -> T:
        return query(self._connection())

    def _connection(self) -> Database:
        """The connection of the thread that asks."""
        database: Database | None = getattr(self._local, "database", None)
        if database is None:
            database = self._local.database = self._connect(self.url, self.seconds)
            self._opened.append(database)
        return database
