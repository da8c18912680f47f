"""The brain's side of the Gomocup protocol: commands in, answers out.

The protocol is described at https://plastovicka.github.io/protocl2en.htm. A place is ``x,y``: the
column and the row, both from 0.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from immutables import Map

from noughts import __version__
from noughts.core import Game, Position
from noughts.errors import InvalidNotation, NoughtsError
from noughts.games import game
from noughts.gomocup.budget import LEAST_SECONDS, LEAST_TABLE_BYTES, PROGRAM_BYTES, Budget

__all__ = ["Brain"]

ABOUT = f'name="noughts", version="{__version__}", author="the noughts authors", country="International"'

MOST_CELLS = 400
"""The most cells of a board."""

SHORTEST_SIDE = 5
"""The shortest side of a board."""

EXACT = 1
RULES = {2: "continuous game", 4: "renju", 8: "caro"}
"""What the bits of a rule mean that are not played here."""
LONGER_IS_NO_WIN = EXACT | 4 | 8
"""The rules in which a row of six does not win, at least for one side."""

OWN, THEIRS, FINISHED = 1, 2, 3
"""What a line of ``BOARD`` says of a place: whose stone it is, or that it belongs to a row already won."""

Place = tuple[int, int]


class Chooses(Protocol):
    """What finds the moves, e.g. :class:`~noughts.gomocup.mind.Mind`."""

    def prepare(self, game: Game) -> None:
        """Get ready for a game."""

    def choose(self, position: Position, seconds: float, memory: int | None) -> int:
        """A cell, within seconds and bytes."""


class Mistake(Exception):
    """A command that is known and cannot be obeyed."""


class Brain:
    """One brain, for game after game. ``mind`` finds its moves; ``clock`` tells the time in seconds."""

    def __init__(self, mind: Chooses, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._mind, self._clock = mind, clock
        self._budget = Budget()
        self._rule = 0
        self._size: tuple[int, int] | None = None
        self._stones: dict[Place, int] = {}
        self._board: dict[Place, int] | None = None
        self._mistake = ""
        self._asked = 0.0
        self._skipping = False
        self._remarks: list[str] = []
        self.has_ended = False
        """Whether the manager has said ``END``."""
        self._commands: Mapping[str, Callable[[str, float], Iterable[str]]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": self._begin_board,
            "DONE": self._done,
            "TAKEBACK": self._takeback,
            "INFO": self._info,
            "ABOUT": self._about,
            "END": self._end,
        }

    def obey(self, line: str, at: float | None = None) -> Iterator[str]:
        """Answer a line that came at a time (by default, now): one line, several, or none."""
        word, rest = [*line.split(maxsplit=1), "", ""][:2]
        word = word.upper()
        if self._board is not None and self._is_stone(word, line):
            return
        if self._skipping and (word == "DONE" or re.match(r"-?[0-9]", word)):
            return
        self._skipping = False
        command = self._commands.get(word)
        if command is None:
            if word:
                # The stones that follow it are not commands of their own.
                self._skipping = word == "SWAP2BOARD"
                yield f"UNKNOWN {_plain(word)}"
            return
        try:
            yield from command(rest.strip(), self._clock() if at is None else at)
        except Mistake as mistake:
            yield f"ERROR {_plain(str(mistake))}"

    def _start(self, rest: str, at: float) -> Iterable[str]:
        if not re.fullmatch(r"[0-9]{1,9}", rest):
            raise Mistake(f"{rest!r} is not a size: START 15")
        return self._open(int(rest), int(rest))

    def _rectstart(self, rest: str, at: float) -> Iterable[str]:
        width, height = _numbers(rest, 2, "RECTSTART 20,15")
        return self._open(width, height)

    def _restart(self, rest: str, at: float) -> Iterable[str]:
        return self._open(*self._sides())

    def _open(self, width: int, height: int) -> Iterable[str]:
        self._size, self._board, self._stones = None, None, {}
        if min(width, height) < SHORTEST_SIDE or width * height > MOST_CELLS:
            raise Mistake(
                f"{width}x{height} is not supported: sides from {SHORTEST_SIDE}, at most {MOST_CELLS} cells, as 20x20"
            )
        self._size = width, height
        self._budget.begin()
        # Starting up is not counted, thinking is: have ready what the first move needs, whichever rule will come.
        for exact in (False, True):
            self._mind.prepare(game(self._spec(exact=exact)))
        return ["OK"]

    def _begin(self, rest: str, at: float) -> Iterable[str]:
        self._sides()
        return self._move(at)

    def _turn(self, rest: str, at: float) -> Iterable[str]:
        place = self._place(rest, "TURN 7,7")
        if place in self._stones:
            raise Mistake(f"{_name(place)} is taken")
        self._stones[place] = THEIRS
        return self._move(at)

    def _begin_board(self, rest: str, at: float) -> Iterable[str]:
        self._sides()
        self._board, self._mistake, self._asked = {}, "", at
        return []

    def _is_stone(self, word: str, line: str) -> bool:
        """Take a line between ``BOARD`` and ``DONE``; any other command than ``INFO`` breaks the board off."""
        if word in self._commands:
            if word not in ("INFO", "DONE"):
                self._board = None
            return False
        assert self._board is not None
        try:
            *at, whose = _numbers(line, 3, "7,7,1")
            place = self._inside(at[0], at[1])
            if whose not in (OWN, THEIRS, FINISHED):
                raise Mistake(f"{whose} is nobody's number: 1 is own, 2 the opponent's, 3 of a finished row")
            if place in self._board:
                raise Mistake(f"{_name(place)} comes twice")
            self._board[place] = whose
        except Mistake as mistake:
            if line.strip():
                self._mistake = self._mistake or str(mistake)
        return True

    def _done(self, rest: str, at: float) -> Iterable[str]:
        board, self._board = self._board, None
        if board is None:
            raise Mistake("DONE without BOARD")
        if self._mistake:
            raise Mistake(f"BOARD: {self._mistake}")
        self._stones = board
        return self._move(self._asked)

    def _takeback(self, rest: str, at: float) -> Iterable[str]:
        place = self._place(rest, "TAKEBACK 7,7")
        if self._stones.pop(place, None) is None:
            raise Mistake(f"{_name(place)} is empty")
        return ["OK"]

    def _info(self, rest: str, at: float) -> Iterable[str]:
        key, _, text = rest.partition(" ")
        if re.fullmatch(r"-?[0-9]{1,18}", text.strip()):
            self._budget.update(key.lower(), int(text))
            if key.lower() == "rule":
                self._set_rule(int(text))
            elif key.lower() == "max_memory" and self._budget.is_cramped:
                self._remark(
                    f"{text.strip()} bytes are too few: this brain needs about {PROGRAM_BYTES + LEAST_TABLE_BYTES}"
                )
        return []

    def _about(self, rest: str, at: float) -> Iterable[str]:
        return [ABOUT]

    def _end(self, rest: str, at: float) -> Iterable[str]:
        self.has_ended = True
        return []

    def _set_rule(self, rule: int) -> None:
        self._rule = max(0, rule)
        missing = [name for bit, name in RULES.items() if self._rule & bit]
        if self._rule >= 2 * max(RULES):
            missing.append(f"rule {self._rule}")
        if missing:
            played = "exactly five" if self._is_exact else "five or more"
            self._remark(f"{' and '.join(missing)} not supported: playing for {played} in a row")

    def _remark(self, text: str) -> None:
        """Keep a remark until the manager listens: it does not while it sends ``INFO``."""
        if text not in self._remarks:
            self._remarks.append(text)

    @property
    def _is_exact(self) -> bool:
        return bool(self._rule & LONGER_IS_NO_WIN)

    def _spec(self, *, exact: bool) -> str:
        width, height = self._sides()
        return f"{height}x{width},k=5" + (",exact" if exact else "")

    def _sides(self) -> tuple[int, int]:
        if self._size is None:
            raise Mistake("no board: START 15 comes first")
        return self._size

    def _place(self, text: str, example: str) -> Place:
        self._sides()
        x, y = _numbers(text, 2, example)
        return self._inside(x, y)

    def _inside(self, x: int, y: int) -> Place:
        width, height = self._sides()
        if not (0 <= x < width and 0 <= y < height):
            raise Mistake(f"{x},{y} is outside the {width}x{height} board")
        return x, y

    def _move(self, at: float) -> Iterable[str]:
        """Find a move, make it, and say it."""
        position = self._position()
        moves = sum(whose == OWN for whose in self._stones.values())
        try:
            seconds = self._budget.seconds(moves) - (self._clock() - at)
            cell = self._mind.choose(position, max(LEAST_SECONDS, seconds), self._budget.table())
        except NoughtsError as error:
            raise Mistake(str(error)) from error
        self._budget.spend(self._clock() - at)
        y, x = divmod(cell, self._sides()[0])
        self._stones[x, y] = OWN
        remarks, self._remarks = self._remarks, []
        return [*(f"MESSAGE {_plain(remark)}" for remark in remarks), _name((x, y))]

    def _position(self) -> Position:
        """The board as a position with the brain to move."""
        width, height = self._sides()
        if len(self._stones) == width * height:
            raise Mistake("the game is over: the board is full")
        rules = game(self._spec(exact=self._is_exact))
        own, theirs = (sum(whose == one for whose in self._stones.values()) for one in (OWN, THEIRS))
        mine, yours = ("X", "O") if own >= theirs else ("O", "X")
        # Stones of finished rows are in the way and no more: two by two, they make no row with each other.
        for flip in (0, 1):
            marks = {
                y * width + x: mine if whose == OWN or (whose == FINISHED and (x // 2 + y + flip) % 2) else yours
                for (x, y), whose in self._stones.items()
            }
            with contextlib.suppress(InvalidNotation):
                position = rules.at(Map(marks), mine)
                if position.outcome is None:
                    return position
        raise Mistake("the game is over: there is a row of five")


def _numbers(text: str, count: int, example: str) -> list[int]:
    """So many whole numbers between commas."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != count or not all(re.fullmatch(r"-?[0-9]{1,9}", part) for part in parts):
        raise Mistake(f"{text.strip()!r} is not like {example}")
    return [int(part) for part in parts]


def _name(place: Place) -> str:
    return f"{place[0]},{place[1]}"


def _plain(text: str) -> str:
    """Text for one line that any manager can read."""
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)[:200]
