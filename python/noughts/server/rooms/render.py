"""What a client sees of a table: the GameState, written as JSON once per version.

A state can be as long as the game, and thousands may watch, so the pieces that repeat (cells,
legal moves, the moves made) are written once and joined. :class:`~noughts.server.schema.game.GameState`
says what comes out; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import orjson

from noughts.core import Game, Mark, Move, Position
from noughts.games import game as game_of
from noughts.match import Ply
from noughts.server.rooms.room import Seat, Table

__all__ = ["View", "board_json", "move_json"]


class _Words:
    """A game's cells and moves as JSON, written once."""

    def __init__(self, game: Game) -> None:
        grid = game.grid
        self.empty = _on_board(game, b"0")
        self.taken = {mark: _on_board(game, orjson.dumps(mark)) for mark in game.marks}
        self.places = [b'{"row":%d,"col":%d,"layer":%d' % _row_col_layer(game, cell) for cell in range(grid.cells)]
        names = [orjson.dumps(game.move_name(cell)) for cell in range(grid.cells)]
        self.moves = [b'%b,"move":%b}' % pair for pair in zip(self.places, names, strict=True)]
        self.plies = {mark: [_by(move, mark) for move in self.moves] for mark in game.marks}
        self.fixed = orjson.dumps(
            {
                "game": game.spec,
                "title": game.title,
                "marks": game.marks,
                "layout": {"kind": game.layout, "rows": grid.rows, "cols": grid.cols, "layers": grid.layers},
            }
        )[1:-1]

    def history(self, plies: Iterable[Ply]) -> list[bytes]:
        begun = self.plies
        return [
            b'%b%d,"capturedCount":%d}'
            % (begun[player][move] if move >= 0 else _by(self.move(move), player), at * 1000, captured)
            for player, move, at, captured in plies
        ]

    def move(self, move: Move) -> bytes:
        if move >= 0:
            return self.moves[move]
        return b'{"row":null,"col":null,"layer":null,"move":"%b"}' % (b"pass" if move == -1 else b"swap")

    def legal(self, position: Position) -> bytes:
        moves = self.moves
        return b",".join([moves[move] if move >= 0 else self.move(move) for move in position.legal_moves])

    def line(self, cells: Iterable[int]) -> bytes:
        return b",".join([self.places[cell] + b"}" for cell in cells])

    def board(self, position: Position) -> bytes:
        cells, taken = self.empty.copy(), self.taken
        for cell, mark in position.cells.items():
            cells[cell] = taken[mark][cell]
        return b"".join(cells)


def _on_board(game: Game, what: bytes) -> list[bytes]:
    """What stands in each cell, with the brackets and commas around it."""
    grid = game.grid
    sides = (grid.cols, grid.cols * grid.rows, grid.cells) if grid.layers > 1 else (grid.cols, grid.cells)
    return [
        b"[" * sum(cell % side == 0 for side in sides)
        + what
        + b"]" * sum((cell + 1) % side == 0 for side in sides)
        + (b"," if cell + 1 < grid.cells else b"")
        for cell in range(grid.cells)
    ]


def _by(move: bytes, player: Mark) -> bytes:
    """A move with its player, as far as the time."""
    return b'%b,"player":%b,"timestamp":' % (move[:-1], orjson.dumps(player))


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
                self._history = before._history + _words(table.match.game).history(made[-1:])

    def for_players(self, more: bytes = b"") -> bytes:
        """The state with the id that lets its holder play, and what else belongs to it."""
        return b'{"id":"%b",%b%b}' % (self.table.id.encode(), self._shared(), more)

    def for_watchers(self, more: bytes = b"") -> bytes:
        """The state under the id that can only watch."""
        return b'{"id":"%b",%b%b}' % (self.table.watch_id.encode(), self._shared(), more)

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
            self._history = words.history(match.history)
        history = self._history
        outcome, resigned = position.outcome, match.resigned
        over = outcome is not None or resigned is not None
        rest = {
            "currentPlayer": position.turn,
            "winner": match.winner if over else None,
            "version": table.version,
            "status": match.status if over else "playing",
            "canUndo": match.cursor > 0 and resigned is None,
            "canRedo": match.cursor < len(match.plies) and resigned is None,
            "offer": None if table.offer is None else _offer(*table.offer, table.agreed),
            "resigned": resigned,
            "ended": outcome.reason if outcome else "resigned" if resigned else None,
            "tiles": {mark: dict(outcome.tiles)[mark] for mark in words.taken} if outcome and outcome.tiles else None,
            "rematchWatchId": table.rematch[1] if table.rematch else None,
        }
        return b"".join(
            [
                b'"board":',
                words.board(position),
                b',"moveHistory":[',
                b",".join(history),
                b'],"legalMoves":[',
                b"" if over else words.legal(position),
                b'],"lastMove":',
                history[-1] if history else b"null",
                b',"winningCells":[',
                words.line(outcome.cells) if outcome is not None and outcome.winner else b"",
                b"],",
                words.fixed,
                b",",
                self._sitting,
                b",",
                orjson.dumps(rest)[1:-1],
            ]
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
