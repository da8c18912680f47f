"""The time that passes: it goes on while a server runs, whatever the clock on the wall does.

Sessions and unfinished games expire by it. It began as the time of day, is stored every minute, and stands still while
no server runs, so a wall clock that jumps ahead or back ends nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from noughts.server.storage.storage import Storage

__all__ = ["ServiceClock"]


class ServiceClock:
    """Seconds that servers of this database have run. ``monotonic`` never goes back, ``wall`` is the time of day."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._monotonic = monotonic
        self._wall = wall
        self._ahead = wall() - monotonic()

    def __call__(self) -> float:
        """Now."""
        return self._ahead + self._monotonic()

    def on_the_wall(self, seconds: float) -> float:
        """The time of day at which this clock will show ``seconds``, to tell people."""
        return self._wall() + seconds - self()

    async def open(self, storage: Storage) -> None:
        """Go on from where the last server stopped."""
        self._set(await storage.write(lambda database: database.tick(0.0)))

    async def save(self, storage: Storage) -> None:
        """Store the time, and take over that of a process that is ahead."""
        now = self()
        self._set(max(now, await storage.write(lambda database: database.tick(now))))

    def _set(self, seconds: float) -> None:
        self._ahead = seconds - self._monotonic()
