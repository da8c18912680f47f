import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { GameState, Layout } from "../api/client";
import { NO_WORDS } from "../text/gameWords";
import { hexSide, planeOf } from "./geometry";
import { heatMap, heatOf } from "./heat";
import { cellAfterKey } from "./keys";
import { numberedLine } from "./line";
import { colourOf } from "./markColour";
import { pictureOf, styleOf } from "./picture";
import { Pieces } from "./pieces";
import { cellLabel } from "./PlaneGrid";
import { strokesOf } from "./strokes";

const square = (rows: number, cols = rows): Layout => ({
  kind: "square",
  rows,
  cols,
  layers: 1,
  gravity: false,
});
const cube: Layout = { kind: "cube", rows: 4, cols: 4, layers: 4, gravity: false };
const hex: Layout = { kind: "hex", rows: 3, cols: 3, layers: 1, gravity: false };

describe("keys", () => {
  const after = (cell: number, key: string, control = false) => cellAfterKey(square(4), cell, key, control);
  it("move and stop at the edges", () => {
    expect([
      after(5, "ArrowLeft"),
      after(5, "ArrowRight"),
      after(5, "ArrowUp"),
      after(5, "ArrowDown"),
    ]).toEqual([4, 6, 1, 9]);
    expect([
      after(4, "ArrowLeft"),
      after(7, "ArrowRight"),
      after(1, "ArrowUp"),
      after(13, "ArrowDown"),
    ]).toEqual([4, 7, 1, 13]);
  });
  it("jump along the row and over the board", () => {
    expect([after(5, "Home"), after(5, "End"), after(5, "Home", true), after(5, "End", true)]).toEqual([
      4, 7, 0, 15,
    ]);
  });
  it("change layers in a cube and nothing elsewhere", () => {
    expect(cellAfterKey(cube, 5, "PageDown", false)).toBe(21);
    expect(cellAfterKey(cube, 5, "PageUp", false)).toBe(5);
    expect(after(5, "PageDown")).toBeNull();
    expect(after(5, "q")).toBeNull();
  });
});

describe("pieces", () => {
  const marks = ["X", "O", "A", "B", "C", "D", "E", "F"];
  it("have a shape of their own for every mark", () => {
    const pieces = new Pieces();
    const looks = marks.map((mark) => {
      const { shape, turns } = pieces.of(mark);
      return `${shape.type} ${turns.join()}`;
    });
    expect(new Set(looks).size).toBe(marks.length);
    expect(pieces.of("?")).toBe(pieces.of("!"));
    pieces.dispose();
  });
  it("have the colours of the layers", () => {
    const css = readFileSync("src/board/Mark.css", "utf8");
    for (const mark of marks) expect(css).toContain(`.mark-${mark} {\n  color: var(${colourOf(mark)});`);
    expect(new Set(marks.map(colourOf)).size).toBe(marks.length);
  });
});

describe("geometry", () => {
  it("leans the rows of a hex board", () => {
    const plane = planeOf(hex);
    expect(plane.corner(2, 0).x).toBe(1);
    expect(plane.width).toBe(4);
    expect(plane.centre(1, 1).y).toBeCloseTo(0.75 * (2 / Math.sqrt(3)) + 1 / Math.sqrt(3));
  });
  it("draws the four sides of a hex board corner to corner", () => {
    const plane = planeOf(hex);
    expect(hexSide(plane, "top")).toHaveLength(7);
    expect(hexSide(plane, "left")).toHaveLength(6);
    expect(hexSide(plane, "bottom").at(-1)).toEqual(hexSide(plane, "right").at(-1));
  });
});

describe("nested boards", () => {
  it("have room and a line between them", () => {
    const plane = planeOf({ ...square(4), blocks: { rows: 2, cols: 2 } });
    expect(plane.dividers.x).toHaveLength(1);
    expect(plane.corner(0, 1).x).toBe(1);
    expect(plane.corner(0, 2).x).toBeGreaterThan(2);
    expect(plane.width).toBeCloseTo(plane.corner(0, 3).x + 1);
    expect(plane.dividers.x[0]).toBeCloseTo((plane.corner(0, 1).x + 1 + plane.corner(0, 2).x) / 2);
    expect(planeOf(square(4)).dividers).toEqual({ x: [], y: [] });
  });
});

/** A game on 2x2 as the server shows it, as far as a picture needs it. */
function small(change: object): GameState {
  const plain = { code: "plain", facts: {} };
  return {
    layout: square(2),
    board: [
      [0, 0],
      [0, 0],
    ],
    moveHistory: [],
    legalMoves: [],
    captures: {},
    marks: ["X", "O"],
    title: "",
    about: { title: plain, goal: plain },
    owned: [],
    winningCells: [],
    tiles: null,
    ...change,
  } as unknown as GameState;
}

