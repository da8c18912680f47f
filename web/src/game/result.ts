/** What the status line says. */
import type { GameState, You } from "../api/client";
import { isMine, isOver } from "../model/view";
import { t } from "../text";

/** Who won, in words for this viewer. */
export function headline(view: GameState, you: You): string {
  if (!isOver(view)) {
    if (view.mode === "PvP" && Object.values(view.seats).some((seat) => seat.kind === "open"))
      return you.marks.length > 0 ? t.status.waiting : t.status.free;
    if (isMine(view, you) && you.marks.length === 1) return t.status.yourTurn;
    return t.status.turn(view.currentPlayer);
  }
  if (view.winner === "draw" || view.winner === null) return t.status.draw;
  if (you.marks.length !== 1) return t.status.wins(view.winner);
  return you.marks[0] === view.winner ? t.status.youWin : t.status.youLose;
}

/** Why the game is over. */
export function reason(view: GameState): string {
  if (view.ended === null) return "";
  const loser = view.lastMove?.player;
  if (view.ended === "line" && view.winner !== loser && loser !== undefined) {
    return `${t.mark(loser)}: ${t.status.misereLine}`;
  }
  const why = t.status.why[view.ended] ?? view.ended;
  return view.tiles ? `${t.status.tiles(Object.entries(view.tiles))} – ${why}` : why;
}

export const resultText = (view: GameState, you: You): string => `${headline(view, you)}: ${reason(view)}.`;
