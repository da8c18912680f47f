/** What a user has chosen on this device. */
import { Store } from "./store";

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  theme: Theme;
  sound: boolean;
  bar: boolean;
  heat: boolean;
  details: boolean;
  name: string;
}

const KEY = "noughts";
const DEFAULTS: Settings = { theme: "auto", sound: true, bar: false, heat: false, details: false, name: "" };

function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return DEFAULTS;
  }
}

export const settings = new Store<Settings>(typeof localStorage === "undefined" ? DEFAULTS : read());

export function saveSettings(change: Partial<Settings>): void {
  settings.set(change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()));
  } catch {
    // Private windows may keep nothing; the choice then lasts as long as the page.
  }
}
