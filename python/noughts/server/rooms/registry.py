"""The registry: the rooms in use, kept in memory and checked against the database.

Every change of a room happens here: decide on the room as it is, append the event under the next version, and only
then show it. The primary key of the database settles races between processes; the lock of a room only keeps its own
process from losing them. Routes get views, which never change; who follows a room has it pinned in the cache.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from operator import methodcaller
from typing import Any, Final

import orjson

from noughts.errors import MatchError, NoughtsError
from noughts.server.bus.protocol import Bus, Message
from noughts.server.errors import Forbidden, Refused, RoomError, Unavailable
from noughts.server.rooms.cache import CachedRoom, RoomCache
from noughts.server.rooms.commands import forced_pass, is_same_start
from noughts.server.rooms.followers import Follower
from noughts.server.rooms.ids import digest, is_watch_id
from noughts.server.rooms.render import View
from noughts.server.rooms.room import SNAPSHOT_EVERY, SNAPSHOT_FIELDS, Event, Room, apply, from_snapshot, to_snapshot
from noughts.server.storage.database import Database, Entry, Loaded
from noughts.server.storage.storage import Storage
from noughts.server.storage.writer import Conflict

__all__ = ["Registry"]

log = logging.getLogger("noughts.server")

MAX_ATTEMPTS: Final = 8
"""How often to decide again when other processes keep winning the race for a version."""

MAX_EVENTS_PER_GAME: Final = 10_000
"""So that nobody fills the disk by undoing and redoing."""

RECHECK_SECONDS: Final = 0.2
POLLED_AT_ONCE: Final = 500


def _any(room: Room, event: Event) -> bool:
    return True


class Registry:
    """All rooms of this process. ``clock`` gives the time that events are stamped with, ``name`` this process."""

    def __init__(
        self,
        storage: Storage,
        bus: Bus,
        *,
        alone: bool,
        size: int,
        poll: float = 2.0,
        clock: Callable[[], float] = time.time,
        name: str = "",
    ) -> None:
        self.storage = storage
        self.bus = bus
        self.alone = alone
        """Whether no other process writes to this database, so that memory is always right."""
        self.size = size
        self.poll = poll
        self.clock = clock
        self.rooms = RoomCache(size, self._read)
        self._games_by_watch_id: OrderedDict[str, str] = OrderedDict()
        self._followed: dict[str, CachedRoom] = {}
        """Rooms with followers, by the digest of their ids."""
        self._tasks: dict[asyncio.Task[None], None] = {}
        self.visited: dict[str, None] = {}
        """Games that somebody looked at or acted on since this was last emptied."""
        self._process = name or secrets.token_hex(8)
        """The name of this process on the bus."""

    def __len__(self) -> int:
        return len(self.rooms)

    @property
    def followers(self) -> int:
        """How many streams follow a room."""
        return sum(len(cached.followers) for cached in self._followed.values() if cached.followers)

    async def open(self) -> None:
        """Subscribe to the other processes."""
        await self.bus.open(self._on_message)
        if not self.alone:
            self._spawn(self._poll_forever())

    async def close(self) -> None:
        """Unsubscribe and close every stream."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        self.close_streams()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.bus.close()

    def close_streams(self) -> None:
        """Close every live stream; clients may come back to another server."""
        for cached in tuple(self._followed.values()):
            if cached.followers:
                cached.followers.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

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

    async def get(self, game: str) -> View:
        """What is to be seen of a game now, up to date with the database."""
        cached = await self._pin_up_to_date(game)
        view = cached.view
        self.rooms.release(cached)
        return view

    async def _pin_up_to_date(self, game: str) -> CachedRoom:
        """The room of a game as it is in the database after this call, for the caller to release."""
        self.visited[game] = None
        cached, is_fresh = self.rooms.pin(game), False
        if cached is None:
            cached, is_fresh = await self.rooms.load(game)
        try:
            if cached.in_doubt:
                async with cached.lock:
                    await self._clear_doubt(cached)
            elif not self.alone and not is_fresh:
                await self._refresh(cached)
            if forced_pass(cached.room) is not None and cached.lock.locked():
                # Whoever has the lock is about to make the pass.
                async with cached.lock:
                    pass
            if cached.deleted:
                raise _not_found()
        except BaseException:
            self.rooms.release(cached)
            raise
        return cached

    async def _read(self, game: str) -> Room:
        # In the thread that reads: a long game would hold up everybody else here.
        room = await self.storage.read(partial(_load, game))
        if room is None:
            raise _not_found()
        return room

    async def delete(self, game: str, check: Callable[[Room], None]) -> None:
        """Delete a game, unless ``check`` refuses. Its result stays if it has one, without names, ids and sessions."""

        def decide(room: Room) -> Event:
            check(room)
            return {"action": "delete"}

        room = (await self.change(game, decide)).room
        result = orjson.dumps(_result(room)).decode() if room.match.is_over else None
        await self.storage.write(lambda database: database.delete(game, result))
        self.visited.pop(game, None)

    async def _refresh(self, cached: CachedRoom) -> None:
        game, version = cached.game, cached.room.version
        _catch_up(cached, await self.storage.read(lambda database: database.since(game, version)))

    async def _clear_doubt(self, cached: CachedRoom) -> None:
        """Ask the writer, which has finished with the event in doubt before it answers."""
        game, version = cached.game, cached.room.version
        _catch_up(cached, await self.storage.write(lambda database: database.since(game, version)))
        cached.in_doubt = False

    async def start(self, event: Event, ids: tuple[str, str]) -> View:
        """Start a game under its id and watch id; if it was started already, that is the one."""
        game, watch_id = ids
        stamped = {**event, "at": self.clock()}
        room = apply(None, stamped, id=game, watch_id=watch_id)
        try:
            await self.storage.append(Entry(game, 1, orjson.dumps(stamped).decode(), watch_id=watch_id))
        except Conflict:
            # The same client has started it with the same key.
            view = await self.get(game)
            if not is_same_start(view.room.start, stamped):
                raise Refused("key_reused", "this idempotencyKey was used for another game") from None
            return view
        self.rooms.add(room)
        return View(room)

    async def change(
        self,
        game: str,
        decide: Callable[[Room], Event | None],
        *,
        key: str | None = None,
        same: Callable[[Room, Event], bool] = _any,
    ) -> View:
        """Change a room: ``decide`` returns the event for a room, ``None`` to leave it as it is, or refuses.

        It may be called again when another process was faster. An event whose ``key`` is stored already is not
        appended again; ``same`` tells whether it is really the same.
        """
        self.visited[game] = None
        cached, is_fresh = self.rooms.pin(game), self.alone
        if cached is None:
            cached, is_fresh = await self.rooms.load(game)
        try:
            async with cached.lock:
                if cached.in_doubt:
                    await self._clear_doubt(cached)
                await self._try_to_pass(cached)
                await self._change(cached, decide, key, same, is_fresh=is_fresh or self.alone)
                await self._try_to_pass(cached)
                return cached.view
        finally:
            self.rooms.release(cached)

    async def _try_to_pass(self, cached: CachedRoom) -> None:
        """Make the passes that players have no choice about, in a room whose lock the caller has.

        Each is an event of its own, after the one that led to it. If one cannot be stored now, as after a crash in
        between or with games of older releases, whoever asks next makes it.
        """
        # Once around at most: a game in which everybody can only pass is for its rules to end.
        for _ in cached.room.seats:
            if forced_pass(cached.room) is None:
                return
            try:
                await self._change(cached, forced_pass, None, _any, is_fresh=True)
            except (RoomError, Unavailable):
                return

    async def _change(
        self,
        cached: CachedRoom,
        decide: Callable[[Room], Event | None],
        key: str | None,
        same: Callable[[Room, Event], bool],
        *,
        is_fresh: bool,
    ) -> None:
        """Change a room whose lock the caller has. Unless it ``is_fresh``, it may be behind the database."""
        for _ in range(MAX_ATTEMPTS):
            if cached.deleted:
                raise _not_found()
            room, event, refusal = cached.room, None, None
            try:
                event = decide(room)
                if event is not None:
                    event = {**event, "at": self.clock()}
                    after = apply(room, event)
            except (RoomError, MatchError) as refused:
                refusal = refused
            if event is None or refusal is not None:
                if not is_fresh:
                    # What was decided may rest on an old version of the room.
                    is_fresh = True
                    await self._refresh(cached)
                    if cached.room.version != room.version:
                        continue
                if refusal is None:
                    return
                forbidden = isinstance(refusal, Forbidden)
                if key is not None and not forbidden and await self._is_repeated(cached, key, same):
                    return
                if isinstance(refusal, MatchError):
                    raise RoomError(refusal.code, str(refusal), room=cached.room, facts=refusal.facts) from None
                raise refusal
            if after.version > MAX_EVENTS_PER_GAME:
                raise Refused("too_long", f"a game has at most {MAX_EVENTS_PER_GAME} events", room=cached.room)
            entry = Entry(cached.game, after.version, orjson.dumps(event).decode(), key)
            if after.version % SNAPSHOT_EVERY == 0:
                entry.snapshot = orjson.dumps(to_snapshot(after)).decode()
            try:
                await self.storage.append(entry)
            except Conflict:
                await self._refresh(cached)
                if key is not None and await self._is_repeated(cached, key, same):
                    return
                continue
            except BaseException:
                # Nobody knows whether it was committed: find out before anything else happens here.
                cached.in_doubt = True
                self._spawn(self._recheck(self.rooms.hold(cached)))
                raise
            cached.advance(event, after)
            if event["action"] == "delete":
                cached.delete()
            if not self.alone:
                self.bus.publish({"game": digest(cached.game), "version": after.version})
            return
        raise Refused("too_busy", "too many requests for this game at once", room=cached.room)

    async def _is_repeated(self, cached: CachedRoom, key: str, same: Callable[[Room, Event], bool]) -> bool:
        """Whether an event with this key is stored; if so, the room has it now."""
        game = cached.game
        found = await self.storage.read(lambda database: database.keyed(game, key))
        if found is None:
            return False
        version, body = found
        if not same(cached.room, orjson.loads(body)):
            raise Refused("key_reused", "this idempotencyKey was used for something else", room=cached.room)
        if cached.room.version < version:
            await self._refresh(cached)
        return True

    async def _recheck(self, cached: CachedRoom) -> None:
        """Clear a doubt for those who only follow, then release the room."""
        try:
            while cached.in_doubt:
                try:
                    async with cached.lock:
                        await self._clear_doubt(cached)
                except Unavailable:
                    await asyncio.sleep(RECHECK_SECONDS)
        except Refused as refusal:
            self._give_up(cached, refusal)
        finally:
            self.rooms.release(cached)

    async def events(self, game: str) -> list[Event]:
        """All events of a game from the first."""

        def load(database: Database) -> list[Event] | None:
            loaded = database.load(game, whole=True)
            return None if loaded is None else [orjson.loads(body) for _, body, _ in loaded.events]

        events = await self.storage.read(load)
        if events is None:
            raise _not_found()
        return events

    async def events_since(self, cached: CachedRoom, version: int) -> list[tuple[int, Event]]:
        """The events after a version, up to the room as it is now."""
        game, upto = cached.game, cached.room.version

        def load(database: Database) -> list[tuple[int, Event]]:
            rows = database.since(game, version)
            return [(number, orjson.loads(body)) for number, body, _ in rows if number <= upto]

        return await self.storage.read(load)

    async def follow(self, game: str, follower: Follower) -> CachedRoom:
        """Let a follower have all events of a room from now on; it has the room pinned until it is removed."""
        cached = await self._pin_up_to_date(game)
        cached.add_follower(follower, self._publish_presence)
        self._followed[digest(game)] = cached
        return cached

    def unfollow(self, cached: CachedRoom, follower: Follower) -> None:
        """Remove a follower that is gone."""
        cached.remove_follower(follower)
        if cached.followers is None:
            del self._followed[digest(cached.game)]
        self.rooms.release(cached)

    def send(self, game: str, message: dict[str, Any]) -> None:
        """Send a message that is no event to everybody who follows a game now."""
        cached = self._followed.get(digest(game))
        if cached is not None and cached.followers:
            cached.followers.send(message)

    async def send_heartbeats(self) -> None:
        """Tell every follower that its stream lives, and the other processes who follows here."""
        for cached in tuple(self._followed.values()):
            if cached.followers:
                cached.followers.publish_presence()
                cached.followers.send({"type": "heartbeat", "version": cached.room.version})
                await asyncio.sleep(0)

    def _on_message(self, message: Message) -> None:
        """Another process has a new version of a game, or says who follows it there."""
        cached = self._followed.get(message["game"])
        if cached is None:
            return
        if "version" in message:
            self._note_version(cached, message["version"])
        elif cached.followers is not None and message["from"] != self._process:
            cached.followers.on_presence(message["from"], message["players"], message["watchers"])

    def _note_version(self, cached: CachedRoom, version: int) -> None:
        """Catch up with a version that exists, one task for each room at a time."""
        if cached.room.version < version:
            if not cached.behind:
                self._spawn(self._catch_up_with_others(self.rooms.hold(cached)))
            cached.behind = max(cached.behind, version)

    async def _catch_up_with_others(self, cached: CachedRoom) -> None:
        try:
            wanted = 0
            while cached.room.version < cached.behind and wanted < cached.behind:
                wanted = cached.behind
                await self._refresh(cached)
        except Unavailable:
            log.warning("cannot catch up", extra={"fields": {"watch": cached.room.watch_id}})
        except Refused as refusal:
            self._give_up(cached, refusal)
        finally:
            cached.behind = 0
            self.rooms.release(cached)

    def _give_up(self, cached: CachedRoom, refusal: Refused) -> None:
        """Close the streams of a room that this process cannot serve; another one may."""
        log.warning(str(refusal), extra={"fields": {"watch": cached.room.watch_id}})
        if cached.followers:
            cached.followers.close()

    def _publish_presence(self, game: str, players: list[str], watchers: int) -> None:
        self.bus.publish({"game": digest(game), "from": self._process, "players": players, "watchers": watchers})

    async def _poll_forever(self) -> None:
        """Look regularly for versions that the bus has lost."""
        while True:
            await asyncio.sleep(self.poll)
            games = [cached.game for cached in self._followed.values()]
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


