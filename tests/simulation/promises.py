"""What the server promises, checked against what is stored after every step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from noughts.server.rooms.render import View, public_event
from noughts.server.rooms.room import Room, apply
from tests.simulation.store import Store

if TYPE_CHECKING:
    from tests.simulation.process import Process


class Broken(AssertionError):
    """A promise that was not kept."""


class Promises:
    """All promises of a run."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known: dict[str, int] = {}
        """The latest version of each game that some client was told; nobody may be told less from then on."""
        self.acknowledged = 0
        self._rooms: dict[str, list[Room]] = {}
        self._checked: dict[tuple[str, str], View] = {}

    def head(self, game: str) -> int:
        """The latest version that is stored."""
        return len(self.store.events.get(game, ()))

    def room_at(self, game: str, version: int) -> Room:
        """What the stored events make of a game at a version."""
        rooms = self._rooms.setdefault(game, [])
        for _, body, _ in self.store.events[game][len(rooms) : version]:
            before = rooms[-1] if rooms else None
            rooms.append(apply(before, orjson.loads(body), id=game, watch_id=self.store.games[game]))
        return rooms[version - 1]

    def check_view(self, view: View, who: str) -> None:
        """What is shown is what is stored."""
        room = view.room
        if room.version > self.head(room.id):
            raise Broken(f"{who} shows version {room.version} of {room.id}, and {self.head(room.id)} are stored")
        stored = self.room_at(room.id, room.version)
        for name in ("plies", "cursor", "resigned", "version"):
            if getattr(room.match, name) != getattr(stored.match, name):
                raise Broken(f"{who} shows another {name} of {room.id} at version {room.version} than is stored")
        if (room.version, room.acted, room.offer) != (stored.version, stored.acted, stored.offer):
            raise Broken(f"{who} shows another room {room.id} than is stored")

    def check_process(self, process: Process) -> None:
        """Memory is what is stored, and not more than may be kept."""
        if self.store.gaps:
            raise Broken(self.store.gaps[0])
        rooms = process.registry.rooms
        for cached in rooms:
            if cached.loading is None and self._checked.get((process.name, cached.game)) is not cached.view:
                self.check_view(cached.view, process.name)
                self._checked[process.name, cached.game] = cached.view
        loading = sum(cached.loading is not None for cached in rooms.pinned)
        if len(rooms) - loading > max(rooms.size, len(rooms.pinned)):
            raise Broken(f"{process.name} keeps {len(rooms)} rooms, {len(rooms.pinned)} of them in use")

    def check_acknowledged(self, request: dict[str, Any], view: View, process: str) -> None:
        """A change that is acknowledged is stored at that moment, and once."""
        self.acknowledged += 1
        self.check_view(view, f"the answer of {process}")
        wanted = request.get("event")
        if request["kind"] == "begin" or wanted is None:
            return
        stored = self.store.events[view.room.id][: view.room.version]
        # The match makes forced passes itself, whoever else asks for them.
        if request.get("key") and wanted.get("move") != "pass":
            stored = [row for row in stored if row[2] == request["key"]]
            if len(stored) != 1:
                raise Broken(f"{process} acknowledges {request['key']}, which is stored {len(stored)} times")
        events = [orjson.loads(body) for _, body, _ in stored]
        if not any(all(event.get(name) == value for name, value in wanted.items()) for event in events):
            raise Broken(f"{process} acknowledges {wanted} in {view.room.id}, which is not stored")

    def check_told(self, game: str, version: int, floor: int, who: str) -> None:
        """Nobody is told less than was known when they asked."""
        if version < floor:
            raise Broken(f"{who} is told version {version} of {game}, and {floor} was known before it asked")
        if version > self.head(game):
            raise Broken(f"{who} is told version {version} of {game}, and {self.head(game)} are stored")
        self.known[game] = max(self.known.get(game, 0), version)

    def check_streamed(self, game: str, version: int, last: int, event: dict[str, Any], who: str) -> None:
        """A stream has every event, once and in order."""
        if version != last + 1:
            raise Broken(f"{who} gets version {version} of {game} after {last}")
        if version > self.head(game):
            raise Broken(f"{who} gets version {version} of {game}, and {self.head(game)} are stored")
        stored = orjson.loads(self.store.events[game][version - 1][1])
        if event != orjson.loads(orjson.dumps(public_event(stored, self.room_at(game, version)))):
            raise Broken(f"{who} gets another version {version} of {game} than is stored")

    def check_nothing_leaks(self, process: Process) -> None:
        """Nobody is there any more, and nothing of them is left."""
        registry = process.registry
        pending = [task.get_coro().__qualname__ for task in process.loop.pending()]  # type: ignore[union-attr]
        left = [name for name in pending if name != "Registry._poll_forever"]
        if left or len(pending) > 1:
            raise Broken(f"{process.name} still runs {sorted(pending)}")
        if registry.rooms.pinned or registry.followers:
            pins = {cached.game: cached.pins for cached in registry.rooms.pinned}
            raise Broken(f"{process.name} has {registry.followers} followers and pins {pins} that nobody holds")
        if len(registry) > registry.rooms.size:
            raise Broken(f"{process.name} keeps {len(registry)} rooms")
        if any(cached.in_doubt for cached in registry.rooms):
            raise Broken(f"{process.name} is still in doubt")
