/** The names of levels and what each does. */
import type { LevelInfo } from "../api/client";
import { t } from "./index";

/** A level as people call it; an agent goes by the name that the server gives it. */
export const levelName = (name: string): string => t.front.level[name] ?? name;

/** What a level does, or what the server says of it. */
export const levelText = ({ name, summary }: LevelInfo): string => t.status.levelDoes[name] ?? summary;
