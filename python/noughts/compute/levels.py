"""A level's choice: by the kernel where a game has tables for it, through a window on huge boards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from noughts._kernel import Tables, choose
from noughts.compute.kernel import limited, moment
from noughts.compute.limits import Limits
from noughts.core import Move, Position
from noughts.search.attention import Level, LevelChoice, Saw, attend, considered, safe, wins_now

__all__ = ["Level", "LevelChoice", "Saw", "choose_by_level", "sound_moves"]


def choose_by_level(position: Position, level: Level, limits: Limits | None = None) -> LevelChoice:
    """Choose a move as a level does. With a limit of nodes the same seed gives the same move.

    >>> import noughts
    >>> choose_by_level(noughts.position("3x3", "XX1/OO1/3 X"), Level(depth=1)).saw
    'win'
    """
    limits = limits or Limits()
    level = replace(level, depth=min(level.depth, limits.depth or level.depth))
    tables = position.game.kernel
    if tables is None:
        return _without_tables(position, level, limits)
    return _ask(tables, position, level, limits)[0]


def sound_moves(position: Position, *, besides: Iterable[Move] = ()) -> list[Move]:
    """The wins on the spot, else the moves that neither lose on the spot nor hand over a win on the spot.

    All moves, where there is no such one. On a huge board these are moves near the marks, and those given ``besides``.
    """
    tables, level = position.game.kernel, Level(depth=1, careful=True)
    if tables is None:
        return wins_now(position) or safe(position, [*considered(position), *besides], careful=True)
    found, moves = _ask(tables, position, level, Limits(nodes=1))
    return [found.move] if found.saw == "win" else moves


def _ask(tables: Tables, position: Position, level: Level, limits: Limits) -> tuple[LevelChoice, list[Move]]:
    """The kernel's choice, and the moves that it considered."""
    found = choose(
        tables,
        moment(position),
        limited(limits),
        depth=level.depth,
        width=level.width,
        lapses=level.lapses,
        noise=level.noise,
        careful=level.careful,
        seed=level.seed,
    )
    chosen = LevelChoice(found["best"], found["saw"], found["depth"], found["score"], found["nodes"])
    return chosen, [move for move, _ in found["moves"]]


def _without_tables(position: Position, level: Level, limits: Limits) -> LevelChoice:
    """Look through a window where there is one that the kernel knows, but see to what is certain on the whole board."""
    window = position.window()
    if window is None or window.position.game.kernel is None or wins_now(position):
        return attend(position, level, seconds=limits.seconds, nodes=limits.nodes, stop=limits.stop)
    found = choose_by_level(window.position, level, limits)
    move = window.outside(found.move)
    if move in safe(position, [move], careful=level.careful):
        return replace(found, move=move, window=window.size)
    return attend(position, level, seconds=limits.seconds, nodes=limits.nodes, stop=limits.stop)
