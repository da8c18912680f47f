import { describe, expect, it } from "vitest";

import type { Evaluation, Note } from "../api/client";
import { noteCodeValues, stageValues } from "../api/schema";
import { evaluationText } from "./evaluation";
import { gameWords, GameWords, NO_WORDS } from "./gameWords";
import { t } from "./index";
import { noteText } from "./note";
import { passText } from "./pass";
import { progressText } from "./progress";
import { refusalText } from "./refusal";
import { fill, sentence } from "./template";
import { reasonText } from "./reason";
import { threatText } from "./threat";

const proven = (change: object): Evaluation => ({
  proven: true,
  value: "win",
  distance: null,
  margin: null,
  within: null,
  ...change,
});

const words = new GameWords({
  title: "Rings",
  "mark.R": "Red",
  "refusal.occupied": "{move} is already taken by {holder}",
  "refusal.far": "{move} is too far",
  "refusal.far.edge": "{move} is at the edge",
  "note.blocks": "blocks {rival}",
  "threat.win": "{player} wins at {cells}",
  "reason.stops_win": "block at {move} or lose next move",
  "title.rings": "{count} rings{board}",
  "goal.join": "join {count} rings",
  "rule.turns": "take turns",
  "part.number": "{value}",
  "part.number.3": "three",
  "option.size": "Board",
  "option.opening.calm": "quiet",
});

const game = (title: string, note: Note) => ({ title, goal: "Win.", about: { title: note, goal: note } });

describe("a template", () => {
  it("is filled with facts, and says nothing when one is missing", () => {
    expect(fill("{a} and {b}", { a: 1, b: ["x", "y"] })).toBe("1 and x y");
    expect(fill("{a} and {b}", { a: 1 })).toBeNull();
    expect(sentence("it is over")).toBe("It is over.");
    expect(sentence("really?")).toBe("Really?");
  });
});

describe("a game's words", () => {
  it("name marks, write cells large, and tell cases apart", () => {
    expect(words.say("refusal", { code: "occupied", facts: { move: "b2", holder: "R" } })).toBe(
      "B2 is already taken by Red",
    );
    expect(words.say("refusal", { code: "far", facts: { move: "a1", case: "edge" } })).toBe(
      "A1 is at the edge",
    );
    expect(words.say("refusal", { code: "far", facts: { move: "a1", case: "other" } })).toBe("A1 is too far");
    expect(words.say("refusal", { code: "unheard", facts: {} })).toBeNull();
    expect(words.mark("G")).toBe("G");
    expect(words.option("size")).toMatchObject({ label: "Board", help: "" });
    expect(words.option("opening").choice("calm")).toBe("quiet");
    expect(words.option("opening").choice("wild")).toBe("wild");
  });
  it("are English where the page's language has none", () => {
    const both = gameWords({ en: { title: "Rings", goal: "Join." }, xx: { title: "Ringe" } });
    expect(both.title(game("", { code: "plain", facts: {} }))).toBe("Rings");
  });
  it("call a game after its facts, or as the server calls it", () => {
    const three = { code: "number", facts: { value: 3, case: "3" } };
    const title = { code: "rings", facts: { count: three, board: null } };
    expect(words.title(game("Rings here", title))).toBe("Three rings");
    expect(words.goal(game("", { code: "join", facts: { count: three } }))).toBe("Join three rings.");
    expect(NO_WORDS.title(game("Rings here", title))).toBe("Rings here");
    expect(NO_WORDS.goal(game("Rings here", title))).toBe("Win.");
    const many = {
      code: "rings",
      facts: { count: { code: "number", facts: { value: 40, case: "40" } }, board: null },
    };
    expect(words.title(game("", many))).toBe("40 rings");
    const rule = { note: { code: "turns", facts: {} }, text: "Turns.", scenes: [] };
    expect(words.rule(rule)).toBe("Take turns.");
    expect(NO_WORDS.rule(rule)).toBe("Turns.");
  });
});

describe("what was refused", () => {
  it("is told in the game's words, the page's, or the server's", () => {
    const occupied = { code: "occupied", message: "b2 is taken", facts: { move: "b2", holder: "R" } };
    expect(refusalText(occupied, words)).toBe("B2 is already taken by Red.");
    expect(refusalText({ ...occupied, facts: {} }, words)).toBe("b2 is taken");
    expect(refusalText({ code: "watch_only", message: "", facts: {} }, words)).toMatch(/only watch/);
    expect(refusalText({ code: "new", message: "something new", facts: {} })).toBe("something new");
  });
  it("has a sentence for every code", () => {
    for (const text of Object.values(t.refusal.codes)) expect(text).toMatch(/\.$/);
  });
});

