"""Rows of any length on any board: tic-tac-toe, 4x4, Gomoku, misère, 3-D, and what lies between."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, islice

from immutables import Map

from noughts._kernel import Tables
from noughts.board.cut import cut
from noughts.board.detector import CounterDetector, DirectionDetector, Tally, WinDetector
from noughts.board.grid import Grid
from noughts.board.notation import read_setup, setup_text
from noughts.board.rows import Rows
from noughts.core import LARGEST_COMPILED, Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidGame, InvalidNotation
from noughts.hooks import LARGEST_SCANNED, Advice, Curve, Rule, Scene, Threat, Window
from noughts.note import Fact as Value
from noughts.note import Note
from noughts.spec import Flag, Integer, Length, Size, Text, option
from noughts.words import Words, number, sides

_ENUMERATED = "enumerated by two independent programs"
_SOLVED = "solved exhaustively"

MAX_SHOWN = 125
"""Cells of the largest board that is drawn to show a rule."""

_ENGINE = Curve(
    (
        (0.00, -0.38, 0.00, 0.38),
        (0.05, 0.00, 0.42, 0.75),
        (0.15, 0.47, 0.74, 0.98),
        (0.28, 0.57, 0.85, 1.00),
        (0.42, 0.57, 0.85, 1.00),
        (0.60, 0.68, 0.85, 1.00),
        (0.85, 0.84, 0.93, 1.00),
    ),
    scale=1000,
)

_SMALL_ENGINE = Curve(
    (
        (0.00, -0.15, 0.00, 0.15),
        (0.05, 0.08, 0.18, 0.30),
        (0.15, 0.25, 0.38, 0.54),
        # Higher ones were too rare to measure.
        (1.00, 0.30, 0.60, 1.00),
    )
)
"""On boards that are small for their row, most games are drawn."""

SMALL_BOARD = 36
"""Cells up to which a board is small in that sense."""


@dataclass(frozen=True, kw_only=True)
class Lines(Game):
    """Players in turn mark an empty cell; k in a row wins."""

    name = "lines"
    title = "In a row"
    summary = "Mark cells in turn; get enough of your marks in a row, in any direction, before the others do."
    what = "this game"
    sized = True
    engine_scale = 2000
    one_block = True
    presets = (
        Preset("tictactoe", "3x3", "Three in a row. The classic.", "Tic-tac-toe", 10, "XO./.XO/..X"),
        Preset("4x4", "4x4", "Four in a row on a bigger board.", "4×4", 20, "X.OO/.X../OOX./...X"),
        Preset(
            "custom",
            "6x6,k=4",
            "Choose the board and the rules yourself.",
            "Any size",
            30,
            "....../..OX../.OX.../.XXO../X..O../......",
            open=True,
        ),
        Preset(
            "gomoku",
            "15x15,k=5",
            "Five in a row on 15×15.",
            "Gomoku",
            40,
            "........./......O../..O.X..../...OX..../..XXXO.../...XO..../..O....../........./.........",
        ),
        Preset("misere", "3x3,misere", "Three in a row loses.", "Misère", 50, "XO./O.X/X.O"),
        Preset(
            "qubic",
            "4x4x4",
            "Four in a row in a cube.",
            "3-D",
            60,
            "X..O/.O../..../..../..../.X../..O./..../..../.O../..X./..../O.../..../..../...X",
        ),
    )
    words = Words(
        {
            "title.tictactoe": "tic-tac-toe",
            "title.gomoku": "Gomoku{board}",
            "title.gomoku.exact": "Gomoku{board}, exactly five",
            "title.rows": "{k} in a row{board}{corners}{players}{setup}",
            "title.rows.exact": "exactly {k} in a row{board}{corners}{players}{setup}",
            "title.rows.misere": "avoid {k} in a row{board}{corners}{setup}",
            "title.rows.misere_exact": "avoid exactly {k} in a row{board}{corners}{setup}",
            "goal.rows": "be the first to get {k} of your marks in a row, {ways}{corners}",
            "goal.rows.exact": "be the first to get exactly {k} of your marks in a row, {ways}; a longer row does not"
            " count{corners}",
            "goal.rows.misere": "avoid {k} of your marks in a row, {ways}: whoever completes such a row loses{corners}",
            "goal.rows.misere_exact": "avoid exactly {k} of your marks in a row, {ways}: whoever completes such a row"
            " loses{corners}",
            "part.board": " on {size}",
            "part.board.cube": " in a cube of {size}",
            "part.board.box": " in a box of {size}",
            "part.corners": " with corners",
            "part.corners_win": "; three corners win as well",
            "part.corners_win.misere": "; three corners lose as well",
            "part.players": " for {count} players",
            "part.setup": " with marks set up",
            "part.ways": "across, down or diagonally",
            "part.ways.layers": "across, down, through the layers or along any diagonal",
            "rule.turns": "{marks} take turns. On your turn, put your mark on any empty cell. Marks never move",
            "rule.setup": "some marks are on the board from the start",
            "rule.row": "the first player with {k} marks in a row wins. A row can run {ways}",
            "rule.row.exact": "the first player with exactly {k} marks in a row wins. A row can run {ways}",
            "rule.row.misere": "whoever gets {k} of their own marks in a row loses, and the other player wins. A row"
            " can run {ways}",
            "rule.row.misere_exact": "whoever gets exactly {k} of their own marks in a row loses, and the other player"
            " wins. A row can run {ways}",
            "rule.longer": "a row of more than {k} does not count, and the game goes on",
            "rule.corners": "three of the four corners count like a row",
            "rule.draw": "if the board is full and nobody has such a row, the game is a draw",
            "rule.draw.early": "as soon as nobody can complete a row any more, the game is a draw",
            "outcome.dead": "nobody can complete a row any more",
            "note.completes": "wins",
            "note.blocks": "blocks {rival}",
            "note.centre": "centre",
            "note.corner": "corner",
            "note.edge": "edge",
            "note.forced": "every move completes a row",
            "threat.open": "{player} has an open row, to be extended at {cells}",
            "threat.fork": "{player} makes two threats at once at {cells}",
            "reason.open": "{move} makes a row with two open ends",
            "reason.fork": "{move} makes two threats at once",
            "reason.stops_open": "{move} stops an open row of {rival}",
            "reason.stops_fork": "{move} stops {rival} from making two threats at once",
        }
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

    size: tuple[int, ...] = option(
        Size({2: 1000, 3: 16}), "rows, columns and, for a box, layers", default=(3, 3), label="Board"
    )
    k: int = option(
        Length(2, 1000), "how many marks in a row it takes", default=lambda game: min(game.size), label="In a row"
    )
    players: int = option(Integer(2, 8), "how many people or computers take turns", default=2, label="Players")
    misere: bool = option(Flag(), "whoever completes a row loses", default=False, label="Misère")
    exact: bool = option(Flag(), "longer rows do not count", default=False, label="Exact length")
    corners: bool = option(Flag(), "three of the four corners win as well", default=False, label="Corners count")
    early_draw: bool = option(
        Flag(), "a draw as soon as nobody can complete a row any more", default=False, label="Early draw"
    )
    setup: str = option(
        Text("marks on cells, e.g. X:b2+O:c3"), "marks on the board from the start", default="", hidden=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        shown = "x".join(map(str, self.size))
        if self.k > max(self.size):
            raise InvalidGame(f"'k={self.k}': a row on {shown} has from 2 to {max(self.size)} cells")
        if self.misere and self.players > 2:
            raise InvalidGame(f"'players={self.players}': misere is only for two players")
        if self.corners and len(self.size) > 2:
            raise InvalidGame(f"'corners': corners count on flat boards only, not on {shown}")
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
    def rows(self) -> Rows:
        """The sets of cells that win."""
        return Rows(self.grid, self.k, self.exact, self.corner_sets)

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
            sights=[self.rows.sight(cells) for cells, _ in lines],
        )

    def winning_sets(self) -> Iterator[tuple[int, ...]]:
        """All sets of cells that win, lines first."""
        return iter(self.rows)

    def levels(self) -> Mapping[str, str] | None:
        """Hard takes more in a cube, where rows are hard to see, and among several, where all others are against it."""
        if self.players > 2:
            return {"hard": "casual,depth=3,width=12,lapses=0.04,noise=0.2,careful"}
        if len(self.size) > 2:
            return {"hard": "casual,depth=6,width=10,lapses=0.03,noise=0.2,careful"}
        return None

    @property
    def calibration(self) -> Mapping[str, Curve]:
        """The engine was measured on 5x5, from 7x7 to 19x19 and in a cube, between two players."""
        if self.players != 2:
            return {}
        return {"engine": _SMALL_ENGINE if self.grid.cells <= SMALL_BOARD else _ENGINE}

    def title_note(self) -> Note:
        """The names people know where the board has one, else the length of the row and the board."""
        plain = self.players == 2 and not (self.misere or self.corners or self.setup)
        case = "_".join(name for name in ("misere", "exact") if getattr(self, name)) or None
        if plain and self.size == (3, 3) and self.k == 3:
            return Note("tictactoe")
        if plain and self.size in ((15, 15), (19, 19)) and self.k == 5:
            return Note("gomoku", {"board": None if self.size == (15, 15) else self._board_note(), "case": case})
        shown = self.size != (3, 3) or self.k != 3 or not self.misere
        facts: dict[str, Value] = {
            "k": number(self.k),
            "board": self._board_note() if shown else None,
            "corners": Note("corners") if self.corners else None,
            "players": Note("players", {"count": number(self.players)}) if self.players > 2 else None,
            "setup": Note("setup") if self.setup else None,
            "case": case,
        }
        return Note("rows", facts)

    def _board_note(self) -> Note:
        shape = None if len(self.size) == 2 else "cube" if len(set(self.size)) == 1 else "box"
        return Note("board", {"size": sides(self.size), "case": shape})

    def goal_note(self) -> Note:
        """A row, to get or to avoid."""
        corners = Note("corners_win", {"case": "misere" if self.misere else None}) if self.corners else None
        return Note("rows", {**self._row_facts(), "corners": corners})

    def _row_facts(self) -> dict[str, Value]:
        ways = Note("ways", {"case": "layers" if len(self.size) == 3 else None})
        case = "_".join(name for name in ("misere", "exact") if getattr(self, name)) or None
        return {"k": number(self.k), "ways": ways, "case": case}

    def rules(self) -> tuple[Rule, ...]:
        """Taking turns, what a row is, and what else counts."""
        row, longer, corners = self._examples()
        last = self.marks[-1]
        found = [Rule(Note("turns", {"marks": f"{', '.join(self.marks[:-1])} and {last}"}))]
        if self.setup:
            found.append(Rule(Note("setup"), (Scene(self.start()),) if self.grid.cells <= MAX_SHOWN else ()))
        found.append(Rule(Note("row", self._row_facts()), row))
        if self.exact and self.k < max(self.size):
            found.append(Rule(Note("longer", {"k": number(self.k)}), longer))
        if self.corners:
            found.append(Rule(Note("corners"), corners))
        return (*found, Rule(Note("draw", {"case": "early" if self.early_draw else None})))

    def _examples(self) -> tuple[tuple[Scene, ...], ...]:
        """Boards with a row along a side and one askew, one that is too long, and three corners.

        They are no larger than needed, and there are none where that is still too large to take in.
        """
        size = tuple(min(side, self.k + (2 if self.exact else len(self.size) == 2)) for side in self.size)
        small = replace(self, size=size, setup="", early_draw=False)
        if small.grid.cells > MAX_SHOWN:
            return (), (), ()
        lines = list(small.grid.lines(self.k))
        straight, askew = lines[0], max(lines, key=lambda line: _ways(small.grid, line))
        row = tuple(small.example(line) for line in dict.fromkeys((straight, askew)))
        longer = next(small.grid.lines(self.k + 1), None) if self.exact else None
        corners = tuple(small.example(cells) for cells in small.corner_sets[:1])
        return row, () if longer is None else (small.example(longer),), corners

    def example(self, cells: Sequence[int]) -> Scene:
        """A board on which the first player holds these cells, and the others about as many that make no row."""
        board = Map((cell, self.marks[0]) for cell in cells)
        for mark in self.marks[1:] * (len(cells) - 1):
            # Not in board order, so that they look like a game.
            scattered = sorted(range(self.grid.cells), key=lambda cell: 5 * cell % 11)
            free = (cell for cell in scattered if cell not in board and not self.rows.completed(board, cell, mark))
            board = board.update((cell, mark) for cell in islice(free, 1))
        return Scene(self.at(board, self.marks[0]))

    def start(self, first: Mark | None = None) -> LinesPosition:
        """The board as set up. After n stones of setup it is the turn of whoever plays ply n."""
        cells = self._setup_cells()
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

    def _setup_cells(self) -> Cells:
        try:
            return read_setup(self.grid, self.marks, self.setup)
        except InvalidNotation as error:
            raise InvalidGame(f"'setup={self.setup}': {error}") from None

    def _canonical_setup(self) -> str:
        cells = self._setup_cells()
        try:
            outcome = self.at(cells, self.marks[0]).outcome
        except InvalidNotation as error:
            raise InvalidGame(f"'setup={self.setup}': {error}") from None
        if outcome is not None:
            raise InvalidGame(f"'setup={self.setup}' already {'contains a win' if outcome.winner else 'ends the game'}")
        return setup_text(self.grid, cells)


def _ways(grid: Grid, line: range) -> int:
    """In how many dimensions a line runs: 1 along a side, 2 or 3 askew."""
    return sum(a != b for a, b in zip(grid.coordinates(line[0]), grid.coordinates(line[1]), strict=True))


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
        rows = self.game.rows
        object.__setattr__(self, "open_from", rows.first_open(self.cells, self.game.marks, self.open_from))
        return self.open_from == rows.numbers

    def move_count(self) -> int:
        """Every empty cell is a move."""
        return self.game.grid.cells - len(self.cells)

    def estimate(self, mark: Mark) -> int:
        """Lines that only one player holds count for it, four times as much with each stone."""
        total = self.game.rows.balance(self.cells, mark)
        return -total if self.game.misere else total

    def seen_by(self, mark: Mark) -> LinesPosition:
        """Who is on turn changes nothing else."""
        return replace(self, turn=mark)

    def window(self) -> Window | None:
        """The board around all stones, unless they lie too far apart or leave no room for a line."""
        game = self.game
        part = cut(game.grid, self.cells, LARGEST_COMPILED)
        if part is None or max(part[1].rows, part[1].cols, part[1].layers) < game.k:
            return None
        corner, grid = part
        size = (grid.rows, grid.cols, grid.layers)[: len(game.size)]
        back = (-corner[0], -corner[1], -corner[2])
        stones = Map((game.grid.moved(cell, grid, back), mark) for cell, mark in self.cells.items())
        seen = replace(game, size=size, setup="", corners=False).at(stones, self.turn)
        return Window(seen, game.grid, corner) if seen.outcome is None else None

    def advise(self, rng: random.Random) -> Advice:
        """Win, block, then the centre, the corners, the rest; in misère whatever completes no row."""
        game, mark = self.game, self.turn
        rows, cells, legal = game.rows, self.cells, self.legal_moves
        if not game.misere:
            near = list(legal) if game.grid.cells <= LARGEST_SCANNED else rows.near(cells)
            for who in (mark, *(rival for rival in game.marks if rival != mark)):
                for move in near:
                    if rows.completed(cells, move, who):
                        return Advice(move, Note("completes") if who == mark else Note("blocks", {"rival": who}))
        for code, moves in (("centre", game.grid.centre()), ("corner", game.grid.corners()), ("edge", legal)):
            for move in moves:
                if move in legal and not (game.misere and rows.completed(cells, move, mark)):
                    return Advice(move, Note(code))
        return Advice(legal[0], Note("forced"))

    def deciding(self) -> Iterable[Move]:
        """On a large board, the last gaps of rows."""
        return self.legal_moves if self.game.grid.cells <= LARGEST_SCANNED else self._gaps(1)

    def threats(self) -> tuple[Threat, ...]:
        """Open rows and forks: moves after which there are two ways to win."""
        if self.game.misere:
            return ()
        opened, joined = self.game.rows.forks(self.cells, self.turn, self._gaps(2))
        found = [Threat(self.turn, "open", tuple(moves), stones) for stones, moves in opened.items()]
        return (*found, Threat(self.turn, "fork", tuple(joined))) if joined else tuple(found)

    def _gaps(self, lacking: int) -> list[Move]:
        """The empty cells of the rows that only the player to move holds and that lack so many stones."""
        game = self.game
        if game.rows.shortest <= lacking:
            return list(self.legal_moves) if game.grid.cells <= LARGEST_SCANNED else []
        return game.rows.gaps(self.cells, self.turn, lacking)