describe("a move that the server has not answered", () => {
  it("shows the player's own mark, or the one that everybody writes", () => {
    const shown = (mark: string | null) => {
      const game = small({ layout: { ...square(2), mark } });
      return pictureOf(game, { version: 0, player: "O", cell: 3 }, true, NO_WORDS).cells[3];
    };
    expect(shown(null)).toBe("O");
    expect(shown("X")).toBe("X");
  });
});

describe("captures", () => {
  const game = small({
    board: [
      ["R", "G"],
      [0, 0],
    ],
    currentPlayer: "R",
    legalMoves: [
      { move: "a2", row: 1, col: 0, layer: 0 },
      { move: "b2", row: 1, col: 1, layer: 0 },
    ],
    captures: { b2: [1] },
  });
  it("are known by the cell of the move, and said of it", () => {
    const picture = pictureOf(game, null, true, NO_WORDS);
    expect([...picture.captures]).toEqual([[3, [1]]]);
    expect(cellLabel(picture, 3)).toBe("B2, empty, captures 1");
    expect(cellLabel(picture, 2)).toBe("A2, empty");
  });
  it("happen as soon as the move is sent", () => {
    const sent = pictureOf(game, { version: 0, player: "R", cell: 3 }, true, NO_WORDS);
    expect(sent.cells).toEqual(["R", "R", null, "R"]);
    expect(sent.captures.size).toBe(0);
  });
  it("are of no interest to who cannot move", () => {
    expect(pictureOf(game, null, false, NO_WORDS).captures.size).toBe(0);
  });
  it("leave the last placement marked after a forced pass", () => {
    const moves = [
      { move: "a1", row: 0, col: 0, layer: 0 },
      { move: "pass", row: null, col: null, layer: null },
    ];
    expect(pictureOf(small({ moveHistory: moves }), null, true, NO_WORDS).last).toBe(0);
  });
});

describe("strokes", () => {
  const at = (...cells: [number, number, number?][]) =>
    cells.map(([row, col, layer = 0]) => ({ row, col, layer }));
  it("join a row of four in one stroke", () => {
    const strokes = strokesOf(square(4), at([0, 0], [1, 1], [2, 2], [3, 3]));
    expect(strokes).toEqual([{ from: { row: 0, col: 0, layer: 0 }, to: { row: 3, col: 3, layer: 0 } }]);
  });
  it("see two rows that were completed at once", () => {
    expect(strokesOf(square(3), at([0, 0], [0, 1], [0, 2], [1, 0], [2, 0]))).toHaveLength(2);
  });
  it("go through the layers of a cube", () => {
    expect(strokesOf(cube, at([0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3]))).toHaveLength(1);
  });
  it("join neighbours on a hex board and leave corners apart", () => {
    expect(strokesOf(hex, at([0, 2], [1, 1], [2, 1]))).toHaveLength(2);
    expect(strokesOf(square(4), at([0, 0], [0, 3], [3, 0]))).toHaveLength(0);
  });
});

describe("heat", () => {
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
  it("writes a value so that it fits in a cell", () => {
    expect(
      [proven("win", 5), proven("loss", 4), proven("draw"), proven("loss", null, -7), estimate].map(
        (each) => heatOf(each).short,
      ),
    ).toEqual(["W5", "L4", "D", "−7", "75%"]);
  });
  it("shows no number where the interval says nothing", () => {
    const heat = heatOf({ ...estimate, low: -1, high: 1, clear: false });
    expect([heat.short, heat.text]).toEqual(["?", "unclear"]);
  });
  it("makes a quick win stronger than a slow one, and a proof stronger than an estimate", () => {
    expect(heatOf(proven("win", 1)).strength).toBeGreaterThan(heatOf(proven("win", 15)).strength);
    expect(heatOf(proven("win", 15)).strength).toBeGreaterThan(heatOf(estimate).strength);
  });
  it("finds the cells of moves by their names", () => {
    const analysis = {
      moves: { c2: proven("draw"), pass: proven("loss"), a1: null },
    } as unknown as Parameters<typeof heatMap>[1];
    expect([...heatMap(square(3), analysis).keys()]).toEqual([5]);
    expect(numberedLine(square(3), ["a1", "b1", "a1"], "O", ["X", "O"])).toEqual(
      new Map([
        [0, { number: 1, mark: "O" }],
        [1, { number: 2, mark: "X" }],
      ]),
    );
  });
});

describe("styles", () => {
  it("follow the layout and the marks", () => {
    expect(styleOf(square(3), ["X", "O"])).toBe("ink");
    expect(styleOf(square(15), ["X", "O"])).toBe("stone");
    expect(styleOf(square(15), ["X", "O", "A"])).toBe("ink");
    expect(styleOf(hex, ["X", "O"])).toBe("stone");
    expect(styleOf({ ...square(6), pieces: "tile" }, ["R", "G"])).toBe("tile");
    expect(styleOf({ ...square(9), blocks: { rows: 3, cols: 3 } }, ["X", "O"])).toBe("ink");
    expect(styleOf({ ...square(6, 7), gravity: true }, ["X", "O"])).toBe("stone");
    expect(styleOf(cube, ["X", "O"])).toBe("ink");
  });
});
