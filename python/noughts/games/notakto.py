"""Notakto: both players write X, and whoever completes a row on the last live board loses."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from noughts.board.grid import Grid
from noughts.core import Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidNotation
from noughts.hooks import Advice, Region, Rule, Scene
from noughts.note import Note
from noughts.spec import Length, option
from noughts.words import Words, number

SIDE = 3
"""Rows of the boards, and columns of each."""

CENTRE = 4
"""The middle of a board."""

_ENUMERATED = "enumerated by two independent programs"
_SOLVED = "solved exhaustively"
_PAPER = "Plambeck and Whitehead, The Secrets of Notakto (2013)"


@dataclass(frozen=True, kw_only=True)
class Notakto(Game):
    """Some boards side by side, one mark, two players."""

    name = "notakto"
    title = "Notakto"
    summary = "Both players write X. A row kills its board; who completes one on the last live board loses."
    what = "notakto"
    presets = (
        Preset("notakto", "notakto", "Both write X. The last row loses.", "Notakto", 55, "X../.../.X.", open=True),
    )
    words = Words(
        {
            "mark.X": "First",
            "mark.O": "Second",
            "title.one": "Notakto",
            "title.boards": "Notakto on {boards} boards",
            "goal.last": "do not complete the last row of three X: both players write X, and whoever completes it"
            " loses",
            "rule.turns": "both players write X. On your turn, put an X on any empty cell of a board that is in play",
            "rule.row": "three X in a row, across, down or diagonally, take that board out of play, whoever wrote them",
            "rule.last": "whoever completes a row on the last board in play loses",
            "rule.last.one": "whoever completes three X in a row, across, down or diagonally, loses",
            "refusal.occupied": "{move} is already taken",
            "refusal.dead_board": "{move} is on a board that has a row already",
            "note.middle": "the middle of the last board",
            "note.knight": "a knight's move from the last X",
            "note.careful": "completes no row on the last board",
            "note.kills": "kills a board",
            "note.lost": "every move completes the last row",
            "level.rules": "follows simple rules: leave an even number of boards; on the last, a knight's move away",
        }
    )
    facts = (
        Fact("notakto", "perft", (1, 9, 72, 504, 2_736, 9_360, 13_440, 4_320, 0), _ENUMERATED),
        Fact("notakto", "value", "win", f"{_PAPER}; {_SOLVED}"),
        Fact("notakto", "openings", ("b2",), f"{_PAPER}; {_SOLVED}"),
        Fact("notakto,boards=2", "value", "loss", f"{_PAPER}; {_SOLVED}"),
        Fact("notakto,boards=3", "value", "win", _PAPER),
    )

    boards: int = option(
        Length(1, 8, cells=lambda boards: SIDE * boards),
        "how many boards of 3x3 are played at once",
        default=1,
        label="Boards",
    )

    @cached_property
    def grid(self) -> Grid:
        """The boards side by side."""
        return Grid(SIDE, SIDE * self.boards)

    @property
    def layout_facts(self) -> Mapping[str, object]:
        """Everybody writes X, on boards with a line between them."""
        return {"mark": "X", **({"blocks": {"rows": SIDE, "cols": SIDE}} if self.boards > 1 else {})}

    @cached_property
    def board_cells(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each board, in board order."""
        width = self.grid.cols
        return tuple(
            tuple(row * width + SIDE * board + col for row in range(SIDE) for col in range(SIDE))
            for board in range(self.boards)
        )

    @cached_property
    def rows(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rows of each board."""
        lines = tuple(Grid(SIDE, SIDE).lines(SIDE))
        return tuple(tuple(tuple(cells[place] for place in line) for line in lines) for cells in self.board_cells)

    def title_note(self) -> Note:
        """The game, with the number of boards where there are several."""
        return Note("one") if self.boards == 1 else Note("boards", {"boards": number(self.boards)})

    def goal_note(self) -> Note:
        """The last row loses."""
        return Note("last")

    def rules(self) -> tuple[Rule, ...]:
        """One mark for both, and what a row does; shown on two boards at most."""
        lost = replace(self, boards=1).position("X1X/1X1/X2 X")
        last = Rule(Note("last", {"case": "one" if self.boards == 1 else None}), (Scene(lost),))
        if self.boards == 1:
            return Rule(Note("turns")), last
        two = replace(self, boards=2).position("X5/XXX1X1/6 X")
        dead = two.game.parse_move("a3")
        return Rule(Note("turns")), Rule(Note("row"), (Scene(two, legal=True, refused=(dead,)),)), last

    def board_of(self, cell: int) -> int:
        """The board of a cell."""
        return cell % self.grid.cols // SIDE

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> NotaktoPosition:
        """The position with these crosses; when every board has a row, ``turn`` is who completed the last."""
        if extra:
            raise InvalidNotation(f"{extra!r}: nothing follows the turn in {self}")
        if any(mark != self.marks[0] for mark in cells.values()):
            raise InvalidNotation(f"both players write {self.marks[0]} in {self}")
        dead = frozenset(board for board in range(self.boards) if self.completed(cells, board))
        outcome = None
        if len(dead) == self.boards:
            row = {cell for board in dead for cell in self.completed(cells, board)}
            outcome = Outcome(self.after(turn), "line", tuple(sorted(row)))
        return NotaktoPosition(self, cells, turn, outcome, dead=dead)

    def completed(self, cells: Cells, board: int) -> frozenset[int]:
        """The cells of the rows that are complete on a board."""
        return frozenset(cell for row in self.rows[board] if all(cell in cells for cell in row) for cell in row)


@dataclass(frozen=True, slots=True, repr=False)
class NotaktoPosition(Position):
    """Crosses on the boards."""

    game: Notakto
    dead: frozenset[int] = field(default=frozenset(), compare=False)
    """The boards that have a row."""

    def play_unchecked(self, move: Move) -> NotaktoPosition:
        """Write an X, whoever is on turn."""
        game, cells = self.game, self.cells.set(move, self.game.marks[0])
        board = game.board_of(move)
        dead = self.dead | {board} if game.completed(cells, board) else self.dead
        if len(dead) == game.boards:
            outcome = game.at(cells, self.turn).outcome
            return NotaktoPosition(game, cells, self.turn, outcome, move, (move,), dead)
        return NotaktoPosition(game, cells, game.after(self.turn), None, move, (move,), dead)

    def moves(self) -> Iterator[Move]:
        """The empty cells of the boards without a row."""
        cells, dead, board_of = self.cells, self.dead, self.game.board_of
        return (cell for cell in range(self.game.grid.cells) if cell not in cells and board_of(cell) not in dead)

    def refusal(self, move: Move) -> Note | None:
        """A board with a row is out of play."""
        if move >= 0 and self.game.board_of(move) in self.dead:
            return Note("dead_board", {"move": self.game.move_name(move)})
        return Position.refusal(self, move)

    def regions(self) -> tuple[Region, ...]:
        """The boards that are out of play, nobody's."""
        return tuple(Region(self.game.board_cells[board], None) for board in sorted(self.dead))

    def advise(self, rng: random.Random) -> Advice:
        """On the last board take the middle, then stay a knight's move from the other's X; never complete its row."""
        moves = list(self.legal_moves)
        alive = self.game.boards - len(self.dead)
        safe = [move for move in moves if self.play_unchecked(move).outcome is None]
        if not safe:
            return Advice(rng.choice(moves), Note("lost"))
        if alive > 1:
            # An even number of live boards is what the other should be left with.
            killing = [move for move in safe if len(self.play_unchecked(move).dead) > len(self.dead)]
            if killing and alive % 2:
                return Advice(rng.choice(killing), Note("kills"))
            return Advice(rng.choice([move for move in safe if move not in killing] or safe), Note("careful"))
        [board] = set(range(self.game.boards)) - self.dead
        middle = self.game.board_cells[board][CENTRE]
        if middle in safe and not any(cell in self.cells for cell in self.game.board_cells[board]):
            return Advice(middle, Note("middle"))
        near = [move for move in safe if self.last is not None and self._is_knights_move(self.last, move)]
        return Advice(rng.choice(near), Note("knight")) if near else Advice(rng.choice(safe), Note("careful"))

    def _is_knights_move(self, one: Move, other: Move) -> bool:
        width = self.game.grid.cols
        return sorted((abs(one // width - other // width), abs(one % width - other % width))) == [1, 2]
