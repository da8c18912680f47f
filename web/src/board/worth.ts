/** How evaluations are drawn: heat on cells and the height of the bar. */
import type { AnalysisBody, Evaluation, Layout } from "../api/client";
import { t } from "../text";
import { worthText } from "../text/said";
import { cellName } from "./names";
import type { Heat } from "./picture";

/** -1 (lost) to 1 (won), as the player it is seen by. */
export function scoreOf(worth: Evaluation): number {
  if (!worth.proven) return worth.score;
  return worth.value === "win" ? 1 : worth.value === "loss" ? -1 : 0;
}

/** The share of the bar that belongs to the first mark. */
export function barShare(worth: Evaluation, seenBy: string, marks: readonly string[]): number {
  const score = scoreOf(worth) * (seenBy === marks[0] ? 1 : -1);
  return Math.max(0.02, Math.min(0.98, (score + 1) / 2));
}

export function heatOf(worth: Evaluation): Heat {
  const { proven } = worth;
  const text = worthText(worth);
  if (!worth.proven) {
    const share = (worth.score + 1) / 2;
    const kind = worth.score >= 0 ? "win" : "loss";
    // Half the strength of a proof, and none where the chances are even.
    const strength = Math.abs(worth.score) / 2 - 0.3;
    return { kind, strength, short: t.understand.short.percent(share * 100), text, proven };
  }
  const { value, distance, margin } = worth;
  if (value === "draw") return { kind: value, strength: 0.5, short: t.understand.short.draw, text, proven };
  const short =
    margin !== null ? `${margin > 0 ? "+" : "−"}${Math.abs(margin)}` : t.understand.short[value](distance);
  // A quick win and a slow loss are better: the first glows, the second pales.
  const plies = distance ?? worth.within ?? 12;
  return { kind: value, strength: 0.35 + 0.65 * Math.max(0, 1 - plies / 24), short, text, proven };
}

export function heatMap(layout: Layout, analysis: AnalysisBody): Map<number, Heat> {
  const cells = new Map<string, number>();
  for (let cell = 0; cell < layout.rows * layout.cols * layout.layers; cell++)
    cells.set(cellName(layout, cell), cell);
  const heat = new Map<number, Heat>();
  for (const [name, worth] of Object.entries(analysis.moves)) {
    const cell = cells.get(name);
    if (cell !== undefined && worth) heat.set(cell, heatOf(worth));
  }
  return heat;
}

/** The cells of a line of moves by name, numbered, the marks taking turns. */
export function numberedLine(
  layout: Layout,
  names: readonly string[],
  first: string,
  marks: readonly string[],
): Map<number, { number: number; mark: string }> {
  const cells = new Map<string, number>();
  for (let cell = 0; cell < layout.rows * layout.cols * layout.layers; cell++)
    cells.set(cellName(layout, cell), cell);
  const line = new Map<number, { number: number; mark: string }>();
  const start = marks.indexOf(first);
  names.forEach((name, step) => {
    const cell = cells.get(name);
    const mark = marks[(start + step) % marks.length];
    if (cell !== undefined && mark !== undefined && !line.has(cell))
      line.set(cell, { number: step + 1, mark });
  });
  return line;
}
