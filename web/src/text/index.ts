/** The catalogue of the user's language; English where there is none. */
import { type Catalogue, en } from "./en";

const CATALOGUES: Record<string, Catalogue> = { en };

const wanted = typeof navigator === "undefined" ? [] : navigator.languages;
const found = wanted.map((language) => CATALOGUES[language.split("-")[0] ?? ""]).find(Boolean);

export const t: Catalogue = found ?? en;
