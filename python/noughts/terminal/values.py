"""A board with what somebody thinks of each move written into the empty cells."""

from __future__ import annotations

from collections.abc import Mapping

from noughts.board.grid import column_name
from noughts.core import Move, Position

__all__ = ["LARGEST_VALUED", "values_board"]

LARGEST_VALUED = 20
"""Of boards with a longer side the best moves are listed instead."""

_WIDTH = 6


def values_board(position: Position, values: Mapping[Move, float]) -> str:
    """Draw the board, a value from −1 to 1 in each cell that can be played and a star at the best.

    >>> from noughts.games import game
    >>> print(values_board(game("2x2").start().play("a1"), {1: 0.5, 2: -1.0, 3: 0.25}))
       a     b
    1   X   +0.50*
    2 -1.00 +0.25
    """
    game, grid = position.game, position.game.grid
    best = max(values.values(), default=0.0)
    extra = [f"{game.move_name(move)} {value:+.2f}" for move, value in values.items() if move < 0]
    if max(grid.rows, grid.cols) > LARGEST_VALUED:
        top = sorted(values, key=lambda move: -values[move])[:10]
        return "best: " + ", ".join(f"{game.move_name(move)} {values[move]:+.2f}" for move in top)
    margin = len(str(grid.rows))
    lines = []
    for layer in range(grid.layers):
        if grid.layers > 1:
            lines.append(f"layer {layer + 1}")
        lines.append(" " * margin + "".join(column_name(col).center(_WIDTH) for col in range(grid.cols)).rstrip())
        for row in range(grid.rows):
            cells = ((layer * grid.rows + row) * grid.cols + col for col in range(grid.cols))
            lean = " " * (row * _WIDTH // 2) if game.layout == "hex" else ""
            shown = "".join(_cell(position, cell, values.get(cell), best) for cell in cells)
            lines.append(f"{lean}{row + 1:>{margin}} {shown}".rstrip())
    return "\n".join([*lines, *extra])


def _cell(position: Position, cell: int, value: float | None, best: float) -> str:
    if cell in position.cells:
        return f"  {position.cells[cell]}   "
    if value is None:
        return "  ·   "
    return f"{value:+.2f}" + ("*" if value == best else " ")
