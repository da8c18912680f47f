"""The rooms in memory: at most one instance of each, from the moment somebody wants it until nobody does.

Whoever awaits, changes or follows a room has it pinned, and only rooms that nobody has pinned are evicted. So a room
that is in use is always the one that everybody else finds here, and one that is loaded again was left behind by
nobody: everything that was acknowledged about it is in the database.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator

from noughts.match import forced_pass
from noughts.server.rooms.followers import Follower, Followers, PublishPresence
from noughts.server.rooms.render import View, public_event
from noughts.server.rooms.room import Event, Room

__all__ = ["CachedRoom", "RoomCache"]


class CachedRoom:
    """The living instance of a room, with its lock, what clients see of it, and its followers."""

    __slots__ = ("_view", "behind", "deleted", "followers", "game", "in_doubt", "loading", "lock", "pins")

    def __init__(self, game: str, room: Room | None = None) -> None:
        self.game = game
        self.pins = 0
        """How many await, change or follow it."""
        self.loading: asyncio.Task[None] | None = None
        self.in_doubt = False
        """Whether an event was sent to the database and nobody knows whether it was committed."""
        self.deleted = False
        """Whether its last event has deleted it: nobody finds it any more."""
        self.behind = 0
        """A version that another process has, as long as a task reads what is new; otherwise 0."""
        self.lock = asyncio.Lock()
        self.followers: Followers | None = None
        self._view = None if room is None else View(room)

    @property
    def view(self) -> View:
        """What clients see of it now."""
        assert self._view is not None, "a room is not used before it is loaded"
        return self._view

    @property
    def room(self) -> Room:
        """The room as it is now."""
        return self.view.room

    def fill(self, room: Room) -> None:
        """Set the room that was loaded."""
        self._view = View(room)

    def advance(self, event: Event, room: Room) -> None:
        """Show the next version, unless it is shown already."""
        before = self.view
        if room.version != before.room.version + 1:
            return
        self._view = View(room, before=before)
        if self.followers:
            self._view.keep = True
            # Where a pass is bound to follow at once, the state comes with the pass.
            shown = None if forced_pass(room.match) is not None else self._view
            self.followers.send_event(room.version, public_event(event, room), shown)

    def delete(self) -> None:
        """Show it to nobody any more."""
        self.deleted = True
        if self.followers:
            self.followers.close("deleted")

    def add_follower(self, follower: Follower, publish_presence: PublishPresence) -> None:
        """Send a follower all events from now on."""
        if self.followers is None:
            self.followers = Followers(self.game, publish_presence)
        self.followers.add(follower)
        self.view.keep = True

    def remove_follower(self, follower: Follower) -> None:
        """Remove a follower that is gone."""
        assert self.followers is not None
        self.followers.remove(follower)
        if not self.followers:
            self.followers = None
            self.view.forget()


class RoomCache:
    """The rooms of one process; ``read`` gets one from the database.

    As many are kept as ``size`` says, and more only while more are pinned.
    """

    def __init__(self, size: int, read: Callable[[str], Awaitable[Room]]) -> None:
        self.size = size
        self._read = read
        self._pinned: dict[str, CachedRoom] = {}
        self._idle: OrderedDict[str, CachedRoom] = OrderedDict()
        """Rooms that nobody has pinned, the one not used for longest first."""

    def __len__(self) -> int:
        return len(self._pinned) + len(self._idle)

    def __iter__(self) -> Iterator[CachedRoom]:
        """Every room in memory."""
        yield from tuple(self._pinned.values())
        yield from tuple(self._idle.values())

    def is_pinned(self, game: str) -> bool:
        """Whether somebody uses a room now."""
        return game in self._pinned

    @property
    def pinned(self) -> tuple[CachedRoom, ...]:
        """The rooms in use."""
        return tuple(self._pinned.values())

    def pin(self, game: str) -> CachedRoom | None:
        """A room that is in memory, for the caller to release; ``None`` if it has to be loaded."""
        cached = self._pinned.get(game)
        if cached is None:
            cached = self._idle.pop(game, None)
            if cached is None:
                return None
            self._pinned[game] = cached
        elif cached.loading is not None:
            return None
        cached.pins += 1
        return cached

    async def load(self, game: str) -> tuple[CachedRoom, bool]:
        """Load a room, for the caller to release; also whether it was read from the database since this call.

        All who want it at the same time share one task, which ends even if those who started it do not wait.
        """
        cached = self._pinned.get(game)
        is_first = cached is None
        if cached is None:
            cached = self._pinned[game] = CachedRoom(game)
            # One pin for the task: the room stays until it is here, whoever gives up in the meantime.
            cached.pins = 1
            cached.loading = asyncio.get_running_loop().create_task(self._fill(cached))
        assert cached.loading is not None
        cached.pins += 1
        try:
            await asyncio.shield(cached.loading)
        except BaseException:
            self.release(cached)
            raise
        return cached, is_first

    async def _fill(self, cached: CachedRoom) -> None:
        try:
            cached.fill(await self._read(cached.game))
            # Not before: an id that nobody has must not cost a room its place.
            self._evict()
        except BaseException:
            # Whoever asks next tries again.
            del self._pinned[cached.game]
            raise
        finally:
            cached.loading = None
            self.release(cached)

    def add(self, room: Room) -> None:
        """Keep a room that was just made."""
        if room.id not in self._pinned and room.id not in self._idle:
            self._idle[room.id] = CachedRoom(room.id, room)
            self._evict()

    def hold(self, cached: CachedRoom) -> CachedRoom:
        """Pin once more what the caller has pinned already, e.g. for a task that it starts."""
        assert cached.pins
        cached.pins += 1
        return cached

    def release(self, cached: CachedRoom) -> None:
        """Give back what was pinned, loaded or held."""
        cached.pins -= 1
        if cached.pins == 0 and self._pinned.get(cached.game) is cached:
            del self._pinned[cached.game]
            self._idle[cached.game] = cached
            self._evict()

    def _evict(self) -> None:
        while self._idle and len(self) > self.size:
            self._idle.popitem(last=False)
