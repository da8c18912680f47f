"""Limits per client: a bucket of tokens that fills at a steady rate, and a number of live streams."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from noughts.server.http.errors import Rejected

__all__ = ["RateLimiter", "RouteCosts", "StreamCounter", "client_key", "cost", "take_tokens"]

MAX_CLIENTS: Final = 100_000
MAX_ADDRESS_LENGTH: Final = 64
"""Characters of what a proxy may call an address."""

_COST_FIELD: Final = "x-rate-limit-cost"


def cost(tokens: float) -> dict[str, Any]:
    """What a request to a route costs a client, for the ``openapi_extra`` of the route. The default is 1."""
    return {_COST_FIELD: tokens}


class RouteCosts:
    """What requests cost, as the routes say."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self._exact: dict[tuple[str, str], float] = {}
        self._patterns: list[tuple[str, Any, float]] = []
        for route in routes:
            if not isinstance(route, APIRoute) or _COST_FIELD not in (route.openapi_extra or {}):
                continue
            tokens = (route.openapi_extra or {})[_COST_FIELD]
            for method in route.methods or ():
                if route.param_convertors:
                    self._patterns.append((method, route.path_regex, tokens))
                else:
                    self._exact[method, route.path] = tokens

    def of(self, method: str, path: str) -> float:
        """The tokens that a request takes."""
        exact = self._exact.get((method, path))
        if exact is not None:
            return exact
        for of_method, pattern, tokens in self._patterns:
            if of_method == method and pattern.match(path):
                return tokens
        return 1.0


@lru_cache(maxsize=65_536)
def client_key(address: str) -> str:
    """Which client an address stands for: itself, or with IPv6 its /64 network, which one household has.

    >>> client_key("192.0.2.7"), client_key("2001:db8:1:2:3:4:5:6"), client_key("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    if ":" not in address:
        return address[:MAX_ADDRESS_LENGTH]
    try:
        found = ipaddress.IPv6Address(address)
    except ValueError:
        return address[:MAX_ADDRESS_LENGTH]
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


class RateLimiter:
    """A bucket of tokens for each client; those not seen for longest are forgotten first."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, tokens: float = 1.0) -> float:
        """Take tokens; 0 if there were enough, else the seconds until there will be."""
        if not self.rate or not tokens:
            return 0.0
        now = self.clock()
        left, at = self._buckets.pop(client, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.rate)
        wait = 0.0 if left >= tokens else (tokens - left) / self.rate
        self._buckets[client] = (left if wait else left - tokens, now)
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return wait


def take_tokens(limiter: RateLimiter, client: str, tokens: float) -> None:
    """Take tokens from a client, or refuse its request."""
    wait = limiter.take(client, tokens)
    if wait:
        seconds = max(1, math.ceil(wait))
        raise Rejected("too_many_requests", f"too many requests; try again in {seconds} s", wait=wait)


class StreamCounter:
    """How many live streams each client has open; ``limit`` 0 sets no limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open: dict[str, int] = {}

    def enter(self, client: str) -> bool:
        """Count a stream in, if its client may have one more."""
        count = self._open.get(client, 0)
        if self.limit and count >= self.limit:
            return False
        self._open[client] = count + 1
        return True

    def leave(self, client: str) -> None:
        """Count a stream out."""
        left = self._open.get(client, 1) - 1
        if left:
            self._open[client] = left
        else:
            self._open.pop(client, None)

    def __len__(self) -> int:
        return sum(self._open.values())
