/** Which phrase says what speaks for a move, or against it. */
import type { Note } from "../api/client";
import type { GameWords } from "./gameWords";
import { sentence } from "./template";

/** Why to play a move or not, as a sentence in the game's words; empty where there is nothing to say. */
export function reasonText(reason: Note | null | undefined, words: GameWords): string {
  const said = reason ? words.say("reason", reason) : null;
  return said === null ? "" : sentence(said);
}
