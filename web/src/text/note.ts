import { t } from "./index";

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

export const countOf = (digits: string) => Number(digits.replaceAll(",", ""));

/** What a player says of its move. */
export function noteText(note: string): string {
  for (const [pattern, say] of NOTES) {
    const found = pattern.exec(note);
    if (found) return say(found.slice(1));
  }
  return t.note.plain[note] ?? note;
}
