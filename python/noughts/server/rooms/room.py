"""A room: one match with the people and AIs who play it.

A room is the sum of its events: ``apply(room, event) -> room`` is pure. An event is a JSON object with its name
under ``action``. Those of :mod:`noughts.match` go to the match's reducer; the others (``join``, ``offer``,
``agree``, ``decline``, ``rematch``) change the seats and what was agreed. Every event takes the next version, so
``(game, version)`` names it for good.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from noughts.core import Mark
from noughts.match import MakeMove, Ply, Recalled, StartGame, State, reduce
from noughts.match.actions import ACTIONS, action_from_json
from noughts.match.state import changed

__all__ = ["SNAPSHOT_EVERY", "SNAPSHOT_FIELDS", "Event", "Room", "Seat", "apply", "from_snapshot", "to_snapshot"]

Event = dict[str, Any]

SNAPSHOT_EVERY: Final = 32
"""Events between two snapshots: loading a room applies fewer than this."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a mark.

    ``anyone`` who holds the game's id, a ``person`` with a session, an ``ai`` of a level, or
    nobody yet (``open``).
    """

    kind: Literal["anyone", "person", "ai", "open"]
    session: str = ""
    name: str = ""
    level: str = ""

    def to_json(self) -> dict[str, str]:
        """The seat as it is stored."""
        return {key: value for key, value in dataclasses.asdict(self).items() if value}


@dataclass(frozen=True, kw_only=True)
class Room:
    """A match and its seats at one version."""

    id: str
    watch_id: str
    mode: Literal["PvP", "PvAI"]
    seats: Mapping[Mark, Seat]
    match: State
    version: int
    acted: int
    """The version of the last event that changed the match itself."""
    start: Event
    """The event that started it."""
    offer: tuple[Mark, str] | None = None
    """Who asks the others for what: ``undo``, ``redo`` or ``reset``."""
    agreed: tuple[Mark, ...] = ()
    """Who has agreed to it so far."""
    rematch: tuple[str, str] | None = None
    """The game that follows this one, by its id and its watch id."""

    @property
    def is_between_people(self) -> bool:
        """Whether the seats belong to more than one person, so that some things need consent."""
        people = {seat.session for seat in self.seats.values() if seat.kind == "person"}
        return len(people) > 1 or any(seat.kind == "open" for seat in self.seats.values())

    @property
    def level(self) -> str | None:
        """The level of the AI, if one plays."""
        return next((seat.level for seat in self.seats.values() if seat.kind == "ai"), None)


def apply(room: Room | None, event: Event, *, id: str = "", watch_id: str = "") -> Room:
    """The room after an event; :class:`~noughts.errors.MatchError` if the match refuses it."""
    if room is None:
        return _start(event, id, watch_id)
    name = event["action"]
    if name in ACTIONS:
        match = _compact(reduce(room.match, _action(event)))
        version = room.version + 1
        return changed(room, {"match": match, "version": version, "acted": version, "offer": None, "agreed": ()})
    version = room.version + 1
    if name == "join":
        seat = Seat("person", session=event["session"], name=event.get("name", ""))
        return replace(room, seats={**room.seats, event["player"]: seat}, version=version)
    if name == "offer":
        return replace(room, offer=(event["player"], event["what"]), agreed=(), version=version)
    if name == "agree":
        return replace(room, agreed=(*room.agreed, event["player"]), version=version)
    if name == "decline":
        return replace(room, offer=None, agreed=(), version=version)
    if name == "delete":
        # The last event of a game, which stays when all others go, so that its version is taken.
        return replace(room, version=version)
    if name == "rematch":
        return replace(room, rematch=(event["next"], event["watch"]), version=version)
    raise ValueError(f"unknown event {name!r}")


def _start(event: Event, id: str, watch_id: str) -> Room:
    fields = {key: value for key, value in event.items() if key not in ("mode", "seats", "before")}
    action = action_from_json(fields)
    if not isinstance(action, StartGame):
        raise ValueError(f"a room starts with start_game, not {event['action']}")
    match = _compact(reduce(None, action))
    return Room(
        id=id,
        watch_id=watch_id,
        mode=event["mode"],
        seats={mark: Seat(**seat) for mark, seat in event["seats"].items()},
        match=match,
        version=1,
        acted=1,
        start=event,
    )


def _action(event: Event) -> Any:
    if event["action"] == "make_move":
        # Without the detour through JSON: moves are most of what happens.
        return MakeMove(player=event["player"], move=event["move"], at=event["at"])
    return action_from_json({key: value for key, value in event.items() if key != "by"})


def _compact(match: State) -> State:
    """Keep only the position at the cursor in memory."""
    positions = match.positions
    if isinstance(positions, Recalled) and positions.at == match.cursor:
        return match
    if isinstance(positions, Recalled) and positions.plies is match.plies:
        return replace(match, positions=positions.moved(match.cursor, match.position))
    return replace(match, positions=Recalled(positions[0], match.plies, match.cursor, match.position))


SNAPSHOT_FIELDS: Final = frozenset(
    (
        "start", "version", "acted", "offer", "agreed", "rematch", "seats",
        "plies", "cursor", "resigned", "match", "position", "ongoing",
    )
)  # fmt: skip
"""What this version knows of a snapshot. One with more was written by a newer version, and means more than this one
can tell: the room is then made from its events."""


def to_snapshot(room: Room) -> dict[str, Any]:
    """Everything about a room but its ids, as JSON, so that it can be loaded without its earlier events."""
    match = room.match
    return {
        "start": room.start,
        "version": room.version,
        "acted": room.acted,
        "offer": room.offer,
        "agreed": room.agreed,
        "rematch": room.rematch,
        "seats": {mark: seat.to_json() for mark, seat in room.seats.items()},
        "plies": [[ply.player, ply.move, ply.at, ply.captured_count] for ply in match.plies],
        "cursor": match.cursor,
        "resigned": match.resigned,
        "match": [match.version, match.started_at, match.updated_at],
        "position": match.position.text,
        "ongoing": match.position.outcome is None,
    }


def from_snapshot(saved: Mapping[str, Any], *, id: str, watch_id: str) -> Room:
    """Load a room from its snapshot."""
    fresh = _start(saved["start"], id, watch_id)
    plies = tuple(map(Ply._make, saved["plies"]))
    cursor = saved["cursor"]
    start = fresh.match.positions[0]
    here = start.game.position(saved["position"], ongoing=saved["ongoing"]) if cursor else start
    version, started_at, updated_at = saved["match"]
    match = replace(
        fresh.match,
        version=version,
        started_at=started_at,
        updated_at=updated_at,
        plies=plies,
        cursor=cursor,
        resigned=saved["resigned"],
        positions=Recalled(start, plies, cursor, here),
    )
    return replace(
        fresh,
        match=match,
        version=saved["version"],
        acted=saved["acted"],
        offer=tuple(saved["offer"]) if saved["offer"] else None,
        agreed=tuple(saved.get("agreed", ())),
        rematch=tuple(saved["rematch"]) if saved["rematch"] else None,
        seats={mark: Seat(**seat) for mark, seat in saved["seats"].items()},
    )
