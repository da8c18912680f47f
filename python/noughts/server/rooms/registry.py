"""The registry: the rooms in use, kept in memory and checked against the database.

Every change of a room happens here: decide on the room as it is, append the event under the next version, and only
then show it. The primary key of the database settles races between processes; the lock of a room only keeps its own
process from losing them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from operator import methodcaller
from typing import Any, Final

import orjson

from noughts.errors import MatchError
from noughts.server.bus.protocol import Bus, Message
from noughts.server.errors import Forbidden, Refused, RoomError, Unavailable
from noughts.server.rooms.followers import Follower, Followers
from noughts.server.rooms.ids import digest, is_watch_id
from noughts.server.rooms.render import View, public_event
from noughts.server.rooms.room import SNAPSHOT_EVERY, Event, Room, apply, from_snapshot, to_snapshot
from noughts.server.storage.database import Entry, Loaded
from noughts.server.storage.storage import Storage
from noughts.server.storage.writer import Conflict

__all__ = ["CachedRoom", "Registry"]

log = logging.getLogger("noughts.server")

MAX_ATTEMPTS: Final = 8
"""How often to decide again when other processes keep winning the race for a version."""

MAX_EVENTS_PER_GAME: Final = 10_000
"""So that nobody fills the disk by undoing and redoing."""

RECHECK_SECONDS: Final = 0.2
POLLED_AT_ONCE: Final = 500


class CachedRoom:
    """A room in memory, with its lock, what clients see of it, and its followers."""

    __slots__ = ("followers", "in_doubt", "lock", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self.in_doubt = False
        """Whether an event was sent to the database and nobody knows whether it was committed."""
        self.lock = asyncio.Lock()
        self.followers: Followers | None = None

    @property
    def room(self) -> Room:
        """The room as it is now."""
        return self.view.room

    def advance(self, event: Event, room: Room) -> None:
        """Show the next version, unless it is shown already."""
        if room.version != self.view.room.version + 1:
            return
        self.view = View(room, before=self.view)
        if self.followers:
            self.followers.send_event(room.version, public_event(event, room), self.view)


class Registry:
    """All rooms of this process. ``clock`` gives the time that events are stamped with."""

    def __init__(
        self,
        storage: Storage,
        bus: Bus,
        *,
        alone: bool,
        size: int,
        poll: float = 2.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.storage = storage
        self.bus = bus
        self.alone = alone
        """Whether no other process writes to this database, so that memory is always right."""
        self.size = size
        self.poll = poll
        self.clock = clock
        self._rooms: OrderedDict[str, CachedRoom] = OrderedDict()
        self._games_by_watch_id: OrderedDict[str, str] = OrderedDict()
        self._followed: dict[str, str] = {}
        """Games with followers, by digest."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._process = secrets.token_hex(8)
        """The name of this process on the bus."""

    def __len__(self) -> int:
        return len(self._rooms)

    def cached(self) -> Iterable[CachedRoom]:
        """Every room in memory."""
        return self._rooms.values()

    async def open(self) -> None:
        """Subscribe to the other processes."""
        await self.bus.open(self._on_message)
        if not self.alone:
            self._spawn(self._poll_forever())

    async def close(self) -> None:
        """Unsubscribe and close every stream."""
        for task in tuple(self._tasks):
            task.cancel()
        self.close_streams()
        await self.bus.close()

    def close_streams(self) -> None:
        """Close every live stream; clients may come back to another server."""
        for cached in self._rooms.values():
            if cached.followers:
                cached.followers.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def resolve(self, id: str) -> tuple[str, bool]:
        """The id of the game behind an id, and whether that one only watches."""
        if not is_watch_id(id):
            return id, False
        game = self._games_by_watch_id.get(id)
        if game is None:
            game = await self.storage.read(lambda database: database.watched(id))
            if game is None:
                raise _not_found()
            self._games_by_watch_id[id] = game
            if len(self._games_by_watch_id) > self.size:
                self._games_by_watch_id.popitem(last=False)
        return game, True

    async def get(self, game: str) -> CachedRoom:
        """The room of a game, up to date with the database."""
        cached = self._in_memory(game)
        if cached is None:
            return await self._load(game)
        if cached.in_doubt:
            async with cached.lock:
                await self._clear_doubt(cached)
        elif not self.alone:
            await self._refresh(cached)
        return cached

    def _in_memory(self, game: str) -> CachedRoom | None:
        cached = self._rooms.get(game)
        if cached is not None:
            self._rooms.move_to_end(game)
        return cached

    async def _load(self, game: str) -> CachedRoom:
        loaded = await self.storage.read(lambda database: database.load(game))
        if loaded is None:
            raise _not_found()
        return self._keep(game, CachedRoom(View(_replayed(game, loaded))))

    def _keep(self, game: str, cached: CachedRoom) -> CachedRoom:
        cached = self._rooms.setdefault(game, cached)
        if len(self._rooms) > self.size:
            for old, idle in self._rooms.items():
                if not idle.followers and not idle.in_doubt and not idle.lock.locked() and old != game:
                    del self._rooms[old]
                    break
        return cached

    async def _refresh(self, cached: CachedRoom) -> None:
        game, version = cached.room.id, cached.room.version
        _catch_up(cached, await self.storage.read(lambda database: database.since(game, version)))

    async def _clear_doubt(self, cached: CachedRoom) -> None:
        """Ask the writer, which has finished with the event in doubt before it answers."""
        game, version = cached.room.id, cached.room.version
        _catch_up(cached, await self.storage.write(lambda database: database.since(game, version)))
        cached.in_doubt = False

    async def start(self, event: Event, ids: tuple[str, str]) -> CachedRoom:
        """Start a game under its id and watch id."""
        game, watch_id = ids
        stamped = {**event, "at": self.clock()}
        room = apply(None, stamped, id=game, watch_id=watch_id)
        await self.storage.append(Entry(game, 1, orjson.dumps(stamped).decode(), watch_id=watch_id))
        return self._keep(game, CachedRoom(View(room)))

    async def change(
        self,
        game: str,
        decide: Callable[[Room], Event | None],
        *,
        key: str | None = None,
        same: Callable[[Room, Event], bool] = lambda room, event: True,
    ) -> CachedRoom:
        """Change a room: ``decide`` returns the event for a room, ``None`` to leave it as it is, or refuses.

        It may be called again when another process was faster. An event whose ``key`` is stored already is not
        appended again; ``same`` tells whether it is really the same.
        """
        cached = self._in_memory(game) or await self._load(game)
        async with cached.lock:
            if cached.in_doubt:
                await self._clear_doubt(cached)
            for attempt in range(MAX_ATTEMPTS):
                room = cached.room
                try:
                    event = decide(room)
                    if event is None:
                        return cached
                    event = {**event, "at": self.clock()}
                    after = apply(room, event)
                except (RoomError, MatchError) as refusal:
                    if attempt == 0 and not self.alone:
                        # The refusal may rest on an old version of the room.
                        await self._refresh(cached)
                        if cached.room.version != room.version:
                            continue
                    forbidden = isinstance(refusal, Forbidden)
                    if key is not None and not forbidden and await self._is_repeated(cached, key, same):
                        return cached
                    if isinstance(refusal, MatchError):
                        raise RoomError(refusal.code, str(refusal), room=cached.room, facts=refusal.facts) from None
                    raise
                if after.version > MAX_EVENTS_PER_GAME:
                    raise Refused("too_long", f"a game has at most {MAX_EVENTS_PER_GAME} events", room=cached.room)
                entry = Entry(game, after.version, orjson.dumps(event).decode(), key)
                if after.version % SNAPSHOT_EVERY == 0:
                    entry.snapshot = orjson.dumps(to_snapshot(after)).decode()
                try:
                    await self.storage.append(entry)
                except Conflict:
                    await self._refresh(cached)
                    if key is not None and await self._is_repeated(cached, key, same):
                        return cached
                    continue
                except BaseException:
                    # Nobody knows whether it was committed: find out before anything else happens here.
                    cached.in_doubt = True
                    self._spawn(self._recheck(cached))
                    raise
                cached.advance(event, after)
                if not self.alone:
                    self.bus.publish({"game": digest(game), "version": after.version})
                return cached
        raise Refused("too_busy", "too many others act on this game at once", room=cached.room)

    async def _is_repeated(self, cached: CachedRoom, key: str, same: Callable[[Room, Event], bool]) -> bool:
        game = cached.room.id
        found = await self.storage.read(lambda database: database.keyed(game, key))
        if found is not None and not same(cached.room, orjson.loads(found[1])):
            raise Refused("key_reused", "this idempotencyKey was used for another move", room=cached.room)
        return found is not None

    async def _recheck(self, cached: CachedRoom) -> None:
        """Clear a doubt for those who only follow."""
        while cached.in_doubt:
            try:
                async with cached.lock:
                    await self._clear_doubt(cached)
            except Unavailable:
                await asyncio.sleep(RECHECK_SECONDS)

    async def events(self, game: str) -> list[Event]:
        """All events of a game from the first."""
        loaded = await self.storage.read(lambda database: database.load(game, whole=True))
        if loaded is None:
            raise _not_found()
        return [orjson.loads(body) for _, body, _ in loaded.events]

    async def events_since(self, cached: CachedRoom, version: int) -> list[tuple[int, Event]]:
        """The events after a version, up to the room as it is now."""
        game, upto = cached.room.id, cached.room.version
        rows = await self.storage.read(lambda database: database.since(game, version))
        return [(number, orjson.loads(body)) for number, body, _ in rows if number <= upto]

    def add_follower(self, cached: CachedRoom, follower: Follower) -> Followers:
        """Let a follower have all events of a room from now on."""
        if cached.followers is None:
            cached.followers = Followers(cached.room.id, self._publish_presence)
        self._followed[digest(cached.room.id)] = cached.room.id
        cached.followers.add(follower)
        return cached.followers

    def remove_follower(self, cached: CachedRoom, follower: Follower) -> None:
        """Remove a follower that is gone."""
        if cached.followers is None:
            return
        cached.followers.remove(follower)
        if not cached.followers:
            cached.followers = None
            self._followed.pop(digest(cached.room.id), None)

    def _on_message(self, message: Message) -> None:
        """Another process has a new version of a game, or says who follows it there."""
        game = self._followed.get(message["game"])
        cached = self._rooms.get(game) if game is not None else None
        if cached is None:
            return
        if "version" in message:
            if cached.room.version < message["version"]:
                self._spawn(self._try_to_refresh(cached))
        elif cached.followers is not None and message["from"] != self._process:
            cached.followers.on_presence(message["from"], message["players"], message["watchers"])

    def _publish_presence(self, game: str, players: list[str], watchers: int) -> None:
        self.bus.publish({"game": digest(game), "from": self._process, "players": players, "watchers": watchers})

    async def _try_to_refresh(self, cached: CachedRoom) -> None:
        try:
            await self._refresh(cached)
        except Unavailable:
            log.warning("cannot catch up", extra={"fields": {"watch": cached.room.watch_id}})

    async def _poll_forever(self) -> None:
        """Look regularly for versions that the bus has lost."""
        while True:
            await asyncio.sleep(self.poll)
            games = list(self._followed.values())
            for at in range(0, len(games), POLLED_AT_ONCE):
                some = games[at : at + POLLED_AT_ONCE]
                try:
                    heads = await self.storage.read(methodcaller("heads", some))
                except Unavailable:
                    break
                for game, version in heads.items():
                    self._on_message({"game": digest(game), "version": version})


def _not_found() -> Refused:
    return Refused("game_not_found", "no game has this id")


def _replayed(game: str, loaded: Loaded) -> Room:
    """The room that a snapshot and the events after it make up."""
    room: Room | None = None
    if loaded.snapshot is not None:
        room = from_snapshot(orjson.loads(loaded.snapshot), id=game, watch_id=loaded.watch_id)
    for _, body, _ in loaded.events:
        room = apply(room, orjson.loads(body), id=game, watch_id=loaded.watch_id)
    assert room is not None
    return room


def _catch_up(cached: CachedRoom, rows: list[tuple[int, str, str | None]]) -> None:
    for version, body, _ in rows:
        if version == cached.room.version + 1:
            event = orjson.loads(body)
            cached.advance(event, apply(cached.room, event))
