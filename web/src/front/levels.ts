/** Who can be played against: the levels, and agents that this server has besides. */
import type { BoardInfo, LevelInfo } from "../api/client";

/** Those that play on a board; until the server has described it, those that play the game of the card. */
export const levelsFor = (
  levels: readonly LevelInfo[],
  board: Pick<BoardInfo, "levels"> | null,
  game: string,
): LevelInfo[] =>
  levels.filter(({ name, games }) =>
    board ? board.levels.includes(name) : games === null || games.includes(game),
  );

/** The level that was chosen, or another where it does not play this game. */
export const levelAmong = (levels: readonly LevelInfo[], chosen: string): LevelInfo | undefined =>
  levels.find(({ name }) => name === chosen) ?? levels.find(({ name }) => name === "medium") ?? levels[0];
