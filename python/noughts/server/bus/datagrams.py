"""The bus of several processes on one machine: Unix datagrams in a private directory."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import socket
import stat
import tempfile
import time
from pathlib import Path
from typing import Final

import orjson

from noughts.server.bus.protocol import Bus, Message, OnMessage

__all__ = ["DatagramBus"]

SCAN_SECONDS: Final = 0.5
"""Seconds between two scans of the directory for other processes."""

MAX_MESSAGES_PER_WAKE_UP: Final = 256


class DatagramBus(Bus):
    """One socket per process, in a directory that only their user can enter."""

    def __init__(self, database: str) -> None:
        name = hashlib.blake2b(os.path.abspath(database).encode(), digest_size=8).hexdigest()
        self._folder = Path(tempfile.gettempdir(), f"noughts-{os.getuid()}-{name}")
        self._path = self._folder / f"{os.getpid()}-{secrets.token_hex(4)}"
        self._socket: socket.socket | None = None
        self._others: list[str] = []
        self._scanned = 0.0

    async def open(self, on_message: OnMessage) -> None:
        """Bind a socket of our own."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        found = self._folder.lstat()
        if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o077:
            raise PermissionError(13, "is not a private directory of this user", str(self._folder))
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        try:
            opened.bind(str(self._path))
        except OSError as error:
            opened.close()
            raise OSError(f"{self._path}: {error}; a shorter TMPDIR may help") from None
        self._socket = opened
        asyncio.get_running_loop().add_reader(self._socket, self._read, on_message)

    def _read(self, on_message: OnMessage) -> None:
        assert self._socket is not None
        for _ in range(MAX_MESSAGES_PER_WAKE_UP):
            try:
                on_message(orjson.loads(self._socket.recv(65536)))
            except BlockingIOError:
                return
            except orjson.JSONDecodeError:
                continue

    def publish(self, message: Message) -> None:
        """Send to every other socket; remove those that no process reads any more."""
        if self._socket is None:
            return
        now = time.monotonic()
        if now - self._scanned > SCAN_SECONDS:
            self._scanned = now
            self._others = [str(path) for path in self._folder.iterdir() if path != self._path]
        data = orjson.dumps(message)
        for other in tuple(self._others):
            try:
                self._socket.sendto(data, other)
            except (ConnectionRefusedError, FileNotFoundError):
                Path(other).unlink(missing_ok=True)
                self._others.remove(other)
            except OSError:
                # Its buffer is full; it polls the database anyway.
                continue

    async def close(self) -> None:
        """Remove the socket."""
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
            self._path.unlink(missing_ok=True)
