"""The player that is another program: a brain that speaks the Gomocup protocol over its pipes."""

from __future__ import annotations

import os
import re
import shlex
import time
import weakref
from dataclasses import dataclass
from functools import cached_property

from noughts.core import Cells, Game, Position
from noughts.errors import Forfeit, InvalidPlayer, PlayerError
from noughts.games.lines import Lines
from noughts.note import note
from noughts.players.player import Choice, Limits, Player
from noughts.players.program import Ended, Program, Silent
from noughts.spec import Integer, Number, Text, option

__all__ = ["ProcessPlayer"]

UNLIMITED = 2147483647
"""The time left when there is no end to it, as the protocol writes it."""

EXIT_SECONDS = 1.0
"""Seconds that a brain has to exit once it was asked to."""


@dataclass(frozen=True, kw_only=True)
class ProcessPlayer(Player):
    """A brain for five in a row. It is started for its first move, and ended by :meth:`close` or with this program."""

    name = "process"
    what = "the process player"
    summary = "another program, by its command line, that speaks the Gomocup protocol (five in a row)"
    local = True

    cmd: str = option(Text("a command line, e.g. './brain --fast'"), "the program and its arguments", default="")
    seconds: float = option(Number(0.001, 3600), "what it is given for a move", default=1.0)
    match: float | None = option(Number(0.001, 10**6), "what it is given for all moves of a game", default=None)
    memory: int | None = option(Integer(1, 10**6), "megabytes that it may use", default=None)
    grace: float = option(Number(0, 3600), "seconds to wait beyond its time before it has lost", default=3.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            words = shlex.split(self.cmd)
        except ValueError as error:
            raise InvalidPlayer(f"{self.cmd!r} is not a command line: {error}") from None
        if not words:
            raise InvalidPlayer("the process player needs a program: process,cmd=./brain")

    def check_game(self, game: Game) -> None:
        """Refuse what the protocol cannot express: it knows five in a row for two, and exactly five."""
        if not isinstance(game, Lines) or len(game.size) != 2 or game.k != 5 or game.players != 2:
            raise InvalidPlayer(
                f"the Gomocup protocol is for five in a row with two players, e.g. gomoku, not for {game}"
            )
        if game.misere or game.corners:
            raise InvalidPlayer(f"the Gomocup protocol knows no misere and no corners: not for {game}")

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Ask the program. If it fails it has lost: the :class:`Forfeit` says why, and the program is gone."""
        try:
            self.check_game(position.game)
        except InvalidPlayer as error:
            raise PlayerError("wrong_game", str(error)) from None
        limits = limits.within(seconds=self.seconds, memory=self.memory and self.memory * 1_000_000)
        return self._brain.move(position, limits.seconds or self.seconds, limits.memory or 0)

    def close(self) -> None:
        """End the program."""
        if "_brain" in self.__dict__:
            self._brain.close()

    @cached_property
    def _brain(self) -> _Brain:
        # On Windows a command line is one string, and quoting is up to the program.
        command = self.cmd if os.name == "nt" else shlex.split(self.cmd)
        brain = _Brain(command, self.match, self.grace)
        weakref.finalize(self, brain.close)
        return brain

    def __getstate__(self) -> dict[str, object]:
        # A copy starts a program of its own.
        return {name: value for name, value in self.__dict__.items() if name != "_brain"}


class _Brain:
    """The other end of the conversation, and what it knows of the game."""

    def __init__(self, command: str | list[str], match: float | None, grace: float) -> None:
        self.command, self.match, self.grace = command, match, grace
        self.program: Program | None = None
        self.game: Game | None = None
        self.cells: Cells | None = None
        """The board as the brain knows it, after its own move."""
        self.sent_info: dict[str, int] = {}
        self.spent = 0.0
        self.message = ""

    def move(self, position: Position, seconds: float, memory: int) -> Choice:
        """Send the brain what has happened, and read its move."""
        self.message = ""
        try:
            program, commands = self._prepare(position, seconds)
            left = UNLIMITED if self.match is None else round(1000 * (self.match - self.spent))
            self._inform(program, timeout_turn=max(1, round(1000 * seconds)), max_memory=memory, time_left=left)
            began = time.monotonic()
            program.send(*commands)
            asked = commands[0] if len(commands) == 1 else "BOARD"
            allowed = seconds if self.match is None else min(seconds, max(0.0, self.match - self.spent))
            cell = self._cell(program, position, asked, allowed)
            self.spent += time.monotonic() - began
            if self.match is not None and self.spent > self.match + self.grace:
                raise Forfeit("timeout", f"its moves took {self.spent:.1f} s, and it had {self.match:g} s for the game")
        except BaseException:
            self.close(patience=0)
            raise
        self.cells = position.cells.set(cell, position.turn)
        return Choice(cell, note("message", text=self.message) if self.message else note("program"))

    def close(self, *, patience: float = EXIT_SECONDS) -> None:
        """End the program; the next move starts it again."""
        program, self.program = self.program, None
        self.game = self.cells = None
        if program is not None:
            program.send("END")
            program.end(patience=patience)

    def _prepare(self, position: Position, seconds: float) -> tuple[Program, list[str]]:
        """Bring the brain to where it can be asked for a move, and say how to ask."""
        program = self.program
        if program is not None and self.game == position.game:
            program.forget()
            played = _reply(self.cells, position)
            if played is not None:
                return program, [f"TURN {played}"]
            program.send("RESTART")
            if self._answer(program, "RESTART", seconds).upper().startswith("OK"):
                self.spent = 0.0
                return program, _setup(position)
        self.close()
        return self._start(position.game, seconds), _setup(position)

    def _start(self, game: Game, seconds: float) -> Program:
        try:
            self.program = program = Program(self.command)
        except (OSError, ValueError) as error:
            named = self.command if isinstance(self.command, str) else self.command[0]
            raise Forfeit("not_found", f"cannot start {named!r}: {getattr(error, 'strerror', None) or error}") from None
        rows, cols = game.grid.rows, game.grid.cols
        asked = f"START {rows}" if rows == cols else f"RECTSTART {cols},{rows}"
        program.send(asked)
        answer = self._answer(program, asked, seconds)
        if not answer.upper().startswith("OK"):
            raise Forfeit("refused", f"it answered {answer!r} to {asked} instead of OK")
        assert isinstance(game, Lines)
        self.game, self.spent, self.sent_info = game, 0.0, {}
        match = 0 if self.match is None else round(1000 * self.match)
        self._inform(program, timeout_match=match, game_type=1, rule=int(game.exact))
        return program

    def _inform(self, program: Program, **facts: int) -> None:
        """Send what the brain does not know yet, and the time that is left in any case."""
        news = {key: value for key, value in facts.items() if key == "time_left" or self.sent_info.get(key) != value}
        program.send(*(f"INFO {key} {value}" for key, value in news.items()))
        self.sent_info.update(news)

    def _answer(self, program: Program, asked: str, seconds: float, *, since: float | None = None) -> str:
        """The next line that is meant as an answer, within some seconds of now or of an earlier time."""
        deadline = (time.monotonic() if since is None else since) + seconds + self.grace
        try:
            while True:
                line = program.read_line(deadline)
                word, _, rest = line.partition(" ")
                if word.upper() == "MESSAGE":
                    self.message = rest.strip()
                elif word.upper() != "DEBUG":
                    return line
                if time.monotonic() > deadline:
                    raise Silent
        except Silent:
            raise Forfeit(
                "timeout", f"it did not answer {asked} within {seconds:.3g} s and {self.grace:g} s of grace"
            ) from None
        except Ended as how:
            raise Forfeit("crashed", f"{how}, and did not answer {asked}") from None

    def _cell(self, program: Program, position: Position, asked: str, seconds: float) -> int:
        """The cell that the brain chooses."""
        began = time.monotonic()
        answer = self._answer(program, asked, seconds)
        if answer.upper().startswith("SUGGEST "):
            asked = f"PLAY {answer.partition(' ')[2].strip()}"
            program.send(asked)
            answer = self._answer(program, asked, seconds, since=began)
        found = re.fullmatch(r"(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})", answer)
        if found is None:
            raise Forfeit("garbage", f"it answered {answer!r} to {asked} instead of a move like 7,7")
        col, row = int(found[1]), int(found[2])
        grid = position.game.grid
        cell = grid.cell(row, col)
        if cell is None:
            raise Forfeit(
                "out_of_bounds", f"it answered {answer!r} to {asked}: outside the {grid.cols}x{grid.rows} board"
            )
        refused = position.why_not(cell)
        if refused is not None:
            raise Forfeit(refused.code, f"it answered {answer!r} to {asked}: {refused}")
        return cell


def _place(game: Game, cell: int) -> str:
    row, col = divmod(cell, game.grid.cols)
    return f"{col},{row}"


def _reply(before: Cells | None, position: Position) -> str | None:
    """The opponent's move if it is all that has happened since the brain moved."""
    if before is None or len(position.cells) != len(before) + 1:
        return None
    new = [cell for cell in position.cells if position.cells[cell] != before.get(cell)]
    if len(new) != 1 or position.cells[new[0]] == position.turn:
        return None
    return _place(position.game, new[0])


def _setup(position: Position) -> list[str]:
    """How to ask for a move from scratch."""
    game, stones = position.game, sorted(position.cells.items())
    if not stones:
        return ["BEGIN"]
    theirs = [cell for cell, mark in stones if mark != position.turn]
    if len(stones) == 1 and theirs:
        return [f"TURN {_place(game, theirs[0])}"]
    if position.last in theirs:
        theirs.remove(position.last)
        theirs.append(position.last)
    own = [cell for cell, mark in stones if mark == position.turn]
    # In turns, as they would have been played, for brains that count on it.
    lines = [(2 * (i - len(own)), f"{_place(game, cell)},1") for i, cell in enumerate(own)]
    lines += [(2 * (i - len(theirs)) + 1, f"{_place(game, cell)},2") for i, cell in enumerate(theirs)]
    return ["BOARD", *(line for _, line in sorted(lines)), "DONE"]
