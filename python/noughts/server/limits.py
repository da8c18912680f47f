"""Rate limits: a bucket of tokens per client, filled at a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

__all__ = ["Buckets"]

REMEMBERED: Final = 100_000


class Buckets:
    """One bucket for each client; those not heard of for longest are forgotten first."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, cost: float = 1.0) -> float:
        """Take tokens; 0 if there were enough, else the seconds until there will be."""
        if not self.rate:
            return 0.0
        now = self.clock()
        tokens, at = self._buckets.pop(client, (self.burst, now))
        tokens = min(self.burst, tokens + (now - at) * self.rate)
        wait = 0.0 if tokens >= cost else (cost - tokens) / self.rate
        self._buckets[client] = (tokens if wait else tokens - cost, now)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return wait
