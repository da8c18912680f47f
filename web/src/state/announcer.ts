/** What a screen reader is told: moves politely, results at once. */
import { Store } from "./store";

export const announcements = new Store({ polite: "", assertive: "" });

export function announce(text: string, how: "polite" | "assertive" = "polite"): void {
  announcements.set({ [how]: text });
}
