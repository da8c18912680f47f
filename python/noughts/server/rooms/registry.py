"""The hall: every table somebody is at right now, kept in memory and checked against the store.

Whoever changes a game does it here: decide on the table as it stands, append the event under the
next version, and only then show it. The store's primary key settles races between processes; the
lock of a table only spares its own process from losing them.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from operator import methodcaller
from typing import Any, Final

import orjson

from noughts.errors import MatchError
from noughts.server.bus.protocol import Bus, Message
from noughts.server.http.errors import Problem
from noughts.server.rooms.followers import Audience, public_event
from noughts.server.rooms.render import View
from noughts.server.rooms.room import SNAPSHOT_EVERY, Event, Table, follow, restored, snapshot
from noughts.server.storage.database import Entry, Loaded, Unavailable
from noughts.server.storage.writer import Conflict, Store

__all__ = ["WATCH_PREFIX", "Hall", "Live", "digest", "new_ids", "only_watches"]

log = logging.getLogger("noughts.server")

WATCH_PREFIX: Final = "w-"
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
ATTEMPTS: Final = 8
"""How often to decide anew when other processes keep winning the race for a version."""

LONGEST: Final = 10_000
"""Events a game may have, so that nobody fills the disk by undoing and redoing."""


def new_ids() -> tuple[str, str]:
    """An id that lets its holder play and one that only shows: 128 random bits each."""
    return "g" + secrets.token_urlsafe(16), WATCH_PREFIX + secrets.token_urlsafe(16)


def digest(game: str) -> str:
    """A name for a game that gives nothing away, for logs and the bus."""
    return hashlib.blake2b(game.encode(), digest_size=12).hexdigest()


def only_watches(id: str) -> bool:
    """Whether an id can only watch; it is an error if it is none at all."""
    if not ID.fullmatch(id):
        raise Problem(404, "game_not_found", "no game has this id")
    return id.startswith(WATCH_PREFIX)


class Live:
    """A table in memory, with those who follow it."""

    __slots__ = ("audience", "doubtful", "lock", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self.doubtful = False
        """Whether an event was sent to the store and nobody knows what became of it."""
        self.lock = asyncio.Lock()
        self.audience: Audience | None = None

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.view.table

    def advance(self, event: Event, table: Table) -> None:
        """Show the next version, unless it is shown already."""
        if table.version != self.view.table.version + 1:
            return
        self.view = View(table, before=self.view)
        if self.audience:
            self.audience.tell(table.version, public_event(event, table), self.view)


class Hall:
    """All tables of this process."""

    def __init__(self, store: Store, bus: Bus, *, alone: bool, size: int, poll: float = 2.0) -> None:
        self.store = store
        self.bus = bus
        self.alone = alone
        """Whether no other process writes to this store, so that memory is always right."""
        self.size = size
        self.poll = poll
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._watched: OrderedDict[str, str] = OrderedDict()
        self._followed: dict[str, str] = {}
        """Games with an audience, by digest."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._name = secrets.token_hex(8)
        """This process, for the others."""

    def __len__(self) -> int:
        return len(self._live)

    def live_games(self) -> Iterable[Live]:
        """Every table in memory."""
        return self._live.values()

    async def open(self) -> None:
        """Listen to the other processes."""
        await self.bus.open(self._heard)
        if not self.alone:
            self._begin(self._catch_up_forever())

    async def close(self) -> None:
        """Stop listening and let everybody go."""
        for task in tuple(self._tasks):
            task.cancel()
        self.let_go()
        await self.bus.close()

    def let_go(self) -> None:
        """End every live stream; its reader may come back to another server."""
        for live in self._live.values():
            if live.audience:
                live.audience.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def resolve(self, id: str) -> tuple[str, bool]:
        """The game behind an id, and whether the id only watches."""
        if not only_watches(id):
            return id, False
        game = self._watched.get(id)
        if game is None:
            game = await self.store.read(lambda database: database.watched(id))
            if game is None:
                raise Problem(404, "game_not_found", "no game has this id")
            self._watched[id] = game
            if len(self._watched) > self.size:
                self._watched.popitem(last=False)
        return game, True

    async def live(self, game: str) -> Live:
        """The table with this id, up to date with the store."""
        live = self._at_hand(game)
        if live is None:
            return await self._load(game)
        if live.doubtful:
            async with live.lock:
                await self._clear_doubt(live)
        elif not self.alone:
            await self._refresh(live)
        return live

    def _at_hand(self, game: str) -> Live | None:
        live = self._live.get(game)
        if live is not None:
            self._live.move_to_end(game)
        return live

    async def _load(self, game: str) -> Live:
        loaded = await self.store.read(lambda database: database.load(game))
        if loaded is None:
            raise Problem(404, "game_not_found", "no game has this id")
        return self._keep(game, Live(View(self._put_back(game, loaded))))

    def _keep(self, game: str, live: Live) -> Live:
        live = self._live.setdefault(game, live)
        if len(self._live) > self.size:
            for old, idle in self._live.items():
                if not idle.audience and not idle.doubtful and not idle.lock.locked() and old != game:
                    del self._live[old]
                    break
        return live

    def _put_back(self, game: str, loaded: Loaded) -> Table:
        table: Table | None = None
        if loaded.snapshot is not None:
            table = restored(orjson.loads(loaded.snapshot), id=game, watch_id=loaded.watch_id)
        for _, body, _ in loaded.events:
            table = follow(table, orjson.loads(body), id=game, watch_id=loaded.watch_id)
        assert table is not None
        return table

    async def _refresh(self, live: Live) -> None:
        game, version = live.table.id, live.table.version
        self._catch_up(live, await self.store.read(lambda database: database.since(game, version)))

    def _catch_up(self, live: Live, rows: list[tuple[int, str, str | None]]) -> None:
        for version, body, _ in rows:
            if version == live.table.version + 1:
                event = orjson.loads(body)
                live.advance(event, follow(live.table, event))

    async def _clear_doubt(self, live: Live) -> None:
        """Ask the writer, who is done with the event in question before it answers."""
        game, version = live.table.id, live.table.version
        self._catch_up(live, await self.store.write(lambda database: database.since(game, version)))
        live.doubtful = False

    async def start(self, event: Event, ids: tuple[str, str] | None = None) -> Live:
        """Begin a game."""
        game, watch_id = ids or new_ids()
        table = follow(None, event, id=game, watch_id=watch_id)
        await self.store.append(Entry(game, 1, orjson.dumps(event).decode(), watch_id=watch_id))
        return self._keep(game, Live(View(table)))

    async def act(
        self,
        game: str,
        decide: Callable[[Table], Event | None],
        *,
        key: str | None = None,
        same: Callable[[Table, Event], bool] = lambda table, event: True,
    ) -> Live:
        """Change a game: ``decide`` gives the event for a table, ``None`` to leave it, or refuses.

        It may be asked again when another process was faster. An event whose ``key`` is there already
        is not appended again; ``same`` tells whether it is really the same.
        """
        live = self._at_hand(game) or await self._load(game)
        async with live.lock:
            if live.doubtful:
                await self._clear_doubt(live)
            for attempt in range(ATTEMPTS):
                table = live.table
                try:
                    event = decide(table)
                    if event is None:
                        return live
                    after = follow(table, event)
                except (Problem, MatchError) as refusal:
                    if attempt == 0 and not self.alone:
                        # The refusal may rest on an old table.
                        await self._refresh(live)
                        if live.table.version != table.version:
                            continue
                    forbidden = isinstance(refusal, Problem) and refusal.status == 403
                    if key is not None and not forbidden and await self._is_repeated(live, key, same):
                        return live
                    if isinstance(refusal, MatchError):
                        raise Problem.refused(refusal, live.view.for_players()) from None
                    raise
                if after.version > LONGEST:
                    raise Problem(
                        409, "too_long", f"a game has at most {LONGEST} events", state=live.view.for_players()
                    )
                entry = Entry(game, after.version, orjson.dumps(event).decode(), key)
                if after.version % SNAPSHOT_EVERY == 0:
                    entry.snapshot = orjson.dumps(snapshot(after)).decode()
                try:
                    await self.store.append(entry)
                except Conflict:
                    await self._refresh(live)
                    if key is not None and await self._is_repeated(live, key, same):
                        return live
                    continue
                except BaseException:
                    # Nobody knows whether it is in: find out before anything else happens here.
                    live.doubtful = True
                    self._begin(self._recheck(live))
                    raise
                live.advance(event, after)
                if not self.alone:
                    self.bus.tell({"game": digest(game), "version": after.version})
                return live
        raise Problem(409, "too_busy", "too many others act on this game at once", state=live.view.for_players())

    async def _is_repeated(self, live: Live, key: str, same: Callable[[Table, Event], bool]) -> bool:
        game = live.table.id
        found = await self.store.read(lambda database: database.keyed(game, key))
        if found is not None and not same(live.table, orjson.loads(found[1])):
            state = live.view.for_players()
            raise Problem(409, "key_reused", "this idempotencyKey was used for another move", state=state)
        return found is not None

    async def _recheck(self, live: Live) -> None:
        """Clear a doubt for those who only listen."""
        while live.doubtful:
            try:
                async with live.lock:
                    await self._clear_doubt(live)
            except Unavailable:
                await asyncio.sleep(0.2)

    async def record(self, game: str) -> list[Event]:
        """All events of a game from the first."""
        loaded = await self.store.read(lambda database: database.load(game, whole=True))
        if loaded is None:
            raise Problem(404, "game_not_found", "no game has this id")
        return [orjson.loads(body) for _, body, _ in loaded.events]

    async def events_since(self, live: Live, version: int) -> list[tuple[int, Event]]:
        """What happened after a version, up to the table as it stands."""
        game, upto = live.table.id, live.table.version
        rows = await self.store.read(lambda database: database.since(game, version))
        return [(number, orjson.loads(body)) for number, body, _ in rows if number <= upto]

    def follow(self, live: Live) -> Audience:
        """The audience of a table, from now on kept up to date."""
        if live.audience is None:
            live.audience = Audience(live.table.id, self._tell_presence)
        self._followed[digest(live.table.id)] = live.table.id
        return live.audience

    def unfollow(self, live: Live) -> None:
        """Forget an audience that has gone."""
        if live.audience is not None and not live.audience:
            live.audience = None
            self._followed.pop(digest(live.table.id), None)

    def _heard(self, message: Message) -> None:
        """Another process says that a game has a version, or who is there."""
        game = self._followed.get(message["game"])
        live = self._live.get(game) if game is not None else None
        if live is None:
            return
        if "version" in message:
            if live.table.version < message["version"]:
                self._begin(self._refresh_quietly(live))
        elif live.audience is not None and message["from"] != self._name:
            live.audience.heard(message["from"], message["players"], message["watchers"])

    def _tell_presence(self, game: str, players: list[str], watchers: int) -> None:
        self.bus.tell({"game": digest(game), "from": self._name, "players": players, "watchers": watchers})

    async def _refresh_quietly(self, live: Live) -> None:
        try:
            await self._refresh(live)
        except Unavailable:
            log.warning("cannot catch up", extra={"fields": {"watch": live.table.watch_id}})

    async def _catch_up_forever(self) -> None:
        """Look now and then for what the bus may have lost."""
        while True:
            await asyncio.sleep(self.poll)
            games = list(self._followed.values())
            for at in range(0, len(games), 500):
                some = games[at : at + 500]
                try:
                    heads = await self.store.read(methodcaller("heads", some))
                except Unavailable:
                    break
                for game, version in heads.items():
                    self._heard({"game": digest(game), "version": version})
