/** Templates: text with facts in braces, such as "{player} wins at {cells}". */
import type { Fact, Facts, Note } from "../api/client";

export const isNote = (fact: Fact | undefined): fact is Note =>
  typeof fact === "object" && fact !== null && "code" in fact;

/** Puts facts into a template; null where one of them is not known. */
export function fill(
  template: string,
  facts: Facts,
  show: (name: string, fact: Fact) => string = (_, fact) => plainFact(fact),
): string | null {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.some((name) => facts[name] === undefined)) return null;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => show(name, facts[name] ?? null));
}

export function plainFact(fact: Fact): string {
  if (fact === null || isNote(fact)) return "";
  return Array.isArray(fact) ? fact.join(" ") : String(fact);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence from a template: with a capital letter and a full stop. */
export const sentence = (text: string): string => {
  const said = capital(text);
  return /[.!?…]$/.test(said) ? said : `${said}.`;
};
