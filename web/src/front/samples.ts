/** Moments that the cards show: rows from the top, a dot for an empty cell; a cube's layers follow each other. */
import type { Layout } from "../api/client";

export interface Sample {
  layout: Layout;
  cells: (string | null)[];
}

const SAMPLES: Record<string, string> = {
  tictactoe: "XO./.XO/..X",
  "4x4": "X.OO/.X../OOX./...X",
  custom: "....../..OX../.OX.../.XXO../X..O../......",
  gomoku: "........./......O../..O.X..../...OX..../..XXXO.../...XO..../..O......./........./.........",
  misere: "XO./O.X/X.O",
  qubic: "X..O/.O../..../..../..../.X../..O./..../..../.O../..X./..../O.../..../..../...X",
  hex7: "....X../...OX../..OXX../.OXO.../OXO..../.X...../X......",
  peaceful: "RR..../RRRG../.RGGG./..RGG./.RR.GG/......",
};

export function sampleOf(key: string, layout: Layout): Sample {
  const text = SAMPLES[key];
  const size = layout.rows * layout.cols * layout.layers;
  if (text === undefined) return { layout, cells: new Array<null>(size).fill(null) };
  const rows = text.split("/").map((row) => row.split("").map((cell) => (cell === "." ? null : cell)));
  const cols = layout.layers > 1 ? layout.cols : (rows[0]?.length ?? layout.cols);
  // The picture of a big board is a part of it.
  const shown = layout.layers > 1 ? layout : { ...layout, rows: rows.length, cols };
  return { layout: shown, cells: rows.flatMap((row) => row.slice(0, cols)) };
}
