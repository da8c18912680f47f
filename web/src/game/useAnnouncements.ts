/** Tells ears what eyes see: moves politely, results at once, and a sound for each. */
import { useEffect, useRef } from "react";

import type { GameState } from "../api/client";
import { lastChoice, lastPasses } from "../model/passes";
import { isMine, isOver } from "../model/view";
import { announce } from "../state/announcer";
import type { GameStoreState } from "../state/gameStore";
import { t } from "../text";
import { moveText } from "../text/move";
import { passText } from "../text/pass";
import { play } from "../ui/sound";
import { offerText } from "./offer";
import { resultText } from "./result";

type Announced = Pick<GameStoreState, "view" | "words" | "you" | "connection" | "refusal">;

export function useAnnouncements({ view, words, you, connection, refusal }: Announced): void {
  const lost = useRef(false);
  useEffect(() => {
    if (connection === "live" && lost.current) announce(t.connection.resumed);
    lost.current = connection === "lost";
  }, [connection]);
  useEffect(() => {
    if (refusal) play("refused");
  }, [refusal]);
  const before = useRef<GameState | null>(null);
  useEffect(() => {
    const known = before.current;
    before.current = view;
    if (!view || !known || known.version === view.version) return;
    const played = view.moveHistory.length - known.moveHistory.length;
    const moves = view.moveHistory.slice(known.moveHistory.length);
    const last = lastChoice(moves) ?? view.lastMove;
    if (view.offer && !known.offer) announce(offerText(view.offer, you, words));
    else if (known.offer && !view.offer && played === 0 && isOver(view) === isOver(known))
      announce(t.live.declined);
    if (isOver(view)) {
      if (isOver(known)) return;
      announce(resultText(view, you, words), "assertive");
      const mine = you.marks.length === 1 ? you.marks[0] : null;
      play(view.winner === "draw" ? "drawn" : mine !== null && view.winner !== mine ? "lost" : "won");
    } else if (played > 0 && last) {
      const turn =
        isMine(view, you) && you.marks.length === 1
          ? t.live.yourTurn
          : t.status.turn(words.mark(view.currentPlayer));
      const chosen = moves
        .slice(0, moves.length - lastPasses(moves).length)
        .slice(-1)
        .map((move) => t.live.moved(words.mark(move.player), moveText(move.move), move.capturedCount));
      announce([...chosen, passText(lastPasses(moves), you, words), turn].filter(Boolean).join(" "));
      play(last.capturedCount > 0 ? "capture" : you.marks.includes(last.player) ? "mine" : "theirs");
    } else if (played < 0) {
      announce(view.moveHistory.length === 0 ? t.live.begun : t.live.takenBack);
    }
  }, [view, words, you]);
}
