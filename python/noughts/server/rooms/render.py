"""What a client sees of a room: the GameState, and moves and events as JSON.

A state can be as long as the game, and thousands may watch, so pieces that repeat (moves, plies) are written once
and kept as fragments. :class:`~noughts.server.schema.game.GameState` describes the result; a test compares the two.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson

from noughts.core import Game, Move, Position
from noughts.match import Ply
from noughts.server.rooms.room import Event, Room, Seat

__all__ = [
    "Board",
    "View",
    "about_fields",
    "board_rows",
    "layout_fields",
    "move_fields",
    "owned_fields",
    "public_event",
]

Board = list[list[Any]] | list[list[list[Any]]]

MAX_GAMES_IN_MEMORY = 256


@lru_cache(maxsize=MAX_GAMES_IN_MEMORY)
def _written_moves(spec: str) -> dict[Move, bytes]:
    """The moves of a game as JSON, each written when it is first needed."""
    return {}


def _legal_moves(position: Position) -> list[bytes]:
    game = position.game
    # By the spec: its hash is computed once, that of a game every time.
    written = _written_moves(game.spec)
    try:
        return [written[move] for move in position.legal_moves]
    except KeyError:
        for move in position.legal_moves:
            if move not in written:
                written[move] = _kept(move_fields(game, move))
    return [written[move] for move in position.legal_moves]


def move_fields(game: Game, move: Move) -> dict[str, Any]:
    """A move as ``{row, col, layer, move}``; pass and swap have no place."""
    if move < 0:
        return {"row": None, "col": None, "layer": None, "move": game.move_name(move)}
    layer, row, col = game.grid.coordinates(move)
    return {"row": row, "col": col, "layer": layer, "move": game.move_name(move)}


def place_fields(game: Game, cell: int) -> dict[str, int]:
    """A cell as ``{row, col, layer}``."""
    layer, row, col = game.grid.coordinates(cell)
    return {"row": row, "col": col, "layer": layer}


def ply_fields(game: Game, ply: Ply) -> dict[str, Any]:
    """A move as it was made, with its time in milliseconds."""
    return {
        **move_fields(game, ply.move),
        "player": ply.player,
        "timestamp": int(ply.at * 1000),
        "capturedCount": ply.captured_count,
    }


def board_rows(position: Position) -> Board:
    """The cells of a position as rows, or as layers of rows; 0 is empty."""
    grid = position.game.grid
    cells: list[Any] = [0] * grid.cells
    for cell, mark in position.cells.items():
        cells[cell] = mark
    rows = [cells[at : at + grid.cols] for at in range(0, grid.cells, grid.cols)]
    if grid.layers == 1:
        return rows
    return [rows[at : at + grid.rows] for at in range(0, len(rows), grid.rows)]


def owned_fields(position: Position) -> list[dict[str, Any]]:
    """The parts of the board that are decided."""
    return [{"cells": region.cells, "mark": region.mark} for region in position.regions()]


def capture_fields(position: Position) -> dict[str, tuple[int, ...]]:
    """What each legal move would capture, by the name of the move; moves that capture nothing are left out."""
    if not position.has_own("captures"):
        return {}
    captured = ((move, position.captures(move)) for move in position.legal_moves)
    return {position.game.move_name(move): cells for move, cells in captured if cells}


def _notice(position: Position) -> dict[str, Any] | None:
    notice = position.notice()
    return None if notice is None else notice.to_json()


def layout_fields(game: Game) -> dict[str, Any]:
    """How to draw a game's board."""
    grid = game.grid
    sides = {"rows": grid.rows, "cols": grid.cols, "layers": grid.layers}
    facts = {"gravity": False, "blocks": None, "pieces": None, "mark": None, **game.layout_facts}
    return {"kind": game.layout, **sides, **facts}


def about_fields(game: Game) -> dict[str, Any]:
    """What a game is called and what one tries to do, as facts."""
    return {"title": game.title_note().to_json(), "goal": game.goal_note().to_json()}


def public_event(event: Event, room: Room) -> dict[str, Any]:
    """An event as everybody may see it: without sessions and ids."""
    shown = {key: value for key, value in event.items() if key in ("action", "player", "first", "by", "name", "what")}
    shown["at"] = int(event.get("at", 0) * 1000)
    if event["action"] == "make_move":
        game = room.match.game
        shown.update(move_fields(game, game.parse_move(event["move"])))
    return shown


