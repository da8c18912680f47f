"""A look ahead with gaps: what a person sees of a position, for any game and any number of players.

Three things hold whatever is overlooked: a win on the spot is taken, a move that loses on the spot is
made only where every move does, and a careful level never leaves the next player a win on the spot
where another move prevents it. Beyond that every continuation may be overlooked, the more likely the
deeper it lies and the less it catches the eye. What is overlooked follows from the seed and the position, so
that the same seed errs in the same way. The kernel does the same for games with tables (:mod:`noughts.compute.levels`).
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from noughts.core import Mark, Move, Position
from noughts.hooks import LARGEST_SCANNED
from noughts.search.result import WIN, check_searchable

__all__ = ["Level", "LevelChoice", "Saw", "attend", "considered", "safe", "wins_now"]

Saw = Literal["win", "block", "only_move", "depth"]
"""What speaks for a choice: it wins, it keeps the next player from winning, nothing else will do, or it looks best."""

NEVER_SURE = 1.2
"""Even what catches the eye most is overlooked now and then: by this much more than never."""

ENDS_THE_GAME, NEARBY, FAR_AWAY = 1.0, 0.7, 0.3
"""How much a move catches the eye that ends the game, that touches a mark, and any other."""

AROUND = tuple((0, row, col) for row in (-1, 0, 1) for col in (-1, 0, 1) if row or col)
"""The steps to the eight cells around a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How well a level plays."""

    depth: int
    """Plies to look ahead at most."""
    width: int = 400
    """How many moves of a position are considered at most."""
    lapses: float = 0.0
    """How easily it overlooks a move, from 0 (never) to 1."""
    noise: float = 0.0
    """How far off its judgement is, as a part of how much the moves differ."""
    careful: bool = False
    """Whether it never hands over a win on the spot."""
    seed: int = 0
    """The same seed errs in the same way."""


@dataclass(frozen=True, slots=True)
class LevelChoice:
    """What a level came to."""

    move: Move
    saw: Saw
    depth: int = 0
    """How many plies it looked ahead."""
    score: float = 0.0
    """What it thinks of the move; it may be wrong."""
    nodes: int = 0
    window: str | None = None
    """The size of the part that it looked at, where that is not the whole board."""


def wins_now(position: Position) -> list[Move]:
    """The moves that win on the spot."""
    return [move for move in position.deciding() if _winner(position, move) == position.turn]


def considered(position: Position) -> list[Move]:
    """The legal moves; on a huge board those that touch a mark or could end the game."""
    if position.move_count() <= LARGEST_SCANNED:
        return list(position.legal_moves)
    grid, legal = position.game.grid, position.legal_moves
    near = {there for cell in position.cells for there in grid.neighbours(cell, AROUND)}
    found = sorted(move for move in near | set(position.deciding()) if move in legal)
    return found or [move for move in grid.centre() if move in legal] or [legal[0]]


def safe(position: Position, moves: Iterable[Move], *, careful: bool) -> list[Move]:
    """The moves that do not lose on the spot, and for the careful those that hand over no win on the spot.

    All of them, where there is no such move.
    """
    moves, turn = list(moves), position.turn
    moves = [move for move in moves if _winner(position, move) in (None, turn)] or moves
    if not careful:
        return moves
    if position.move_count() <= LARGEST_SCANNED:
        return [move for move in moves if not _hands_over(position, move)] or moves
    threatened = position.seen_by(position.game.after(turn))
    blocks = wins_now(threatened) if threatened is not None else []
    return [move for move in blocks if not _hands_over(position, move)] or moves


def _winner(position: Position, move: Move) -> Mark | None:
    outcome = position.play_unchecked(move).outcome
    return None if outcome is None else outcome.winner


def _hands_over(position: Position, move: Move) -> bool:
    after = position.play_unchecked(move)
    return after.outcome is None and after.turn != position.turn and bool(wins_now(after))


def attend(
    position: Position,
    level: Level,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> LevelChoice:
    """Choose a move as a level does. With more than two players it takes all others to be against it.

    >>> from noughts.games import game
    >>> attend(game("3x3").position("XX1/OO1/3 X"), Level(depth=1))
    LevelChoice(move=2, saw='win', depth=1, score=0.0, nodes=0, window=None)
    """
    check_searchable(position, name="a level", players=None)
    winning = wins_now(position)
    if winning:
        return LevelChoice(winning[0], "win", 1)
    lasting = safe(position, considered(position), careful=False)
    moves = safe(position, lasting, careful=level.careful)
    if len(moves) == 1:
        return LevelChoice(moves[0], "block" if len(lasting) > 1 else "only_move", 1)
    until = None if seconds is None else time.perf_counter() + seconds
    search = _Search(position, level, until, nodes, stop)
    return search.choose(moves)


class _Stopped(Exception):
    """The time or the nodes are used up."""


@dataclass(slots=True)
class _Search:
    root: Position
    level: Level
    until: float | None
    most_nodes: int | None
    stop: Callable[[], bool]
    nodes: int = 0
    salt: int = field(init=False)

    def __post_init__(self) -> None:
        self.salt = _scramble(_scramble(self.level.seed) ^ zlib.crc32(self.root.text.encode()))

    def choose(self, moves: list[Move]) -> LevelChoice:
        candidates = self._seen(self.root, moves, 0) or moves[:1]
        scores, done = dict.fromkeys(candidates, 0.0), 0
        try:
            for depth in range(1, self.level.depth + 1):
                found = {move: self._after(self.root, move, depth, 0, -WIN, WIN) for move in candidates}
                scores, done = found, depth
                if all(abs(score) > WIN / 2 for score in scores.values()):
                    break
        except _Stopped:
            pass
        best = self._pick(scores)
        return LevelChoice(best, "depth", done, scores[best], self.nodes)

    def _value(self, position: Position, depth: int, ply: int, alpha: float, beta: float) -> float:
        """What a position is worth to the player who chooses, as far as it sees."""
        mark = self.root.turn
        if position.outcome is not None:
            return position.outcome.score(mark) * (WIN - ply)
        if depth == 0:
            return position.estimate(mark)
        moves = self._seen(position, considered(position), ply)
        if not moves:
            return position.estimate(mark)
        mine, best = position.turn == mark, None
        for move in moves:
            score = self._after(position, move, depth, ply, alpha, beta)
            if mine:
                best = score if best is None else max(best, score)
                alpha = max(alpha, best)
            else:
                best = score if best is None else min(best, score)
                beta = min(beta, best)
            if alpha >= beta:
                break
        assert best is not None
        return best

    def _after(self, position: Position, move: Move, depth: int, ply: int, alpha: float, beta: float) -> float:
        self.nodes += 1
        late = self.until is not None and time.perf_counter() > self.until
        if late or self.stop() or (self.most_nodes is not None and self.nodes > self.most_nodes):
            raise _Stopped
        return self._value(position.play_unchecked(move), depth - 1, ply + 1, alpha, beta)

    def _seen(self, position: Position, moves: list[Move], ply: int) -> list[Move]:
        """The moves that come to mind, what catches the eye first."""
        ending = set(position.deciding())
        near = {there for cell in position.changed for there in position.game.grid.neighbours(cell, AROUND)}
        turn = position.game.marks.index(position.turn)

        def salience(move: Move) -> float:
            if move in ending and position.play_unchecked(move).outcome is not None:
                return ENDS_THE_GAME
            return NEARBY if move in near else FAR_AWAY

        eye = {move: salience(move) for move in moves}
        missed = self.level.lapses * (1 + ply)
        seen = [move for move in moves if self._draw(turn, move, ply) >= missed * (NEVER_SURE - eye[move])]
        seen.sort(key=lambda move: (-eye[move], self._draw(turn, move, -1)))
        return seen[: self.level.width]

    def _pick(self, scores: dict[Move, float]) -> Move:
        """The best move, judged with the level's errors."""
        open_scores = [score for score in scores.values() if abs(score) <= WIN / 2] or [0.0]
        mean = sum(open_scores) / len(open_scores)
        spread = sum(abs(score - mean) for score in open_scores) / len(open_scores)

        def judged(move: Move) -> float:
            error = sum(self._draw(255, move, n) for n in range(3)) / 1.5 - 1
            return scores[move] + self.level.noise * spread * error

        return max(scores, key=judged)

    def _draw(self, seat: int, move: Move, ply: int) -> float:
        """A number from 0 up to but not including 1 that belongs to a move of a player at a ply."""
        place = (move + 2) | (seat << 40) | ((ply + 1) << 48)
        return (_scramble(self.salt ^ _scramble(place)) >> 11) / 2**53


_WORD = (1 << 64) - 1


def _scramble(x: int) -> int:
    """Mix a number of 64 bits so that every bit of it moves every bit of the result."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _WORD
    return x ^ (x >> 31)
