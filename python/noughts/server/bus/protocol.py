"""The bus between processes: it only says "game G has version N", so a lost message costs time, never truth.

Games go by a digest here, as in the logs: a listener on the bus learns no id.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

__all__ = ["Bus", "Message", "NoBus", "OnMessage"]

Message = dict[str, Any]
OnMessage = Callable[[Message], None]


class Bus(ABC):
    """Publishes messages to the other processes."""

    @abstractmethod
    async def open(self, on_message: OnMessage) -> None:
        """Subscribe: call ``on_message`` with whatever the others publish."""

    @abstractmethod
    def publish(self, message: Message) -> None:
        """Send a message to all others; never waits and never fails."""

    @abstractmethod
    async def close(self) -> None:
        """Unsubscribe."""

    @property
    def is_up(self) -> bool:
        """Whether messages get through right now."""
        return True


class NoBus(Bus):
    """The bus of a process that runs alone."""

    async def open(self, on_message: OnMessage) -> None:
        """Receive nothing."""

    def publish(self, message: Message) -> None:
        """Send nothing."""

    async def close(self) -> None:
        """Close nothing."""
