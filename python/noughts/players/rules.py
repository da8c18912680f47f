"""The player that follows a short list of rules, a different list for each kind of game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from noughts.core import Mark, Move, Position
from noughts.games.duel import DuelPosition
from noughts.games.lines import LinesPosition
from noughts.players.fallible import Fallible
from noughts.players.player import Choice, Limits

__all__ = ["DuelScore", "RulesPlayer", "score_duel"]


@dataclass(frozen=True, kw_only=True)
class RulesPlayer(Fallible):
    """Lines: win, block, centre, corners, edges. Duel: capture, block, expand. Else: look one ply ahead."""

    name = "rules"
    what = "the rules player"
    summary = "follows simple rules: win, block, centre, corners; in the duel capture, block, expand"

    def best(self, position: Position, limits: Limits) -> Choice:
        """Apply the first rule that fits."""
        if isinstance(position, LinesPosition):
            return _lines(position)
        if isinstance(position, DuelPosition):
            return self._duel(position)
        return _one_ply(position)

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """1 for the move the rules ask for, 0 for the others."""
        wanted = self.best(position, limits).move
        return {move: float(move == wanted) for move in position.legal_moves}

    def _duel(self, position: DuelPosition) -> Choice:
        moves = list(position.legal_moves)
        if moves[0] < 0:
            return Choice(moves[0], "no placement is possible")
        scores = {move: score_duel(position, move) for move in moves}
        best = max(score.total for score in scores.values())
        move = self.rng.choice([move for move in moves if scores[move].total == best])
        return Choice(move, str(scores[move]), score=best)


def _lines(position: LinesPosition) -> Choice:
    game, mark = position.game, position.turn
    near = list(_near_stones(position))
    rivals = [rival for rival in game.marks if rival != mark]
    if not game.misere:
        for who, note in [(mark, "wins"), *((rival, f"blocks {rival}") for rival in rivals)]:
            for move in near:
                if _completes(position, move, who):
                    return Choice(move, note)
    for note, moves in (("centre", _centre(position)), ("corner", _corners(position)), ("edge", position.legal_moves)):
        for move in moves:
            if move in position.legal_moves and not (game.misere and _completes(position, move, mark)):
                return Choice(move, note)
    return Choice(position.legal_moves[0], "every move completes a row")


def _near_stones(position: LinesPosition) -> Iterable[Move]:
    """The empty cells where a row could be completed: all of a small board, else those near stones."""
    game, cells = position.game, position.cells
    if game.grid.cells <= 400:
        return position.legal_moves
    near: set[Move] = set()
    for stone in cells:
        for step in game.grid.directions:
            for line in game.grid.lines_through(stone, step, game.k):
                near.update(line)
    return sorted(cell for cell in near if cell not in cells)


def _completes(position: LinesPosition, move: Move, mark: Mark) -> bool:
    _, completed = position.game.detector.place(position.tally, position.cells.set(move, mark), move)
    return bool(completed)


def _centre(position: LinesPosition) -> list[Move]:
    """The one cell in the middle, or the two, four or eight around it."""
    grid = position.game.grid

    def middle(side: int) -> set[int]:
        return {(side - 1) // 2, side // 2}

    cells = (
        grid.cell(row, col, layer)
        for layer in middle(grid.layers)
        for row in middle(grid.rows)
        for col in middle(grid.cols)
    )
    return sorted(cell for cell in cells if cell is not None)


def _corners(position: LinesPosition) -> list[Move]:
    grid = position.game.grid
    cells = (
        grid.cell(row, col, layer)
        for layer in {0, grid.layers - 1}
        for row in (0, grid.rows - 1)
        for col in (0, grid.cols - 1)
    )
    return sorted(cell for cell in cells if cell is not None)


@dataclass(frozen=True, slots=True)
class DuelScore:
    """What a placement in the duel is worth to the rules player."""

    captures: int
    blocks: bool
    expands: bool

    @property
    def total(self) -> int:
        """10 for each captured tile, 5 for a block, 1 for expansion."""
        return 10 * self.captures + 5 * self.blocks + self.expands

    def __str__(self) -> str:
        reasons = [f"captures {self.captures}"] * bool(self.captures)
        reasons += ["blocks"] * self.blocks + ["expands"] * self.expands
        return ", ".join(reasons) or "nothing better"


def score_duel(position: DuelPosition, move: Move) -> DuelScore:
    """Score a legal placement.

    It blocks when the enemy could capture something on its next turn and now can capture nothing;
    it expands when it touches an empty cell that no tile of the player touched before.
    """
    mark, enemy = position.turn, position.game.after(position.turn)
    after = position.play_unchecked(move)
    touched = set(position.placements(mark)) if not position.is_opening else set()
    empty = {cell for cell in position.game.grid.neighbours(move) if cell not in after.cells}
    blocks = _can_capture(position, enemy) and not _can_capture(after, enemy)
    return DuelScore(len(position.captures(move)), blocks, bool(empty - touched))


def _can_capture(position: DuelPosition, mark: Mark) -> bool:
    """Whether a player, were it on turn, could place next to an enemy tile and turn it."""
    if position.outcome is not None:
        return False
    threat = DuelPosition(position.game, position.cells, mark)
    return any(threat.captures(cell) for cell in threat.placements(mark))


def _one_ply(position: Position) -> Choice:
    """Win at once, else keep the opponent from it, else the best estimate after the move."""
    mark, best, best_rank = position.turn, -1, None
    for move in position.legal_moves:
        after = position.play_unchecked(move)
        if after.outcome is not None and after.outcome.winner == mark:
            return Choice(move, "wins")
        loses = any(_wins(after, reply) for reply in after.legal_moves)
        rank = (not loses, after.estimate(mark))
        if best_rank is None or rank > best_rank:
            best, best_rank = move, rank
    return Choice(best, "looks best one ply ahead")


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play_unchecked(move).outcome
    return outcome is not None and outcome.winner == position.turn
