"""Infinity Grid Duel: grow from your own tiles, turn the enemy's beside you, own the most."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from immutables import Map

from noughts._kernel import Tables
from noughts.board.grid import Grid
from noughts.core import LARGEST_COMPILED, PASS, Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidNotation
from noughts.hooks import LARGEST_SCANNED, Advice, Curve, Rule, Scene, Threat
from noughts.note import Fact as Value
from noughts.note import Note
from noughts.spec import Choice, Size, option
from noughts.words import Words, sides

_SOLVED = "solved exhaustively"

USUAL_SIZE = (6, 6)

_ENGINE = Curve(
    (
        (0.00, -0.32, 0.00, 0.32),
        (0.05, -0.02, 0.24, 0.63),
        (0.15, 0.38, 0.54, 0.71),
        (0.28, 0.38, 0.71, 1.00),
        (0.42, 0.49, 0.79, 1.00),
        (0.60, 0.66, 0.81, 1.00),
        (0.85, 0.81, 0.93, 1.00),
    )
)
_TREE = Curve(
    (
        (0.00, -0.46, 0.00, 0.46),
        (0.05, -0.20, 0.07, 0.71),
        (0.15, -0.20, 0.07, 0.71),
        (0.28, -0.20, 0.08, 0.71),
        (0.42, -0.15, 0.30, 0.86),
        (0.60, 0.37, 0.69, 1.00),
        (0.85, 0.85, 0.93, 1.00),
    )
)


@dataclass(frozen=True, kw_only=True)
class Duel(Game):
    """Red and Green; each placement captures every enemy tile beside it."""

    name = "duel"
    title = "Infinity Grid Duel"
    summary = "Place next to your own tiles and capture the enemy's beside you; most tiles on the full board wins."
    what = "duel"
    counts_tiles = True
    presets = (
        Preset(
            "peaceful",
            "duel,opening=peaceful",
            "Grow, capture, own the most.",
            "Duel",
            80,
            "RR..../RRRG../.RGGG./..RGG./.RR.GG/......",
            open=True,
        ),
        Preset("duel", "duel", "To the letter: the second player can take all.", "Duel to the letter", menu=None),
    )
    words = Words(
        {
            "mark.R": "Red",
            "mark.G": "Green",
            "title.board": "Infinity Grid Duel{board}",
            "title.board.peaceful": "Infinity Grid Duel{board}, peaceful opening",
            "part.board": " on {size}",
            "goal.tiles": "own the most tiles at the end: grow from your own tiles and capture those beside you",
            "rule.opening": "Red and Green each begin with one tile anywhere. Green's first tile captures Red's if they"
            " touch",
            "rule.opening.peaceful": "Red and Green each begin with one tile anywhere. These two tiles capture nothing,"
            " even if they touch",
            "rule.grow": "after that, each new tile has to touch one of your own, at a side and not just at a corner."
            " The dots show where Red may play",
            "rule.capture": "a new tile captures every enemy tile beside it: they change colour at once. A captured"
            " tile captures nothing itself",
            "rule.pass": "a player who cannot place a tile passes",
            "rule.end": "the game is over when nobody can place a tile any more. Whoever owns more tiles wins",
            "option.opening.peaceful": "Peaceful",
            "option.opening.capture": "Capture",
            "option.opening.help": "Peaceful is the fair game: the two opening tiles capture nothing. Capture plays the"
            " rules to the letter, and then the second player can take the first tile at once and win every cell. That"
            " is proven.",
            "refusal.not_adjacent": "{move} does not touch a tile of {player}",
            "refusal.pass_not_allowed": "{player} can place a tile, so {player} may not pass",
            "move.pass": "{player} cannot place a tile and passes",
            "outcome.tiles": "no more tiles can be placed",
            "note.captures": "captures {captures}",
            "note.captures.blocks": "captures {captures}, blocks",
            "note.captures.expands": "captures {captures}, expands",
            "note.captures.blocks_expands": "captures {captures}, blocks, expands",
            "note.blocks": "blocks",
            "note.blocks.expands": "blocks, expands",
            "note.expands": "expands",
            "note.quiet": "nothing better",
            "note.stuck": "no placement is possible",
            "move.pass.you": "you cannot place a tile, so you passed",
            "notice.first": "opening: {player} may place anywhere. The answer captures this tile if it touches it",
            "notice.first.peaceful": "opening: {player} may place anywhere. The first two tiles capture nothing",
            "notice.second": "opening: {player} may place anywhere, and captures the first tile if they touch",
            "notice.second.peaceful": "opening: {player} may place anywhere. The first two tiles capture nothing",
            "threat.capture": "{player} captures at {cells}",
            "reason.capture": "{move} takes {count} tiles",
            "reason.capture.1": "{move} takes one tile",
            "reason.capture.2": "{move} takes two tiles",
            "reason.capture.3": "{move} takes three tiles",
            "reason.capture.4": "{move} takes four tiles",
            "reason.lasts": "every move loses, {move} keeps the most tiles",
            "level.rules": "follows simple rules: capture, block, expand",
        }
    )
    facts = (
        Fact("duel,size=2", "margin", -4, _SOLVED),
        Fact("duel,size=2,opening=peaceful", "margin", -2, _SOLVED),
        Fact("duel,size=3", "margin", -9, _SOLVED),
        Fact("duel,size=3,opening=peaceful", "margin", 7, _SOLVED),
        Fact("duel,size=3x4", "margin", -12, _SOLVED),
        Fact("duel,size=3x4,opening=peaceful", "margin", 0, _SOLVED),
        Fact("duel,size=4,opening=peaceful", "value", "draw", _SOLVED),
        Fact("duel,size=4x5,opening=peaceful", "value", "draw", _SOLVED),
    )

    size: tuple[int, ...] = option(Size({2: 1000}), "rows and columns", default=USUAL_SIZE, label="Board")
    opening: str = option(
        Choice("capture", "peaceful"),
        "whether the two opening tiles capture (capture) or not (peaceful)",
        default="capture",
        label="Opening",
    )

    @cached_property
    def grid(self) -> Grid:
        """The flat board."""
        return Grid(*self.size)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Red moves first."""
        return ("R", "G")

    @property
    def specials(self) -> tuple[Move, ...]:
        """The pass of who cannot place."""
        return (PASS,)

    @property
    def layout_facts(self) -> Mapping[str, object]:
        """Tiles that fill their cells."""
        return {"pieces": "tile"}

    def levels(self) -> Mapping[str, str]:
        """There are few moves and a clear count, so that hard need not look as far as elsewhere."""
        return {"hard": "casual,depth=3,width=12,lapses=0.12,noise=0.6,careful"}

    @property
    def calibration(self) -> Mapping[str, Curve]:
        """Measured with the peaceful opening on 5x5, 6x6 and 8x8."""
        return {"engine": _ENGINE, "mcts": _TREE}

    def title_note(self) -> Note:
        """The game, with its board unless that is the usual one, and its opening."""
        board = None if self.size == USUAL_SIZE else Note("board", {"size": sides(self.size)})
        return Note("board", {"board": board, "case": self.opening})

    def goal_note(self) -> Note:
        """The most tiles."""
        return Note("tiles")

    def rules(self) -> tuple[Rule, ...]:
        """Growing, capturing, passing and counting, shown on a board of four a side."""
        small = replace(self, size=(4, 4))
        touching = small.start().play("b2")
        growing = small.position("RR2/1R2/2G1/2GG R")
        taking = small.position("1R1G/2G1/1G2/4 R")
        away = small.parse_move("a4")
        return (
            Rule(Note("opening", {"case": self.opening}), (Scene(touching), Scene(touching.play("b3")))),
            Rule(Note("grow"), (Scene(growing, legal=True, refused=(away,)),)),
            Rule(Note("capture"), (Scene(taking), Scene(taking.play("b2")))),
            Rule(Note("pass")),
            Rule(Note("end"), (Scene(small.position("RRGG/RRRG/RRGG/RRRG R")),)),
        )

    @cached_property
    def kernel(self) -> Tables | None:
        """Who touches whom."""
        if self.grid.cells > LARGEST_COMPILED:
            return None
        return Tables.capture(
            cells=self.grid.cells,
            neighbours=[self.grid.neighbours(cell) for cell in range(self.grid.cells)],
            peaceful=self.opening == "peaceful",
            symmetries=[symmetry.table for symmetry in self.symmetries],
        )

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> DuelPosition:
        """The position with these tiles. That there are fewer than two says it is the opening."""
        if extra:
            raise InvalidNotation(f"{extra!r}: nothing follows the turn in {self}")
        position = DuelPosition(self, cells, turn)
        outcome = position.counted()
        return DuelPosition(self, cells, turn, outcome) if outcome else position


