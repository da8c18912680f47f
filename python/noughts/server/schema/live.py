"""The messages of a live stream."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from noughts.compute.limits import STAGES
from noughts.server.schema.game import Answer, GameState, You

__all__ = ["MESSAGES"]

Stage = StrEnum("Stage", {stage.upper(): stage for stage in STAGES})  # type: ignore[misc]
Stage.__doc__ = "What a search does at the moment."


class Presence(Answer):
    """Who follows a game."""

    players: list[str]
    watchers: int


class Progress(Answer):
    """How far a search has come."""

    stage: Stage
    depth: int = Field(description="how deep or how far; 0 where the stage has no depth")
    nodes: int = Field(description="positions, games or simulations so far")
    seconds: float


class StateMessage(Answer):
    """The first message: the whole state."""

    type: Literal["state"]
    version: int
    state: GameState
    you: You
    presence: Presence


class EventMessage(Answer):
    """Something happened. The state comes with it, except with those that were missed and before a forced pass."""

    type: Literal["event"]
    version: int
    event: dict[str, Any]
    state: GameState | None = None


class ResumedMessage(Answer):
    """What was missed has been sent."""

    type: Literal["resumed"]
    version: int
    you: You
    presence: Presence


class PresenceMessage(Presence):
    """Who follows the game now."""

    type: Literal["presence"]


class ThinkingMessage(Answer):
    """The AI thinks about its move."""

    type: Literal["thinking"]
    player: str
    level: str
    progress: Progress | None = Field(description="null in the first message")


class HeartbeatMessage(Answer):
    """The stream is alive."""

    type: Literal["heartbeat"]
    version: int


class PongMessage(Answer):
    """The answer to a ping."""

    type: Literal["pong"]


MESSAGES = (
    StateMessage,
    EventMessage,
    ResumedMessage,
    PresenceMessage,
    ThinkingMessage,
    HeartbeatMessage,
    PongMessage,
)
"""Every message that a stream can have."""
