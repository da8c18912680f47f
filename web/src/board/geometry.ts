/** Where the cells of one plane are, in units of a cell's width. */
import type { Layout } from "../api/client";

export interface Point {
  x: number;
  y: number;
}

export interface Plane {
  kind: "square" | "hex";
  rows: number;
  cols: number;
  width: number;
  height: number;
  /** Room for the coordinates above and to the left, and for the board's rim at the other sides. */
  margin: number;
  rim: number;
  cellWidth: number;
  cellHeight: number;
  /** Where heavier lines part nested boards: from left to right, and from top to bottom. */
  dividers: { x: number[]; y: number[] };
  /** The upper left corner of a cell's box. */
  corner: (row: number, col: number) => Point;
  centre: (row: number, col: number) => Point;
}

/** The height of a hexagon that stands on a corner and is one unit wide. */
const HEX_HEIGHT = 2 / Math.sqrt(3);

/** The room between nested boards. */
const GAP = 0.22;

/** How many gaps come before a row or column, where a nested board begins every `each` of them. */
const gapsBefore = (at: number, each: number | undefined) => (each === undefined ? 0 : Math.floor(at / each));

/** The middles of the gaps along one side. */
const dividers = (size: number, each: number | undefined): number[] =>
  Array.from({ length: gapsBefore(size - 1, each) }, (_, gap) => (gap + 1) * (each ?? 0) + (gap + 0.5) * GAP);

export function planeOf(layout: Layout): Plane {
  const { rows, cols, blocks } = layout;
  const hex = layout.kind === "hex";
  const cellHeight = hex ? HEX_HEIGHT : 1;
  const corner = (row: number, col: number): Point =>
    hex
      ? { x: col + row / 2, y: row * 0.75 * HEX_HEIGHT }
      : { x: col + GAP * gapsBefore(col, blocks?.cols), y: row + GAP * gapsBefore(row, blocks?.rows) };
  const width = hex ? cols + (rows - 1) / 2 : cols + GAP * gapsBefore(cols - 1, blocks?.cols);
  return {
    kind: hex ? "hex" : "square",
    rows,
    cols,
    width,
    // Enough to read the coordinates on any board, no more; the planes of a cube are small.
    margin: hex ? 0.62 : layout.layers > 1 ? 0.4 : Math.min(rows > 9 ? 0.75 : 0.6, 0.05 * width),
    rim: hex ? 0.2 : 0.04,
    height: hex ? (0.75 * (rows - 1) + 1) * HEX_HEIGHT : rows + GAP * gapsBefore(rows - 1, blocks?.rows),
    dividers: { x: dividers(cols, blocks?.cols), y: dividers(rows, blocks?.rows) },
    cellWidth: 1,
    cellHeight,
    corner,
    centre: (row, col) => {
      const { x, y } = corner(row, col);
      return { x: x + 0.5, y: y + cellHeight / 2 };
    },
  };
}

/** The width of a plane with its rim over its height. */
export const ratioOf = ({ width, height, margin, rim }: Plane): number =>
  (width + margin + rim) / (height + margin + rim);

/** The zigzag along one side of a rhombus of hexagons. */
export function hexSide(plane: Plane, side: "top" | "bottom" | "left" | "right"): Point[] {
  const points: Point[] = [];
  const { rows, cols, cellHeight: h } = plane;
  if (side === "top" || side === "bottom") {
    const row = side === "top" ? 0 : rows - 1;
    for (let col = 0; col < cols; col++) {
      const { x, y } = plane.corner(row, col);
      if (side === "top") points.push({ x, y: y + h / 4 }, { x: x + 0.5, y });
      else points.push({ x, y: y + (3 * h) / 4 }, { x: x + 0.5, y: y + h });
    }
    const { x, y } = plane.corner(row, cols - 1);
    points.push({ x: x + 1, y: y + (side === "top" ? h / 4 : (3 * h) / 4) });
  } else {
    const col = side === "left" ? 0 : cols - 1;
    for (let row = 0; row < rows; row++) {
      const { x, y } = plane.corner(row, col);
      const edge = side === "left" ? x : x + 1;
      points.push({ x: edge, y: y + h / 4 }, { x: edge, y: y + (3 * h) / 4 });
    }
  }
  return points;
}
