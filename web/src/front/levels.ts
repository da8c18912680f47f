/** Who can be played against: the levels, and agents that this server has besides. */
import type { LevelInfo } from "../api/client";
import { t } from "../text";

/** Those that play a game; agents may know only some. */
export const levelsFor = (levels: readonly LevelInfo[], game: string): LevelInfo[] =>
  levels.filter(({ games }) => games == null || games.includes(game));

/** The level that was chosen, or another where it does not play this game. */
export const levelAmong = (levels: readonly LevelInfo[], chosen: string): LevelInfo | undefined =>
  levels.find(({ name }) => name === chosen) ?? levels.find(({ name }) => name === "medium") ?? levels[0];

/** A level as people call it; an agent goes by the name that the server gives it. */
export const levelName = (name: string): string => t.front.level[name] ?? name;

/** What a level does, or what the server says of it. */
export const levelText = ({ name, summary }: LevelInfo): string => t.status.levelDoes[name] ?? summary;
