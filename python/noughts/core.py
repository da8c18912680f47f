"""Game, Position, Outcome: what every game answers, and all that follows from the answers.

A game file subclasses :class:`Game` (the rules with their parameters) and :class:`Position` (one
moment). Both are frozen; playing a move makes a new position that shares its board with the old
one, so keeping a position is keeping the past.
"""

from __future__ import annotations

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import index
from pathlib import Path
from typing import ClassVar, Literal, Self, SupportsIndex

from immutables import Map

from noughts._kernel import Tables
from noughts.board.drawing import draw
from noughts.board.grid import Grid, Symmetry
from noughts.board.notation import board_text, read_board
from noughts.errors import IllegalMove, InvalidGame, InvalidNotation, NoughtsError
from noughts.hooks import (
    LARGEST_COMPILED,
    LARGEST_SCANNED,
    PASS,
    SWAP,
    Advice,
    Cells,
    Curve,
    Fact,
    Given,
    Mark,
    Move,
    Outcome,
    Preset,
    Region,
    Rule,
    Threat,
    Window,
)
from noughts.legal_moves import LegalMoves
from noughts.note import Note
from noughts.spec import Configurable
from noughts.words import COMMON, Words, capital, sentence, translations

__all__ = [
    "LARGEST_COMPILED",
    "PASS",
    "SWAP",
    "Cells",
    "Fact",
    "Game",
    "LegalMoves",
    "Mark",
    "Move",
    "Outcome",
    "Position",
    "Preset",
]

_SPECIAL = {PASS: "pass", SWAP: "swap"}
_SPECIAL_NAMES = {name: move for move, name in _SPECIAL.items()}


