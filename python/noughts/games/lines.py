"""k in a row on any board: tic-tac-toe, 4x4, Gomoku, misère, 3-D, and what lies between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from immutables import Map

from noughts._kernel import Tables
from noughts.board.detector import CounterDetector, DirectionDetector, Tally, WinDetector
from noughts.board.grid import Grid
from noughts.core import LARGEST_COMPILED, Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidGame, InvalidNotation
from noughts.spec import Flag, Integer, Size, Text, option

_ENUMERATED = "enumerated by two independent programs"
_SOLVED = "solved exhaustively"


@dataclass(frozen=True, kw_only=True)
class Lines(Game):
    """Players in turn mark an empty cell; k in a row wins."""

    name = "lines"
    title = "k in a row"
    summary = "Mark cells in turn; the first with k in a row, in any direction, wins."
    what = "k in a row"
    sized = True
    presets = (
        Preset("tictactoe", "3x3", "the classic"),
        Preset("4x4", "4x4", "four in a row on four by four"),
        Preset("misere", "3x3,misere", "three in a row loses"),
        Preset("gomoku", "15x15,k=5", "five in a row on a Go-like board"),
        Preset("qubic", "4x4x4", "four in a row in a cube"),
    )
    facts = (
        Fact("3x3", "positions", 5_478, _ENUMERATED),
        Fact("3x3", "canonical", 765, _ENUMERATED),
        Fact("3x3", "games", 255_168, _ENUMERATED),
        Fact("3x3", "perft", (1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872), _ENUMERATED),
        Fact("3x3", "lines", 8, "3 rows, 3 columns, 2 diagonals"),
        Fact("3x3", "value", "draw", "folklore; " + _SOLVED),
        Fact("3x3,misere", "value", "draw", _SOLVED),
        Fact("3x3,misere", "openings", ("b2",), _SOLVED),
        Fact("4x4", "positions", 9_722_011, _ENUMERATED),
        Fact("4x4", "canonical", 1_217_977, _ENUMERATED),
        Fact("4x4", "games", 15_038_733_958_272, _ENUMERATED),
        Fact("4x4", "lines", 10, "4 rows, 4 columns, 2 diagonals"),
        Fact("4x4", "value", "draw", _SOLVED),
        Fact("4x4,misere", "value", "draw", _SOLVED),
        Fact("4x3,k=3", "value", "win", "folklore; " + _SOLVED),
        Fact("4x4,k=3", "value", "win", "folklore; " + _SOLVED),
        Fact("5x4,k=4", "value", "draw", _SOLVED),
        Fact("5x5,k=4", "value", "draw", "Lee; " + _SOLVED),
        Fact("6x4,k=4", "value", "draw", _SOLVED),
        Fact("7x4,k=4", "value", "draw", _SOLVED),
        Fact("6x5,k=4", "value", "win", _SOLVED),
        Fact("6x6,k=4", "value", "win", _SOLVED),
        Fact("5x5", "value", "draw", _SOLVED),
        Fact("6x6,k=5", "value", "draw", "Hsu et al., Theoretical Computer Science 815 (2020)"),
        Fact("7x7,k=5", "value", "draw", "Hsu et al., Theoretical Computer Science 815 (2020)"),
        Fact("8x8,k=5", "value", "draw", "Hsu et al., Theoretical Computer Science 815 (2020)"),
        Fact("15x15,k=5", "value", "win", "Allis 1993"),
        Fact("15x15,k=5,exact", "value", "win", "Allis 1993"),
        Fact("3x3x3", "lines", 49, "3N² + 6N + 4"),
        Fact("3x3x3", "value", "win", _SOLVED),
        Fact("3x3x3", "openings", ("b2/2",), _SOLVED),
        Fact("4x4x4", "lines", 76, "3N² + 6N + 4"),
        Fact("4x4x4", "value", "win", "Patashnik 1980; Allis and Schoo 1992"),
    )

    size: tuple[int, ...] = option(Size({2: 1000, 3: 16}), "rows x columns (x layers)", default=(3, 3))
    k: int = option(Integer(2, 1000), "how many in a row", default=lambda game: min(game.size))
    players: int = option(Integer(2, 8), "how many play, in turn", default=2)
    misere: bool = option(Flag(), "who completes a row loses", default=False)
    exact: bool = option(Flag(), "a row longer than k does not count", default=False)
    corners: bool = option(Flag(), "three corners win as well", default=False)
    early_draw: bool = option(Flag(), "a draw as soon as no row can be completed", default=False)
    setup: str = option(Text("marks on cells such as X:b2+O:c3"), "marks on the board from the start", default="")

    def __post_init__(self) -> None:
        super().__post_init__()
        shown = "x".join(map(str, self.size))
        if self.k > max(self.size):
            raise InvalidGame(f"'k={self.k}': k goes from 2 to the longest side, {max(self.size)} on {shown}")
        if self.misere and self.players > 2:
            raise InvalidGame(f"'players={self.players}': misere is for two players")
        if self.corners and len(self.size) > 2:
            raise InvalidGame(f"'corners': three corners win on flat boards only, not on {shown}")
        if self.setup:
            object.__setattr__(self, "setup", self._canonical_setup())

    @cached_property
    def spec(self) -> str:
        """The size, then what differs from the defaults."""
        size, *rest = ["x".join(map(str, self.size)), *self.shown_options()]
        return ",".join([size, *(text for text in rest if not text.startswith("size="))])

    @cached_property
    def grid(self) -> Grid:
        """The box of cells."""
        return Grid(*self.size)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """X, O, then letters."""
        return tuple("XOABCDEF"[: self.players])

    @property
    def layout(self) -> str:
        """A cube as soon as there are layers."""
        return "cube" if len(self.size) == 3 else "square"

    @cached_property
    def corner_sets(self) -> tuple[tuple[int, ...], ...]:
        """The winning sets of three corners."""
        rows, cols = self.size[:2]
        last = rows * cols - 1
        return tuple(combinations((0, cols - 1, last - cols + 1, last), 3)) if self.corners else ()

    @cached_property
    def detector(self) -> WinDetector:
        """Counters where every line spans the board, directions elsewhere."""
        kind = CounterDetector if set(self.size) == {self.k} else DirectionDetector
        return kind(self.grid, self.k, exact=self.exact, extra=self.corner_sets)

    @cached_property
    def kernel(self) -> Tables | None:
        """Winning sets, for boards the kernel takes; with ``exact``, the cells beyond their ends too."""
        if self.grid.cells > LARGEST_COMPILED:
            return None
        lines = [(tuple(line), self.grid.ends(line) if self.exact else ()) for line in self.grid.lines(self.k)]
        lines += [(corners, ()) for corners in self.corner_sets]
        return Tables.lines(
            cells=self.grid.cells,
            players=self.players,
            sets=[cells for cells, _ in lines],
            caps=[caps for _, caps in lines],
            misere=self.misere,
            early_draw=self.early_draw,
            symmetries=[symmetry.table for symmetry in self.symmetries],
        )

    def winning_sets(self) -> Iterator[tuple[int, ...]]:
        """All sets of cells that win, lines first."""
        yield from (tuple(line) for line in self.grid.lines(self.k))
        yield from self.corner_sets

    def start(self, first: Mark | None = None) -> LinesPosition:
        """The board as set up. After n stones of setup it is the turn of whoever plays ply n."""
        cells = self._setup_cells(self.setup)
        turn = self.marks[len(cells) % self.players] if first is None else self.check_mark(first)
        return self.at(cells, turn)

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> LinesPosition:
        """The position with these marks; refused when two players have completed a row."""
        if extra:
            raise InvalidNotation(f"{extra!r}: nothing follows the turn in {self}")
        tally: Tally = Map()
        won: dict[Mark, set[int]] = {}
        for cell, mark in cells.items():
            tally, completed = self.detector.place(tally, cells, cell)
            if completed:
                won.setdefault(mark, set()).update(completed)
        if len(won) > 1:
            raise InvalidNotation(f"both {' and '.join(sorted(won))} have completed a row")
        position = LinesPosition(self, cells, turn, tally=tally)
        for mark, completed_cells in won.items():
            return position.ended(self.won(mark, tuple(sorted(completed_cells))))
        return position.ended(position.drawn())

    def ongoing(self, cells: Cells, turn: Mark, extra: str = "") -> LinesPosition:
        """The position with these marks; only counters have to look at each of them again."""
        if extra or isinstance(self.detector, CounterDetector):
            return self.at(cells, turn, extra)
        return LinesPosition(self, cells, turn)

    def won(self, mark: Mark, completed: tuple[int, ...]) -> Outcome:
        """The outcome when ``mark`` completes a set of cells."""
        return Outcome(self.after(mark) if self.misere else mark, "line", completed)

    def open_line(self, cells: Cells, cursor: int) -> int:
        """The first line from number ``cursor`` on that somebody can still complete."""
        grid, ways = self.grid, self.grid.directions
        while cursor < grid.cells * len(ways):
            start, way = divmod(cursor, len(ways))
            line = grid.line(start, ways[way], self.k)
            if line is not None and self._is_open(cells, line):
                return cursor
            cursor += 1
        while cursor < self.line_numbers:
            if len({cells[c] for c in self.corner_sets[cursor - grid.cells * len(ways)] if c in cells}) < 2:
                return cursor
            cursor += 1
        return cursor

    @cached_property
    def line_numbers(self) -> int:
        """One past the number of the last line."""
        return self.grid.cells * len(self.grid.directions) + len(self.corner_sets)

    def _is_open(self, cells: Cells, line: range) -> bool:
        owners = {cells[cell] for cell in line if cell in cells}
        if len(owners) > 1 or not self.exact:
            return len(owners) < 2
        ends = [cells.get(end) for end in self.grid.ends(line)]
        return any(owner not in ends for owner in owners or self.marks)

    def _setup_cells(self, setup: str) -> Cells:
        cells: dict[int, Mark] = {}
        for part in setup.split("+") if setup else ():
            mark, colon, name = part.strip().partition(":")
            if not colon:
                raise InvalidGame(f"'setup={setup}': {part!r} is not a mark on a cell such as X:b2")
            try:
                cell = self.grid.parse(name)
            except InvalidNotation as error:
                raise InvalidGame(f"'setup={setup}': {error}") from None
            if cell in cells:
                raise InvalidGame(f"'setup={setup}': {name} is set twice")
            cells[cell] = self.check_mark(mark) if mark.upper() in self.marks else self._no_mark(setup, mark)
        return Map(cells)

    def _no_mark(self, setup: str, mark: str) -> Mark:
        raise InvalidGame(f"'setup={setup}': {mark!r} is not one of {', '.join(self.marks)}")

    def _canonical_setup(self) -> str:
        cells = self._setup_cells(self.setup)
        try:
            outcome = self.at(cells, self.marks[0]).outcome
        except InvalidNotation as error:
            raise InvalidGame(f"'setup={self.setup}': {error}") from None
        if outcome is not None:
            raise InvalidGame(f"'setup={self.setup}' already {'contains a win' if outcome.winner else 'ends the game'}")
        return "+".join(f"{cells[cell]}:{self.grid.name(cell)}" for cell in sorted(cells))


@dataclass(frozen=True, slots=True, repr=False)
class LinesPosition(Position):
    """Marks on a board, with what the win detector remembers of them."""

    game: Lines
    tally: Tally = field(default=Map(), compare=False)
    open_from: int = field(default=0, compare=False)
    """No line with a smaller number can be completed any more."""

    def play_unchecked(self, move: Move) -> LinesPosition:
        """Put the mark down and see what it completes."""
        game, mark = self.game, self.turn
        cells = self.cells.set(move, mark)
        tally, completed = game.detector.place(self.tally, cells, move)
        if completed:
            outcome = game.won(mark, completed)
            return LinesPosition(game, cells, mark, outcome, move, (move,), tally, self.open_from)
        after = LinesPosition(game, cells, game.after(mark), None, move, (move,), tally, self.open_from)
        if len(cells) == game.grid.cells or game.early_draw:
            return after.ended(after.drawn(), turn=mark)
        return after

    def ended(self, outcome: Outcome | None, *, turn: Mark | None = None) -> LinesPosition:
        """This position as the last of its game, if there is an outcome."""
        if outcome is None:
            return self
        return LinesPosition(
            self.game, self.cells, turn or self.turn, outcome, self.last, self.changed, self.tally, self.open_from
        )

    def drawn(self) -> Outcome | None:
        """The outcome if nobody can move, or with ``early_draw`` if nobody can win."""
        if len(self.cells) == self.game.grid.cells:
            return Outcome(None, "full")
        return Outcome(None, "dead") if self.game.early_draw and self.is_dead else None

    @property
    def is_dead(self) -> bool:
        """Whether no line can be completed by anybody any more.

        A line never opens again, so the search for an open one goes on where it last stopped.
        """
        object.__setattr__(self, "open_from", self.game.open_line(self.cells, self.open_from))
        return self.open_from == self.game.line_numbers

    def move_count(self) -> int:
        """Every empty cell is a move."""
        return self.game.grid.cells - len(self.cells)

    def estimate(self, mark: Mark) -> int:
        """Lines that only one player holds count for it, four times as much with each stone."""
        game, cells, total = self.game, self.cells, 0
        seen: set[tuple[int, int]] = set()
        for stone in cells:
            for way, step in enumerate(game.grid.directions):
                for line in game.grid.lines_through(stone, step, game.k):
                    if (line[0], way) in seen:
                        continue
                    seen.add((line[0], way))
                    marks = [cells[cell] for cell in line if cell in cells]
                    if marks.count(marks[0]) == len(marks):
                        total += 4 ** len(marks) if marks[0] == mark else -(4 ** len(marks))
        return -total if game.misere else total
