/** What a player asks the others to agree to: undo, redo, a new start. */
import type { GameState, You } from "../api/client";
import { t } from "../text";
import type { GameWords } from "../text/gameWords";

type Offer = NonNullable<GameState["offer"]>;

/** Whether this viewer has said yes; among three and more it takes every one. */
export const hasAgreed = ({ agreed }: Offer, you: You): boolean =>
  agreed.some((mark) => you.marks.includes(mark));

/** What a player asks the others to agree to, in words for this viewer. */
export function offerText(offer: Offer, you: You, words: GameWords): string {
  const { player, what } = offer;
  const wish = t.actions.offers[what] ?? what;
  const name = words.mark(player);
  if (hasAgreed(offer, you)) return t.actions.agreed(name, wish);
  return you.marks.includes(player) ? t.actions.asked(wish) : t.actions.asks(name, wish);
}
