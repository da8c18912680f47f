"""Boards as text: every layout of grid, with names on its edges.

``symbol`` says what stands in a cell and may wrap it in styling, as long as it shows as one
character; the frame is the same with and without colour.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from noughts.board.grid import Grid, column_name

__all__ = ["LARGEST_DRAWN", "draw"]

LARGEST_DRAWN = 40
"""Of boards with a longer side only a window is drawn."""

_BOXED = 8
"""Boards up to this many columns get lines between their cells."""

_SCREEN = 78
"""How many characters fit side by side."""


def draw(
    grid: Grid,
    layout: str,
    symbol: Callable[[int], str],
    *,
    marked: Container[int] = frozenset(),
    around: int = 0,
    blocks: tuple[int, int] | None = None,
) -> str:
    """Draw a board, ``marked`` cells with a star; a window around one cell if it is too large.

    ``blocks`` are the rows and columns of nested boards, which get lines between them.
    """
    artist = _Artist(grid, symbol, marked, blocks or (grid.rows, grid.cols))
    if layout == "hex":
        return artist.hex()
    if layout == "cube":
        return artist.cube()
    if max(grid.rows, grid.cols) > LARGEST_DRAWN:
        return artist.window(around)
    return "\n".join(line.rstrip() for line, _ in artist.layer(range(grid.rows), range(grid.cols), 0))


@dataclass
class _Artist:
    grid: Grid
    symbol: Callable[[int], str]
    marked: Container[int]
    blocks: tuple[int, int]

    def layer(self, rows: range, cols: range, layer: int) -> list[tuple[str, int]]:
        """The lines of one layer, boxed when it is small, each with the width it shows at."""
        margin = len(str(rows[-1] + 1))
        names = [column_name(col) for col in cols]
        width = max(map(len, names))
        boxed = len(cols) <= _BOXED and width == 1
        inner, outer = ("│", "┃") if boxed else ("", " │")
        shown = [name.center(3) if boxed else name.rjust(width + 1) for name in names]
        head = self._beside(shown, cols, " " * len(inner), " " * len(outer))
        length = margin + 1 + len(head)
        lines = [(" " * (margin + 1) + head, length)]
        for row in rows:
            if row != rows[0] and (line := self._between(row, cols, width, boxed=boxed)):
                lines.append((" " * (margin + 1) + line, length))
            cells = [(layer * self.grid.rows + row) * self.grid.cols + col for col in cols]
            parts = [self._cell(cell, width, boxed) for cell in cells]
            lines.append((f"{row + 1:>{margin}} {self._beside(parts, cols, inner, outer)}", length))
        return lines

    def _between(self, row: int, cols: range, width: int, *, boxed: bool) -> str:
        """The line above a row: thin in a box, heavy between nested boards, else none."""
        if row % self.blocks[0] == 0:
            part, inner, outer = ("━━━", "┿", "╋") if boxed else ("─" * (width + 1), "", "─┼")
        elif boxed:
            part, inner, outer = "───", "┼", "╂"
        else:
            return ""
        return self._beside([part] * len(cols), cols, inner, outer)

    def _beside(self, parts: list[str], cols: range, inner: str, outer: str) -> str:
        """What stands in some columns side by side, with ``outer`` between nested boards and ``inner`` elsewhere."""
        shown = parts[0]
        for col, part in zip(cols[1:], parts[1:], strict=True):
            shown += (inner if col % self.blocks[1] else outer) + part
        return shown

    def _cell(self, cell: int, width: int, boxed: bool) -> str:
        star = "*" if cell in self.marked else " "
        if boxed:
            return star + self.symbol(cell) + star
        return " " * (width - 1) + star + self.symbol(cell)

    def window(self, around: int) -> str:
        """The part of a large board around a cell."""
        _, row, col = self.grid.coordinates(around)

        def span(at: int, side: int) -> range:
            length = min(side, LARGEST_DRAWN // 2)
            start = max(0, min(at - length // 2, side - length))
            return range(start, start + length)

        rows, cols = span(row, self.grid.rows), span(col, self.grid.cols)
        lines = [line for line, _ in self.layer(rows, cols, 0)]
        shown = f"rows {rows[0] + 1}-{rows[-1] + 1} and columns {column_name(cols[0])}-{column_name(cols[-1])}"
        return "\n".join([*lines, f"({shown} of {self.grid.rows}x{self.grid.cols})"])

    def cube(self) -> str:
        """The layers side by side, as many to a row as fit a screen."""
        layers = [self.layer(range(self.grid.rows), range(self.grid.cols), layer) for layer in range(self.grid.layers)]
        width = layers[0][0][1] + 3
        per_row = max(1, _SCREEN // width)
        blocks = []
        for first in range(0, len(layers), per_row):
            beside = layers[first : first + per_row]
            titles = "".join(f"layer {first + i + 1}".ljust(width) for i in range(len(beside)))
            lines = ["".join(line + " " * (width - shown) for line, shown in row) for row in zip(*beside, strict=True)]
            blocks.append("\n".join(line.rstrip() for line in [titles, *lines]))
        return "\n\n".join(blocks)

    def hex(self) -> str:
        """A rhombus that leans right, each cell touching six others."""
        margin = len(str(self.grid.rows))
        lines = [" " * margin + "".join(f" {column_name(col)}" for col in range(self.grid.cols))]
        for row in range(self.grid.rows):
            cells = range(row * self.grid.cols, (row + 1) * self.grid.cols)
            shown = "".join(("*" if cell in self.marked else " ") + self.symbol(cell) for cell in cells)
            lines.append(" " * row + f"{row + 1:>{margin}}{shown}")
        return "\n".join(lines)
