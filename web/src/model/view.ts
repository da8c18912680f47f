/** Pure questions about a game as the server shows it. */
import type { GameState, You } from "../api/client";

/** A move that was sent and not yet answered. */
export interface Pending {
  version: number;
  player: string;
  /** The cell, or null for pass and swap. */
  cell: number | null;
}

export const NOBODY: You = { role: "watcher", marks: [] };

export const isOver = (view: GameState): boolean => view.status !== "playing";

/** Whether it is on us to move. */
export const isMine = (view: GameState, you: You): boolean =>
  !isOver(view) && you.marks.includes(view.currentPlayer);

/** Whether the AI is to move and it is on us to ask it. */
export const isAiTurn = (view: GameState, you: You): boolean =>
  !isOver(view) && you.marks.length > 0 && view.seats[view.currentPlayer]?.kind === "ai";

/** The newer of two views: answers and live messages may cross. */
export const newer = (known: GameState | null, given: GameState): GameState =>
  known !== null && (known.id !== given.id ? false : known.version > given.version) ? known : given;

/** A pending move stays only as long as nothing newer is known. */
export const stillPending = (pending: Pending | null, view: GameState): Pending | null =>
  pending !== null && pending.version >= view.version ? pending : null;
