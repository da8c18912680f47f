"""Game, Position, Outcome: what every game answers, and all that follows from the answers.

A game file subclasses :class:`Game` (the rules with their parameters) and :class:`Position` (one
moment). Both are frozen; playing a move makes a new position that shares its board with the old
one, so keeping a position is keeping the past.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Final, Self, overload

from immutables import Map

from noughts._kernel import Tables
from noughts.board.drawing import draw
from noughts.board.grid import Grid, Symmetry
from noughts.board.notation import board_text, read_board
from noughts.errors import IllegalMove, InvalidGame, InvalidNotation
from noughts.spec import Configurable

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

Mark = str
"""What a player puts on the board: ``X``, ``O``, ``R``, ``G``."""

Move = int
"""A cell, or :data:`PASS` or :data:`SWAP`."""

PASS: Final = -1
SWAP: Final = -2
_SPECIAL = {PASS: "pass", SWAP: "swap"}
_SPECIAL_NAMES = {name: move for move, name in _SPECIAL.items()}

LARGEST_COMPILED: Final = 400
"""The most cells the kernel takes."""

Cells = Map[int, Mark]
"""The marks on a board by cell; an empty cell is absent."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won, or nobody, and why."""

    winner: Mark | None
    reason: str
    """``line``, ``chain``, ``tiles``, ``full`` (the board is) or ``dead`` (no line can be won)."""
    cells: tuple[int, ...] = ()
    """The cells that decided it, in board order."""
    tiles: Map[Mark, int] | None = None
    """The final count of each mark, in games that count tiles."""

    def score(self, mark: Mark) -> int:
        """1 if ``mark`` won, −1 if somebody else did, 0 for a draw."""
        return 0 if self.winner is None else 1 if self.winner == mark else -1

    def margin(self, mark: Mark) -> int:
        """By how many tiles ``mark`` leads; 0 in games that count none."""
        return 0 if self.tiles is None else sum(n if m == mark else -n for m, n in self.tiles.items())


@dataclass(frozen=True, slots=True)
class Preset:
    """A game worth a name of its own."""

    name: str
    spec: str
    summary: str


@dataclass(frozen=True, slots=True)
class Fact:
    """Something known about a game, with its source: the ground truth of the tests."""

    spec: str
    about: str
    """``positions``, ``canonical``, ``games``, ``perft``, ``lines``, ``value``, ``margin``, ``openings``."""
    value: int | str | tuple[int, ...] | tuple[str, ...]
    source: str


