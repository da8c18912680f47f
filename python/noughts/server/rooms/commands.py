"""The desk: who may do what at a table, and the events that come of it.

Functions here take a table and what a client asks, and give the event to append or refuse. They
are pure, so that the hall can ask them again when another process was faster.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal

from noughts.core import Game, Mark
from noughts.errors import InvalidGame, InvalidNotation
from noughts.games import game as game_of
from noughts.server.ai.agents import NOBODY, Agents, refuse_level
from noughts.server.http.errors import Problem
from noughts.server.rooms.followers import Role
from noughts.server.rooms.render import View
from noughts.server.rooms.room import Event, Seat, Table
from noughts.server.schema.game import MoveRequest, StartRequest
from noughts.server.storage.database import SessionRow

__all__ = [
    "acting_mark",
    "ai_turn",
    "answered",
    "asked",
    "board_game",
    "is_same_move",
    "joined",
    "made_move",
    "marks_of",
    "moves_of",
    "record_line",
    "refuse_help",
    "refuse_stale",
    "rematch_event",
    "resigned",
    "start_event",
    "you",
]

What = Literal["undo", "redo", "reset"]


def start_event(
    request: StartRequest, session: SessionRow | None, game: Game, *, watch_id: str, agents: Agents = NOBODY
) -> Event:
    """The event that begins a game as a client asked for it."""
    refuse_level(request.level, game, agents)
    first = _mark(game, request.starter, "starter")
    mine = _mark(game, request.seat, "seat") or game.marks[0]
    if request.opponent == "link":
        if request.mode == "PvAI":
            raise Problem(400, "invalid_request", "opponent: a link is for games between people; mode is PvAI")
        if session is None:
            raise Problem(403, "session_needed", "a game by link needs a session: POST /session first")
    seats: dict[Mark, Seat] = {}
    for mark in game.marks:
        if mark != mine and request.mode == "PvAI":
            seats[mark] = Seat("ai", level=request.level)
        elif mark != mine and request.opponent == "link":
            seats[mark] = Seat("open")
        elif session is None:
            seats[mark] = Seat("anyone")
        else:
            seats[mark] = Seat("person", session=session.id, name=session.name)
    return _start(game.spec, first, request.mode, seats, watch_id)


def _start(spec: str, first: Mark | None, mode: str, seats: dict[Mark, Seat], watch_id: str) -> Event:
    players = {mark: seat.name or seat.level for mark, seat in seats.items() if seat.name or seat.level}
    event: Event = {"action": "start_game", "game": spec, "id": watch_id, "at": time.time()}
    if first is not None:
        event["first"] = first
    if players:
        event["players"] = players
    return {**event, "mode": mode, "seats": {mark: seat.to_json() for mark, seat in seats.items()}}


def board_game(spec: str, side: int, layers: int) -> Game:
    """The game of a spec, if this server plays boards of its size."""
    try:
        game = game_of(spec)
    except InvalidGame as error:
        raise Problem(400, error.code, str(error)) from None
    grid = game.grid
    longest = layers if grid.layers > 1 else side
    if max(grid.rows, grid.cols, grid.layers) > longest:
        raise Problem(400, "board_too_large", f"{game.spec}: sides go up to {longest} on this server")
    return game


def _mark(game: Game, mark: str | None, what: str) -> Mark | None:
    if mark is None:
        return None
    try:
        return game.check_mark(mark)
    except InvalidGame as error:
        raise Problem(400, "invalid_request", f"{what}: {error}") from None


def marks_of(table: Table, session: SessionRow | None) -> list[Mark]:
    """The marks that a client may move for."""
    return [mark for mark, seat in table.seats.items() if _sits(seat, session)]


def _sits(seat: Seat, session: SessionRow | None) -> bool:
    if seat.kind == "person":
        return session is not None and seat.session == session.id
    return seat.kind == "anyone"


def you(table: Table, session: SessionRow | None, *, watching: bool) -> tuple[Role, list[Mark]]:
    """What a client is at a table."""
    marks = [] if watching else marks_of(table, session)
    if not marks:
        return "watcher", []
    return ("holder" if table.seats[marks[0]].kind == "anyone" else "player"), marks


def acting_mark(table: Table, session: SessionRow | None, asked: str | None) -> Mark:
    """The mark a client acts for: the one named, else the only one it has, else the one on turn."""
    marks = marks_of(table, session)
    if asked is not None:
        if asked not in table.match.game.marks:
            there = ", ".join(table.match.game.marks)
            raise Problem(400, "unknown_player", f"{table.match.game} has no player {asked!r}; there are: {there}")
        if asked not in marks:
            raise Problem(403, "not_your_seat", f"{asked} is not yours to play")
        return asked
    if not marks:
        raise Problem(403, "not_your_seat", "you do not play in this game")
    return table.match.turn if table.match.turn in marks else marks[0]


def refuse_stale(table: Table, expected: int | None) -> None:
    """Refuse a client that decided on a table that is not the one here any more."""
    if expected is not None and not table.acted <= expected <= table.version:
        raise Problem(
            409,
            "stale_version",
            f"the game is at version {table.version}, not {expected}",
            state=View(table).for_players(),
        )


def made_move(table: Table, session: SessionRow | None, request: MoveRequest) -> Event:
    """A move."""
    match, player = table.match, request.player
    seat = table.seats.get(player)
    if seat is None:
        if not marks_of(table, session):
            raise Problem(403, "not_your_seat", "you do not play in this game")
    elif not _sits(seat, session) and not (seat.kind == "ai" and match.turn != player and marks_of(table, session)):
        raise Problem(403, "not_your_seat", f"{player} is not yours to play")
    refuse_stale(table, request.expectedVersion)
    if request.move is not None:
        if request.row is not None or request.col is not None:
            raise Problem(400, "invalid_request", "give row and col, or move, not both")
        name = _canonical(match.game, request.move)
    else:
        if request.row is None or request.col is None:
            missing = "row" if request.row is None else "col"
            raise Problem(400, "invalid_request", f"{missing}: is missing")
        grid = match.game.grid
        cell = grid.cell(request.row, request.col, request.layer)
        if cell is None and not match.is_over and match.turn == player:
            sides = f"{grid.rows} rows, {grid.cols} columns" + (f", {grid.layers} layers" if grid.layers > 1 else "")
            raise Problem(400, "out_of_bounds", f"row {request.row}, col {request.col} is outside the board of {sides}")
        name = grid.name(cell or 0)
    return {"action": "make_move", "player": player, "move": name, "at": time.time()}


def _canonical(game: Game, text: str) -> str:
    """A move's name as it is stored; what is no move stays as it is, for the match to refuse in its turn."""
    try:
        return game.move_name(game.parse_move(text))
    except InvalidNotation:
        return text


