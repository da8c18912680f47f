import { describe, expect, it } from "vitest";

import { cardsOf, choicesOf, isComplete, specOf } from "./cards";
import { sampleOf } from "./samples";

describe("cards", () => {
  const layout = { kind: "square", rows: 4, cols: 4, layers: 1 } as const;
  const option = (name: string, kind: "flag" | "integer" | "size") => ({
    name,
    kind,
    flag: kind === "flag",
    help: "",
    expects: "",
    default: null,
    choices: null,
    minimum: null,
    maximum: null,
    sides: null,
  });
  const preset = (name: string, options: Record<string, unknown> = {}) => ({
    name,
    spec: name,
    summary: "new here",
    marks: ["X", "O"],
    layout,
    options,
  });
  const lines = {
    name: "lines",
    title: "k in a row",
    summary: "",
    presets: [preset("notakto"), preset("4x4", { size: "4x4", k: 4, misere: false }), preset("duel")],
    options: [option("size", "size"), option("k", "integer"), option("misere", "flag")],
  };
  it("are made from the server's games: any size is added, an unknown preset comes last", () => {
    const cards = cardsOf([lines]);
    expect(cards.map((card) => card.key)).toEqual(["4x4", "custom", "notakto"]);
    expect(cards.at(-1)).toMatchObject({ name: "notakto", summary: "new here" });
  });
  it("become a spec with every option", () => {
    expect(specOf(lines, { size: "5x6", k: 4, misere: true })).toBe("lines,size=5x6,k=4,misere");
    expect(specOf(lines, { size: "5x6", k: 4, misere: false })).toBe("lines,size=5x6,k=4");
  });
  it("are not complete while a number is missing", () => {
    expect(isComplete(lines, { size: "5x6", k: "4" })).toBe(true);
    expect(isComplete(lines, { size: "x6", k: "4" })).toBe(false);
    expect(isComplete(lines, { size: "5x6x", k: "4" })).toBe(false);
    expect(isComplete(lines, { size: "5x6", k: "" })).toBe(false);
  });
  it("offer first what they are about", () => {
    expect(choicesOf(["capture", "peaceful", "other"], "peaceful")).toEqual(["peaceful", "capture", "other"]);
    expect(choicesOf(["capture", "peaceful"], "capture")).toEqual(["capture", "peaceful"]);
  });
  it("show a moment of their game", () => {
    expect(sampleOf("tictactoe", { ...layout, rows: 3, cols: 3 }).cells.filter(Boolean)).toHaveLength(5);
    expect(sampleOf("gomoku", { ...layout, rows: 15, cols: 15 }).layout.rows).toBe(9);
    const deep = sampleOf("qubic", { kind: "cube", rows: 4, cols: 4, layers: 4 });
    expect(deep.cells).toHaveLength(64);
    expect(sampleOf("notakto", layout).cells).toHaveLength(16);
  });
});
