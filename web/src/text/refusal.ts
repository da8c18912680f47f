/** Which phrase says why something was refused. */
import type { Facts } from "../api/client";
import type { GameWords } from "./gameWords";
import { t } from "./index";
import { sentence } from "./template";

interface Refused {
  code: string;
  /** The server's own words, in English. */
  message: string;
  facts: Facts;
}

/** Why something was refused: in the game's words, the page's, or else the server's. */
export function refusalText({ code, message, facts }: Refused, words?: GameWords): string {
  const said = words?.say("refusal", { code, facts });
  return said ? sentence(said) : (t.refusal.codes[code] ?? message);
}
