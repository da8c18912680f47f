"""Hypothesis strategies: positions and move lists reached by play."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from noughts.core import Game, Move, Position
from noughts.games import all_games, all_presets, game

SMALL_SPECS = (
    "3x3",
    "3x3,misere",
    "4x4",
    "4x4,corners",
    "4x3,k=3",
    "5x5,k=4,players=3",
    "5x5,k=4,setup=X:b2+O:c3",
    "6x5,k=4,exact",
    "4x4,early_draw",
    "3x3x3",
    "connect4,size=4x5",
    "connect4,size=3,k=3",
    "hex,size=2",
    "hex,size=4,swap",
    "duel,size=3",
    "duel,size=3x4,opening=peaceful",
)
"""One spec for every rule there is, on boards that are quick to play."""


def all_specs() -> list[str]:
    """Every preset of every registered game, and the small variants."""
    presets = [preset.spec for preset in all_presets().values()]
    return list(dict.fromkeys([*SMALL_SPECS, *presets, *(kind().spec for kind in all_games().values())]))


@st.composite
def games_played(draw: st.DrawFn, spec: str, *, finished: bool | None = None) -> list[Position]:
    """The positions of a random game in order; its end is reached if ``finished``, never if false."""
    position = game(spec).start()
    positions = [position]
    while position.outcome is None:
        moves = list(position.legal_moves)
        if finished is not True and draw(st.integers(0, 19)) == 0:
            break
        position = position.play(moves[draw(st.integers(0, len(moves) - 1))])
        positions.append(position)
    if finished is False and positions[-1].outcome is not None:
        positions.pop()
    return positions


def random_game(game: Game, seed: int) -> list[Move]:
    """The moves of a random game."""
    rng, position, moves = random.Random(seed), game.start(), []
    while position.outcome is None:
        moves.append(position.legal_moves.pick(rng))
        position = position.play(moves[-1])
    return moves
