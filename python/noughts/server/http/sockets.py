"""Sockets: how many may be open, for everybody and for each client, and how long each may keep the server waiting.

A socket costs a descriptor before a single byte of a request has come, so nothing above the protocol sees it. What is
cut off here is counted in the metrics by its reason, and logged once until a minute has passed without another one.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from collections.abc import Callable
from typing import Final, Literal

from noughts.server.metrics import Metrics
from noughts.server.settings import Settings, split

__all__ = ["MAX_HEAD_BYTES", "Cut", "Sockets", "raise_descriptor_limit"]

log = logging.getLogger("noughts.server")

MAX_HEAD_BYTES: Final = 32_768
"""The bytes of a request that are not its body: its URL, headers, trailers and the frames of its chunks."""

RESERVED_DESCRIPTORS: Final = 128
"""Descriptors that are not for clients: the database, the log, the bus, sockets that are being refused."""

MAX_DESCRIPTORS: Final = 1 << 20
MAX_LINGERING: Final = 64
"""Refused sockets that stay open for a moment, so that the client can read why."""

EPISODE_SECONDS: Final = 60.0

Cut = Literal[
    "server_full",
    "too_many_sockets",
    "headers_too_large",
    "url_too_long",
    "invalid_request",
    "silent",
    "slow_header",
    "slow_body",
    "slow_reader",
    "idle",
]
"""Why a socket was refused or closed."""

EXPECTED: Final = frozenset({"idle", "silent"})
"""What happens all the time: browsers open sockets that they may need, and keep them. Counted, and not logged."""


def raise_descriptor_limit() -> int | None:
    """Allow this process as many descriptors as the system lets it have; how many that is, where it can be known."""
    try:
        import resource
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


class Sockets:
    """The open sockets of one process."""

    def __init__(
        self, settings: Settings, metrics: Metrics, descriptors: int | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        room = MAX_DESCRIPTORS if descriptors is None else max(1, descriptors - RESERVED_DESCRIPTORS)
        self.limit = min(settings.sockets or room, room)
        """Sockets in all."""
        self.client_limit = settings.client_sockets
        """Sockets of one client; 0 for no limit."""
        self.header_seconds = settings.header_seconds
        self.body_seconds = settings.body_seconds
        self.idle_seconds = settings.idle_seconds
        self.reader_seconds = settings.reader_seconds
        self.open = 0
        self.lingering = 0
        self._metrics = metrics
        self._clock = clock
        self._by_client: dict[str, int] = {}
        self._proxies = _networks(settings.proxies)
        self._last_cut: dict[Cut, float] = {}

    def enter(self, client: str) -> Cut | None:
        """Count a socket in; or why there may not be another one."""
        if self.open >= self.limit:
            return "server_full"
        count = self._by_client.get(client, 0)
        if self.client_limit and count >= self.client_limit and not self._is_proxy(client):
            return "too_many_sockets"
        self._by_client[client] = count + 1
        self.open += 1
        return None

    def leave(self, client: str) -> None:
        """Count a socket out."""
        self.open -= 1
        left = self._by_client[client] - 1
        if left:
            self._by_client[client] = left
        else:
            del self._by_client[client]

    def cut(self, reason: Cut, client: str) -> None:
        """Count a socket that is refused or closed, and log the first of many."""
        self._metrics.cut_off(reason)
        now = self._clock()
        last = self._last_cut.get(reason)
        self._last_cut[reason] = now
        if reason not in EXPECTED and (last is None or now - last >= EPISODE_SECONDS):
            fields = {"reason": reason, "client": client, "open": self.open, "limit": self.limit}
            log.warning("a connection was cut off; others like it are only counted", extra={"fields": fields})

    def _is_proxy(self, client: str) -> bool:
        """Whether a client is a proxy, which brings many others."""
        if self._proxies is None:
            return True
        if not self._proxies:
            return False
        try:
            address = ipaddress.ip_network(client)
        except ValueError:
            return False
        return any(
            isinstance(address, ipaddress.IPv4Network) == isinstance(proxy, ipaddress.IPv4Network)
            and address.overlaps(proxy)
            for proxy in self._proxies
        )


def _networks(proxies: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network] | None:
    """The addresses of proxies; ``None`` if everybody may be one."""
    found = []
    for name in split(proxies):
        if name == "*":
            return None
        try:
            found.append(ipaddress.ip_network(name, strict=False))
        except ValueError:
            # A path or another name; only addresses have a limit.
            continue
    return found
