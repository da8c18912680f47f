/** What a screen reader is told: moves politely, results at once. */
import { Store } from "./store";

export const announcements = new Store({ polite: "", assertive: "" });

/** Not heard and not seen, but a change that makes a screen reader speak. */
const SILENT = "\u00a0";

export function announce(text: string, how: "polite" | "assertive" = "polite"): void {
  // The same words again must be another text, or nothing changes on the page and nothing is said.
  announcements.set({ [how]: announcements.get()[how] === text ? text + SILENT : text });
}
