"""Followers of a room: everybody with a live stream gets each event, in order and once.

A message is written once for all players and once for all watchers. Each follower has a short queue of its own; one
that does not keep up is dropped and can come back with its last version.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import orjson

from noughts.server.rooms.render import View
from noughts.server.rooms.seats import Role

__all__ = ["Follower", "Followers", "PublishPresence", "SendMessage"]

MAX_QUEUED_MESSAGES: Final = 64

PRESENCE_SECONDS: Final = 0.5
"""Seconds between two messages about who is there."""

PRESENCE_VALID_SECONDS: Final = 40.0
"""How long another process's report of who is there counts."""

SendMessage = Callable[[str, int], Awaitable[None]]
"""Sends a message; the number is the version it brings, or 0."""

PublishPresence = Callable[[str, list[str], int], None]
"""Tells the other processes which players, and how many watchers, follow a game here."""


class Follower:
    """One connection that follows a room: a queue and a task that empties it."""

    __slots__ = ("_closed", "_queue", "_ready", "_send", "_sender", "gone", "marks", "role", "sent", "watching")

    def __init__(self, role: Role, marks: Sequence[str], send: SendMessage, *, watching: bool) -> None:
        self.role = role
        self.watching = watching
        """Whether it came by a watch id, and must not see the other one."""
        self.marks = tuple(marks)
        self.sent = 0
        """The last version sent."""
        self.gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Done once the follower is closed; the result is the reason."""
        self._queue: deque[tuple[int, str]] = deque()
        self._send = send
        self._ready = False
        self._sender: asyncio.Task[None] | None = None
        self._closed = False

    def push(self, version: int, message: str) -> None:
        """Queue a message; ``version`` 0 is for those that carry no event."""
        if self._closed:
            return
        if len(self._queue) >= MAX_QUEUED_MESSAGES:
            self.close("too slow")
            return
        self._queue.append((version, message))
        if self._ready and self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._send_queued())

    def start(self, version: int) -> None:
        """Start to send from the queue; events up to ``version`` have been sent otherwise."""
        self.sent = version
        self._ready = True
        if self._queue and self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._send_queued())

    async def _send_queued(self) -> None:
        try:
            while self._queue and not self._closed:
                version, message = self._queue.popleft()
                if version and version <= self.sent:
                    continue
                await self._send(message, version)
                self.sent = max(self.sent, version)
        except Exception:
            self.close("gone")
        finally:
            self._sender = None

    def close(self, reason: str) -> None:
        """Drop the connection."""
        self._closed = True
        self._queue.clear()
        if self._sender is not None and reason == "too slow":
            # It may wait for room in the connection for ever.
            self._sender.cancel()
        if not self.gone.done():
            self.gone.set_result(reason)


class Followers:
    """All followers of one room in this process, and what is known of those elsewhere."""

    def __init__(self, game: str, publish_presence: PublishPresence) -> None:
        self.game = game
        self._here: dict[Follower, None] = {}
        """In the order in which they came, which is the order in which they are sent to."""
        self._publish_presence = publish_presence
        self._elsewhere: dict[str, tuple[list[str], int, float]] = {}
        self._last_message = ""
        self._last_published: tuple[list[str], int] | None = None
        self._announcing = False

    def __bool__(self) -> bool:
        return bool(self._here)

    def __len__(self) -> int:
        return len(self._here)

    def add(self, follower: Follower) -> None:
        """Add a follower."""
        self._here[follower] = None
        self.announce_soon()

    def remove(self, follower: Follower) -> None:
        """Remove a follower."""
        self._here.pop(follower, None)
        self.announce_soon()

    def send_event(self, version: int, event: dict[str, Any], view: View | None) -> None:
        """Send an event and the state after it, if there is one to show, to everybody."""
        head = {"type": "event", "version": version, "event": event}
        if view is None:
            self._send_text(orjson.dumps(head).decode(), version)
            return
        for_players = for_watchers = ""
        for follower in self._here:
            if follower.watching:
                for_watchers = for_watchers or orjson.dumps({**head, "state": view.for_watchers()}).decode()
                follower.push(version, for_watchers)
            else:
                for_players = for_players or orjson.dumps({**head, "state": view.for_players()}).decode()
                follower.push(version, for_players)

    def send(self, message: dict[str, Any]) -> None:
        """Send everybody a message that is no event."""
        self._send_text(orjson.dumps(message).decode())

    def _send_text(self, text: str, version: int = 0) -> None:
        for follower in self._here:
            follower.push(version, text)

    def _present(self) -> tuple[list[str], int]:
        marks = sorted({mark for follower in self._here for mark in follower.marks})
        return marks, sum(1 for follower in self._here if not follower.marks)

    def presence(self) -> dict[str, object]:
        """Who is there, here and elsewhere: the marks of the players, and the number of watchers."""
        now = asyncio.get_running_loop().time()
        marks, watchers = self._present()
        known = set(marks)
        for process, (players, count, until) in tuple(self._elsewhere.items()):
            if until < now:
                del self._elsewhere[process]
                continue
            known.update(players)
            watchers += count
        return {"players": sorted(known), "watchers": watchers}

    def on_presence(self, process: str, players: list[str], watchers: int) -> None:
        """Note who follows elsewhere; that counts for a while."""
        is_new = process not in self._elsewhere
        until = asyncio.get_running_loop().time() + PRESENCE_VALID_SECONDS
        self._elsewhere[process] = (players, watchers, until)
        if is_new:
            # It does not know of us yet.
            self.publish_presence()
        self.announce_soon()

    def publish_presence(self) -> None:
        """Tell the other processes who is here."""
        self._publish_presence(self.game, *self._present())

    def announce_soon(self) -> None:
        """Announce who is there, several changes at a time."""
        if not self._announcing:
            self._announcing = True
            asyncio.get_running_loop().call_later(PRESENCE_SECONDS, self._announce)

    def _announce(self) -> None:
        self._announcing = False
        if self._present() != self._last_published:
            self._last_published = self._present()
            self.publish_presence()
        message = orjson.dumps({"type": "presence", **self.presence()}).decode()
        if message != self._last_message:
            self._last_message = message
            self._send_text(message)

    def close(self, reason: str = "closing") -> None:
        """Close every stream."""
        for follower in tuple(self._here):
            follower.close(reason)
