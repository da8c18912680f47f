"""A table: one match with the people and AIs at it, as the events of its stream leave it.

``follow(table, event) -> table`` is pure. An event is a JSON object with its name under
``action``: those of :mod:`noughts.match` go to the match's reducer, the others (``join``,
``offer``, ``agree``, ``decline``, ``rematch``) change who sits here and what was agreed. Every
event takes one version, so that ``(game, version)`` names it for good.
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

__all__ = ["SNAPSHOT_EVERY", "Event", "Seat", "Table", "follow", "restored", "snapshot"]

Event = dict[str, Any]

SNAPSHOT_EVERY: Final = 32
"""Events between two snapshots: a load replays fewer than this."""


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
class Table:
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
    """The event that began it all."""
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


def follow(table: Table | None, event: Event, *, id: str = "", watch_id: str = "") -> Table:
    """The table after an event; :class:`~noughts.errors.MatchError` if the match refuses it."""
    if table is None:
        return _begun(event, id, watch_id)
    name = event["action"]
    if name in ACTIONS:
        match = _compact(reduce(table.match, _action(event)))
        version = table.version + 1
        return changed(table, {"match": match, "version": version, "acted": version, "offer": None, "agreed": ()})
    version = table.version + 1
    if name == "join":
        seat = Seat("person", session=event["session"], name=event.get("name", ""))
        return replace(table, seats={**table.seats, event["player"]: seat}, version=version)
    if name == "offer":
        return replace(table, offer=(event["player"], event["what"]), agreed=(), version=version)
    if name == "agree":
        return replace(table, agreed=(*table.agreed, event["player"]), version=version)
    if name == "decline":
        return replace(table, offer=None, agreed=(), version=version)
    if name == "rematch":
        return replace(table, rematch=(event["next"], event["watch"]), version=version)
    raise ValueError(f"unknown event {name!r}")


def _begun(event: Event, id: str, watch_id: str) -> Table:
    fields = {key: value for key, value in event.items() if key not in ("mode", "seats", "before")}
    action = action_from_json(fields)
    if not isinstance(action, StartGame):
        raise ValueError(f"a stream begins with start_game, not {event['action']}")
    match = _compact(reduce(None, action))
    return Table(
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
        # The one that counts: moves are most of what happens.
        return MakeMove(player=event["player"], move=event["move"], at=event["at"])
    return action_from_json({key: value for key, value in event.items() if key != "by"})


def _compact(match: State) -> State:
    """Keep only the position at the cursor at hand."""
    positions = match.positions
    if isinstance(positions, Recalled) and positions.at == match.cursor:
        return match
    return replace(match, positions=Recalled(positions[0], match.plies, match.cursor, match.position))


def snapshot(table: Table) -> dict[str, Any]:
    """Everything about a table but its ids, as JSON, so that it can be put back without replaying."""
    match = table.match
    return {
        "start": table.start,
        "version": table.version,
        "acted": table.acted,
        "offer": table.offer,
        "agreed": table.agreed,
        "rematch": table.rematch,
        "seats": {mark: seat.to_json() for mark, seat in table.seats.items()},
        "plies": [[ply.player, ply.move, ply.at, ply.captured_count] for ply in match.plies],
        "cursor": match.cursor,
        "resigned": match.resigned,
        "match": [match.version, match.started_at, match.updated_at],
        "position": match.position.text,
        "ongoing": match.position.outcome is None,
    }


def restored(saved: Mapping[str, Any], *, id: str, watch_id: str) -> Table:
    """Put a table back from its snapshot."""
    fresh = _begun(saved["start"], id, watch_id)
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
