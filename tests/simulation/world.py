"""The world: virtual time, one source of chance, everything that is going to happen, and a trace of what did.

One step runs one callback of one loop. Loops keep the order that asyncio promises within each of them; which loop
is next, and how long everything takes, is drawn from the seed. So the same seed gives the same trace.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import itertools
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.loop import SimulatedLoop


class World:
    """Where all processes and clients of a simulation live."""

    def __init__(self, seed: int, *, keep_trace: bool = False) -> None:
        self.rng = random.Random(seed)
        self.now = 0.0
        self.steps = 0
        self.loops: list[SimulatedLoop] = []
        self.errors: list[str] = []
        """What nobody has caught."""
        self.lines: list[str] | None = [] if keep_trace else None
        self._hash = hashlib.blake2b(digest_size=16)
        self._coming: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()

    @property
    def trace_hash(self) -> str:
        """The same for the same trace."""
        return self._hash.hexdigest()

    def trace(self, *what: object) -> None:
        """Note something that happens."""
        line = f"{self.now:.6f} {' '.join(map(str, what))}"
        self._hash.update(line.encode())
        if self.lines is not None:
            self.lines.append(line)

    def at(self, when: float, happen: Callable[[], None]) -> None:
        """Have something happen at a time."""
        heapq.heappush(self._coming, (max(when, self.now), next(self._numbers), happen))

    def after(self, seconds: float, happen: Callable[[], None]) -> None:
        """Have something happen later."""
        self.at(self.now + seconds, happen)

    def delay(self, usual: float, worst: float = 0.0) -> float:
        """How long something takes: mostly about as long as usual, now and then much longer."""
        if worst and self.rng.random() < 0.05:
            return self.rng.uniform(usual, worst)
        return self.rng.uniform(usual / 4, usual * 2)

    def step(self) -> bool:
        """Let one thing happen; whether there was one."""
        ready = [loop for loop in self.loops if loop.ready and loop.paused_until <= self.now]
        if ready:
            loop = ready[0] if len(ready) == 1 else self.rng.choice(ready)
            self.steps += 1
            handle = loop.ready.popleft()
            if not handle.cancelled():
                self._hash.update(loop.name.encode())
                asyncio._set_running_loop(loop)
                try:
                    handle._run()
                finally:
                    asyncio._set_running_loop(None)
            return True
        if not self._coming:
            return False
        when, _, happen = heapq.heappop(self._coming)
        self.now = when
        happen()
        return True