describe("evaluations", () => {
  it("are short", () => {
    const cases: [object, string][] = [
      [{ distance: 5 }, "win in 5"],
      [{ value: "loss", distance: 0 }, "loss"],
      [{ value: "draw", distance: 9 }, "draw"],
      [{ within: 30 }, "win within 30"],
      [{ value: "loss", margin: -4, distance: 7 }, "loss by 4 tiles"],
      [{ margin: 1 }, "win by 1 tile"],
      [{}, "win"],
    ];
    for (const [change, text] of cases) expect(evaluationText(proven(change))).toBe(text);
    const guess = {
      proven: false,
      score: 0.24,
      low: 0.1,
      high: 0.4,
      by: "mcts",
      samples: 9,
      clear: true,
    } as const;
    expect(evaluationText(guess)).toBe("about 62% (55–70%)");
    expect(evaluationText({ ...guess, low: -1, high: 1, clear: false })).toBe("unclear");
  });
});

describe("notes", () => {
  const FACTS: Note["facts"] = {
    value: "win",
    distance: 5,
    within: null,
    margin: null,
    score: 0.2,
    low: 0,
    high: 0.4,
    depth: 7,
    share: 0.58,
    games: 1234,
    size: "20x20",
    text: "well",
    epsilon: 0.1,
    temperature: 1,
    found: { code: "guess", facts: {} },
  };
  it("have words for every code of the server", () => {
    for (const code of noteCodeValues) {
      const text = noteText({ code, facts: FACTS }, NO_WORDS);
      expect(text, code).toMatch(/^[^{}]{3,}$/);
      expect(text, code).not.toMatch(/undefined|NaN/);
    }
  });
  it("say their facts", () => {
    const said = (code: string, facts: Note["facts"] = FACTS) => noteText({ code, facts }, words);
    expect(said("proven")).toBe("win in 5");
    expect(said("no_proof")).toBe("no proof in time; a guess");
    expect(said("searched")).toBe("best after 7 plies, not proven");
    expect(said("simulated")).toBe("scores 58% in 1,234 random games");
    expect(said("window")).toBe("looking at 20×20 cells: a guess");
    expect(said("blocks", { rival: "R" })).toBe("blocks Red");
    expect(said("hunch")).toBe("");
  });
  it("have no figures where details are not shown", () => {
    const plain = (code: string) => noteText({ code, facts: FACTS }, words, false);
    for (const code of ["estimate", "searched", "simulated", "window", "no_proof"])
      expect(plain(code), code).toMatch(/^[^0-9%]{3,}$/);
    expect(plain("proven")).toBe("win in 5");
  });
});

describe("progress", () => {
  it("has words for every stage of the server", () => {
    for (const stage of stageValues)
      expect(progressText({ stage, depth: 3, nodes: 9, seconds: 1 })).toMatch(/^[A-Z].*9/);
  });
  it("says how deep and how many", () => {
    const progress = { stage: "engine", depth: 5, nodes: 1234, seconds: 1 } as const;
    expect(progressText(progress)).toBe("Looking ahead, 5 deep, 1,234 positions");
    expect(progressText({ ...progress, stage: "solve", depth: 0, nodes: 1 })).toBe(
      "Looking for a proof, 1 position",
    );
  });
});

describe("reasons", () => {
  it("are sentences in the game's words", () => {
    const blocked = { code: "stops_win", facts: { move: "h11", player: "R" } };
    expect(reasonText(blocked, words)).toBe("Block at H11 or lose next move.");
    expect(reasonText({ ...blocked, code: "eclipse" }, words)).toBe("");
    expect(reasonText(null, words)).toBe("");
  });
});

describe("threats", () => {
  it("are told in the game's words", () => {
    const threat = { player: "R", kind: "win", cells: ["c1", "c2"], stones: [] };
    expect(threatText(threat, words)).toBe("Red wins at C1 C2");
    expect(threatText({ ...threat, kind: "eclipse" }, words)).toBe("");
  });
});

describe("a forced pass", () => {
  const duel = new GameWords({
    "mark.R": "Red",
    "move.pass": "{player} cannot place a tile and passes",
    "move.pass.you": "you cannot place a tile, so you passed",
  });
  const you = (...marks: string[]) => ({ role: "player" as const, marks });
  it("is told to who passed, and of who passed", () => {
    expect(passText([{ player: "R" }], you("R"), duel)).toBe("You cannot place a tile, so you passed.");
    expect(passText([{ player: "R" }], you("G"), duel)).toBe("Red cannot place a tile and passes.");
    expect(passText([{ player: "R" }], you("R", "G"), duel)).toBe("Red cannot place a tile and passes.");
    expect(passText([], you("R"), duel)).toBe("");
    expect(passText([{ player: "R" }], you("R"), NO_WORDS)).toBe("");
  });
});
