/** What a player asks the others to agree to: undo, redo, a new start. */
import type { GameState, You } from "../api/client";
import { t } from "../text";

type Offer = NonNullable<GameState["offer"]>;

/** Whether this viewer has said yes; among three and more it takes every one. */
export const hasAgreed = ({ agreed }: Offer, you: You): boolean =>
  agreed.some((mark) => you.marks.includes(mark));

/** What a player asks the others to agree to, in words for this viewer. */
export function offerText(offer: Offer, you: You): string {
  const { player, what } = offer;
  const words = t.actions.offers[what] ?? what;
  if (hasAgreed(offer, you)) return t.actions.agreed(player, words);
  return you.marks.includes(player) ? t.actions.asked(words) : t.actions.asks(player, words);
}
