"""The bus between processes: it only says "game G has version N", so a lost word costs time, never truth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

__all__ = ["Bus", "Heard", "Silence"]

Heard = Callable[[str, int], None]
"""Told the digest of a game and its version."""


class Bus(ABC):
    """A way to tell the other processes that something happened."""

    @abstractmethod
    async def open(self, heard: Heard) -> None:
        """Begin to listen."""

    @abstractmethod
    def tell(self, name: str, version: int) -> None:
        """Say that a game has a version; never waits and never fails."""

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

    def tell(self, name: str, version: int) -> None:
        """Say nothing."""

    async def close(self) -> None:
        """Nothing to close."""
