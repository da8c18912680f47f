/** Which phrase says what a player could do. */
import type { Threat } from "../api/client";
import type { GameWords } from "./gameWords";

/** Something a player could do, in the game's words; empty where it has none. */
export const threatText = ({ kind, player, cells }: Threat, words: GameWords): string =>
  words.say("threat", { code: kind, facts: { player, cells } }) ?? "";
