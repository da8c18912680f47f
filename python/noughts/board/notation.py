"""Boards as one line of text: rows joined by ``/``, layers by ``|``, empty cells as run lengths.

``X2/1O1/3`` is a 3x3 board with an X in a1 and an O in b2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from immutables import Map

from noughts.board.grid import Grid
from noughts.errors import InvalidNotation

__all__ = ["board_text", "read_board", "read_setup", "setup_text"]


def board_text(grid: Grid, cells: Mapping[int, str]) -> str:
    """Write the cells of a board."""
    rows = ["" for _ in range(grid.rows * grid.layers)]
    reached = [0] * len(rows)
    for cell in sorted(cells):
        row, col = divmod(cell, grid.cols)
        gap = col - reached[row]
        rows[row] += (str(gap) if gap else "") + cells[cell]
        reached[row] = col + 1
    for row, col in enumerate(reached):
        if col < grid.cols:
            rows[row] += str(grid.cols - col)
    layers = ["/".join(rows[first : first + grid.rows]) for first in range(0, len(rows), grid.rows)]
    return "|".join(layers)


def read_board(grid: Grid, marks: tuple[str, ...], text: str) -> Map[int, str]:
    """Read the cells of a board; the error names the row at fault."""
    layers = text.split("|")
    if len(layers) != grid.layers:
        raise InvalidNotation(f"{text!r} has {len(layers)} layers, the board {grid.layers}")
    cells: dict[int, str] = {}
    for layer, layer_text in enumerate(layers):
        rows = layer_text.split("/")
        if len(rows) != grid.rows:
            raise InvalidNotation(f"{layer_text!r} has {len(rows)} rows, the board {grid.rows}")
        for row, row_text in enumerate(rows):
            start = col = (layer * grid.rows + row) * grid.cols
            for word in re.findall(r"[0-9]+|.", row_text):
                if word in marks:
                    cells[col] = word
                    col += 1
                elif "0" <= word[0] <= "9":
                    col += int(word) if len(word) < 7 else grid.cols + 1
                else:
                    raise InvalidNotation(f"row {row + 1} {row_text!r}: {word!r} is not one of {', '.join(marks)}")
            if col - start != grid.cols:
                raise InvalidNotation(f"row {row + 1} {row_text!r} has {col - start} cells, the board {grid.cols}")
    return Map(cells)


def read_setup(grid: Grid, marks: tuple[str, ...], text: str) -> Map[int, str]:
    """Read marks on single cells, ``X:b2+O:c3``; nothing is an empty board."""
    cells: dict[int, str] = {}
    for part in text.split("+") if text else ():
        mark, colon, name = part.strip().partition(":")
        if not colon:
            raise InvalidNotation(f"{part!r} is not a mark on a cell, e.g. X:b2")
        cell = grid.parse(name)
        if cell in cells:
            raise InvalidNotation(f"{name} is set twice")
        if mark.upper() not in marks:
            raise InvalidNotation(f"{mark!r} is not one of {', '.join(marks)}")
        cells[cell] = mark.upper()
    return Map(cells)


def setup_text(grid: Grid, cells: Mapping[int, str]) -> str:
    """Write marks on single cells in board order."""
    return "+".join(f"{cells[cell]}:{grid.name(cell)}" for cell in sorted(cells))
