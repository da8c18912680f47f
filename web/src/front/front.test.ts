import { describe, expect, it } from "vitest";

import { GameWords, NO_WORDS } from "../text/gameWords";
import { levelText } from "../text/level";
import { cardsOf } from "./cards";
import { levelsFor } from "./levels";
import { choicesOf, isComplete, specOf } from "./options";
import { sampleOf } from "./sample";

describe("cards", () => {
  const layout = { kind: "square", rows: 4, cols: 4, layers: 1, gravity: false } as const;
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
    hidden: false,
  });
  const preset = (name: string, menu: number | null, options: Record<string, unknown> = {}) => ({
    name,
    spec: name,
    title: name,
    summary: "",
    fullTitle: `The game ${name}`,
    goal: "Win.",
    about: { title: { code: "plain", facts: {} }, goal: { code: "plain", facts: {} } },
    menu,
    sample: "X./.O",
    open: false,
    marks: ["X", "O"],
    layout,
    options,
  });
  const lines = {
    name: "lines",
    title: "In a row",
    summary: "",
    presets: [preset("last", 1000), preset("first", 10, { size: "4x4" }), preset("hidden", null)],
    words: { en: { "preset.first.title": "The first", "preset.first.summary": "Easy." } },
    options: [option("size", "size"), option("k", "integer"), option("misere", "flag")],
  };
  it("are the presets in the menu, in the order that they ask for and in the game's words", () => {
    const cards = cardsOf([lines]);
    expect(cards.map((card) => card.key)).toEqual(["first", "last"]);
    expect(cards[0]).toMatchObject({
      title: "The first",
      summary: "Easy.",
      values: { size: "4x4" },
      goal: "Win.",
    });
    expect(cards[1]).toMatchObject({ title: "last", sample: { cells: ["X", null, null, "O"] } });
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
  it("show a moment of their game, of a large board a part", () => {
    const small = sampleOf("XO./.XO/..X", { ...layout, rows: 3, cols: 3 });
    expect(small.cells.filter(Boolean)).toHaveLength(5);
    expect(sampleOf("....X/...O./...", { ...layout, rows: 15, cols: 15 }).layout).toMatchObject({
      rows: 3,
      cols: 5,
    });
    const deep = sampleOf("X./../../.O", { kind: "cube", rows: 2, cols: 2, layers: 2, gravity: false });
    expect(deep).toMatchObject({ layout: { layers: 2, rows: 2 }, cells: { length: 8 } });
    expect(sampleOf("", layout).cells).toHaveLength(16);
  });
});

describe("levels", () => {
  const level = (name: string, games: string[] | null) => ({ name, games, summary: `the level ${name}` });
  const levels = [level("hard", null), level("rules", ["duel"]), level("robin", ["3x3"])];
  it("are those that play on the board, and before it is known those of the card's game", () => {
    expect(levelsFor(levels, { levels: ["hard", "rules"] }, "hex").map(({ name }) => name)).toEqual([
      "hard",
      "rules",
    ]);
    expect(levelsFor(levels, null, "3x3").map(({ name }) => name)).toEqual(["hard", "robin"]);
  });
  it("are described by the game where it has more to say", () => {
    const words = new GameWords({ "level.rules": "follows simple rules: capture, block, expand" });
    expect(levelText(level("rules", null), words)).toBe("It follows simple rules: capture, block, expand.");
    expect(levelText(level("rules", null), NO_WORDS)).toBe("It follows simple rules of thumb.");
    expect(levelText(level("robin", null), words)).toBe("the level robin");
  });
});