@dataclass(frozen=True, slots=True, repr=False)
class DuelPosition(Position):
    """Tiles on the board."""

    game: Duel

    def play_unchecked(self, move: Move) -> DuelPosition:
        """Place a tile and turn the enemy's beside it all at once, or pass."""
        game, mark = self.game, self.turn
        if move == PASS:
            return DuelPosition(game, self.cells, game.after(mark), None, PASS)
        turned = self.captures(move)
        cells = self.cells.set(move, mark)
        if turned:
            cells = cells.update((cell, mark) for cell in turned)
        after = DuelPosition(game, cells, game.after(mark), None, move, (move, *turned))
        outcome = after.counted()
        return DuelPosition(game, cells, mark, outcome, move, (move, *turned)) if outcome else after

    def captures(self, move: Move) -> tuple[int, ...]:
        """The enemy tiles that a placement by the player to move would turn."""
        if move < 0 or (self.is_opening and self.game.opening == "peaceful"):
            return ()
        enemy, cells = self.game.after(self.turn), self.cells
        return tuple(cell for cell in self.game.grid.neighbours(move) if cells.get(cell) == enemy)

    def notice(self) -> Note | None:
        """In the opening: where the tile may go, and whether it captures."""
        if not self.is_opening:
            return None
        return Note("second" if self.cells else "first", {"player": self.turn, "case": self.game.opening})

    @property
    def is_opening(self) -> bool:
        """Whether the two opening tiles are still to come: tiles never leave the board."""
        return len(self.cells) < 2

    def counted(self) -> Outcome | None:
        """The outcome by tiles once neither side can place."""
        if self.is_opening or any(next(self.placements(mark), None) is not None for mark in self.game.marks):
            return None
        tiles = dict.fromkeys(self.game.marks, 0)
        for mark in self.cells.values():
            tiles[mark] += 1
        red, green = self.game.marks
        winner = None if tiles[red] == tiles[green] else max(tiles, key=lambda mark: tiles[mark])
        owned = tuple(sorted(cell for cell, mark in self.cells.items() if mark == winner))
        return Outcome(winner, "tiles", owned, Map(tiles))

    def placements(self, mark: Mark) -> Iterator[int]:
        """The cells where a player may place, in no particular order and perhaps repeatedly."""
        grid, cells = self.game.grid, self.cells
        if self.is_opening:
            yield from (cell for cell in range(grid.cells) if cell not in cells)
            return
        for tile, owner in cells.items():
            if owner == mark:
                yield from (cell for cell in grid.neighbours(tile) if cell not in cells)

    def moves(self) -> Iterator[Move]:
        """The placements in board order, or the pass where there are none."""
        return iter(sorted(set(self.placements(self.turn))) or [PASS])

    def refusal(self, move: Move) -> Note | None:
        """After the opening a tile must touch one's own; passing is only for who cannot place."""
        if move == PASS:
            can_place = next(self.placements(self.turn), None) is not None
            return Note("pass_not_allowed", {"player": self.turn}) if can_place else None
        if move < 0:
            return Position.refusal(self, move)
        if self.is_opening or any(self.cells.get(cell) == self.turn for cell in self.game.grid.neighbours(move)):
            return None
        return Note("not_adjacent", {"move": self.game.move_name(move), "player": self.turn})

    @property
    def captured(self) -> int:
        """How many tiles the last placement turned."""
        return max(0, len(self.changed) - 1)

    def estimate(self, mark: Mark) -> int:
        """By how many tiles ``mark`` leads."""
        return sum(10 if owner == mark else -10 for owner in self.cells.values())

    def threats(self) -> tuple[Threat, ...]:
        """Every placement that captures."""
        if self.is_opening and self.game.grid.cells > LARGEST_SCANNED:
            return ()
        turned = {move: self.captures(move) for move in self.legal_moves if move >= 0}
        return tuple(Threat(self.turn, "capture", (move,), cells) for move, cells in turned.items() if cells)

    def advise(self, rng: random.Random) -> Advice:
        """Capture, block, expand; of equally good placements any."""
        moves = list(self.legal_moves)
        if moves[0] < 0:
            return Advice(moves[0], Note("stuck"))
        scores = {move: score_duel(self, move) for move in moves}
        best = max(score.total for score in scores.values())
        move = rng.choice([move for move in moves if scores[move].total == best])
        return Advice(move, scores[move].note(), best)

    def can_capture(self, mark: Mark) -> bool:
        """Whether a player, were it on turn, could place next to an enemy tile and turn it."""
        if self.outcome is not None:
            return False
        threat = DuelPosition(self.game, self.cells, mark)
        return any(threat.captures(cell) for cell in threat.placements(mark))