def is_same_move(table: Table, event: Event, request: MoveRequest) -> bool:
    """Whether a stored move is the one that a request asks for."""
    game = table.match.game
    if event["action"] != "make_move" or event["player"] != request.player:
        return False
    if request.move is not None:
        # Whatever either was written like: B2 and b02 are b2.
        return _canonical(game, event["move"]) == _canonical(game, request.move)
    cell = game.grid.cell(request.row or 0, request.col or 0, request.layer)
    return cell is not None and _canonical(game, event["move"]) == game.grid.name(cell)


def ai_turn(table: Table, session: SessionRow | None, expected: int | None) -> Seat:
    """The seat of the AI that is to move, or the reason why none is."""
    if not marks_of(table, session):
        raise Problem(403, "not_your_seat", "you do not play in this game")
    refuse_stale(table, expected)
    match = table.match
    if match.is_over:
        raise Problem(409, "game_over", f"the game is over: {match.status}", state=View(table).for_players())
    seat = table.seats[match.turn]
    if seat.kind != "ai":
        if table.mode == "PvP":
            raise Problem(400, "no_ai", "no AI plays in this game")
        raise Problem(400, "wrong_turn", f"it is {match.turn}'s turn, who is no AI")
    return seat


def asked(
    table: Table, session: SessionRow | None, what: What, player: str | None, expected: int | None
) -> Event | None:
    """Undo, redo or reset: at once where nobody else is concerned, else as an offer."""
    mark = acting_mark(table, session, player)
    refuse_stale(table, expected)
    _refuse_impossible(table, what)
    if not table.is_between_people:
        against_ai = any(seat.kind == "ai" for seat in table.seats.values())
        return _change(what, mark if against_ai else None)
    if table.offer is not None:
        who, wish = table.offer
        if wish == what and who not in marks_of(table, session):
            return _agreed(table, mark)
        raise Problem(409, "already_offered", f"{who} already asks for {wish}", state=View(table).for_players())
    return {"action": "offer", "what": what, "player": mark, "at": time.time()}


