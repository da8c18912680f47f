"""A thread that does what it is handed, in order."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue

__all__ = ["WorkThread"]


class WorkThread:
    """One thread for one kind of work. Simulations put something in its place that needs no thread."""

    def __init__(self, name: str) -> None:
        self._handed_over: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def hand_over(self, work: Callable[[], None]) -> None:
        """Have something done after all that was handed over before; it must not raise."""
        self._handed_over.put(work)

    async def close(self) -> None:
        """Wait until everything is done, and end the thread."""
        self._handed_over.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        while (work := self._handed_over.get()) is not None:
            work()
