"""Rate limits: a bucket of tokens per client, filled at a steady rate."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Final

__all__ = ["Buckets", "client_key"]

REMEMBERED: Final = 100_000
LONGEST: Final = 64
"""Letters of what a proxy may call an address."""


@lru_cache(maxsize=65_536)
def client_key(address: str) -> str:
    """Who an address stands for: itself, or with IPv6 the network of its household, which has 2**64 of them.

    >>> client_key("192.0.2.7"), client_key("2001:db8:1:2:3:4:5:6"), client_key("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    if ":" not in address:
        return address[:LONGEST]
    try:
        found = ipaddress.IPv6Address(address)
    except ValueError:
        return address[:LONGEST]
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


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
