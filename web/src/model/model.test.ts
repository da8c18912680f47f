import { describe, expect, it } from "vitest";

import type { GameHistory, GameState, Layout } from "../api/client";
import { cellName, columnName, placeOf, spokenName } from "./cells";
import { barShare } from "./evaluation";
import { exampleMove, landingCell, typedMove } from "./gravity";
import { cellsAt, lastCellAt, regionsAt } from "./history";
import { lastChoice, lastPasses } from "./passes";

const square = (rows: number, cols = rows): Layout => ({
  kind: "square",
  rows,
  cols,
  layers: 1,
  gravity: false,
});
const cube: Layout = { kind: "cube", rows: 4, cols: 4, layers: 4, gravity: false };

describe("names", () => {
  it("go on after z", () => {
    expect([0, 25, 26, 27, 51, 52, 701, 702].map(columnName)).toEqual([
      "a",
      "z",
      "aa",
      "ab",
      "az",
      "ba",
      "zz",
      "aaa",
    ]);
  });
  it("have a layer only in a cube", () => {
    expect(cellName(square(3), 5)).toBe("c2");
    expect(cellName(cube, 16 * 2 + 5)).toBe("b2/3");
    expect(spokenName(square(3), 5)).toBe("C2");
  });
  it("lead back to the place", () => {
    expect(placeOf(cube, 37)).toEqual({ row: 1, col: 1, layer: 2 });
  });
});

describe("history", () => {
  const game = {
    version: 4,
    board: [
      [0, 0],
      ["O", 0],
    ],
    moments: [
      {
        move: "a1",
        row: 0,
        col: 0,
        layer: 0,
        player: "X",
        timestamp: 0,
        capturedCount: 1,
        changed: [
          { row: 0, col: 0, layer: 0, mark: "X" },
          { row: 1, col: 0, layer: 0, mark: "X" },
        ],
        owned: [{ cells: [0, 2], mark: "X" }],
      },
      {
        move: "pass",
        row: null,
        col: null,
        layer: null,
        player: "O",
        timestamp: 0,
        capturedCount: 0,
        changed: [],
        owned: [],
      },
    ],
  } as GameHistory;
  it("show any board of the past by the cells that changed", () => {
    expect(cellsAt(square(2), game, 0)).toEqual([null, null, "O", null]);
    expect(cellsAt(square(2), game, 1)).toEqual(["X", null, "X", null]);
    expect([0, 1, 2].map((ply) => regionsAt(game, ply).length)).toEqual([0, 1, 0]);
    expect([0, 1, 2].map((ply) => lastCellAt(square(2), game, ply))).toEqual([null, 0, null]);
  });
});

describe("forced passes", () => {
  const moves = (text: string) => text.split(" ").map((move) => ({ move }));
  it("are told from the last choice", () => {
    expect(lastChoice(moves("a1 b1 pass"))?.move).toBe("b1");
    expect(lastChoice(moves("a1 pass b1"))?.move).toBe("b1");
    expect(lastChoice([])).toBeNull();
    expect(lastChoice(moves("pass"))).toBeNull();
    expect(lastPasses(moves("a1 pass pass"))).toHaveLength(2);
    expect(lastPasses(moves("pass a1"))).toHaveLength(0);
  });
});

describe("evaluation", () => {
  const proven = (
    value: "win" | "draw" | "loss",
    distance: number | null = null,
    margin: number | null = null,
  ) => ({ proven: true, value, distance, margin, within: null }) as const;
  const estimate = {
    proven: false,
    score: 0.5,
    low: 0.2,
    high: 0.7,
    by: "mcts",
    samples: 10,
    clear: true,
  } as const;
  it("fills the bar for the first mark, whoever is on turn", () => {
    expect(barShare(proven("win", 1), "X", ["X", "O"])).toBe(0.98);
    expect(barShare(proven("win", 1), "O", ["X", "O"])).toBe(0.02);
    expect(barShare(estimate, "O", ["X", "O"])).toBe(0.25);
  });
  it("leaves the bar in the middle where the interval says nothing", () => {
    expect(barShare({ ...estimate, low: -1, high: 1, clear: false }, "O", ["X", "O"])).toBe(0.5);
  });
});

describe("gravity", () => {
  const layout: Layout = { ...square(6, 7), gravity: true };
  const legal = [35, 36, 30];
  const view = {
    layout,
    legalMoves: [
      { move: "a6", row: 5, col: 0, layer: 0 },
      { move: "c5", row: 4, col: 2, layer: 0 },
    ],
  } as GameState;
  it("lets a stone fall to the open cell of its column", () => {
    expect([0, 7, 35, 2, 37, 3].map((cell) => landingCell(layout, legal, cell))).toEqual([
      35,
      35,
      35,
      30,
      30,
      null,
    ]);
  });
  it("takes a column for its open cell when it is typed", () => {
    expect(["a", "c", "d", "c5"].map((text) => typedMove(view, text))).toEqual(["a6", "c5", "d", "c5"]);
    expect(exampleMove(view)).toBe("a");
    const flat = { ...view, layout: square(6, 7) };
    expect([typedMove(flat, "a"), exampleMove(flat)]).toEqual(["a", "a6"]);
  });
});