class Game(Configurable, ABC):
    """The rules of a game with their parameters: frozen, hashable, made from a spec."""

    error = InvalidGame
    name: ClassVar[str]
    title: ClassVar[str]
    """What all its boards together are called; :attr:`full_title` is for one."""
    summary: ClassVar[str]
    presets: ClassVar[tuple[Preset, ...]] = ()
    facts: ClassVar[tuple[Fact, ...]] = ()
    counts_tiles: ClassVar[bool] = False
    """Whether the margin of tiles decides, so that best play is for tiles."""
    sized: ClassVar[bool] = False
    """Whether a bare size such as ``4x4`` is a spec of this game (its option ``size``)."""
    words: ClassVar[Words] = Words({})
    """What the game says, beyond :data:`~noughts.words.COMMON` and what title, options and presets say already."""
    estimator: ClassVar[Literal["engine", "mcts"]] = "engine"
    """Which of the kernel's searches tells most about who will win."""
    engine_scale: ClassVar[int] = 500
    """The score of the kernel's engine that counts as nearly won, when moves are sampled."""
    one_block: ClassVar[bool] = False
    """Whether a move prevents a single win at most, so that two ways to win at once cannot be stopped."""

    def __init_subclass__(cls) -> None:
        """A game that lists no presets is one itself."""
        super().__init_subclass__()
        if hasattr(cls, "name") and not cls.presets:
            cls.presets = (Preset(cls.name, cls.name, cls.summary, title=cls.title),)

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The cells of the board."""

    @abstractmethod
    def at(self, cells: Cells, turn: Mark, extra: str = "") -> Position:
        """The position with these cells and this turn; ``extra`` is what else its text says.

        Any setup will do; only what contradicts the rules, such as two winners, raises
        :class:`InvalidNotation`.
        """

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The players' marks in the order of their turns."""
        return ("X", "O")

    @property
    def layout(self) -> str:
        """How to draw the board: ``square``, ``cube`` or ``hex``."""
        return "square"

    @property
    def layout_facts(self) -> Mapping[str, object]:
        """What else to know to draw the board and play on it, as JSON; nothing, for most games.

        ``gravity: true``: pressing anywhere in a column plays the column's open cell. ``blocks: {rows, cols}``:
        nested boards of so many rows and columns. ``pieces``: ``ink``, ``stone`` or ``tile``. ``mark``: what
        every player writes, where that is not their own mark.
        """
        return {}

    def title_note(self) -> Note:
        """What this game is called, to be said by ``title.<code>``; the default is the title of its class."""
        return Note("plain")

    def goal_note(self) -> Note:
        """What one tries to do, to be said by ``goal.<code>``; the default is the summary of its class."""
        return Note("plain")

    def rules(self) -> tuple[Rule, ...]:
        """The rules in the order in which one would explain them, with boards that show them.

        The default is the texts ``rule.<code>`` of the game's words, in their order.
        """
        codes = (code.removeprefix("rule.") for code in self.words if code.startswith("rule."))
        return tuple(Rule(Note(code)) for code in codes)

    @cached_property
    def full_title(self) -> str:
        """What this game is called: ``Four in a row on 6×6``, ``Hex 7×7``."""
        return capital(self.say("title", self.title_note()))

    @cached_property
    def goal(self) -> str:
        """What one tries to do, as a sentence."""
        return sentence(self.say("goal", self.goal_note()))

    def levels(self) -> Mapping[str, str] | None:
        """The player specs of levels that this game has its own for; the others are those that suit its size."""
        return None

    @property
    def calibration(self) -> Mapping[str, Curve]:
        """What the readings of a search (``engine``, ``mcts``) are worth in this game, where it was measured."""
        return {}

    @property
    def specials(self) -> tuple[Move, ...]:
        """The moves besides the cells that the game has: :data:`PASS` or :data:`SWAP`."""
        return ()

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The maps of the board that leave the rules as they are, the identity first."""
        return self.grid.symmetries

    @property
    def mirror(self) -> Symmetry | None:
        """The map of the board that makes the second player's game the first player's.

        With every move mirrored and the seats exchanged a game takes the same course; a pass stays a pass, a swap
        a swap. The default leaves the board as it is, for rules that are the same for both players. ``None``
        says that no map will do.
        """
        return Symmetry(self.grid)

    @cached_property
    def spec(self) -> str:
        """The shortest spec that makes this game; equal games have equal specs."""
        return ",".join([self.name, *self.shown_options()])

    @property
    def kernel(self) -> Tables | None:
        """The game compiled to tables for the kernel, or ``None`` where that is not possible."""
        return None

    def start(self, first: Mark | None = None) -> Position:
        """The first position, with ``first`` (the first mark, unless told) to move."""
        return self.at(Map(), self.marks[0] if first is None else self.check_mark(first))

    def ongoing(self, cells: Cells, turn: Mark, extra: str = "") -> Position:
        """The position with these cells, given that they came about by play and the game goes on.

        A game may override it to spare itself the search for a winner.
        """
        return self.at(cells, turn, extra)

    def position(self, text: str, *, ongoing: bool = False) -> Position:
        """Read the text form of a position of this game, as :attr:`Position.text` writes it.

        With ``ongoing`` the caller knows that it came about by play and that the game goes on.
        """
        board, _, rest = text.strip().partition(" ")
        turn, _, extra = rest.partition(" ")
        if turn not in self.marks:
            raise InvalidNotation(f"{text!r} must say after a space whose turn it is: {' or '.join(self.marks)}")
        cells = read_board(self.grid, self.marks, board)
        return self.ongoing(cells, turn, extra) if ongoing else self.at(cells, turn, extra)

    def check_mark(self, mark: str) -> Mark:
        """Find a mark in any case, or say which there are."""
        for known in self.marks:
            if known == mark.upper():
                return known
        raise InvalidGame(f"{self.spec} has no player {mark!r}; there are: {', '.join(self.marks)}")

    def after(self, mark: Mark) -> Mark:
        """The mark whose turn follows."""
        return self.marks[(self.marks.index(mark) + 1) % len(self.marks)]

    def move_name(self, move: Move) -> str:
        """Write a move: ``b2``, ``pass`` or ``swap``."""
        return _SPECIAL.get(move) or self.grid.name(move)

    def parse_move(self, text: str) -> Move:
        """Read a move that :meth:`move_name` wrote."""
        special = _SPECIAL_NAMES.get(text.strip().lower())
        return self.grid.parse(text) if special is None else special

    @classmethod
    def catalogues(cls) -> Mapping[str, Words]:
        """All words of the game by language: English, and the translations beside its file."""
        return _catalogues(cls)

    @classmethod
    def say(cls, kind: str, note: Note) -> str:
        """Say something in the game's English words; see :mod:`noughts.words`."""
        return _english(cls).say(kind, note)

    def __getstate__(self) -> dict[str, object]:
        # Copies and pickles carry the options; all else follows from them.
        return {name: getattr(self, name) for name in self.option_fields()}

    def __str__(self) -> str:
        return self.spec


@cache
def _catalogues(kind: type[Game]) -> Mapping[str, Words]:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return {"en": _english(kind), **(translations(Path(file), kind.name) if file else {})}


