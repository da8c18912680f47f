import type { RefusalFacts } from "./en";
import { t } from "./index";

/** Why something was refused; the server's own message where the catalogue has none for its code. */
export function refusalText(
  { code, message }: { code: string; message: string },
  facts: RefusalFacts = {},
): string {
  return t.refusal.codes[code]?.(facts) ?? message;
}
