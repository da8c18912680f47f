/** A line of moves that was not played, numbered on the board. */
import type { Layout } from "../api/client";
import { cellName } from "../model/cells";

/** The cells of a line of moves by name, numbered, the marks taking turns. */
export function numberedLine(
  layout: Layout,
  names: readonly string[],
  first: string,
  marks: readonly string[],
): Map<number, { number: number; mark: string }> {
  const cells = new Map<string, number>();
  for (let cell = 0; cell < layout.rows * layout.cols * layout.layers; cell++)
    cells.set(cellName(layout, cell), cell);
  const line = new Map<number, { number: number; mark: string }>();
  const start = marks.indexOf(first);
  names.forEach((name, step) => {
    const cell = cells.get(name);
    const mark = marks[(start + step) % marks.length];
    if (cell !== undefined && mark !== undefined && !line.has(cell))
      line.set(cell, { number: step + 1, mark });
  });
  return line;
}
