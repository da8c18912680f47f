"""Live streams: everybody who follows a game hears of each event, in order and once.

A message is written once for all players and once for all watchers. Each follower has a short
queue of its own; one that does not keep up is dropped and can come back with its last version.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Literal

import orjson

from noughts.server.rooms.render import View, move_json
from noughts.server.rooms.room import Event, Table

__all__ = ["Audience", "Follower", "Role", "public_event"]

Role = Literal["player", "holder", "watcher"]

LONGEST_QUEUE: Final = 64
PRESENCE_EVERY: Final = 0.5
"""Seconds between two messages about who is there."""

REMEMBERED: Final = 40.0
"""Seconds for which another process's word on who is there counts."""


def public_event(event: Event, table: Table) -> bytes:
    """An event as everybody may see it: no sessions, no ids."""
    shown = {
        key: value for key, value in event.items() if key in ("action", "at", "player", "first", "by", "name", "what")
    }
    shown["at"] = int(event.get("at", 0) * 1000)
    body = orjson.dumps(shown)
    if event["action"] == "make_move":
        game = table.match.game
        return body[:-1] + b"," + move_json(game, game.parse_move(event["move"]))[1:]
    return body


class Follower:
    """One connection that follows a game: a queue and somebody who empties it."""

    __slots__ = ("_closed", "_queue", "_ready", "_send", "_sender", "gone", "marks", "role", "sent", "watching")

    def __init__(
        self, role: Role, marks: Sequence[str], send: Callable[[str], Awaitable[None]], *, watching: bool
    ) -> None:
        self.role = role
        self.watching = watching
        """Whether it came by a watch id, and must not learn the other one."""
        self.marks = tuple(marks)
        self.sent = 0
        self.gone = asyncio.get_running_loop().create_future()
        self._queue: deque[tuple[int, str]] = deque()
        self._send = send
        self._ready = False
        self._sender: asyncio.Task[None] | None = None
        self._closed = False

    def push(self, version: int, message: str) -> None:
        """Queue a message; ``version`` 0 is for those that carry no event."""
        if self._closed:
            return
        if len(self._queue) >= LONGEST_QUEUE:
            self.close("too slow")
            return
        self._queue.append((version, message))
        if self._ready and self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._empty())

    def ready(self, version: int) -> None:
        """Go on from a version: what was queued up to it has been sent otherwise."""
        self.sent = version
        self._ready = True
        if self._queue and self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._empty())

    async def _empty(self) -> None:
        try:
            while self._queue and not self._closed:
                version, message = self._queue.popleft()
                if version and version <= self.sent:
                    continue
                await self._send(message)
                self.sent = max(self.sent, version)
        except Exception:
            self.close("gone")
        finally:
            self._sender = None

    def close(self, reason: str) -> None:
        """Let the connection go."""
        self._closed = True
        self._queue.clear()
        if self._sender is not None and reason == "too slow":
            # It may wait for room in the connection for ever.
            self._sender.cancel()
        if not self.gone.done():
            self.gone.set_result(reason)


class Audience:
    """All who follow one game in this process, and what is known of those elsewhere."""

    def __init__(self, game: str, tell: Callable[[str, list[str], int], None]) -> None:
        self.game = game
        self.followers: set[Follower] = set()
        self._tell = tell
        self._elsewhere: dict[str, tuple[list[str], int, float]] = {}
        self._announced = ""
        self._told: tuple[list[str], int] | None = None
        self._announcing = False

    def __bool__(self) -> bool:
        return bool(self.followers)

    def __len__(self) -> int:
        return len(self.followers)

    def add(self, follower: Follower) -> None:
        """Let somebody in."""
        self.followers.add(follower)
        self.announce_soon()

    def remove(self, follower: Follower) -> None:
        """Let somebody out."""
        self.followers.discard(follower)
        self.announce_soon()

    def tell(self, version: int, event: bytes, view: View) -> None:
        """Tell everybody of an event and the state after it."""
        head = b'{"type":"event","version":%d,"event":%b,"state":' % (version, event)
        for_players = for_watchers = ""
        for follower in self.followers:
            if follower.watching:
                for_watchers = for_watchers or (head + view.for_watchers() + b"}").decode()
                follower.push(version, for_watchers)
            else:
                for_players = for_players or (head + view.for_players() + b"}").decode()
                follower.push(version, for_players)

    def say(self, message: str) -> None:
        """Tell everybody something that is no event."""
        for follower in self.followers:
            follower.push(0, message)

    def _here(self) -> tuple[list[str], int]:
        marks = sorted({mark for follower in self.followers for mark in follower.marks})
        return marks, sum(1 for follower in self.followers if not follower.marks)

    def presence(self) -> dict[str, object]:
        """Who is there, here and elsewhere: the marks whose players are, and how many watch."""
        now = asyncio.get_running_loop().time()
        marks, watchers = self._here()
        known = set(marks)
        for name, (players, count, until) in tuple(self._elsewhere.items()):
            if until < now:
                del self._elsewhere[name]
                continue
            known.update(players)
            watchers += count
        return {"players": sorted(known), "watchers": watchers}

    def heard(self, name: str, players: list[str], watchers: int) -> None:
        """Another process says who is there; that counts for a while."""
        is_new = name not in self._elsewhere
        self._elsewhere[name] = (players, watchers, asyncio.get_running_loop().time() + REMEMBERED)
        if is_new:
            # It does not know of us yet.
            self.retell()
        self.announce_soon()

    def retell(self) -> None:
        """Tell the other processes who is here."""
        self._tell(self.game, *self._here())

    def announce_soon(self) -> None:
        """Tell of comings and goings, a few at a time."""
        if not self._announcing:
            self._announcing = True
            asyncio.get_running_loop().call_later(PRESENCE_EVERY, self._announce)

    def _announce(self) -> None:
        self._announcing = False
        message = orjson.dumps({"type": "presence", **self.presence()}).decode()
        if self._here() != self._told:
            self._told = self._here()
            self.retell()
        if message != self._announced:
            self._announced = message
            self.say(message)

    def close(self) -> None:
        """Let everybody go."""
        for follower in tuple(self.followers):
            follower.close("closing")
