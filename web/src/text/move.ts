/** Moves as people write them. */
import { t } from "./index";

/** A move as people write it: C2, pass, swap. */
export const moveText = (move: string): string => t.moves.names[move] ?? move.toUpperCase();
