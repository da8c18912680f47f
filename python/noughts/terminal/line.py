"""The line game: a board is printed, a move is typed, and so on until somebody wins."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path

from noughts.analysis import analyse
from noughts.core import Game, Mark, Position
from noughts.errors import Forfeit, MatchError, NoughtsError
from noughts.match import MakeMove, Record, Redo, ResetGame, Resign, StartGame, State, Store, Undo, must_pass, save
from noughts.players import Limits, Player, player
from noughts.terminal import rules, words
from noughts.terminal.screen import Screen

__all__ = ["HUMAN", "LineGame"]

HUMAN = "human"

HINT_SECONDS = 2.0
"""How long a hint may take."""

HELP = """\
hint          a good move, and whether that is proven or an estimate
undo, redo    take back your last move and the reply, or play it again
moves         list the legal moves
save FILE     write the match to a file, for noughts replay FILE, noughts analyse FILE or noughts play --load FILE
resign        give up
restart       start again
board         print the board again
rules         print the rules
quit          leave"""


class LineGame:
    """One match between people at this keyboard and players in this program."""

    def __init__(self, store: Store, seats: Mapping[Mark, Player | None], screen: Screen) -> None:
        self.store, self.seats, self.screen = store, seats, screen
        self.saved_to: Path | None = None
        self.saved_version = 0
        self._noticed: Position | None = None
        """The last position whose notice was shown: a typing mistake is no reason to show it again."""

    @classmethod
    def begin(cls, game: Game, players: Mapping[Mark, str], screen: Screen, *, first: Mark | None = None) -> LineGame:
        """Start a match; a player is ``human`` or a player spec."""
        seats = {mark: _seat(spec, mark) for mark, spec in players.items()}
        store = Store()
        store.dispatch(StartGame(game=game.spec, first=first, id=uuid.uuid4().hex, players=players))
        return cls(store, seats, screen)

    @classmethod
    def resume(cls, record: Record, players: Mapping[Mark, str], screen: Screen) -> LineGame:
        """Go on with a match from its record."""
        seats = {mark: _seat(spec, mark) for mark, spec in players.items()}
        return cls(Store(record.actions), seats, screen)

    @property
    def state(self) -> State:
        """The match as it stands."""
        return self.store.state

    def run(self) -> int:
        """Play until the player leaves; the result is the exit code."""
        try:
            return self._play()
        finally:
            for ai in self.seats.values():
                if ai is not None:
                    ai.close()

    def _play(self) -> int:
        game = self.state.game
        self.screen.say(f"{game.full_title}. {game.goal}", style="bold")
        self.screen.say(f"{words.seats(game, self.seats)} Type help for the commands, rules for the rules.")
        self.screen.board(self.state.position)
        while True:
            if self.state.is_over:
                if not self._over():
                    return 0
            elif (ai := self.seats[self.state.turn]) is not None:
                self._ai_move(ai)
            elif not self._human_turn():
                return 0

    def _ai_move(self, ai: Player) -> None:
        position, mark = self.state.position, self.state.turn
        shown = words.level_of(ai.spec, position.game) or ai.spec
        try:
            with self.screen.busy(f"{mark} ({shown}) is thinking") as news:
                choice = ai.choose_legal(position, Limits(progress=news))
        except Forfeit as error:
            self.screen.say(f"{mark} ({shown}) forfeits: {error}", style="red")
            self.store.dispatch(Resign(player=mark, reason=str(error)))
            return
        name = position.game.move_name(choice.move)
        sure = ", proven" if choice.proven else ""
        why = words.explain(choice.note, self.state.game, details=self.screen.details) if choice.note else ""
        self.screen.say(f"{mark} plays {name}" + (f": {why}{sure}" if why else ""))
        self._move(mark, name)

    def _move(self, mark: Mark, name: str) -> None:
        """Play a move, say who has to pass after it, and show the board."""
        made = len(self.state.history) + 1
        self.store.dispatch(MakeMove(player=mark, move=name))
        for ply in self.state.history[made:]:
            self.screen.say(words.passes(ply.player, self.state.game))
        self.screen.board(self.state.position)

    def _human_turn(self) -> bool:
        """Take one command; false means leave."""
        position, mark = self.state.position, self.state.turn
        if must_pass(position):
            # Only in a match that was saved here: the store makes all passes after that.
            self.screen.say(words.passes(mark, self.state.game))
            self.store.dispatch(MakeMove(player=mark, move="pass"))
            return True
        if (notice := words.notice(position)) and position != self._noticed:
            self.screen.say(notice)
            self._noticed = position
        text = self.screen.ask(f"{mark} to move:")
        if text is None:
            return self._leave()
        return self._command(text, mark)

    def _command(self, text: str, mark: Mark | None) -> bool:
        """Obey a command; ``mark`` is who types, or ``None`` once the game is over."""
        word, _, rest = text.partition(" ")
        me = mark if any(self.seats.values()) else None
        try:
            match word.lower():
                case "":
                    pass
                case "help" | "?" | "h":
                    self.screen.say(f"a move        {words.how_to_move(self.state.game)}\n{HELP}")
                case "quit" | "exit" | "q":
                    return self._leave()
                case "rules":
                    self.screen.say("\n".join(rules.lines(self.state.game)))
                case "board":
                    self.screen.board(self.state.position)
                case "undo" | "redo":
                    action = Undo if word.lower() == "undo" else Redo
                    self.store.dispatch(action(player=me or self._only_human()))
                    self.screen.board(self.state.position)
                case "save":
                    self._save(rest.strip())
                case "restart":
                    self.store.dispatch(ResetGame())
                    self.screen.board(self.state.position)
                case "resign" if mark is not None:
                    self.store.dispatch(Resign(player=mark))
                case "hint" if mark is not None:
                    self._hint()
                case "moves" if mark is not None:
                    moves = self.state.position.legal_moves
                    self.screen.say(repr(moves).strip("<>"))
                case _ if mark is not None:
                    self._move(mark, self._move_name(text))
                case _:
                    self.screen.say("The game is over. Answer yes or no, or type undo, save FILE or help.")
        except (NoughtsError, OSError) as error:
            self.screen.say(self._explained(error), style="red")
        return True

    def _explained(self, error: Exception) -> str:
        if isinstance(error, MatchError):
            text = words.refusal(error, self.state.game)
            return f"{text}, or type help for the commands" if error.code == "invalid_notation" else text
        if isinstance(error, OSError):
            return f"cannot write {error.filename}: {error.strerror}"
        return str(error)

    def _only_human(self) -> Mark | None:
        """The one person at the board, if there is just one among players."""
        humans = [mark for mark, ai in self.seats.items() if ai is None]
        return humans[0] if len(humans) == 1 else None

    def _move_name(self, text: str) -> str:
        """A move's name from what was typed: a name already, or row and column (and layer)."""
        numbers = text.replace(",", " ").split()
        grid = self.state.game.grid
        if len(numbers) == (3 if grid.layers > 1 else 2) and all(n.isascii() and n.isdigit() for n in numbers):
            row, col, *layer = (int(n[:9]) - 1 for n in numbers)
            cell = grid.cell(row, col, *layer)
            if cell is None:
                sides = "x".join(map(str, (grid.rows, grid.cols, grid.layers)[: len(numbers)]))
                raise MatchError("out_of_bounds", f"{text!r} is outside the {sides} board", state=self.state)
            return grid.name(cell)
        return text

    def _hint(self) -> None:
        with self.screen.busy("looking for a good move") as news:
            analysis = analyse(self.state.position, Limits(seconds=HINT_SECONDS, progress=news), every=False)
        self.screen.say(f"hint: {words.hint(analysis, details=self.screen.details)}")

    def _save(self, name: str) -> None:
        if not name:
            self.screen.say("Which file? Type save FILE.")
            return
        path = Path(name).expanduser()
        if path.exists() and path != self.saved_to:
            self.screen.say(f"{path} already exists, so nothing was saved. Choose another name.")
            return
        save(path, self.store.actions)
        self.saved_to, self.saved_version = path, self.state.version
        self.screen.say(f"saved to {path}")

    def _over(self) -> bool:
        """Tell the outcome and ask what now; false means leave."""
        self.screen.say(self.outcome(), style="bold")
        version = self.state.version
        while self.state.version == version:
            text = self.screen.ask("Play again? [y/n]")
            if text is None or text.lower() in ("n", "no", "q", "quit", "exit"):
                return False
            if text.lower() in ("y", "yes"):
                text = "restart"
            self._command(text, None)
        return True

    def outcome(self) -> str:
        """Who won and how, in a line."""
        ais = {mark for mark, ai in self.seats.items() if ai is not None}
        you = self._only_human() if len(self.seats) > 1 else None
        return words.outcome(self.state, you=you, ais=ais)

    def _leave(self) -> bool:
        if self.state.history and not self.state.is_over and self.saved_version != self.state.version:
            self.screen.say("The game is not over, and has not been saved.")
        return False


def _seat(spec: str, mark: Mark) -> Player | None:
    return None if spec == HUMAN else player(spec, mark=mark)