class Game(Configurable, ABC):
    """The rules of a game with their parameters: frozen, hashable, made from a spec."""

    error = InvalidGame
    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    presets: ClassVar[tuple[Preset, ...]] = ()
    facts: ClassVar[tuple[Fact, ...]] = ()
    counts_tiles: ClassVar[bool] = False
    """Whether the margin of tiles decides, so that best play is for tiles."""
    sized: ClassVar[bool] = False
    """Whether a bare size such as ``4x4`` is a spec of this game (its option ``size``)."""

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
    def specials(self) -> tuple[Move, ...]:
        """The moves besides the cells that the game has: :data:`PASS` or :data:`SWAP`."""
        return ()

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The maps of the board that leave the rules as they are, the identity first."""
        return self.grid.symmetries

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

    def __getstate__(self) -> dict[str, object]:
        # Copies and pickles carry the options; all else follows from them.
        return {name: getattr(self, name) for name in self.option_fields()}

    def __str__(self) -> str:
        return self.spec


class LegalMoves(Sequence[Move]):
    """The legal moves of a position: iterate in board order, ``in``, ``len``, index, or pick one."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        self._position = position

    def __iter__(self) -> Iterator[Move]:
        return iter(()) if self._position.outcome else self._position.moves()

    def __len__(self) -> int:
        return 0 if self._position.outcome else self._position.move_count()

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __contains__(self, move: object) -> bool:
        return isinstance(move, int | str) and self._position.why_not(move) is None

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        return tuple(self)[index]

    def pick(self, rng: random.Random) -> Move:
        """A legal move, each as likely as any other; quick on huge boards too."""
        cells = self._position.game.grid.cells
        if cells > 256:
            for _ in range(32):
                move = rng.randrange(SWAP, cells)
                if move in self:
                    return move
        return rng.choice(tuple(self))

    def __repr__(self) -> str:
        name = self._position.game.move_name
        shown = [name(move) for move, _ in zip(self, range(20), strict=False)]
        return f"<LegalMoves {len(self)}: {' '.join(shown)}{' …' if len(self) > len(shown) else ''}>"


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

    def refusal(self, move: Move) -> tuple[str, str] | None:
        """The game's own reason (code and message) against an empty cell, a pass or a swap.

        The default allows every empty cell and knows no passing and no swapping.
        """
        if move >= 0:
            return None
        name = self.game.move_name(move)
        return f"{name}_not_allowed", f"there is no {name} in {self.game}"

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

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that :meth:`play` accepts; none once the game is over."""
        return LegalMoves(self)

    def play(self, move: Move | str, *, by: Mark | None = None) -> Self:
        """The position after a move, given as a number or by name; ``by`` says who makes it.

        Raises :class:`IllegalMove`; the position itself never changes.
        """
        checked = self._checked(move, by)
        if isinstance(checked, IllegalMove):
            raise checked
        return self.play_unchecked(checked)

    def why_not(self, move: Move | str, *, by: Mark | None = None) -> IllegalMove | None:
        """The reason why a move is illegal, or ``None`` if it is legal."""
        checked = self._checked(move, by)
        return checked if isinstance(checked, IllegalMove) else None

    def _checked(self, move: Move | str, by: Mark | None) -> Move | IllegalMove:
        """The move, read once, or the reason why it is illegal."""
        if self.outcome is not None:
            return self._illegal("game_over", f"the game is over: {self.result()}", move)
        if by is not None and by != self.turn:
            return self._illegal("wrong_turn", f"it is {self.turn}'s turn, not {by}'s", move)
        try:
            cell = self.game.parse_move(move) if isinstance(move, str) else move
        except InvalidNotation as error:
            return self._illegal(error.code, str(error), move)
        if cell not in _SPECIAL:
            if cell not in self.game.grid:
                return self._illegal("out_of_bounds", f"cell {cell} is outside 0…{self.game.grid.cells - 1}", move)
            if cell in self.cells:
                message = f"{self.game.move_name(cell)} is already taken by {self.cells[cell]}"
                return self._illegal("occupied", message, move)
        refused = self.refusal(cell)
        return self._illegal(*refused, move) if refused else cell

    def _illegal(self, code: str, message: str, move: Move | str) -> IllegalMove:
        return IllegalMove(code, message, position=self, move=move)

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

    def transformed(self, symmetry: Symmetry) -> Position:
        """The image of this position under one of the game's symmetries."""
        image: Mapping[int, Mark] = {symmetry(cell): mark for cell, mark in self.cells.items()}
        return self.game.at(Map(image), self.turn, self.extra)

    def symmetric(self) -> tuple[Position, ...]:
        """All images of this position under the game's symmetries, itself first."""
        return tuple(self.transformed(symmetry) for symmetry in self.game.symmetries)

    def canonical_key(self) -> tuple[object, ...]:
        """A key that is equal for two positions just when a symmetry maps one to the other."""
        stones = list(self.cells.items())
        images = (sorted((s.table[cell], mark) for cell, mark in stones) for s in self.game.symmetries)
        return (*min(images), self.turn, self.extra)

    def drawing(self, symbol: Callable[[int], str] | None = None) -> str:
        """The board as text, what decided the game between stars.

        ``symbol`` may style what stands in a cell, as long as it shows as one character.
        """
        last = self.last if self.last is not None and self.last >= 0 else min(self.cells, default=0)
        marked = self.outcome.cells if self.outcome is not None and self.outcome.tiles is None else ()
        show = symbol or (lambda cell: self.cells.get(cell, "·"))
        return draw(self.game.grid, self.game.layout, show, marked=frozenset(marked), around=last)

    def __str__(self) -> str:
        return self.drawing()

    def __repr__(self) -> str:
        return f"position({self.game.spec!r}, {self.text!r})"
