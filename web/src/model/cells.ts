/** Cells: their places, their indices and their names, as the server writes them. */
import type { GameState } from "../api/client";

/** The name of a column: a, b, … z, aa, ab. */
export function columnName(col: number): string {
  let name = "";
  for (let rest = col; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    name = String.fromCharCode(97 + (rest % 26)) + name;
  }
  return name;
}

export interface Box {
  rows: number;
  cols: number;
  layers: number;
}

export interface Place {
  row: number;
  col: number;
  layer: number;
}

export function placeOf({ rows, cols }: Box, cell: number): Place {
  return { row: Math.floor(cell / cols) % rows, col: cell % cols, layer: Math.floor(cell / (rows * cols)) };
}

export function cellName(box: Box, cell: number): string {
  const { row, col, layer } = placeOf(box, cell);
  return `${columnName(col)}${row + 1}${box.layers > 1 ? `/${layer + 1}` : ""}`;
}

/** A cell as people say it: C2. */
export const spokenName = (box: Box, cell: number): string => cellName(box, cell).toUpperCase();

/** The index of a cell: layers, then rows, then columns. */
export const cellIndex = (
  layout: { rows: number; cols: number },
  place: { row: number; col: number; layer: number },
): number => (place.layer * layout.rows + place.row) * layout.cols + place.col;

/** The index of a move's cell, or null for pass and swap. */
export const moveCell = (
  layout: { rows: number; cols: number },
  move: { row: number | null; col: number | null; layer: number | null },
): number | null =>
  move.row === null || move.col === null
    ? null
    : cellIndex(layout, { row: move.row, col: move.col, layer: move.layer ?? 0 });

/** The cells of a board one after the other; null is empty. */
export const flat = (board: GameState["board"]): (string | null)[] =>
  (board as (string | number)[][][]).flat(2).map((cell) => (typeof cell === "string" ? cell : null));
