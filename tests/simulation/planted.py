"""Planted bugs: each is put into the real code by a patch, and the simulation has to find it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from noughts.server.rooms.cache import CachedRoom, RoomCache
from noughts.server.rooms.followers import Follower
from noughts.server.rooms.registry import Registry
from noughts.server.storage.database import Entry
from noughts.server.storage.storage import Storage
from noughts.server.storage.writer import Conflict

BUGS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {}
"""Every bug by its name."""


def bug(plant: Callable[[pytest.MonkeyPatch], None]) -> Callable[[pytest.MonkeyPatch], None]:
    """Enter a bug into the list."""
    BUGS[plant.__name__] = plant
    return plant


@bug
def orphaned_room_on_eviction(patch: pytest.MonkeyPatch) -> None:
    """A room is evicted while somebody waits for it."""

    def evict(self: RoomCache) -> None:
        for rooms in (self._pinned, self._idle):
            for game, cached in tuple(rooms.items()):
                in_use = cached.followers or cached.in_doubt or cached.lock.locked() or cached.loading
                if len(self) > self.size and not in_use:
                    del rooms[game]

    patch.setattr(RoomCache, "_evict", evict)


@bug
def stale_read(patch: pytest.MonkeyPatch) -> None:
    """What is in memory is shown without a look at the database."""

    async def pin(self: Registry, game: str) -> CachedRoom:
        return self.rooms.pin(game) or (await self.rooms.load(game))[0]

    patch.setattr(Registry, "_pin_up_to_date", pin)


@bug
def old_version_put_back_by_a_slow_load(patch: pytest.MonkeyPatch) -> None:
    """Everybody loads a room alone, and the last one to arrive decides what is in memory."""

    async def load(self: RoomCache, game: str) -> tuple[CachedRoom, bool]:
        cached = CachedRoom(game, await self._read(game))
        cached.pins = 1
        self._idle.pop(game, None)
        self._pinned[game] = cached
        return cached, True

    patch.setattr(RoomCache, "load", load)


@bug
def acknowledged_before_the_commit(patch: pytest.MonkeyPatch) -> None:
    """The writer's answer is not waited for."""
    append = Storage.append

    async def hurry(self: Storage, entry: Entry) -> None:
        writing = asyncio.get_running_loop().create_task(append(self, entry))
        writing.add_done_callback(lambda done: done.exception())

    patch.setattr(Storage, "append", hurry)


@bug
def event_dropped_on_resume(patch: pytest.MonkeyPatch) -> None:
    """The last of the missed events is taken for the first of the new ones."""
    events_since = Registry.events_since

    async def drop(self: Registry, cached: CachedRoom, version: int) -> list[Any]:
        return (await events_since(self, cached, version))[:-1]

    patch.setattr(Registry, "events_since", drop)


@bug
def follower_forgotten_on_reload(patch: pytest.MonkeyPatch) -> None:
    """A follower does not keep its room in memory, and is not there when it is loaded again."""
    follow, unfollow = Registry.follow, Registry.unfollow

    async def forget(self: Registry, game: str, follower: Follower) -> CachedRoom:
        cached = await follow(self, game, follower)
        self.rooms.release(cached)
        return cached

    def keep_count(self: Registry, cached: CachedRoom, follower: Follower) -> None:
        cached.pins += 1
        unfollow(self, cached, follower)

    patch.setattr(Registry, "follow", forget)
    patch.setattr(Registry, "unfollow", keep_count)


@bug
def double_apply_on_conflict(patch: pytest.MonkeyPatch) -> None:
    """An event that lost its version is appended under the next one, whatever was decided before."""
    append = Storage.append

    async def insist(self: Storage, entry: Entry) -> None:
        try:
            await append(self, entry)
        except Conflict:
            await append(self, Entry(entry.game, entry.version + 1, entry.body))

    patch.setattr(Storage, "append", insist)


@bug
def conflict_taken_for_success(patch: pytest.MonkeyPatch) -> None:
    """An event that lost its version is shown all the same."""
    append = Storage.append

    async def ignore(self: Storage, entry: Entry) -> None:
        try:
            await append(self, entry)
        except Conflict:
            return

    patch.setattr(Storage, "append", ignore)


@bug
def doubt_ignored(patch: pytest.MonkeyPatch) -> None:
    """Nobody asks what became of an event whose answer was lost."""

    async def forget(self: Registry, cached: CachedRoom) -> None:
        cached.in_doubt = False

    patch.setattr(Registry, "_clear_doubt", forget)


@bug
def lost_messages_never_missed(patch: pytest.MonkeyPatch) -> None:
    """Nobody polls for what the bus has lost."""

    async def sleep(self: Registry) -> None:
        await asyncio.sleep(1e9)

    sleep.__qualname__ = Registry._poll_forever.__qualname__
    patch.setattr(Registry, "_poll_forever", sleep)


@bug
def pin_never_released(patch: pytest.MonkeyPatch) -> None:
    """Whoever looks keeps the room in memory for good."""

    async def get(self: Registry, game: str) -> Any:
        return (await self._pin_up_to_date(game)).view

    patch.setattr(Registry, "get", get)
