"""The bus between processes: it only says "game G has version N", so a lost word costs time, never truth.

Games go by a digest here, as in the logs: whoever listens on the bus learns no id.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import socket
import stat
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import orjson

__all__ = ["Bus", "Datagrams", "Heard", "Message", "Silence"]

Message = dict[str, Any]
Heard = Callable[[Message], None]

LOOK_EVERY: Final = 0.5
"""Seconds between two looks for other processes."""


class Bus(ABC):
    """A way to tell the other processes something."""

    @abstractmethod
    async def open(self, heard: Heard) -> None:
        """Begin to listen."""

    @abstractmethod
    def tell(self, message: Message) -> None:
        """Tell all others; never waits and never fails."""

    @abstractmethod
    async def close(self) -> None:
        """Stop listening."""

    @property
    def is_up(self) -> bool:
        """Whether messages get through right now."""
        return True


class Silence(Bus):
    """The bus of a process that is alone."""

    async def open(self, heard: Heard) -> None:
        """Hear nothing."""

    def tell(self, message: Message) -> None:
        """Say nothing."""

    async def close(self) -> None:
        """Nothing to close."""


class Datagrams(Bus):
    """The bus of the processes on one machine: each has a socket in a directory only their user can enter."""

    def __init__(self, about: str) -> None:
        name = hashlib.blake2b(os.path.abspath(about).encode(), digest_size=8).hexdigest()
        self._folder = Path(tempfile.gettempdir(), f"noughts-{os.getuid()}-{name}")
        self._path = self._folder / f"{os.getpid()}-{secrets.token_hex(4)}"
        self._socket: socket.socket | None = None
        self._others: list[str] = []
        self._looked = 0.0

    async def open(self, heard: Heard) -> None:
        """Make a socket of one's own."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        found = self._folder.lstat()
        if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o077:
            raise PermissionError(13, "is not a private directory of this user", str(self._folder))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._socket.bind(str(self._path))
        asyncio.get_running_loop().add_reader(self._socket, self._read, heard)

    def _read(self, heard: Heard) -> None:
        assert self._socket is not None
        for _ in range(256):
            try:
                heard(orjson.loads(self._socket.recv(65536)))
            except BlockingIOError:
                return
            except orjson.JSONDecodeError:
                continue

    def tell(self, message: Message) -> None:
        """Send to every other socket; one that nobody reads from any more is removed."""
        if self._socket is None:
            return
        now = time.monotonic()
        if now - self._looked > LOOK_EVERY:
            self._looked = now
            self._others = [str(path) for path in self._folder.iterdir() if path != self._path]
        data = orjson.dumps(message)
        for other in tuple(self._others):
            try:
                self._socket.sendto(data, other)
            except (ConnectionRefusedError, FileNotFoundError):
                Path(other).unlink(missing_ok=True)
                self._others.remove(other)
            except OSError:
                # Full: the other one will look for itself.
                continue

    async def close(self) -> None:
        """Remove the socket."""
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
            self._path.unlink(missing_ok=True)
