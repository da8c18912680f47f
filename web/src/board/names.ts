/** Names of cells as the server writes them: column letters, the row's number, then the layer. */

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
