"""Who may act for which seat of a room."""

from __future__ import annotations

from typing import Literal

from noughts.core import Mark
from noughts.server.errors import Forbidden, Refused
from noughts.server.rooms.room import Room, Seat
from noughts.server.storage.database import SessionRow

__all__ = ["Role", "acting_mark", "belongs_to", "check_player", "marks_of", "role_of", "seat_of"]

Role = Literal["player", "holder", "watcher"]


def belongs_to(seat: Seat, session: SessionRow | None) -> bool:
    """Whether a client may move for a seat."""
    if seat.kind == "person":
        return session is not None and seat.session == session.id
    return seat.kind == "anyone"


def marks_of(room: Room, session: SessionRow | None) -> list[Mark]:
    """The marks that a client may move for."""
    return [mark for mark, seat in room.seats.items() if belongs_to(seat, session)]


def role_of(room: Room, session: SessionRow | None, *, watching: bool) -> tuple[Role, list[Mark]]:
    """What a client is in a room, and the marks it may move for."""
    marks = [] if watching else marks_of(room, session)
    if not marks:
        return "watcher", []
    return ("holder" if room.seats[marks[0]].kind == "anyone" else "player"), marks


def check_player(room: Room, session: SessionRow | None) -> None:
    """Refuse a client without a seat."""
    if not marks_of(room, session):
        raise Forbidden("not_your_seat", "you do not play in this game")


def seat_of(room: Room, player: str) -> Seat:
    """The seat of a player; refuses one that the game does not have."""
    seat = room.seats.get(player)
    if seat is None:
        game = room.match.game
        raise Refused("unknown_player", f"{game} has no player {player!r}; there are: {', '.join(game.marks)}")
    return seat


def acting_mark(room: Room, session: SessionRow | None, wanted: str | None) -> Mark:
    """The mark a client acts for: the one it names, else the one on turn if that is its own, else its first."""
    if wanted is None:
        check_player(room, session)
        marks = marks_of(room, session)
        return room.match.turn if room.match.turn in marks else marks[0]
    seat_of(room, wanted)
    if wanted not in marks_of(room, session):
        raise Forbidden("not_your_seat", f"{wanted} is not yours to play")
    return wanted
