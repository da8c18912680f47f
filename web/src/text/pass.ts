/** Who has passed and why, in words for this viewer. */
import type { PlayedMove, You } from "../api/client";
import type { GameWords } from "./gameWords";
import { sentence } from "./template";

export function passText(passes: readonly Pick<PlayedMove, "player">[], you: You, words: GameWords): string {
  return passes
    .map(({ player }) => {
      const mine = you.marks.length === 1 && you.marks[0] === player;
      return words.say("move", { code: "pass", facts: { player, ...(mine && { case: "you" }) } });
    })
    .filter((said) => said !== null)
    .map(sentence)
    .join(" ");
}
