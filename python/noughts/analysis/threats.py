"""Threats on the board: what a player would do if it were on turn.

A win or a loss at once is found through the rules, for every game. More is known of some: forks
and open rows in k in a row, captures in the duel, bridges in Hex.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from noughts.board.grid import HEXAGONAL
from noughts.core import Mark, Move, Position
from noughts.errors import NoughtsError
from noughts.games.duel import DuelPosition
from noughts.games.hex import HexPosition
from noughts.games.lines import LinesPosition

__all__ = ["Kind", "Threat", "threats"]

Kind = Literal["win", "lose", "open", "fork", "capture", "bridge"]

_WORDS: dict[Kind, str] = {
    "win": "wins at",
    "lose": "loses at",
    "open": "has an open row, to be extended at",
    "fork": "makes two threats at once at",
    "capture": "captures at",
    "bridge": "has a bridge over",
}

LARGEST_SCANNED = 400
"""On boards with more cells not every move is tried."""


@dataclass(frozen=True, slots=True)
class Threat:
    """Something a player could do, were it on turn."""

    mark: Mark
    kind: Kind
    """``win``: a move that wins at once. ``lose``: one that loses at once. ``open``: a row open at both ends, one move
    from being unstoppable. ``fork``: a move after which two others win. ``capture``: a move that turns tiles.
    ``bridge``: two ways to join, so that the opponent cannot cut them both."""
    cells: tuple[int, ...]
    """Where to play; all of these do the same."""
    stones: tuple[int, ...] = ()
    """The cells that make it a threat."""

    def told(self, position: Position) -> str:
        """The threat in words: ``O wins at c1``."""
        return f"{self.mark} {_WORDS[self.kind]} {' '.join(map(position.game.move_name, self.cells))}"

    def to_json(self, position: Position) -> dict[str, object]:
        """The threat as a JSON object, cells by name."""
        name = position.game.move_name
        return {
            "player": self.mark,
            "kind": self.kind,
            "cells": [name(cell) for cell in self.cells],
            "stones": [name(cell) for cell in self.stones],
            "text": self.told(position),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], position: Position) -> Threat:
        """Read what :meth:`to_json` wrote."""
        parse = position.game.parse_move
        return cls(data["player"], data["kind"], tuple(map(parse, data["cells"])), tuple(map(parse, data["stones"])))


def threats(position: Position) -> tuple[Threat, ...]:
    """Every threat on the board, those of the player to move first.

    >>> import noughts
    >>> for threat in threats(noughts.position("3x3", "XX1/OO1/3 X")):
    ...     print(threat.told(noughts.position("3x3")))
    X wins at c1
    O wins at c2
    """
    if position.outcome is not None:
        return ()
    marks = position.game.marks
    first = marks.index(position.turn)
    found: list[Threat] = []
    for mark in (*marks[first:], *marks[:first]):
        seen = _on_turn(position, mark)
        if seen is None:
            continue
        found += _ends(seen)
        if isinstance(seen, LinesPosition) and not seen.game.misere:
            found += _rows(seen)
        elif isinstance(seen, DuelPosition):
            found += _captures(seen)
        elif isinstance(seen, HexPosition):
            found += _bridges(seen)
    return tuple(found)


def _on_turn(position: Position, mark: Mark) -> Position | None:
    """The same board with somebody on turn, if the game goes on like that."""
    if mark == position.turn:
        return position
    if isinstance(position, LinesPosition):
        return replace(position, turn=mark)
    try:
        seen = position.game.at(position.cells, mark)
    except NoughtsError:
        return None
    return seen if seen.outcome is None else None


def _ends(position: Position) -> Iterator[Threat]:
    """Moves that end the game at once, one way or the other."""
    mark = position.turn
    lost: list[Move] = []
    for move in _worth_trying(position):
        outcome = position.play_unchecked(move).outcome
        if outcome is None or outcome.winner is None or move < 0:
            continue
        if outcome.winner == mark:
            stones = () if outcome.tiles else tuple(cell for cell in outcome.cells if cell != move)
            yield Threat(mark, "win", (move,), stones)
        else:
            lost.append(move)
    if lost:
        yield Threat(mark, "lose", tuple(lost))


def _worth_trying(position: Position) -> Iterable[Move]:
    """The moves that could end the game: all on a small board; on a large one, the last gaps of rows."""
    if position.game.grid.cells <= LARGEST_SCANNED:
        return position.legal_moves
    return _gaps(position, 1) if isinstance(position, LinesPosition) else ()


def _rows(position: LinesPosition) -> Iterator[Threat]:
    """Open rows and forks: moves after which there are two ways to win."""
    mark, wins = position.turn, set(_gaps(position, 1))
    opened: dict[tuple[int, ...], list[Move]] = {}
    forks: list[Move] = []
    for move in _gaps(position, 2):
        if move in wins:
            continue
        after = position.play_unchecked(move)
        if after.outcome is not None:
            continue
        again = replace(after, turn=mark)
        ways = {}
        for gap in _gaps(again, 1, through=move):
            end = again.play_unchecked(gap).outcome
            if end is not None and end.winner == mark:
                ways[gap] = frozenset(end.cells) - {move, gap}
        if len(ways) < 2:
            continue
        row = frozenset.intersection(*ways.values())
        if row and len(row) >= position.game.k - 2:
            opened.setdefault(tuple(sorted(row)), []).append(move)
        else:
            forks.append(move)
    for stones, moves in opened.items():
        yield Threat(mark, "open", tuple(moves), stones)
    if forks:
        yield Threat(mark, "fork", tuple(forks))


def _gaps(position: LinesPosition, lacking: int, through: Move | None = None) -> list[Move]:
    """The empty cells of the winning sets that only one player holds and that lack so many stones."""
    game, cells, mark = position.game, position.cells, position.turn
    stones = [cell for cell, owner in cells.items() if owner == mark]
    shortest = min(game.k, 3) if game.corners else game.k
    if shortest <= lacking:
        return list(position.legal_moves) if game.grid.cells <= LARGEST_SCANNED else []
    if len(stones) < shortest - lacking:
        return []
    gaps: set[Move] = set()
    for stone in stones if through is None else [through]:
        for line in _sets_through(position, stone):
            empty = [cell for cell in line if cell not in cells]
            if len(empty) == lacking and all(cells.get(cell, mark) == mark for cell in line):
                gaps.update(empty)
    return sorted(gaps)


def _sets_through(position: LinesPosition, cell: int) -> Iterator[tuple[int, ...] | range]:
    game = position.game
    for step in game.grid.directions:
        yield from game.grid.lines_through(cell, step, game.k)
    yield from (corners for corners in game.corner_sets if cell in corners)


def _captures(position: DuelPosition) -> Iterator[Threat]:
    if position.is_opening and position.game.grid.cells > LARGEST_SCANNED:
        return
    for move in position.legal_moves:
        if move >= 0 and (turned := position.captures(move)):
            yield Threat(position.turn, "capture", (move,), turned)


def _bridges(position: HexPosition) -> Iterator[Threat]:
    """Pairs of empty cells that join two stones of different groups, or a stone and its side."""
    mark, cells, grid = position.turn, position.cells, position.game.grid
    group = _groups(position)
    shared: dict[tuple[int, int], list[int]] = {}
    empty = [cell for cell in range(grid.cells) if cell not in cells]
    for cell in empty:
        stones = [near for near in grid.neighbours(cell, HEXAGONAL) if cells.get(near) == mark]
        for pair in combinations(stones, 2):
            shared.setdefault(pair, []).append(cell)
    for (one, two), between in sorted(shared.items()):
        if len(between) == 2 and group[one] != group[two]:
            yield Threat(mark, "bridge", tuple(between), (one, two))
    for far in (0, 1):
        side = position.game.side(mark, far)
        joined = {group[cell] for cell in side if cells.get(cell) == mark}
        for stone in sorted(group):
            ways = [near for near in grid.neighbours(stone, HEXAGONAL) if near in side and near not in cells]
            if len(ways) == 2 and stone not in side and group[stone] not in joined:
                yield Threat(mark, "bridge", tuple(ways), (stone,))


def _groups(position: HexPosition) -> dict[int, int]:
    """The first cell of the group that each stone of the player to move belongs to."""
    mark, cells, grid = position.turn, position.cells, position.game.grid
    group: dict[int, int] = {}
    for stone in sorted(cell for cell, owner in cells.items() if owner == mark):
        queue = [] if stone in group else [stone]
        while queue:
            cell = queue.pop()
            if cell not in group:
                group[cell] = stone
                queue += [near for near in grid.neighbours(cell, HEXAGONAL) if cells.get(near) == mark]
    return group
