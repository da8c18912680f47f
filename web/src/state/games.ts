/** The games of the server, asked for once. */
import { createContext, useContext } from "react";

import { api, type GameInfo } from "../api/client";
import { gameWords, type GameWords, NO_WORDS } from "../text/gameWords";

let asked: Promise<GameInfo[]> | null = null;

/** All games; after a failure the next call asks again. */
export function loadGames(): Promise<GameInfo[]> {
  asked ??= api.games().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** The words of a game by its name; without them a game can still be played, so a failure only leaves them out. */
export async function loadWords(name: string): Promise<GameWords> {
  try {
    return wordsOf(await loadGames(), name);
  } catch {
    return NO_WORDS;
  }
}

export function wordsOf(games: readonly GameInfo[], name: string): GameWords {
  const game = games.find((each) => each.name === name);
  return game ? gameWords(game.words) : NO_WORDS;
}

/** The words of the game that a page shows. */
export const WordsContext = createContext(NO_WORDS);

export const useWords = (): GameWords => useContext(WordsContext);
