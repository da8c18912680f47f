/** Forced passes: moves without a choice, which the server makes by itself. */
import type { PlayedMove } from "../api/client";

const isPass = ({ move }: Pick<PlayedMove, "move">): boolean => move === "pass";

/** The passes at the end of a game so far. */
export function lastPasses<M extends Pick<PlayedMove, "move">>(moves: readonly M[]): readonly M[] {
  let from = moves.length;
  for (let move = moves[from - 1]; move && isPass(move); move = moves[from - 1]) from--;
  return moves.slice(from);
}

/** The last move that was somebody's choice, or null. */
export const lastChoice = <M extends Pick<PlayedMove, "move">>(moves: readonly M[]): M | null =>
  moves[moves.length - lastPasses(moves).length - 1] ?? null;
