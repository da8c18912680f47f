"""Commands: what a client asks of a room, checked and turned into the event to append.

Every function here is pure: it takes the room and the request, and returns an event or refuses. Events get their
time from the registry when they are appended, which may ask again with a newer room if another process was faster.
"""

from __future__ import annotations

from typing import Any, Literal

from noughts.core import PASS, Game, Mark, Position
from noughts.errors import InvalidGame, InvalidNotation
from noughts.games import game as game_of
from noughts.match import Redo, State, Undo
from noughts.match import passes as match_passes
from noughts.match.actions import ACTIONS
from noughts.server.ai.agents import NO_AGENTS, Agents, check_level
from noughts.server.errors import Forbidden, Refused
from noughts.server.rooms.room import Event, Room, Seat
from noughts.server.rooms.seats import acting_mark, belongs_to, check_player, marks_of, seat_of
from noughts.server.schema.game import MoveRequest, StartRequest
from noughts.server.storage.database import SessionRow

__all__ = [
    "Change",
    "ai_seat",
    "answer_offer",
    "check_help_allowed",
    "check_owner",
    "check_version",
    "forced_pass",
    "is_same_change",
    "is_same_move",
    "is_same_start",
    "join",
    "link_rematch",
    "make_move",
    "move_names",
    "playable_game",
    "record_line",
    "rematch",
    "request_change",
    "resign",
    "start_game",
]

Change = Literal["undo", "redo", "reset"]


def playable_game(spec: str, max_side: int, max_layers: int) -> Game:
    """The game of a spec, if this server plays boards of its size."""
    game = game_of(spec)
    grid = game.grid
    longest = max_layers if grid.layers > 1 else max_side
    if max(grid.rows, grid.cols, grid.layers) > longest:
        raise Refused("board_too_large", f"{game.spec}: sides go up to {longest} on this server")
    return game


def start_game(
    request: StartRequest, session: SessionRow | None, game: Game, *, watch_id: str, agents: Agents = NO_AGENTS
) -> Event:
    """Start a game."""
    check_level(request.level, game, agents)
    first = _mark(game, request.starter, "starter")
    mine = _mark(game, request.seat, "seat") or game.marks[0]
    if request.opponent == "link":
        if request.mode == "PvAI":
            raise Refused("invalid_request", "opponent: a link is for games between people; mode is PvAI")
        if session is None:
            raise Forbidden("session_needed", "a game by link needs a session: POST /session first")
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
    return _start_event(game.spec, first, request.mode, seats, watch_id)


def _start_event(spec: str, first: Mark | None, mode: str, seats: dict[Mark, Seat], watch_id: str) -> Event:
    players = {mark: seat.name or seat.level for mark, seat in seats.items() if seat.name or seat.level}
    event: Event = {"action": "start_game", "game": spec, "id": watch_id}
    if first is not None:
        event["first"] = first
    if players:
        event["players"] = players
    return {**event, "mode": mode, "seats": {mark: seat.to_json() for mark, seat in seats.items()}}


def _mark(game: Game, mark: str | None, field: str) -> Mark | None:
    if mark is None:
        return None
    try:
        return game.check_mark(mark)
    except InvalidGame as error:
        raise Refused("invalid_request", f"{field}: {error}") from None


def check_version(room: Room, expected: int | None) -> None:
    """Refuse a client that has seen an older version of the match."""
    if expected is not None and not room.acted <= expected <= room.version:
        raise Refused("stale_version", f"the game is at version {room.version}, not {expected}", room=room)


def make_move(room: Room, session: SessionRow | None, request: MoveRequest) -> Event | None:
    """Play a move; ``None`` for a forced pass that the match has made already."""
    match, player = room.match, request.player
    seat = seat_of(room, player)
    if not belongs_to(seat, session) and not (seat.kind == "ai" and match.turn != player and marks_of(room, session)):
        raise Forbidden("not_your_seat", f"{player} is not yours to play")
    if _has_passed(match, request):
        return None
    check_version(room, request.expectedVersion)
    if request.move is not None:
        if request.row is not None or request.col is not None:
            raise Refused("invalid_request", "give row and col, or move, not both")
        name = _canonical(match.position, request.move)
    else:
        if request.row is None or request.col is None:
            missing = "row" if request.row is None else "col"
            raise Refused("invalid_request", f"{missing}: is missing")
        grid = match.game.grid
        cell = grid.cell(request.row, request.col, request.layer)
        if cell is None and not match.is_over and match.turn == player:
            sides = f"{grid.rows} rows, {grid.cols} columns" + (f", {grid.layers} layers" if grid.layers > 1 else "")
            raise Refused("out_of_bounds", f"row {request.row}, col {request.col} is outside the board of {sides}")
        name = grid.name(cell or 0)
    return {"action": "make_move", "player": player, "move": name}