def _refuse_impossible(table: Table, what: What) -> None:
    match = table.match
    state = View(table).for_players
    if what != "reset" and match.resigned is not None:
        raise Problem(409, "game_over", f"the game is over: {match.resigned} resigned", state=state())
    if what == "undo" and match.cursor == 0:
        raise Problem(409, "nothing_to_undo", "there is no move to take back", state=state())
    if what == "redo" and match.cursor == len(match.plies):
        raise Problem(409, "nothing_to_redo", "no move has been taken back", state=state())


def _change(what: str, player: Mark | None) -> Event:
    event: Event = {"action": "reset_game" if what == "reset" else what, "at": time.time()}
    if player is not None and what != "reset":
        event["player"] = player
    return event


def _agreed(table: Table, mark: Mark) -> Event | None:
    """What comes of a yes: the change itself once everybody has said it, ``None`` if this one has before."""
    assert table.offer is not None
    who, what = table.offer
    people = {seat.session for seat in table.seats.values() if seat.kind == "person"}
    willing = {table.seats[each].session for each in (who, *table.agreed)}
    if table.seats[mark].session in willing:
        return None
    if people <= {*willing, table.seats[mark].session}:
        return _change(what, who)
    return {"action": "agree", "player": mark, "what": what, "at": time.time()}


def answered(table: Table, session: SessionRow | None, accept: bool, player: str | None) -> Event | None:
    """Agree to what another offers, or not; it happens once all others agree. Who made the offer may take it back."""
    mark = acting_mark(table, session, player)
    if table.offer is None:
        raise Problem(409, "no_offer", "nobody asks for anything", state=View(table).for_players())
    who, what = table.offer
    if not accept:
        return {"action": "decline", "player": mark, "what": what, "at": time.time()}
    if who in marks_of(table, session):
        raise Problem(403, "your_own_offer", "the others have to agree, not you")
    return _agreed(table, mark)


def resigned(table: Table, session: SessionRow | None, player: str | None, expected: int | None) -> Event:
    """Give up."""
    mark = acting_mark(table, session, player)
    refuse_stale(table, expected)
    return {"action": "resign", "player": mark, "at": time.time()}


def joined(table: Table, session: SessionRow | None, player: str | None) -> Event | None:
    """Take a free seat; ``None`` if the client sits already."""
    if session is None:
        raise Problem(403, "session_needed", "joining needs a session: POST /session first")
    mine = [mark for mark, seat in table.seats.items() if seat.kind == "person" and seat.session == session.id]
    if mine and (player is None or player in mine):
        return None
    free = [mark for mark, seat in table.seats.items() if seat.kind == "open"]
    if player is not None and player not in free:
        raise Problem(403, "seat_taken", f"the seat of {player!r} is not free")
    if not free or mine:
        raise Problem(403, "no_free_seat", "no seat is free for you in this game")
    return {
        "action": "join",
        "player": player or free[0],
        "session": session.id,
        "name": session.name,
        "at": time.time(),
    }


def rematch_event(table: Table, session: SessionRow | None, watch_id: str) -> Event:
    """The same again, begun by whoever came second."""
    if not marks_of(table, session):
        raise Problem(403, "not_your_seat", "you do not play in this game")
    match = table.match
    if not match.is_over:
        raise Problem(409, "not_over", "the game still goes on", state=View(table).for_players())
    return _start(match.game.spec, match.game.after(match.first), table.mode, dict(table.seats), watch_id)


def refuse_help(table: Table) -> None:
    """No hints while people play each other, not even for those who watch."""
    if table.is_between_people and not table.match.is_over:
        raise Problem(403, "no_help", "there is no help in a game between people until it is over")


def moves_of(table: Table) -> Sequence[str]:
    """The moves that led to the board as it stands, by name."""
    name = table.match.game.move_name
    return [name(ply.move) for ply in table.match.history]


def record_line(event: Event) -> dict[str, Any] | None:
    """An event as a line of the match's record, or ``None`` if it is no action of the match."""
    if event["action"] in ("join", "offer", "agree", "decline", "rematch"):
        return None
    return {key: value for key, value in event.items() if key not in ("mode", "seats")}
