import { describe, expect, it } from "vitest";

import type { Evaluation } from "../api/client";
import { evaluationText } from "./evaluation";
import { gameTitle } from "./game";
import { t } from "./index";
import { noteText } from "./note";
import { thinkingText } from "./progress";
import { refusalText } from "./refusal";
import { threatText } from "./threat";

const proven = (change: object): Evaluation => ({
  proven: true,
  value: "win",
  distance: null,
  margin: null,
  within: null,
  text: "in the server's words",
  ...change,
});

describe("what the server says", () => {
  it("is said in the catalogue's words by code, with what the page knows of it", () => {
    const said = { code: "occupied", message: "b2 ist besetzt" };
    expect(refusalText(said, { move: "B2", holder: "R" })).toBe("B2 is already taken by Red.");
    expect(refusalText(said)).toBe("That move is already taken.");
    expect(refusalText({ code: "wrong_turn", message: "" }, { turn: "G" })).toBe("It is Green's turn.");
  });

  it("stands as it is where the catalogue has nothing for it", () => {
    expect(refusalText({ code: "bridge_too_far", message: "the bridge is too far" })).toBe(
      "the bridge is too far",
    );
    expect(noteText("a hunch")).toBe("a hunch");
    expect(thinkingText("dreaming, depth 3, 12 positions")).toBe("dreaming, depth 3, 12 positions");
    expect(thinkingText("humming")).toBe("humming");
    expect(gameTitle({ game: "pente,size=9", title: "Pente" })).toBe("Pente");
    const threat = { player: "X", kind: "eclipse", cells: ["a1"], stones: [], text: "X darkens a1" };
    expect(threatText(threat)).toBe("X darkens a1");
  });

  it("is worth the same in the catalogue's words", () => {
    const sums: [object, string][] = [
      [{ distance: 5 }, "win in 5"],
      [{ value: "loss", distance: 0 }, "loss"],
      [{ value: "draw", distance: 9 }, "draw"],
      [{ within: 30 }, "win within 30"],
      [{ value: "loss", margin: -4, distance: 7 }, "loss by 4 tiles"],
      [{ margin: 1 }, "win by 1 tile"],
      [{}, "win"],
    ];
    for (const [change, words] of sums) {
      expect(evaluationText(proven(change))).toBe(words);
      // Hints and notes come as words of the same form.
      expect(noteText(words)).toBe(words);
    }
    const guess = {
      proven: false,
      score: 0.24,
      low: 0.1,
      high: 0.4,
      by: "mcts",
      samples: 9,
      text: "",
    } as const;
    expect(evaluationText(guess)).toBe("about 62 % (55–70 %)");
    expect(noteText("about 62 % (55–70 %)")).toBe("about 62 % (55–70 %)");
  });

  it("is found inside what players say", () => {
    expect(noteText("no proof in time; best after 8 plies, not proven")).toBe(
      "no proof in time; best after 8 plies, not proven",
    );
    expect(noteText("scores 58% in 1,234 random games")).toBe("scores 58 % in 1,234 random games");
    expect(noteText("blocks R")).toBe("blocks Red");
    expect(noteText("a win with best play")).toBe("a win with best play");
    expect(thinkingText("engine, depth 5, 1,234 positions")).toBe("Looking ahead, 5 deep, 1,234 positions");
    expect(thinkingText("depth 2, 1 positions")).toBe("Looking ahead, 2 deep, 1 position");
    expect(thinkingText("solve, depth 0, 20,000 positions")).toBe("Looking for a proof, 20,000 positions");
  });

  it("knows a game by the head of its spec", () => {
    expect(gameTitle({ game: "3x3,misere", title: "?" })).toBe("k in a row");
    expect(gameTitle({ game: "duel,opening=peaceful", title: "?" })).toBe("Infinity Grid Duel");
    expect(threatText({ player: "G", kind: "win", cells: ["c1"], stones: [], text: "" })).toBe(
      "Green wins at C1",
    );
  });

  it("has a sentence for every code, whatever is known", () => {
    for (const say of Object.values(t.refusal.codes)) expect(say({})).toMatch(/\.$/);
  });
});
