"""What a client sees of a table: the GameState, written as JSON once per version.

A state can be as long as the game, and thousands may watch, so the pieces that repeat (cells,
legal moves, the moves made) are written once and joined. :class:`~noughts.server.schema.GameState`
says what comes out; a test holds the two together.
"""

from __future__ import annotations

from functools import lru_cache

import orjson

from noughts.core import Game, Move, Position
from noughts.games import game as game_of
from noughts.match import Ply
from noughts.server.table import Seat, Table

__all__ = ["View", "board_json", "move_json"]


class _Words:
    """A game's cells and moves as JSON, written once."""

    def __init__(self, game: Game) -> None:
        grid = game.grid
        self.cells = grid.cells
        self.width = grid.cols
        self.rows = grid.rows
        self.layers = grid.layers
        self.places = [b'{"row":%d,"col":%d,"layer":%d' % _row_col_layer(game, cell) for cell in range(grid.cells)]
        names = [orjson.dumps(game.move_name(cell)) for cell in range(grid.cells)]
        self.moves = [b'%b,"move":%b}' % pair for pair in zip(self.places, names, strict=True)]
        self.plies = [move[:-1] + b',"player":"' for move in self.moves]
        self.marks = {mark: orjson.dumps(mark) for mark in game.marks}
        self.fixed = orjson.dumps(
            {
                "game": game.spec,
                "title": game.title,
                "marks": game.marks,
                "layout": {"kind": game.layout, "rows": grid.rows, "cols": grid.cols, "layers": grid.layers},
            }
        )[1:-1]

    def move(self, move: Move) -> bytes:
        if move >= 0:
            return self.moves[move]
        return b'{"row":null,"col":null,"layer":null,"move":"%b"}' % (b"pass" if move == -1 else b"swap")

    def board(self, position: Position) -> bytes:
        cells, marks = position.cells, self.marks
        flat = [b"0"] * self.cells
        for cell, mark in cells.items():
            flat[cell] = marks[mark]
        width = self.width
        rows = [b"[" + b",".join(flat[at : at + width]) + b"]" for at in range(0, self.cells, width)]
        if self.layers == 1:
            return b"[" + b",".join(rows) + b"]"
        deep = [b",".join(rows[at : at + self.rows]) for at in range(0, len(rows), self.rows)]
        return b"[[" + b"],[".join(deep) + b"]]"


def _row_col_layer(game: Game, cell: int) -> tuple[int, int, int]:
    layer, row, col = game.grid.coordinates(cell)
    return row, col, layer


@lru_cache(maxsize=256)
def _words_of(spec: str) -> _Words:
    return _Words(game_of(spec))


def _words(game: Game) -> _Words:
    # By its spec, as that is hashed once and a game each time.
    return _words_of(game.spec)


def move_json(game: Game, move: Move) -> bytes:
    """A move as ``{row, col, layer, move}``."""
    return _words(game).move(move)


def board_json(position: Position) -> bytes:
    """The cells of a position as rows, or layers of rows."""
    return _words(position.game).board(position)


class View:
    """A table at one version, as JSON for its players and for those who only watch."""

    __slots__ = ("_body", "_history", "_sitting", "table")

    def __init__(self, table: Table, before: View | None = None) -> None:
        self.table = table
        self._body: bytes | None = None
        self._history: list[bytes] | None = None
        # Who sits here changes far less often than the board.
        self._sitting: bytes = before._sitting if before and before.table.seats is table.seats else _sitting(table)
        if before is not None and before._history is not None:
            # Most often one more move than before: keep what is written already.
            known, made = before.table.match.history, table.match.history
            if len(made) == len(known) + 1 and made[:-1] == known:
                self._history = [*before._history, _ply(_words(table.match.game), made[-1])]

    def for_players(self) -> bytes:
        """The state with the id that lets its holder play."""
        return b'{"id":"%b",%b' % (self.table.id.encode(), self._shared())

    def for_watchers(self) -> bytes:
        """The state under the id that can only watch."""
        return b'{"id":"%b",%b' % (self.table.watch_id.encode(), self._shared())

    def forget(self) -> None:
        """Let go of the text, which can be written again: a game that nobody follows should be small."""
        self._body = None

    def _shared(self) -> bytes:
        if self._body is None:
            self._body = self._written()
        return self._body

    def _written(self) -> bytes:
        table, match = self.table, self.table.match
        position, words = match.position, _words(match.game)
        if self._history is None:
            self._history = [_ply(words, ply) for ply in match.history]
        history = self._history
        over = match.is_over
        legal = b"" if over else b",".join([words.move(move) for move in position.legal_moves])
        winning = position.outcome.cells if position.outcome is not None and position.outcome.winner else ()
        rest = {
            "currentPlayer": match.turn,
            "winner": match.winner,
            "version": table.version,
            "status": match.status,
            "canUndo": match.cursor > 0 and match.resigned is None,
            "canRedo": match.cursor < len(match.plies) and match.resigned is None,
            "offer": None if table.offer is None else _offer(*table.offer, table.agreed),
            "resigned": match.resigned,
            "ended": position.outcome.reason if position.outcome else "resigned" if match.resigned else None,
            "tiles": {mark: dict(position.outcome.tiles)[mark] for mark in position.game.marks}
            if position.outcome and position.outcome.tiles
            else None,
            "rematchWatchId": table.rematch[1] if table.rematch else None,
        }
        return b"".join(
            [
                b'"board":',
                words.board(position),
                b',"moveHistory":[',
                b",".join(history),
                b'],"legalMoves":[',
                legal,
                b'],"lastMove":',
                history[-1] if history else b"null",
                b',"winningCells":[',
                b",".join([words.places[cell] + b"}" for cell in winning]),
                b"],",
                words.fixed,
                b",",
                self._sitting,
                b",",
                orjson.dumps(rest)[1:],
            ]
        )


def _ply(words: _Words, ply: Ply) -> bytes:
    move = ply.move
    begun = words.plies[move] if move >= 0 else words.move(move)[:-1] + b',"player":"'
    return b'%b%b","timestamp":%d,"capturedCount":%d}' % (
        begun,
        ply.player.encode(),
        ply.at * 1000,
        ply.captured_count,
    )


def _sitting(table: Table) -> bytes:
    """Everything about a table that stays the same as long as the same people sit there."""
    fields = {
        "mode": table.mode,
        "watchId": table.watch_id,
        "level": table.level,
        "seats": {mark: _seat(seat) for mark, seat in table.seats.items()},
        "first": table.match.first,
        "needsConsent": table.is_between_people,
    }
    return orjson.dumps(fields)[1:-1]


def _offer(player: str, what: str, agreed: tuple[str, ...]) -> dict[str, object]:
    return {"player": player, "what": what, "agreed": agreed}


def _seat(seat: Seat) -> dict[str, str | None]:
    return {"kind": seat.kind, "name": seat.name or None, "level": seat.level or None}