def _has_passed(match: State, request: MoveRequest) -> bool:
    """Whether a request is for the pass that its player had to make, and that was the last move."""
    last = match.history[-1] if match.history else None
    if last is None or last.move != PASS or last.player != request.player or match.is_over:
        return False
    return request.move is not None and _canonical(match.position, request.move) == match.game.move_name(PASS)


def forced_pass(room: Room) -> Event | None:
    """The pass that the player to move has to make; ``None`` if there is a choice."""
    passing = match_passes.forced_pass(room.match)
    return None if passing is None else {"action": passing.name, "player": passing.player, "move": passing.move}


def _canonical(position: Position, text: str) -> str:
    """A move's name as it is stored; text that is no move stays as it is, for the match to refuse."""
    try:
        return position.game.move_name(position.read_move(text))
    except InvalidNotation:
        return text


def is_same_move(room: Room, event: Event, request: MoveRequest) -> bool:
    """Whether a stored move is the one that a request asks for."""
    game = room.match.game
    if event["action"] != "make_move" or event["player"] != request.player:
        return False
    stored = game.parse_move(event["move"])
    if request.move is None:
        return stored == game.grid.cell(request.row or 0, request.col or 0, request.layer)
    column = game.grid.parse_column(request.move) if game.layout_facts.get("gravity") else None
    if column is not None:
        return stored >= 0 and game.grid.coordinates(stored)[2] == column
    try:
        # However it was written: B2 and b02 are b2.
        return stored == game.parse_move(request.move)
    except InvalidNotation:
        return False


def is_same_start(started: Event, event: Event) -> bool:
    """Whether a game was started by a request like the one that this event is for."""
    if any(started.get(name) != event.get(name) for name in ("game", "mode", "first")):
        return False
    seats, wanted = started["seats"], event["seats"]
    fields = ("kind", "session", "level")
    return set(seats) == set(wanted) and all(
        seats[mark].get(field) == wanted[mark].get(field) for mark in seats for field in fields
    )


def is_same_change(event: Event, change: Change) -> bool:
    """Whether a stored event is what came of a request to undo, redo or reset."""
    done = "reset_game" if change == "reset" else change
    return event["action"] == done or (event["action"] in ("offer", "agree") and event["what"] == change)


def ai_seat(room: Room, session: SessionRow | None, expected: int | None) -> Seat:
    """The seat of the AI that is on turn; refuses if no AI is."""
    check_player(room, session)
    check_version(room, expected)
    match = room.match
    if match.is_over:
        raise Refused("game_over", f"the game is over: {match.status}", room=room)
    seat = room.seats[match.turn]
    if seat.kind != "ai":
        if room.mode == "PvP":
            raise Refused("no_ai", "no AI plays in this game")
        raise Refused("wrong_turn", f"it is {match.turn}'s turn, who is not an AI")
    return seat


def request_change(
    room: Room, session: SessionRow | None, change: Change, player: str | None, expected: int | None
) -> Event | None:
    """Undo, redo or reset: at once where nobody else is concerned, else as an offer."""
    mark = acting_mark(room, session, player)
    check_version(room, expected)
    _check_possible(room, change)
    if not room.is_between_people:
        against_ai = any(seat.kind == "ai" for seat in room.seats.values())
        return _change_event(change, mark if against_ai else _step_of(room, change))
    if room.offer is not None:
        who, offered = room.offer
        if offered == change and who not in marks_of(room, session):
            return _agree(room, mark)
        raise Refused("already_offered", f"{who} already asks for {offered}", room=room)
    return {"action": "offer", "what": change, "player": mark}


def _check_possible(room: Room, change: Change) -> None:
    match = room.match
    if change != "reset" and match.resigned is not None:
        raise Refused("game_over", f"the game is over: {match.resigned} resigned", room=room)
    if change == "undo" and match.cursor == 0:
        raise Refused("nothing_to_undo", "there is no move to take back", room=room)
    if change == "redo" and match.cursor == len(match.plies):
        raise Refused("nothing_to_redo", "no move has been taken back", room=room)


