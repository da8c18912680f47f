"""Connect Four: pieces fall to the lowest open cell of their column; four in a row wins."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from immutables import Map

from noughts._kernel import Tables
from noughts.board.detector import DirectionDetector
from noughts.board.grid import Grid, Symmetry
from noughts.board.rows import Rows
from noughts.core import Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidGame, InvalidNotation
from noughts.hooks import Advice, Curve, Rule, Scene, Threat
from noughts.note import Note
from noughts.spec import Length, Size, option
from noughts.words import Words, number, sides

_TROMP = "Tromp, The Connect-4 Playground"
_FIRST = "Allis 1988; Allen 1988"
_SOLVED = "solved exhaustively; Tromp, The Connect-4 Playground"

USUAL_SIZE, USUAL_ROW = (6, 7), 4
"""The board and the row that everybody knows."""

_ENGINE = Curve(
    (
        (0.00, -0.18, 0.00, 0.18),
        (0.05, -0.18, 0.01, 0.20),
        (0.15, 0.03, 0.19, 0.39),
        (0.28, 0.20, 0.33, 0.48),
        (0.60, 0.22, 0.35, 0.50),
        (0.85, 0.26, 0.42, 0.60),
    ),
    scale=60,
)


@dataclass(frozen=True, kw_only=True)
class ConnectFour(Game):
    """Drop pieces into columns; four in a row wins."""

    name = "connect4"
    title = "Connect Four"
    summary = "Drop pieces into columns; the first with four in a row, in any direction, wins."
    what = "Connect Four"
    one_block = True
    engine_scale = 300
    presets = (
        Preset(
            "connect4",
            "connect4",
            "Drop a piece into a column. Four in a row.",
            "Connect Four",
            25,
            "......./......./...X.../..OXO../.OXXO../OXXOXO.",
        ),
    )
    words = Words(
        {
            "title.usual": "Connect Four",
            "title.board": "Connect Four on {size}",
            "title.other": "connect {k} on {size}",
            "goal.row": "be the first to get {k} of your pieces in a row, across, down or diagonally",
            "rule.turns": "X and O take turns. On your turn, drop a piece into any column that is not full",
            "rule.falls": "a piece falls to the lowest empty cell of its column",
            "rule.falls.shown": "a piece falls to the lowest empty cell of its column. The dots show where the next"
            " piece can land; it cannot stay in the air",
            "rule.row": "the first player with {k} pieces in a row wins. A row can run across, down or diagonally",
            "rule.draw": "if the board is full and nobody has {k} in a row, the game is a draw",
            "refusal.not_open": "{move} is not open yet; a piece in that column falls to {cells}",
            "refusal.column_full": "column {move} is full",
            "note.completes": "wins",
            "note.blocks": "blocks {rival}",
            "note.safe": "close to the middle, and opens nothing for {rival}",
            "note.forced": "every column opens a win for {rival}",
            "threat.fork": "{player} makes two threats at once at {cells}",
            "reason.fork": "{move} makes two threats at once",
            "reason.stops_fork": "{move} stops {rival} from making two threats at once",
            "threat.waiting": "{player} wins at {cells} as soon as it opens",
            "level.rules": "follows simple rules: win, block, else the safe column closest to the middle",
        }
    )
    facts = (
        Fact(
            "connect4",
            "perft",
            (1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572),
            "counted by two independent programs",
        ),
        Fact("connect4", "lines", 69, "24 rows, 21 columns, 24 diagonals"),
        Fact("connect4", "positions", 4_531_985_219_092, _TROMP),
        Fact("connect4", "value", "win", _FIRST),
        Fact("connect4", "openings", ("d6",), _FIRST),
        Fact("connect4,size=4", "positions", 161_029, _TROMP),
        Fact("connect4,size=4", "value", "draw", _SOLVED),
        Fact("connect4,size=4x5", "value", "draw", _SOLVED),
        Fact("connect4,size=5x4", "value", "draw", _SOLVED),
        Fact("connect4,size=5", "value", "draw", _SOLVED),
        Fact("connect4,size=4x6", "value", "loss", _SOLVED),
    )

    size: tuple[int, ...] = option(Size({2: 20}), "rows and columns", default=USUAL_SIZE, label="Board")
    k: int = option(
        Length(2, 20),
        "how many pieces in a row it takes",
        default=lambda game: min(USUAL_ROW, max(game.size)),
        label="In a row",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k > max(self.size):
            shown = "x".join(map(str, self.size))
            raise InvalidGame(f"'k={self.k}': a row on {shown} has from 2 to {max(self.size)} cells")

    @cached_property
    def grid(self) -> Grid:
        """The upright board, its first row on top."""
        return Grid(*self.size)

    @cached_property
    def rows(self) -> Rows:
        """The sets of cells that win."""
        return Rows(self.grid, self.k)

    @cached_property
    def detector(self) -> DirectionDetector:
        """Looks around the last piece."""
        return DirectionDetector(self.grid, self.k)

    @property
    def layout_facts(self) -> Mapping[str, object]:
        """A press anywhere in a column drops a piece into it."""
        return {"gravity": True, "pieces": "stone"}

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Left and right may be swapped, up and down not."""
        return Symmetry(self.grid), Symmetry(self.grid, flips=(False, False, True))

    def below(self, cell: int) -> int | None:
        """The cell that must be taken before this one opens, if there is one."""
        under = cell + self.grid.cols
        return under if under < self.grid.cells else None

    @cached_property
    def kernel(self) -> Tables:
        """Winning sets, and what opens each cell."""
        cells = self.grid.cells
        return Tables.lines(
            cells=cells,
            players=2,
            sets=list(self.rows),
            caps=[],
            misere=False,
            early_draw=False,
            symmetries=[symmetry.table for symmetry in self.symmetries],
            opens=[self.below(cell) for cell in range(cells)],
            sights=[self.rows.sight(row) for row in self.rows],
        )

    def title_note(self) -> Note:
        """The name people know on the usual board, else with the board."""
        if self.k != USUAL_ROW:
            return Note("other", {"k": number(self.k), "size": sides(self.size)})
        return Note("usual") if self.size == USUAL_SIZE else Note("board", {"size": sides(self.size)})

    def goal_note(self) -> Note:
        """A row."""
        return Note("row", {"k": number(self.k)})

    def rules(self) -> tuple[Rule, ...]:
        """How pieces fall, and rows; shown on a part of the board where it is large."""
        k = {"k": number(self.k)}
        rows, cols = (min(side, usual) for side, usual in zip(self.size, USUAL_SIZE, strict=True))
        falling: tuple[Scene, ...] = ()
        won: tuple[Scene, ...] = ()
        if self.k <= max(rows, cols):
            small = replace(self, size=(rows, cols))
            high = small.grid.cells - 1 - cols
            falling = (Scene(small.start().play("a").play("a"), legal=True, refused=(high,)),)
            won = (Scene(small.example()),)
        return (
            Rule(Note("turns")),
            Rule(Note("falls", {"case": "shown" if falling else None}), falling),
            Rule(Note("row", k), won),
            Rule(Note("draw", k)),
        )

    def example(self) -> ConnectFourPosition:
        """A board with a row: askew where there is room, else along the ground or up a column."""
        rows, cols = self.size
        steps = ((1, 1), (0, 1), (1, 0))
        up, right = next((up, right) for up, right in steps if up * self.k <= rows and right * self.k <= cols)
        line = [(rows - 1 - up * at) * cols + right * at for at in range(self.k)]
        cells = dict.fromkeys(line, self.marks[0])
        for cell in line:
            below = self.below(cell)
            while below is not None and below not in cells:
                # Pieces of both players, so that none of them has a row below this one.
                cells[below] = self.marks[(below // cols + below % cols // 2) % 2]
                below = self.below(below)
        return self.at(Map(cells), self.marks[0])

    def winning_sets(self) -> Iterator[tuple[int, ...]]:
        """All sets of cells that win."""
        return iter(self.rows)

    @property
    def calibration(self) -> Mapping[str, Curve]:
        """The engine was measured on 6x7."""
        return {"engine": _ENGINE}

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> ConnectFourPosition:
        """The position with these pieces; refused when one hangs in the air or both players have won."""
        if extra:
            raise InvalidNotation(f"{extra!r}: nothing follows the turn in {self}")
        won: dict[Mark, set[int]] = {}
        for cell, mark in cells.items():
            below = self.below(cell)
            if below is not None and below not in cells:
                raise InvalidNotation(f"{self.grid.name(cell)} is taken, but {self.grid.name(below)} below it is empty")
            _, completed = self.detector.place(Map(), cells, cell)
            won.setdefault(mark, set()).update(completed)
        winners = sorted(mark for mark in won if won[mark])
        if len(winners) > 1:
            raise InvalidNotation(f"both {' and '.join(winners)} have completed a row")
        outcome = Outcome(None, "full") if len(cells) == self.grid.cells else None
        for mark in winners:
            outcome = Outcome(mark, "line", tuple(sorted(won[mark])))
        return ConnectFourPosition(self, cells, turn, outcome)

    def ongoing(self, cells: Cells, turn: Mark, extra: str = "") -> ConnectFourPosition:
        """The position with these pieces, which came about by play."""
        return self.at(cells, turn, extra) if extra else ConnectFourPosition(self, cells, turn)


@dataclass(frozen=True, slots=True, repr=False)
class ConnectFourPosition(Position):
    """Pieces on the board."""

    game: ConnectFour

    def is_open(self, cell: int) -> bool:
        """Whether an empty cell has nothing empty below it."""
        below = self.game.below(cell)
        return below is None or below in self.cells

    def moves(self) -> Iterator[Move]:
        """The open cell of every column that has one."""
        cells = self.cells
        return (cell for cell in range(self.game.grid.cells) if cell not in cells and self.is_open(cell))

    def refusal(self, move: Move) -> Note | None:
        """A cell has to be open."""
        if move < 0 or self.is_open(move):
            return Position.refusal(self, move)
        name = self.game.move_name
        column = range(move % self.game.grid.cols, self.game.grid.cells, self.game.grid.cols)
        lowest = max(cell for cell in column if cell not in self.cells)
        return Note("not_open", {"move": name(move), "cells": (name(lowest),)})

    def read_move(self, text: str) -> Move:
        """Read a cell, or a column that is not full."""
        move = Position.read_move(self, text)
        column = self.game.grid.parse_column(text)
        if column is not None and move in self.cells:
            facts = {"move": text.strip().lower()}
            raise InvalidNotation(f"column {facts['move']} is full", code="column_full", facts=facts)
        return move

    def play_unchecked(self, move: Move) -> ConnectFourPosition:
        """Drop the piece and see what it completes."""
        game, mark = self.game, self.turn
        cells = self.cells.set(move, mark)
        _, completed = game.detector.place(Map(), cells, move)
        if completed:
            return ConnectFourPosition(game, cells, mark, Outcome(mark, "line", completed), move, (move,))
        if len(cells) == game.grid.cells:
            return ConnectFourPosition(game, cells, mark, Outcome(None, "full"), move, (move,))
        return ConnectFourPosition(game, cells, game.after(mark), None, move, (move,))

    def estimate(self, mark: Mark) -> int:
        """Rows that only one player holds count for it, four times as much with each piece."""
        return self.game.rows.balance(self.cells, mark)

    def advise(self, rng: random.Random) -> Advice:
        """Win, block, then the column closest to the middle that opens no win for the other player."""
        game, mark, rival = self.game, self.turn, self.game.after(self.turn)
        moves = list(self.legal_moves)
        for who in (mark, rival):
            for move in moves:
                if self._completes(self.cells, move, who):
                    return Advice(move, Note("completes") if who == mark else Note("blocks", {"rival": rival}))
        moves.sort(key=lambda move: abs(2 * (move % game.grid.cols) + 1 - game.grid.cols))
        for move in moves:
            above = move - game.grid.cols
            if above < 0 or not self._completes(self.cells.set(move, mark), above, rival):
                return Advice(move, Note("safe", {"rival": rival}))
        return Advice(moves[0], Note("forced", {"rival": rival}))

    def threats(self) -> tuple[Threat, ...]:
        """Cells that win once they open, and forks: moves after which one answer is not enough."""
        game, mark = self.game, self.turn
        found = []
        waiting = tuple(cell for cell in game.rows.gaps(self.cells, mark, 1) if not self.is_open(cell))
        if waiting:
            found.append(Threat(mark, "waiting", waiting))
        forks = tuple(move for move in self.legal_moves if self._forks(move))
        if forks:
            found.append(Threat(mark, "fork", forks))
        return tuple(found)

    def _completes(self, cells: Cells, move: Move, mark: Mark) -> bool:
        return bool(self.game.detector.place(Map(), cells.set(move, mark), move)[1])

    def _forks(self, move: Move) -> bool:
        """Whether a move that does not win leaves two open cells that do, or one above the other."""
        after, mark = self.play_unchecked(move), self.turn
        if after.outcome is not None:
            return False
        gaps = set(self.game.rows.gaps(after.cells, mark, 1))
        wins = [cell for cell in gaps if after.is_open(cell)]
        return len(wins) > 1 or any(cell - self.game.grid.cols in gaps for cell in wins)
