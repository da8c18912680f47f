/** The names of levels and what each does. */
import type { LevelInfo } from "../api/client";
import type { GameWords } from "./gameWords";
import { t } from "./index";

/** A level as people call it; an agent goes by the name that the server gives it. */
export const levelName = (name: string): string => t.front.level[name] ?? name;

/** What a level does: in the game's own words where it has some, else what holds for all games. */
export const levelText = ({ name, summary }: LevelInfo, words: GameWords): string => {
  const own = words.level(name);
  return own === null ? (t.status.levelDoes[name] ?? summary) : t.front.levelOwn(own);
};