def _step_of(room: Room, change: Change) -> Mark | None:
    """Whose choice an undo or redo of one step leads to, where forced passes belong to the step."""
    if change == "reset":
        return None
    return match_passes.whole_step(room.match, Undo() if change == "undo" else Redo()).player


def _change_event(change: str, player: Mark | None) -> Event:
    if change == "reset":
        return {"action": "reset_game"}
    return {"action": change} if player is None else {"action": change, "player": player}


def _agree(room: Room, mark: Mark) -> Event | None:
    """The change itself once everybody has agreed; ``None`` if this player already had."""
    assert room.offer is not None
    who, change = room.offer
    people = {seat.session for seat in room.seats.values() if seat.kind == "person"}
    agreed = {room.seats[each].session for each in (who, *room.agreed)}
    if room.seats[mark].session in agreed:
        return None
    if people <= {*agreed, room.seats[mark].session}:
        return _change_event(change, who)
    return {"action": "agree", "player": mark, "what": change}


def answer_offer(room: Room, session: SessionRow | None, accept: bool, player: str | None) -> Event | None:
    """Agree to an offer or decline it; it happens once all others agree. Who made it may withdraw it."""
    mark = acting_mark(room, session, player)
    if room.offer is None:
        raise Refused("no_offer", "there is no request to answer", room=room)
    who, change = room.offer
    if not accept:
        return {"action": "decline", "player": mark, "what": change}
    if who in marks_of(room, session):
        raise Forbidden("your_own_offer", "the other players have to answer that, not you")
    return _agree(room, mark)


def resign(room: Room, session: SessionRow | None, player: str | None, expected: int | None) -> Event:
    """Give up."""
    mark = acting_mark(room, session, player)
    check_version(room, expected)
    return {"action": "resign", "player": mark}


def check_owner(room: Room, session: SessionRow | None) -> None:
    """Refuse a client that did not start a game; without sessions it belongs to whoever holds its id."""
    owners = {seat["session"] for seat in room.start["seats"].values() if seat["kind"] == "person"}
    if owners and (session is None or session.id not in owners):
        raise Forbidden("not_your_game", "only who started a game may delete it")


def join(room: Room, session: SessionRow | None, player: str | None) -> Event | None:
    """Take a free seat; ``None`` if the client has one already."""
    if session is None:
        raise Forbidden("session_needed", "joining needs a session: POST /session first")
    mine = [mark for mark, seat in room.seats.items() if seat.kind == "person" and seat.session == session.id]
    if mine and (player is None or player in mine):
        return None
    free = [mark for mark, seat in room.seats.items() if seat.kind == "open"]
    if player is not None and player not in free:
        raise Forbidden("seat_taken", f"the seat of {player!r} is not free")
    if not free or mine:
        raise Forbidden("no_free_seat", "no seat is free for you in this game")
    return {"action": "join", "player": player or free[0], "session": session.id, "name": session.name}


def rematch(room: Room, session: SessionRow | None, watch_id: str) -> Event:
    """Start the same game again; the player who moved second moves first."""
    check_player(room, session)
    match = room.match
    if not match.is_over:
        raise Refused("not_over", "the game is not over yet", room=room)
    return _start_event(match.game.spec, match.game.after(match.first), room.mode, dict(room.seats), watch_id)


def link_rematch(room: Room, game: str, watch_id: str) -> Event | None:
    """Link a finished room to the game that follows it; ``None`` if one is linked already."""
    return None if room.rematch else {"action": "rematch", "next": game, "watch": watch_id}


def check_help_allowed(room: Room) -> None:
    """Refuse help while people play each other, even to those who only watch."""
    if room.is_between_people and not room.match.is_over:
        raise Forbidden("no_help", "there are no hints while people play each other")


def move_names(room: Room) -> list[str]:
    """The names of the moves that led to the position as it is now."""
    name = room.match.game.move_name
    return [name(ply.move) for ply in room.match.history]


def record_line(event: Event) -> dict[str, Any] | None:
    """An event as a line of the match's record; ``None`` if it is no action of the match."""
    if event["action"] in ("join", "offer", "agree", "decline", "rematch"):
        return None
    if event["action"] not in ACTIONS:
        raise Refused("newer_game", "a newer version of the server plays this game; this one cannot")
    return {key: value for key, value in event.items() if key not in ("mode", "seats")}
