/** Who has won and why, in words for this viewer. */
import type { GameState, You } from "../api/client";
import { isMine, isOver } from "../model/view";
import { t } from "../text";
import type { GameWords } from "../text/gameWords";
import { sentence } from "../text/template";

export function headline(view: GameState, you: You, words: GameWords): string {
  if (!isOver(view)) {
    if (view.mode === "PvP" && Object.values(view.seats).some((seat) => seat.kind === "open"))
      return you.marks.length > 0 ? t.status.waiting : t.status.free;
    if (isMine(view, you) && you.marks.length === 1) return t.status.yourTurn;
    return t.status.turn(words.mark(view.currentPlayer));
  }
  if (view.winner === "draw" || view.winner === null) return t.status.draw;
  if (you.marks.length !== 1) return t.status.wins(words.mark(view.winner));
  return you.marks[0] === view.winner ? t.status.youWin : t.status.youLose;
}

/** Why the game is over. */
export function reason(view: GameState, words: GameWords): string {
  if (view.ended === null) return "";
  const why = view.resigned === null ? outcome(view, view.ended, words) : t.status.resigned;
  if (!view.tiles) return why;
  const counts = Object.entries(view.tiles).map(([mark, count]): [string, number] => [
    words.mark(mark),
    count,
  ]);
  return `${t.status.tiles(counts)} – ${why}`;
}

function outcome(view: GameState, code: string, words: GameWords): string {
  const player = view.lastMove?.player ?? "";
  // Whoever moves last and does not win has made the mistake that ended the game.
  const lost = view.winner !== null && view.winner !== "draw" && view.winner !== player;
  const facts = { player, winner: view.winner, ...(lost && { case: "lost" }) };
  return words.say("outcome", { code, facts }) ?? code;
}

export const resultText = (view: GameState, you: You, words: GameWords): string =>
  `${sentence(headline(view, you, words))} ${sentence(reason(view, words))}`;