@dataclass(frozen=True, slots=True)
class DuelScore:
    """What a placement is worth by the rules of thumb."""

    captures: int
    blocks: bool
    expands: bool

    @property
    def total(self) -> int:
        """10 for each captured tile, 5 for a block, 1 for expansion."""
        return 10 * self.captures + 5 * self.blocks + self.expands

    def note(self) -> Note:
        """The first reason for it, the others as its case."""
        reasons = [name for name in ("captures", "blocks", "expands") if getattr(self, name)] or ["quiet"]
        facts: dict[str, Value] = {"captures": self.captures} if self.captures else {}
        if len(reasons) > 1:
            facts["case"] = "_".join(reasons[1:])
        return Note(reasons[0], facts)


def score_duel(position: DuelPosition, move: Move) -> DuelScore:
    """Score a legal placement.

    It blocks when the enemy could capture something on its next turn and now can capture nothing;
    it expands when it touches an empty cell that no tile of the player touched before.
    """
    mark, enemy = position.turn, position.game.after(position.turn)
    after = position.play_unchecked(move)
    touched = set(position.placements(mark)) if not position.is_opening else set()
    empty = {cell for cell in position.game.grid.neighbours(move) if cell not in after.cells}
    blocks = position.can_capture(enemy) and not after.can_capture(enemy)
    return DuelScore(len(position.captures(move)), blocks, bool(empty - touched))
