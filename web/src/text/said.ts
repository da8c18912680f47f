/**
 * What the server says, in the words of the catalogue.
 *
 * Codes, values and names are looked up there; where the catalogue has nothing, as for a game that
 * somebody else wrote, the server's own words stand.
 */
import type { Evaluation, Threat } from "../api/client";
import { t } from "./index";

/** What is known of an action that was refused. */
export interface Facts {
  /** The move as people write it. */
  move?: string;
  player?: string;
  turn?: string;
  /** Whose mark is on the cell. */
  holder?: string;
}

export function refusalText({ code, message }: { code: string; message: string }, facts: Facts = {}): string {
  return t.refusal.codes[code]?.(facts) ?? message;
}

const percent = (score: number) => Math.round(50 * (score + 1));

/** What something is worth: "win in 5", "loss by 4 tiles", "about 62 % (55–70 %)". */
export function worthText(worth: Evaluation): string {
  if (!worth.proven) return t.worth.about(percent(worth.score), percent(worth.low), percent(worth.high));
  const { value, distance, margin, within } = worth;
  if (margin) return t.worth.by(value, Math.abs(margin));
  if (value === "draw" || distance === 0) return t.worth.is[value];
  if (distance !== null) return t.worth.in(value, distance);
  return within === null ? t.worth.is[value] : t.worth.within(value, within);
}

export function threatText({ kind, player, cells, text }: Threat): string {
  return t.understand.threat[kind]?.(player, cells.map((cell) => cell.toUpperCase()).join(" ")) ?? text;
}

/** The title and the summary of a game; its name is the head of its spec, and a size stands for k in a row. */
export function gameWords(spec: string): { title: string; summary: string } | undefined {
  const head = spec.split(",")[0] ?? "";
  return t.games[/^\d/.test(head) ? "lines" : head];
}

export const gameTitle = ({ game, title }: { game: string; title: string }): string =>
  gameWords(game)?.title ?? title;

type Value = keyof typeof t.worth.is;

/** The sentences with something in them that players say of their moves, and how the catalogue says them. */
const NOTES: [RegExp, (part: string[]) => string][] = [
  [/^(win|loss|draw)$/, ([value]) => t.worth.is[value as Value]],
  [/^(win|loss) in (\d+)$/, ([value, plies]) => t.worth.in(value as Value, Number(plies))],
  [/^(win|loss) within (\d+)$/, ([value, plies]) => t.worth.within(value as Value, Number(plies))],
  [/^(win|loss) by (\d+) tiles?$/, ([value, tiles]) => t.worth.by(value as Value, Number(tiles))],
  [
    /^about (\d+) % \((\d+)–(\d+) %\)$/,
    (part) => t.worth.about(...(part.map(Number) as [number, number, number])),
  ],
  [/^a (win|draw|loss) with best play$/, ([value]) => t.note.best(value as Value)],
  [/^best after (\d+) plies, not proven$/, ([plies]) => t.note.ahead(Number(plies))],
  [
    /^scores (\d+)% in ([\d,]+) random games$/,
    ([share, games = ""]) => t.note.games(Number(share), countOf(games)),
  ],
  [/^blocks (\w)$/, ([mark = ""]) => t.note.blocks(mark)],
  [/^no proof in time; (.*)$/, ([rest = ""]) => t.note.noProof(noteText(rest))],
];

const countOf = (digits: string) => Number(digits.replaceAll(",", ""));

/** What a player says of its move. */
export function noteText(note: string): string {
  for (const [pattern, say] of NOTES) {
    const found = pattern.exec(note);
    if (found) return say(found.slice(1));
  }
  return t.note.plain[note] ?? note;
}

/** What the AI is doing: "engine, depth 5, 1,234 positions" in words for people. */
export function thinkingText(words: string): string {
  const found = /^(?:(\w+), )?depth (\d+), ([\d,]+) positions$/.exec(words);
  if (!found) return words;
  const [, stage = "search", depth = "", positions = ""] = found;
  const doing = t.stage[stage];
  return doing === undefined ? words : t.thinks(doing, Number(depth), countOf(positions));
}
