"""Hex: join your two sides of the rhombus. Somebody always does, and never both."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from noughts._kernel import Tables
from noughts.board.grid import HEXAGONAL, Grid, Symmetry
from noughts.core import SWAP, Cells, Fact, Game, Mark, Move, Outcome, Position, Preset
from noughts.errors import InvalidNotation
from noughts.hooks import Curve, Rule, Scene, Threat
from noughts.note import Note
from noughts.spec import Flag, Length, option
from noughts.words import Words, sides

_SOLVED = "solved exhaustively"

_ENGINE = Curve(
    (
        (0.00, -0.27, 0.00, 0.27),
        (0.05, -0.25, 0.06, 0.28),
        (0.15, 0.00, 0.28, 0.50),
        (0.28, 0.17, 0.42, 0.75),
        (0.42, 0.20, 0.50, 0.84),
        (0.60, 0.24, 0.56, 0.90),
        (0.85, 0.45, 0.74, 0.98),
    ),
    scale=400,
)


@dataclass(frozen=True, kw_only=True)
class Hex(Game):
    """X joins top and bottom, O joins left and right."""

    name = "hex"
    title = "Hex"
    summary = "Place stones in turn; X wins by joining top and bottom, O by joining left and right."
    what = "hex"
    presets = (
        Preset("hex", "hex", "Join your two sides. The usual eleven by eleven.", "Hex 11×11", menu=None),
        Preset(
            "hex7",
            "hex,size=7,swap",
            "Join your two sides. No draws.",
            "Hex",
            70,
            "....X../...OX../..OXX../.OXO.../OXO..../.X...../X......",
            open=True,
        ),
    )
    words = Words(
        {
            "title.board": "Hex {size}",
            "goal.board": "connect your two sides of the board with an unbroken chain: X top and bottom, O left and"
            " right",
            "rule.turns": "X and O take turns. On your turn, put a stone on any empty cell. Stones never move",
            "rule.chain": "X wins with an unbroken chain of stones from top to bottom, O with one from left to right. A"
            " cell touches up to six others. Here X has won",
            "rule.no_draw": "there are no draws: when the board is full, one of the two chains is complete",
            "rule.swap": "to keep the game fair, the second player may swap instead of placing a stone: O takes over"
            " X's first stone, which moves to the mirrored cell. Then it is X's turn again",
            "refusal.swap_not_allowed": "only the second player may swap, right after the first stone",
            "refusal.swap_not_allowed.option": "there is no swap in {game}; the option swap allows it",
            "outcome.chain": "both sides are joined",
            "threat.bridge": "{player} has a bridge over {cells}",
            "reason.win.X": "{move} connects top to bottom",
            "reason.win.O": "{move} connects left to right",
            "reason.stopped_win": "{move} stops {rival} from connecting next move",
            "reason.stops_win": "block at {move} or {rival} connects next move",
        }
    )
    facts = (
        Fact("hex,size=2", "openings", ("b1", "a2"), _SOLVED),
        Fact("hex,size=3", "openings", ("c1", "a2", "b2", "c2", "a3"), _SOLVED),
        Fact("hex,size=4", "openings", ("d1", "c2", "b3", "a4"), _SOLVED),
        Fact("hex", "value", "win", "Nash"),
    )

    size: int = option(Length(2, 19), "cells per side", default=11, label="Cells per side")
    swap: bool = option(
        Flag(),
        "the second player may take over the first stone, mirrored, so nobody wants to open too strongly",
        default=False,
        label="Swap",
    )

    @cached_property
    def grid(self) -> Grid:
        """A square of cells whose rows lean to the right."""
        return Grid(self.size, self.size)

    def title_note(self) -> Note:
        """The game with its size."""
        return Note("board", {"size": sides((self.size, self.size))})

    def goal_note(self) -> Note:
        """Both chains."""
        return Note("board")

    def rules(self) -> tuple[Rule, ...]:
        """Stones, chains and the swap, shown on a board of five a side."""
        small = replace(self, size=5)
        opened = small.start().play("b4") if self.swap else None
        return (
            Rule(Note("turns")),
            Rule(Note("chain"), (Scene(small.position("2OX1/1OXO1/1OX2/1XOO1/OX3 X")),)),
            Rule(Note("no_draw")),
            *([Rule(Note("swap"), (Scene(opened), Scene(opened.play("swap"))))] if opened else []),
        )

    @property
    def layout(self) -> str:
        """Hexagonal cells."""
        return "hex"

    @property
    def specials(self) -> tuple[Move, ...]:
        """The swap, where it is played."""
        return (SWAP,) if self.swap else ()

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The identity and the half turn; every other map swaps the players' sides."""
        return (Symmetry(self.grid), Symmetry(self.grid, flips=(False, True, True)))

    @cached_property
    def mirror(self) -> Symmetry:
        """Along the diagonal: what joins top and bottom joins left and right then. A swap mirrors its stone, too."""
        return Symmetry(self.grid, axes=(0, 2, 1))

    @property
    def calibration(self) -> Mapping[str, Curve]:
        """The engine was measured on boards of 7 and 11 a side."""
        return {"engine": _ENGINE}

    @cached_property
    def kernel(self) -> Tables | None:
        """Who touches whom, the sides of both players, and where a swapped stone goes."""
        return Tables.connect(
            cells=self.grid.cells,
            neighbours=[self.grid.neighbours(cell, HEXAGONAL) for cell in range(self.grid.cells)],
            edges=[[list(self.side(mark, 0)), list(self.side(mark, 1))] for mark in self.marks],
            swap=self.mirror.table if self.swap else None,
            symmetries=[symmetry.table for symmetry in self.symmetries],
        )

    def start(self, first: Mark | None = None) -> HexPosition:
        """An empty board; the swap opens up with the first stone."""
        return HexPosition(self, Cells(), self.marks[0] if first is None else self.check_mark(first))

    def at(self, cells: Cells, turn: Mark, extra: str = "") -> HexPosition:
        """The position with these stones; ``extra`` says ``swap`` where that may be played."""
        if extra and not (extra == "swap" and self.swap and list(cells.values()) == [self.after(turn)]):
            raise InvalidNotation(f"{extra!r}: only 'swap' can follow the turn, after one stone, in {self}")
        position = HexPosition(self, cells, turn, swappable=bool(extra))
        for mark in self.marks:
            chain = position.chain(mark, self.side(mark, 0))
            if chain:
                return HexPosition(self, cells, turn, Outcome(mark, "chain", chain))
        return position

    def side(self, mark: Mark, far: int) -> range:
        """The cells of a player's near (0) or far (1) side."""
        n = self.size
        if mark == self.marks[0]:
            return range(far * (n * n - n), far * (n * n - n) + n)
        return range(far * (n - 1), n * n, n)


