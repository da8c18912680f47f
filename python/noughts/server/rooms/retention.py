"""How long games are kept, and how many: unfinished ones that nobody looks at expire, finished ones stay."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from noughts.errors import NoughtsError
from noughts.server.errors import Refused, Unavailable
from noughts.server.rooms.registry import Registry
from noughts.server.rooms.room import Room
from noughts.server.storage.clock import ServiceClock

__all__ = ["Retention"]

log = logging.getLogger("noughts.server")

ROUND_SECONDS: Final = 60.0
EXPIRED_AT_ONCE: Final = 200
DAY: Final = 86_400.0


class _Kept(Exception):
    """A game that does not expire."""


class Retention:
    """Notes which games are looked at, and deletes those that nobody finished or looked at for ``days`` (0: none).

    No more than ``max_games`` are started (0: no limit).
    """

    def __init__(self, registry: Registry, clock: ServiceClock, days: float, max_games: int) -> None:
        self.registry, self.storage, self.clock = registry, registry.storage, clock
        self.days, self.max_games = days, max_games
        self.games = 0
        """How many there were when last counted, and those started here since."""

    def check_room_for_one_more(self) -> None:
        """Refuse a new game where there are too many, and count it otherwise."""
        if self.max_games and self.games >= self.max_games:
            raise Refused("too_many_games", f"this server keeps {self.max_games} games, and has as many")
        self.games += 1

    async def count(self) -> None:
        """Count the games there are."""
        self.games = await self.storage.read(lambda database: database.count_games())

    async def keep_forever(self) -> None:
        """Do a round every minute."""
        while True:
            await asyncio.sleep(ROUND_SECONDS)
            try:
                await self.keep()
            except Unavailable:
                log.warning("cannot tidy up")

    async def keep(self) -> int:
        """Store the time and who was visited, and delete what has expired; returns how many games that was."""
        await self.clock.save(self.storage)
        visited, self.registry.visited = list(self.registry.visited), {}
        now = self.clock()
        if visited:
            try:
                await self.storage.write(lambda database: database.visit(visited, now))
            except BaseException:
                self.registry.visited.update(dict.fromkeys(visited))
                raise
        expired = await self._expire(now - self.days * DAY) if self.days else 0
        await self.count()
        return expired

    async def _expire(self, before: float) -> int:
        games = await self.storage.read(lambda database: database.unvisited(before, EXPIRED_AT_ONCE))
        expired = 0
        for game in games:
            if game in self.registry.visited or self.registry.rooms.is_pinned(game):
                continue
            try:
                await self.registry.delete(game, _check_unfinished)
                expired += 1
            except _Kept:
                await self.storage.write(lambda database, game=game: database.forget_visits(game))  # type: ignore[misc]
            except Unavailable:
                raise
            except NoughtsError as error:
                if error.code == "game_not_found":
                    await self.storage.write(lambda database, game=game: database.delete(game, None))  # type: ignore[misc]
        if expired:
            log.info("unfinished games expired", extra={"fields": {"games": expired}})
        return expired


def _check_unfinished(room: Room) -> None:
    if room.match.is_over:
        raise _Kept