@cache
def _english(kind: type[Game]) -> Words:
    english = {**COMMON, "title": kind.title, "goal": kind.summary}
    for name, declared in kind.option_fields().items():
        english[f"option.{name}"] = declared.metadata["label"] or name
        english[f"option.{name}.help"] = declared.metadata["help"]
    for preset in kind.presets:
        english[f"preset.{preset.name}.title"] = preset.title or preset.name
        english[f"preset.{preset.name}.summary"] = preset.summary
    return Words({**english, **kind.words})


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """One immutable moment of a game.

    Two positions are equal when the rest of the game is the same: how they came about (``last``)
    does not count.
    """

    game: Game
    cells: Cells
    turn: Mark
    """Who moves next; once the game is over, who moved last."""
    outcome: Outcome | None = field(default=None, compare=False)
    """How the game ended, or ``None`` while it goes on."""
    last: Move | None = field(default=None, compare=False)
    """The move that led here."""
    changed: tuple[int, ...] = field(default=(), compare=False)
    """The cells whose contents the last move changed."""

    @abstractmethod
    def play_unchecked(self, move: Move) -> Self:
        """The position after a move that the caller knows to be legal."""

    def moves(self) -> Iterator[Move]:
        """Generate the legal moves in board order, given that the game goes on.

        The default is every empty cell.
        """
        cells = self.cells
        return (cell for cell in range(self.game.grid.cells) if cell not in cells)

    def move_count(self) -> int:
        """How many moves :meth:`moves` generates."""
        return sum(1 for _ in self.moves())

    def refusal(self, move: Move) -> Note | None:
        """The game's own reason against an empty cell, a pass or a swap, to be said by ``refusal.<code>``.

        The default allows every empty cell and knows no passing and no swapping.
        """
        if move >= 0:
            return None
        return Note(f"{self.game.move_name(move)}_not_allowed", {"game": self.game.spec})

    @property
    def extra(self) -> str:
        """What the text form says after the turn, in games that need more than the cells."""
        return ""

    @property
    def captured(self) -> int:
        """How many tiles the last move captured."""
        return 0

    def estimate(self, mark: Mark) -> int:
        """A rough worth of the position for ``mark``, for searches that stop early; 0 is even."""
        return 0

    def advise(self, rng: random.Random) -> Advice | None:
        """What the game's rules of thumb say, given that the game goes on; ``rng`` picks among equals.

        The default has none, and players look one ply ahead instead.
        """
        return None

    def has_own(self, hook: str) -> bool:
        """Whether the game has its own answer to a hook, not just the default."""
        return getattr(type(self), hook) is not getattr(Position, hook)

    def threats(self) -> tuple[Threat, ...]:
        """What the player to move could do, besides winning or losing at once, which the rules tell."""
        return ()

    def deciding(self) -> Iterable[Move]:
        """Moves among which are all that could end the game at once.

        The default tries every legal move on boards of up to :data:`LARGEST_SCANNED` cells, and none on larger ones.
        """
        return self.legal_moves if self.game.grid.cells <= LARGEST_SCANNED else ()

    def seen_by(self, mark: Mark) -> Position | None:
        """The same board with somebody else on turn, or ``None`` where that makes no sense."""
        if mark == self.turn:
            return self
        try:
            seen = self.game.at(self.cells, mark)
        except NoughtsError:
            return None
        return seen if seen.outcome is None else None

    def window(self) -> Window | None:
        """A part of a board that is too large for the kernel, as a position that is not."""
        return None

    def captures(self, move: Move) -> tuple[int, ...]:
        """The cells that a legal move would take from others; none in most games."""
        return ()

    def notice(self) -> Note | None:
        """What players should know at this moment, such as rules of the opening, to be said by ``notice.<code>``."""
        return None

    def regions(self) -> tuple[Region, ...]:
        """The parts of the board that are decided, in games of nested boards."""
        return ()

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that :meth:`play` accepts; none once the game is over."""
        return LegalMoves(self)

    def play(self, move: Given, *, by: Mark | None = None) -> Self:
        """The position after a move; ``by`` says who makes it.

        A move is a name (``b2``), the number of a cell, or its (row, column) or (row, column, layer), counted from 0.
        Raises :class:`IllegalMove`; the position itself never changes.
        """
        checked = self.checked(move, by=by)
        if isinstance(checked, Note):
            raise self._illegal(checked, move)
        return self.play_unchecked(checked)

    def why_not(self, move: Given, *, by: Mark | None = None) -> IllegalMove | None:
        """The reason why a move is illegal, or ``None`` if it is legal."""
        checked = self.checked(move, by=by)
        return self._illegal(checked, move) if isinstance(checked, Note) else None

    def checked(self, move: object, *, by: Mark | None = None) -> Move | Note:
        """The move, read once, or the reason why it is illegal; whatever is no move at all has one too."""
        if self.outcome is not None:
            winner = self.outcome.winner
            return Note("game_over", {"winner": winner} if winner else {"winner": None, "case": "draw"})
        if by is not None and by != self.turn:
            return Note("wrong_turn", {"turn": self.turn, "player": by})
        try:
            cell = move if type(move) is int else self._find_move(move)
        except InvalidNotation as error:
            return Note(error.code, error.facts)
        if cell not in _SPECIAL:
            if cell not in self.game.grid:
                return Note("out_of_bounds", {"move": cell, "last": self.game.grid.cells - 1, "case": "number"})
            if cell in self.cells:
                return Note("occupied", {"move": self.game.move_name(cell), "holder": self.cells[cell]})
        return self.refusal(cell) or cell

    def _find_move(self, move: object) -> Move:
        if isinstance(move, str):
            return self.read_move(move)
        if isinstance(move, tuple | list):
            return self.game.grid.place(move)
        if isinstance(move, SupportsIndex) and not isinstance(move, bool):
            return index(move)
        facts = {"move": repr(move), "last": self.game.grid.name(self.game.grid.cells - 1), "case": "other"}
        raise InvalidNotation(f"{move!r} is not a move", facts=facts)

    def _illegal(self, reason: Note, move: object) -> IllegalMove:
        message = self.game.say("refusal", reason)
        return IllegalMove(reason.code, message, position=self, move=move, facts=reason.facts)

    def read_move(self, text: str) -> Move:
        """Read a move by name; with gravity a column's letter is the move that drops into it."""
        if self.game.layout_facts.get("gravity"):
            column = self.game.grid.parse_column(text)
            if column is not None:
                open_cells = (move for move in self.moves() if move >= 0 and move % self.game.grid.cols == column)
                return next(open_cells, column)
        return self.game.parse_move(text)

    def result(self) -> str:
        """How the game stands in a few words: ``X wins``, ``draw`` or ``X to move``."""
        if self.outcome is None:
            return f"{self.turn} to move"
        return f"{self.outcome.winner} wins" if self.outcome.winner else "draw"

    @property
    def text(self) -> str:
        """The position in one line; ``game.position(text)`` reads it back."""
        words = (board_text(self.game.grid, self.cells), self.turn, self.extra)
        return " ".join(word for word in words if word)

    def ints(self) -> tuple[int, ...]:
        """The cells in board order: 1 for the first mark, −1 for the second, 0 for none.

        Further marks count on: 2, 3, …
        """
        codes = {mark: (1, -1, *range(2, 8))[seat] for seat, mark in enumerate(self.game.marks)}
        return tuple(codes[self.cells[cell]] if cell in self.cells else 0 for cell in range(self.game.grid.cells))

    def image_extra(self, symmetry: Symmetry) -> str:
        """What :attr:`extra` says in the image of this position under one of the game's symmetries.

        The default is the same; a game whose extra names a place of the board says where it goes.
        """
        return self.extra

    def transformed(self, symmetry: Symmetry) -> Position:
        """The image of this position under one of the game's symmetries."""
        image: Mapping[int, Mark] = {symmetry(cell): mark for cell, mark in self.cells.items()}
        return self.game.at(Map(image), self.turn, self.image_extra(symmetry))

    def symmetric(self) -> tuple[Position, ...]:
        """All images of this position under the game's symmetries, itself first."""
        return tuple(self.transformed(symmetry) for symmetry in self.game.symmetries)

    def canonical_key(self) -> tuple[object, ...]:
        """A key that is equal for two positions just when a symmetry maps one to the other."""
        stones = list(self.cells.items())
        images = (
            (sorted((s.table[cell], mark) for cell, mark in stones), self.image_extra(s)) for s in self.game.symmetries
        )
        least, extra = min(images)
        return (*least, self.turn, extra)

    def drawing(self, symbol: Callable[[int], str] | None = None) -> str:
        """The board as text, what decided the game between stars.

        ``symbol`` may style what stands in a cell, as long as it shows as one character.
        """
        last = self.last if self.last is not None and self.last >= 0 else min(self.cells, default=0)
        marked = self.outcome.cells if self.outcome is not None and self.outcome.tiles is None else ()
        show = symbol or (lambda cell: self.cells.get(cell, "·"))
        blocks = self.game.layout_facts.get("blocks")
        nested = (blocks["rows"], blocks["cols"]) if isinstance(blocks, Mapping) else None
        return draw(self.game.grid, self.game.layout, show, marked=frozenset(marked), around=last, blocks=nested)

    def __str__(self) -> str:
        return self.drawing()

    def __repr__(self) -> str:
        return f"position({self.game.spec!r}, {self.text!r})"