class View:
    """A room at one version, as JSON for its players and for those who only watch."""

    __slots__ = ("_fields", "_history", "_people", "keep", "room")

    def __init__(self, room: Room, before: View | None = None) -> None:
        self.room = room
        self.keep = False
        """Whether to keep what is written, because many read it; other rooms stay small."""
        self._fields: dict[str, Any] | None = None
        self._history: list[bytes] | None = None
        # Seats change far less often than the board.
        self._people: dict[str, Any] = before._people if before and before.room.seats is room.seats else _people(room)
        if before is not None and before._history is not None:
            # Usually one more move than before: keep what is written already.
            known, made = before.room.match.history, room.match.history
            if len(made) == len(known) + 1 and made[:-1] == known:
                self._history = [*before._history, _ply(room.match.game, made[-1])]

    def for_players(self) -> dict[str, Any]:
        """The state with the id that lets its holder play."""
        return {"id": self.room.id, **self._shared()}

    def for_watchers(self) -> dict[str, Any]:
        """The state with the id that can only watch."""
        return {"id": self.room.watch_id, **self._shared()}

    def forget(self) -> None:
        """Keep nothing that can be written again."""
        self.keep = False
        self._fields = None

    def _shared(self) -> dict[str, Any]:
        if self._fields is not None:
            return self._fields
        fields = self._rendered()
        if self.keep:
            self._fields = fields
        return fields

    def _rendered(self) -> dict[str, Any]:
        room, match = self.room, self.room.match
        game, position = match.game, match.position
        if self._history is None:
            self._history = [_ply(game, ply) for ply in match.history]
        outcome, resigned = position.outcome, match.resigned
        over = outcome is not None or resigned is not None
        return {
            "board": board_rows(position),
            "moveHistory": _array(self._history),
            "legalMoves": _array([] if over else _legal_moves(position)),
            "lastMove": orjson.Fragment(self._history[-1]) if self._history else None,
            "winningCells": [place_fields(game, cell) for cell in outcome.cells] if outcome and outcome.winner else [],
            "owned": owned_fields(position),
            "captures": {} if over else capture_fields(position),
            "notice": None if over else _notice(position),
            **self._people,
            "currentPlayer": position.turn,
            "winner": match.winner if over else None,
            "version": room.version,
            "status": match.status if over else "playing",
            "canUndo": match.cursor > 0 and resigned is None,
            "canRedo": match.cursor < len(match.plies) and resigned is None,
            "offer": None if room.offer is None else _offer(room.offer, room.agreed),
            "resigned": resigned,
            "ended": outcome.reason if outcome else "resigned" if resigned else None,
            "tiles": {mark: dict(outcome.tiles)[mark] for mark in game.marks} if outcome and outcome.tiles else None,
            "rematchWatchId": room.rematch[1] if room.rematch else None,
        }


def _array(items: list[bytes]) -> orjson.Fragment:
    """A JSON array of values that are written already: one fragment is quicker than one for each."""
    return orjson.Fragment(b"[%b]" % b",".join(items))


def _kept(value: Any) -> bytes:
    """Write something that stays in memory: a copy, as orjson's own bytes keep a buffer of 4 KB, however short."""
    return bytes(memoryview(orjson.dumps(value)))


def _ply(game: Game, ply: Ply) -> bytes:
    return _kept(ply_fields(game, ply))


def _people(room: Room) -> dict[str, Any]:
    """Everything about a room that stays the same as long as its seats do."""
    game = room.match.game
    return {
        "game": game.spec,
        "name": game.name,
        "title": game.full_title,
        "goal": game.goal,
        "about": orjson.Fragment(_kept(about_fields(game))),
        "marks": game.marks,
        "layout": orjson.Fragment(_kept(layout_fields(game))),
        "mode": room.mode,
        "watchId": room.watch_id,
        "level": room.level,
        "seats": orjson.Fragment(_kept({mark: _seat(seat) for mark, seat in room.seats.items()})),
        "first": room.match.first,
        "needsConsent": room.is_between_people,
    }


def _offer(offer: tuple[str, str], agreed: tuple[str, ...]) -> dict[str, object]:
    player, change = offer
    return {"player": player, "what": change, "agreed": agreed}


def _seat(seat: Seat) -> dict[str, str | None]:
    return {"kind": seat.kind, "name": seat.name or None, "level": seat.level or None}