@dataclass(frozen=True, slots=True, repr=False)
class HexPosition(Position):
    """Stones on the rhombus."""

    game: Hex
    swappable: bool = False
    """Whether the player to move may swap."""

    def play_unchecked(self, move: Move) -> HexPosition:
        """Place a stone, or take over the opponent's only one."""
        game, mark = self.game, self.turn
        if move == SWAP:
            [stone] = self.cells
            taken = game.mirror(stone)
            cells = self.cells.delete(stone).set(taken, mark)
            return HexPosition(game, cells, game.after(mark), None, move, tuple({stone, taken}))
        cells = self.cells.set(move, mark)
        after = HexPosition(game, cells, game.after(mark), None, move, (move,), swappable=game.swap and not self.cells)
        chain = after.chain(mark, (move,))
        return HexPosition(game, cells, mark, Outcome(mark, "chain", chain), move, (move,)) if chain else after

    def moves(self) -> Iterator[Move]:
        """Every empty cell, then the swap."""
        yield from Position.moves(self)
        if self.swappable:
            yield SWAP

    def refusal(self, move: Move) -> Note | None:
        """Swapping is for the second player, right after the first stone."""
        if move != SWAP:
            return Position.refusal(self, move)
        if self.swappable:
            return None
        return Note("swap_not_allowed", {"game": self.game.spec, "case": "late" if self.game.swap else "option"})

    @property
    def extra(self) -> str:
        """Whether the swap is open."""
        return "swap" if self.swappable else ""

    def chain(self, mark: Mark, seeds: range | tuple[int, ...]) -> tuple[int, ...]:
        """The stones that join both sides of ``mark`` by way of ``seeds``, or nothing."""
        group = self._joined(mark, seeds)
        near_side, far_side = self.game.side(mark, 0), self.game.side(mark, 1)
        if not any(c in near_side for c in group) or not any(c in far_side for c in group):
            return ()
        return self._shortest(group, near_side, far_side)

    def _joined(self, mark: Mark, seeds: Iterable[int]) -> set[int]:
        """The stones of ``mark`` among ``seeds``, and all that hang together with them."""
        grid, cells = self.game.grid, self.cells
        group = {cell for cell in seeds if cells.get(cell) == mark}
        queue = list(group)
        while queue:
            for near in grid.neighbours(queue.pop(), HEXAGONAL):
                if near not in group and cells.get(near) == mark:
                    group.add(near)
                    queue.append(near)
        return group

    def _shortest(self, group: set[int], near_side: range, far_side: range) -> tuple[int, ...]:
        """The fewest stones of a group that join its sides, in board order; none if they do not."""
        came: dict[int, int | None] = {cell: None for cell in near_side if cell in group}
        queue = deque(came)
        while queue:
            cell = queue.popleft()
            if cell in far_side:
                path = [cell]
                while (before := came[path[-1]]) is not None:
                    path.append(before)
                return tuple(sorted(path))
            for near in self.game.grid.neighbours(cell, HEXAGONAL):
                if near in group and near not in came:
                    came[near] = cell
                    queue.append(near)
        return ()

    def estimate(self, mark: Mark) -> int:
        """How many fewer stones ``mark`` lacks than the opponent to join its sides."""
        return 10 * (self._lacking(self.game.after(mark)) - self._lacking(mark))

    def _lacking(self, mark: Mark) -> int:
        """The fewest stones that would join a player's sides if the other passed."""
        grid, cells, far_side = self.game.grid, self.cells, self.game.side(mark, 1)
        cost: dict[int, int] = {}
        queue: deque[tuple[int, int]] = deque()

        def reach(cell: int, stones: int) -> None:
            if cells.get(cell, mark) != mark:
                return
            stones += cell not in cells
            if stones < cost.get(cell, grid.cells + 1):
                cost[cell] = stones
                (queue.append if cell not in cells else queue.appendleft)((cell, stones))

        for cell in self.game.side(mark, 0):
            reach(cell, 0)
        while queue:
            cell, stones = queue.popleft()
            if stones == cost[cell]:
                for near in grid.neighbours(cell, HEXAGONAL):
                    reach(near, stones)
        return min((cost[cell] for cell in far_side if cell in cost), default=grid.cells)

    def threats(self) -> tuple[Threat, ...]:
        """Bridges: pairs of empty cells that join two groups of stones, or a stone and its side."""
        mark, cells, grid = self.turn, self.cells, self.game.grid
        group: dict[int, int] = {}
        for stone in sorted(cell for cell, owner in cells.items() if owner == mark):
            if stone not in group:
                group.update(dict.fromkeys(self._joined(mark, (stone,)), stone))
        shared: dict[tuple[int, int], list[int]] = {}
        for cell in (cell for cell in range(grid.cells) if cell not in cells):
            for pair in combinations((near for near in grid.neighbours(cell, HEXAGONAL) if near in group), 2):
                shared.setdefault(pair, []).append(cell)
        found = [
            Threat(mark, "bridge", tuple(between), pair)
            for pair, between in sorted(shared.items())
            if len(between) == 2 and group[pair[0]] != group[pair[1]]
        ]
        for side in (self.game.side(mark, 0), self.game.side(mark, 1)):
            joined = {group[cell] for cell in side if cell in group}
            for stone in sorted(group):
                ways = tuple(near for near in grid.neighbours(stone, HEXAGONAL) if near in side and near not in cells)
                if len(ways) == 2 and stone not in side and group[stone] not in joined:
                    found.append(Threat(mark, "bridge", ways, (stone,)))
        return tuple(found)