def _load(game: str, database: Database) -> Room | None:
    """The room of a game as it is stored."""
    loaded = database.load(game)
    if loaded is not None and loaded.snapshot is not None:
        snapshot = orjson.loads(loaded.snapshot)
        if SNAPSHOT_FIELDS.issuperset(snapshot):
            return _replayed(game, loaded, from_snapshot(snapshot, id=game, watch_id=loaded.watch_id))
        loaded = database.load(game, whole=True)
    return None if loaded is None else _replayed(game, loaded, None)


def _replayed(game: str, loaded: Loaded, room: Room | None) -> Room:
    """The room that events make of a snapshot, or of nothing."""
    if loaded.events and orjson.loads(loaded.events[-1][1])["action"] == "delete":
        raise _not_found()
    for _, body, _ in loaded.events:
        room = _after(room, orjson.loads(body), id=game, watch_id=loaded.watch_id)
    assert room is not None
    return room


def _catch_up(cached: CachedRoom, rows: list[tuple[int, str, str | None]]) -> None:
    for version, body, _ in rows:
        event = orjson.loads(body)
        if version == cached.room.version + 1:
            cached.advance(event, _after(cached.room, event))
        if event["action"] == "delete":
            # All others may be gone by now.
            cached.delete()


def _result(room: Room) -> dict[str, Any]:
    """How a game ended, without a word about who played it."""
    match = room.match
    seats = {mark: {"kind": seat.kind, "level": seat.level or None} for mark, seat in room.seats.items()}
    return {
        "game": match.game.spec, "mode": room.mode, "first": match.first, "seats": seats, "winner": match.winner,
        "resigned": match.resigned, "plies": len(match.history), "at": int(match.updated_at),
    }  # fmt: skip


def _after(room: Room | None, event: Event, **ids: str) -> Room:
    """The room after a stored event; refuses the game if a newer version has stored what this one does not know.

    To leave such an event out, or to take it for another, would show a game that was never played.
    """
    try:
        return apply(room, event, **ids)
    except (NoughtsError, ValueError, KeyError, TypeError) as error:
        log.warning("unreadable event", extra={"fields": {"action": event.get("action"), "error": str(error)}})
        raise Refused("newer_game", "a newer version of the server plays this game; this one cannot") from error
