/** The strokes that are drawn through the cells of a finished game. */
import type { Layout } from "../api/client";
import type { Place } from "../model/cells";

export interface Stroke {
  from: Place;
  to: Place;
}

/** Directions of lines, one of each pair of opposites: layer, row, column. */
function directions(layout: Layout): [number, number, number][] {
  if (layout.kind === "hex")
    return [
      [0, 0, 1],
      [0, 1, 0],
      [0, 1, -1],
    ];
  const steps: [number, number, number][] = [];
  for (const layer of [0, 1])
    for (const row of [-1, 0, 1])
      for (const col of [-1, 0, 1])
        if (layer > 0 || row > 0 || (row === 0 && col > 0)) steps.push([layer, row, col]);
  return steps;
}

const key = ({ layer, row, col }: Place) => `${layer},${row},${col}`;

/** Joins winning cells: in hex every pair of neighbours, elsewhere every straight run of three or more. */
export function strokesOf(layout: Layout, winning: readonly Place[]): Stroke[] {
  const cells = new Map(winning.map((place) => [key(place), place]));
  const shortest = layout.kind === "hex" ? 2 : Math.min(3, winning.length);
  const strokes: Stroke[] = [];
  for (const [dl, dr, dc] of directions(layout)) {
    const next = (place: Place, step: number): Place | undefined =>
      cells.get(
        key({ layer: place.layer + dl * step, row: place.row + dr * step, col: place.col + dc * step }),
      );
    for (const start of winning) {
      if (next(start, -1)) continue;
      let end = start;
      let length = 1;
      for (let after = next(end, 1); after; after = next(end, 1)) {
        end = after;
        length += 1;
      }
      if (length >= shortest && length > 1) strokes.push({ from: start, to: end });
    }
  }
  return strokes;
}
