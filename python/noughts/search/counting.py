"""Counting: how many positions, how many games, from the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from noughts.core import Game, Mark, Position

__all__ = ["Count", "count", "perft"]

OnPly = Callable[[int, int], None]
"""Called after each ply with its number and how many positions it has."""


def perft(position: Position, depth: int) -> int:
    """Count the ways to play exactly ``depth`` moves; a game that ends sooner is not one.

    >>> from noughts import position
    >>> [perft(position("3x3"), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(perft(position.play_unchecked(move), depth - 1) for move in position.legal_moves)


@dataclass
class Count:
    """What can happen in a game."""

    positions: int = 0
    """Distinct positions that play can reach, the first one included.

    Where players pass, a position can come up after different numbers of plies; it counts once
    here, and once in each of its plies below.
    """
    canonical: int = 0
    """The same, those that differ by a symmetry counted once."""
    terminal: Counter[str] = field(default_factory=Counter)
    """Final positions by winner, or ``draw``."""
    games: int = 0
    """Complete games: the ways to play from the start to an end."""
    games_by_outcome: Counter[str] = field(default_factory=Counter)
    positions_by_ply: list[int] = field(default_factory=list)
    canonical_by_ply: list[int] = field(default_factory=list)
    games_by_ply: list[int] = field(default_factory=list)
    """Games by the number of plies after which they end."""

    def to_json(self) -> Mapping[str, object]:
        """The counts as a JSON object."""
        return {
            "positions": self.positions,
            "canonical": self.canonical,
            "terminal": dict(self.terminal),
            "games": self.games,
            "games_by_outcome": dict(self.games_by_outcome),
            "positions_by_ply": self.positions_by_ply,
            "canonical_by_ply": self.canonical_by_ply,
            "games_by_ply": self.games_by_ply,
        }


def count(game: Game, *, on_ply: OnPly | None = None) -> Count:
    """Walk through a whole game ply by ply. What fits in memory and patience is small: 3x3, hex 3.

    A ply's positions are kept with the number of ways to reach each.
    """
    total = Count()
    seen: set[Position] = set()
    classes: set[tuple[object, ...]] = set()
    layer: dict[Position, int] = {game.start(): 1}
    while layer:
        ended = 0
        following: dict[Position, int] = {}
        for position, ways in layer.items():
            if position.outcome is not None:
                who: Mark = position.outcome.winner or "draw"
                total.terminal[who] += position not in seen
                total.games_by_outcome[who] += ways
                ended += ways
                continue
            for move in position.legal_moves:
                after = position.play_unchecked(move)
                following[after] = following.get(after, 0) + ways
        keys = {position.canonical_key() for position in layer}
        total.positions_by_ply.append(len(layer))
        total.canonical_by_ply.append(len(keys))
        total.games_by_ply.append(ended)
        seen.update(layer)
        classes |= keys
        if on_ply is not None:
            on_ply(len(total.positions_by_ply) - 1, len(layer))
        layer = following
    total.positions, total.canonical = len(seen), len(classes)
    total.games = sum(total.games_by_ply)
    return total
