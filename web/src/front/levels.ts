/** Who can be played against: the levels, and agents that this server has besides. */
import type { LevelInfo } from "../api/client";

/** Those that play a game; agents may know only some. */
export const levelsFor = (levels: readonly LevelInfo[], game: string): LevelInfo[] =>
  levels.filter(({ games }) => games === null || games.includes(game));

/** The level that was chosen, or another where it does not play this game. */
export const levelAmong = (levels: readonly LevelInfo[], chosen: string): LevelInfo | undefined =>
  levels.find(({ name }) => name === chosen) ?? levels.find(({ name }) => name === "medium") ?? levels[0];
