/** A moment of a game for its card. */
import type { Layout } from "../api/client";

export interface Sample {
  layout: Layout;
  cells: readonly (string | null)[];
}

/**
 * Reads a sample: rows from the top joined by "/", a dot for an empty cell, the layers one after another.
 * Without one the board is empty.
 */
export function sampleOf(text: string, layout: Layout): Sample {
  const size = layout.rows * layout.cols * layout.layers;
  if (text === "") return { layout, cells: new Array<null>(size).fill(null) };
  const rows = text.split("/").map((row) => row.split("").map((cell) => (cell === "." ? null : cell)));
  // The picture of a large board is a part of it.
  const shown =
    layout.layers > 1 ? layout : { ...layout, rows: rows.length, cols: rows[0]?.length ?? layout.cols };
  return { layout: shown, cells: rows.flat() };
}
