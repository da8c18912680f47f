"""Ultimate tic-tac-toe: small boards in a large one, where your cell says in which board the other must play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from noughts.board.grid import Grid, Symmetry
from noughts.core import Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidNotation
from noughts.hooks import Advice, Region, Rule, Scene, Threat
from noughts.note import Note
from noughts.spec import Length, option
from noughts.words import Words, number, sides

ANYWHERE = -1
"""The board to play in when every open one may be chosen."""

USUAL_SIZE = 3

FULL = "full"
"""Whose a small board is that filled up without a row."""

_REASONS = ((1000, "wins"), (20, "takes_board"), (8, "blocks_board"))
"""What the rules of thumb give for a win, for a small board, and for keeping the other from one."""

SENT_TO_WIN, SENT_TO_TAKE, SENT_ANYWHERE = 500, 15, 6
"""What they take off for a cell that lets the other win, take a small board, or choose where to play."""


@dataclass(frozen=True, kw_only=True)
class Ultimate(Game):
    """A board of boards; three small boards in a row win."""

    name = "ultimate"
    title = "Ultimate tic-tac-toe"
    summary = "Win small boards; three of them in a row win. Your cell sends the other player to a board."
    what = "ultimate tic-tac-toe"
    one_block = True
    presets = (
        Preset(
            "ultimate",
            "ultimate",
            "Nine boards in one: your cell says where the other must play.",
            "Ultimate",
            35,
            "X.O....../.XO.O..../..X...X../.O...X.../.X..XO.../...O...../..X.O..X./.O...X.../......O..",
        ),
    )
    words = Words(
        {
            "title.usual": "ultimate tic-tac-toe",
            "title.board": "ultimate tic-tac-toe, {size} boards of {size}",
            "goal.boards": "win {size} small boards in a row, across, down or diagonally",
            "rule.turns": "the large board is made of small ones. X and O take turns; on your turn, put your mark on an"
            " empty cell of a small board",
            "rule.sends": "your cell decides where the other player goes next: a cell in the top right corner of its"
            " small board sends them to the small board in the top right corner",
            "rule.sends.shown": "your cell decides where the other player goes next: a cell in the top right corner of"
            " its small board sends them to the small board in the top right corner. The dots show where O has to play",
            "rule.wins": "{size} marks in a row win a small board, and nobody plays there any more. A small board that"
            " fills up without a row belongs to nobody",
            "rule.anywhere": "if you are sent to a small board that is decided, you may play in any other",
            "rule.row": "{size} small boards in a row win the game. If every board is decided without such a row, it is"
            " a draw",
            "refusal.other_board": "{move} is not in board {board}, where {player} must play",
            "refusal.decided_board": "{move} is in a board that is decided",
            "outcome.boards": "a row of boards is won",
            "outcome.full": "every board is decided",
            "note.wins": "wins",
            "note.takes_board": "takes a board",
            "note.blocks_board": "keeps {rival} from a board",
            "note.sends_well": "sends {rival} where it does least harm",
            "threat.board": "{player} takes a board at {cells}",
            "reason.board": "{move} takes a board",
            "reason.stops_board": "{move} keeps {rival} from a board",
            "level.rules": "follows simple rules: win, take a board, block one, send you where you gain least",
        }
    )
    facts = (
        Fact("ultimate", "perft", (1, 81, 720, 6_336, 55_080), "enumerated by two independent programs"),
        Fact("ultimate,size=2", "value", "win", "solved exhaustively"),
    )

    size: int = option(
        Length(2, 5, cells=lambda size: size * size),
        "boards per side, and cells per side of each",
        default=USUAL_SIZE,
        label="Boards per side",
    )

    @cached_property
    def grid(self) -> Grid:
        """All cells of all boards."""
        return Grid(self.size**2, self.size**2)

    @cached_property
    def large(self) -> Grid:
        """The board that the small ones make; also the shape of each of them."""
        return Grid(self.size, self.size)

    @property
    def layout_facts(self) -> Mapping[str, object]:
        """Nested boards."""
        return {"blocks": {"rows": self.size, "cols": self.size}}

    def title_note(self) -> Note:
        """The name people know, else with the size."""
        return Note("usual") if self.size == USUAL_SIZE else Note("board", {"size": sides((self.size, self.size))})

    def goal_note(self) -> Note:
        """A row of small boards."""
        return Note("boards", {"size": number(self.size)})

    def rules(self) -> tuple[Rule, ...]:
        """Where one is sent, and what small boards are for; shown on the usual board only."""
        size = {"size": number(self.size)}
        sends, wins, anywhere, row = self._scenes() if self.size == USUAL_SIZE else ((), (), (), ())
        return (
            Rule(Note("turns")),
            Rule(Note("sends", {"case": "shown" if sends else None}), sends),
            Rule(Note("wins", size), wins),
            Rule(Note("anywhere"), anywhere),
            Rule(Note("row", size), row),
        )

    def _scenes(self) -> tuple[tuple[Scene, ...], ...]:
        """A player sent to a board, boards won, one sent to a decided board, and three boards in a row."""
        sent, elsewhere = self.start().play("f4"), self.parse_move("e5")
        won = self.position("X3O4/1X1O5/2XO5/9/9/9/9/9/9 O")
        free = self.position("X3O4/1X7/2X6/9/9/4O4/9/9/9 O").play("d4")
        row = self.position("X3O4/1X2OO3/2X6/O2X4O/1O1XO1O2/3X3O1/3O5/7X1/6XXX X")
        return (
            (Scene(sent, legal=True, refused=(elsewhere,)),),
            (Scene(won),),
            (Scene(free, legal=True),),
            (Scene(row),),
        )

    @cached_property
    def boards(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each small board, in board order."""
        n = self.size
        return tuple(
            tuple((n * (board // n) + row) * n * n + n * (board % n) + col for row in range(n) for col in range(n))
            for board in range(n * n)
        )

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """For each cell its small board and its place in there, which is the board that it sends to."""
        found = {cell: (board, place) for board, cells in enumerate(self.boards) for place, cell in enumerate(cells)}
        return tuple(found[cell] for cell in range(self.grid.cells))

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The rows of a small board, and of the large one."""
        return tuple(map(tuple, self.large.lines(self.size)))

    @cached_property
    def rows_through(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rows through each place."""
        return tuple(tuple(row for row in self.rows if place in row) for place in range(self.large.cells))

    def levels(self) -> Mapping[str, str]:
        """The highest plays as well as two seconds allow, which proves nothing: the tree is too large."""
        return {"perfect": "minimax,seconds=2"}

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> UltimatePosition:
        """The position with these marks; ``extra`` names the board to play in, unless any will do."""
        owners = tuple(self._owner(cells, board) for board in range(len(self.boards)))
        winners = {owners[row[0]] for row in self.rows if owners[row[0]] in self.marks and _all_equal(owners, row)}
        if len(winners) > 1:
            raise InvalidNotation("both X and O have a row of boards")
        outcome = self._outcome(cells, owners)
        target = ANYWHERE
        if extra:
            target = self.large.parse(extra)
            if owners[target] or outcome:
                raise InvalidNotation(f"{extra!r}: nobody can play in that board")
        return UltimatePosition(self, cells, turn, outcome, owners=owners, target=target)

    def _owner(self, cells: Cells, board: int) -> str:
        """Whose a small board is: a mark, :data:`FULL`, or nothing while it is open."""
        held = [cells.get(cell, "") for cell in self.boards[board]]
        found = {held[row[0]] for row in self.rows if held[row[0]] and _all_equal(held, row)}
        if len(found) > 1:
            raise InvalidNotation(f"both X and O have a row in board {self.large.name(board)}")
        return found.pop() if found else FULL if all(held) else ""

    def _outcome(self, cells: Cells, owners: tuple[str, ...]) -> Outcome | None:
        rows = [row for row in self.rows if owners[row[0]] in self.marks and _all_equal(owners, row)]
        if rows:
            winner = owners[rows[0][0]]
            decided = {cell for row in rows for board in row for cell in self.boards[board]}
            return Outcome(winner, "boards", tuple(sorted(cell for cell in decided if cells.get(cell) == winner)))
        return Outcome(None, "full") if all(owners) else None


def _all_equal(held: tuple[str, ...] | list[str], row: tuple[int, ...]) -> bool:
    return all(held[place] == held[row[0]] for place in row)


@dataclass(frozen=True, slots=True, repr=False)
class UltimatePosition(Position):
    """Marks on all boards, and where the next one may go."""

    game: Ultimate
    owners: tuple[str, ...] = field(default=(), compare=False)
    """Whose each small board is: a mark, :data:`FULL`, or nothing while it is open."""
    target: int = ANYWHERE
    """The board to play in."""

    def play_unchecked(self, move: Move) -> UltimatePosition:
        """Mark a cell; it may decide its board, and sends the other player to the board of its place."""
        game, mark = self.game, self.turn
        board, place = game.places[move]
        cells, owners, outcome = self.cells.set(move, mark), self.owners, None
        if self._completes(move):
            owners = (*owners[:board], mark, *owners[board + 1 :])
            outcome = game._outcome(cells, owners)
        elif all(cell in cells for cell in game.boards[board]):
            owners = (*owners[:board], FULL, *owners[board + 1 :])
            outcome = game._outcome(cells, owners)
        target = ANYWHERE if owners[place] or outcome else place
        turn = mark if outcome else game.after(mark)
        return UltimatePosition(game, cells, turn, outcome, move, (move,), owners, target)

    def _completes(self, move: Move, mark: Mark | None = None) -> bool:
        """Whether a mark (of who is on turn, unless told) completes a row of its small board."""
        board, place = self.game.places[move]
        cells, held, own = self.game.boards[board], self.cells, mark or self.turn
        for row in self.game.rows_through[place]:
            for other in row:
                if other != place and held.get(cells[other]) != own:
                    break
            else:
                return True
        return False

    def moves(self) -> Iterator[Move]:
        """The empty cells of the board to play in, or of all that are open."""
        held = self.cells
        if self.target != ANYWHERE:
            return (cell for cell in self.game.boards[self.target] if cell not in held)
        owners, places = self.owners, self.game.places
        return (cell for cell in range(self.game.grid.cells) if cell not in held and not owners[places[cell][0]])

    def refusal(self, move: Move) -> Note | None:
        """A cell of another board, or of one that is decided."""
        if move < 0:
            return Position.refusal(self, move)
        board, name = self.game.places[move][0], self.game.move_name(move)
        if self.target not in (ANYWHERE, board):
            where = self.game.large.name(self.target)
            return Note("other_board", {"move": name, "board": where, "player": self.turn})
        return Note("decided_board", {"move": name}) if self.owners[board] else None

    @property
    def extra(self) -> str:
        """The board to play in, by its name in the large board."""
        return "" if self.target == ANYWHERE else self.game.large.name(self.target)

    def image_extra(self, symmetry: Symmetry) -> str:
        """The board that the board to play in is mapped to."""
        if self.target == ANYWHERE:
            return ""
        return self.game.large.name(self.game.places[symmetry(self.game.boards[self.target][0])][0])

    def seen_by(self, mark: Mark) -> Position | None:
        """Where somebody else could play would depend on a cell that is still to be chosen."""
        return self if mark == self.turn else None

    def regions(self) -> tuple[Region, ...]:
        """The small boards that are decided."""
        decided = ((self.game.boards[board], owner) for board, owner in enumerate(self.owners) if owner)
        return tuple(Region(cells, None if owner == FULL else owner) for cells, owner in decided)

    def estimate(self, mark: Mark) -> int:
        """Rows that can still be completed, of boards and in them, by how much of each is there."""
        total = _open_rows(self.owners, self.game.rows, mark) * 10
        for board, owner in enumerate(self.owners):
            if not owner:
                held = [self.cells.get(cell, "") for cell in self.game.boards[board]]
                total += _open_rows(held, self.game.rows, mark)
        return total

    def threats(self) -> tuple[Threat, ...]:
        """Every cell that takes a board."""
        return tuple(
            Threat(self.turn, "board", (move,), self._marks_beside(move))
            for move in self.legal_moves
            if self._completes(move)
        )

    def _marks_beside(self, move: Move) -> tuple[int, ...]:
        board = self.game.boards[self.game.places[move][0]]
        return tuple(cell for cell in board if self.cells.get(cell) == self.turn)

    def advise(self, rng: random.Random) -> Advice:
        """Win; take a board; keep the other from one; and never send them where they gain more."""
        scores = {move: self._score(move) for move in self.legal_moves}
        best = max(score for score, _ in scores.values())
        move = rng.choice([move for move, (score, _) in scores.items() if score == best])
        return Advice(move, Note(scores[move][1], {"rival": self.game.after(self.turn)}), best)

    def _score(self, move: Move) -> tuple[int, str]:
        """What a move is worth by the rules of thumb, and the first reason for it."""
        rival, after = self.game.after(self.turn), self.play_unchecked(move)
        if after.outcome is not None:
            return _REASONS[0] if after.outcome.winner else (0, "sends_well")
        score, reason = 0, "sends_well"
        if self._completes(move):
            score, reason = _REASONS[1]
        elif self._completes(move, rival):
            score, reason = _REASONS[2]
        replies = [reply for reply in after.legal_moves if after._completes(reply)]
        if any(after.play_unchecked(reply).outcome for reply in replies):
            score -= SENT_TO_WIN
        elif replies:
            score -= SENT_TO_TAKE
        if after.target == ANYWHERE:
            score -= SENT_ANYWHERE
        return score + len(self.game.rows_through[self.game.places[move][1]]), reason


def _open_rows(held: tuple[str, ...] | list[str], rows: tuple[tuple[int, ...], ...], mark: Mark) -> int:
    """The rows that only one player has anything in, one's own less the other's; more for more of a row."""
    total = 0
    for row in rows:
        own = other = 0
        for place in row:
            owner = held[place]
            if owner == mark:
                own += 1
            elif owner == FULL:
                break
            elif owner:
                other += 1
        else:
            if own and not other:
                total += 4**own
            elif other and not own:
                total -= 4**other
    return total
