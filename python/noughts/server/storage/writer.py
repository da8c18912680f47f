"""The writer: commits events in groups from one thread.

Whatever arrives while a group is being synced makes up the next one, so the cost of a sync is shared by
all who wait. A caller hears of success after the commit, never before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from noughts.server.errors import Unavailable
from noughts.server.storage.database import DEADLINE_SECONDS, Database, Entry
from noughts.server.storage.thread import WorkThread

__all__ = ["Conflict", "GroupWriter"]

T = TypeVar("T")

MAX_GROUP: Final = 512

_Item = Entry | Callable[[Database], Any]
_Group = list[tuple[_Item, asyncio.Future[Any]]]
_Result = tuple[asyncio.Future[Any], Any, Exception | None]


class Conflict(Exception):
    """Another event took the version, or the key, first."""


class GroupWriter:
    """Writes in one thread; belongs to one event loop.

    ``connection`` gives the thread's own connection. A group that takes longer than ``seconds`` fails, with all that
    waits for it: what becomes of it nobody knows then. Until the thread is back everything fails at once.
    """

    def __init__(
        self, connection: Callable[[], Database], thread: WorkThread, seconds: float = DEADLINE_SECONDS
    ) -> None:
        self.groups = 0
        """Groups committed so far."""
        self.appended = 0
        """Events committed so far."""
        self.is_stuck = False
        """Whether the thread has had a group for too long."""
        self._connection = connection
        self._seconds = seconds
        self._waiting: _Group = []
        self._in_flight: _Group = []
        self._deadline: asyncio.TimerHandle | None = None
        self._busy = False
        """Whether the thread has a group, or is about to get one."""
        self._closing = False
        self._loop = asyncio.get_running_loop()
        self._thread = thread
        self._idle = asyncio.Event()
        self._idle.set()

    async def close(self) -> None:
        """Write what waits, then end the thread."""
        self._closing = True
        await self._idle.wait()
        await self._thread.close()

    async def append(self, entry: Entry) -> None:
        """Commit an event; :class:`Conflict` or :class:`Unavailable` mean that it is not there.

        After :class:`Unavailable` it may be there all the same if the connection broke in the middle.
        """
        if not await self._enqueue(entry):
            raise Conflict

    async def write(self, work: Callable[[Database], T]) -> T:
        """Run something else in the writer's thread, after the events that wait before it."""
        done: T = await self._enqueue(work)
        return done

    def _enqueue(self, item: _Item) -> asyncio.Future[Any]:
        future = self._loop.create_future()
        if self._closing:
            future.set_exception(Unavailable("the server is closing"))
            return future
        if self.is_stuck:
            future.set_exception(self._too_slow())
            return future
        self._waiting.append((item, future))
        if not self._busy:
            # Whatever else arrives in this turn of the loop goes along.
            self._busy = True
            self._idle.clear()
            self._loop.call_soon(self._hand_over)
        return future

    def _hand_over(self) -> None:
        """Give the thread all that waits: one wake-up for it and one for the loop, however many there are."""
        group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
        self._in_flight = group
        self._deadline = self._loop.call_later(self._seconds, self._give_up)
        self._thread.hand_over(partial(self._write, group))

    def _give_up(self) -> None:
        """Answer everybody who waits: the thread has had its group for too long."""
        self.is_stuck = True
        for _, future in (*self._in_flight, *self._waiting):
            if not future.done():
                future.set_exception(self._too_slow())
        self._waiting.clear()

    def _too_slow(self) -> Unavailable:
        return Unavailable(f"no answer for {self._seconds:g} s")

    def _settle(self, results: list[_Result]) -> None:
        """Answer those who wait, and hand over what arrived in the meantime."""
        self.is_stuck = False
        if self._deadline is not None:
            self._deadline.cancel()
        if self._waiting:
            self._hand_over()
        else:
            self._busy = False
            self._idle.set()
        for future, value, error in results:
            if future.done():
                continue
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)

    def _write(self, group: _Group) -> None:
        """Commit a group; this is what the thread does."""
        results: list[_Result] = []
        entries = [(item, future) for item, future in group if isinstance(item, Entry)]
        if entries:
            results += self._commit(entries)
        for item, future in group:
            if not isinstance(item, Entry):
                results.append(self._run(item, future))
        self._loop.call_soon_threadsafe(self._settle, results)

    def _run(self, work: Callable[[Database], Any], future: asyncio.Future[Any]) -> _Result:
        try:
            return future, work(self._connection()), None
        except Exception as error:
            return future, None, error

    def _commit(self, group: list[tuple[Entry, asyncio.Future[Any]]]) -> list[_Result]:
        first: dict[tuple[str, int], Entry] = {}
        for entry, _ in group:
            first.setdefault((entry.game, entry.version), entry)
        try:
            committed = self._connection().append(list(first.values()))
        except Exception as error:
            return [(future, None, error) for _, future in group]
        self.groups += 1
        self.appended += len(committed)
        won = {id(first[at]) for at in committed}
        return [(future, id(entry) in won, None) for entry, future in group]
