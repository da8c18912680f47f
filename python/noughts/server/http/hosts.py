"""The names that a server goes by.

A page of another site can make a name of its own point at this machine, and then the browser takes the two for one site
(DNS rebinding). The name it uses gives it away.
"""

from __future__ import annotations

import ipaddress
from typing import Final

from noughts.server.settings import Settings, split

__all__ = ["Hosts"]

MAX_REMEMBERED: Final = 256

LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Allowed always: no other site can have them."""


class Hosts:
    """Which ``Host`` headers are let in."""

    def __init__(self, settings: Settings) -> None:
        names = split(settings.hosts.lower()) or (_default(settings))
        self.anything = "*" in names
        self.names = LOCAL_NAMES | {name for name in names if not name.startswith("*.")}
        self.endings = tuple(name[1:] for name in names if name.startswith("*."))
        self._allowed: set[bytes] = set()

    def allows(self, host: bytes | None) -> bool:
        """Whether a request may be for this host, whatever the port."""
        if self.anything or host in self._allowed:
            return True
        if host is None:
            return False
        name = host.decode("latin-1").lower()
        if not name.endswith("]"):
            before, colon, port = name.rpartition(":")
            name = before if colon and port.isdigit() else name
        name = name.removesuffix(".")
        if name not in self.names and not name.endswith(self.endings or ("\0",)):
            return False
        if len(self._allowed) < MAX_REMEMBERED:
            self._allowed.add(host)
        return True


def _default(settings: Settings) -> list[str]:
    """On this machine alone, only the machine's own names; with a proxy or on a network, any."""
    if settings.proxies:
        return ["*"]
    if settings.host == "localhost":
        return [settings.host]
    try:
        return [settings.host] if ipaddress.ip_address(settings.host).is_loopback else ["*"]
    except ValueError:
        return ["*"]
