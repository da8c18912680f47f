import { t } from "./index";
import { countOf } from "./note";

/** What the AI is doing: "engine, depth 5, 1,234 positions" in words for people. */
export function thinkingText(words: string): string {
  const found = /^(?:(\w+), )?depth (\d+), ([\d,]+) positions$/.exec(words);
  if (!found) return words;
  const [, stage = "search", depth = "", positions = ""] = found;
  const doing = t.stage[stage];
  return doing === undefined ? words : t.thinks(doing, Number(depth), countOf(positions));
}
