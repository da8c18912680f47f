"""Infinity Grid Duel: grow from your own tiles, turn the enemy's beside you, own the most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from immutables import Map

from noughts._kernel import Tables
from noughts.board.grid import Grid
from noughts.core import LARGEST_COMPILED, PASS, Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidNotation
from noughts.spec import Choice, Size, option

_SOLVED = "solved exhaustively"


@dataclass(frozen=True, kw_only=True)
class Duel(Game):
    """Red and Green; each placement captures every enemy tile beside it."""

    name = "duel"
    title = "Infinity Grid Duel"
    summary = "Place next to your own tiles and capture the enemy's beside you; most tiles on the full board wins."
    what = "duel"
    counts_tiles = True
    presets = (
        Preset("peaceful", "duel,opening=peaceful", "the fair one: the two opening tiles capture nothing"),
        Preset("duel", "duel", "to the letter: the second player can capture the first tile, and then takes all"),
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

    size: tuple[int, ...] = option(Size({2: 1000}), "rows x columns, or one number for a square", default=(6, 6))
    opening: str = option(
        Choice("capture", "peaceful"),
        "whether the two opening tiles capture (capture) or not (peaceful)",
        default="capture",
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
        if self.is_opening and self.game.opening == "peaceful":
            return ()
        enemy, cells = self.game.after(self.turn), self.cells
        return tuple(cell for cell in self.game.grid.neighbours(move) if cells.get(cell) == enemy)

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

    def refusal(self, move: Move) -> tuple[str, str] | None:
        """After the opening a tile must touch one's own; passing is only for who cannot place."""
        if move == PASS:
            if next(self.placements(self.turn), None) is None:
                return None
            return "pass_not_allowed", f"{self.turn} can place a tile, so {self.turn} may not pass"
        if move < 0:
            return Position.refusal(self, move)
        if self.is_opening or any(self.cells.get(cell) == self.turn for cell in self.game.grid.neighbours(move)):
            return None
        return "not_adjacent", f"{self.game.move_name(move)} does not touch a tile of {self.turn}"

    @property
    def captured(self) -> int:
        """How many tiles the last placement turned."""
        return max(0, len(self.changed) - 1)

    def estimate(self, mark: Mark) -> int:
        """By how many tiles ``mark`` leads."""
        return sum(10 if owner == mark else -10 for owner in self.cells.values())
