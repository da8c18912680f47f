/** How the evaluation of a move is drawn on its cell. */
import type { AnalysisBody, Evaluation, Layout } from "../api/client";
import { cellName } from "../model/cells";
import { isClear } from "../model/evaluation";
import { t } from "../text";
import { evaluationText } from "../text/evaluation";
import type { Heat } from "./picture";

export function heatOf(evaluation: Evaluation): Heat {
  const { proven } = evaluation;
  const text = evaluationText(evaluation);
  if (!isClear(evaluation))
    return { kind: "draw", strength: -0.3, short: t.understand.short.unclear, text, proven };
  if (!evaluation.proven) {
    const share = (evaluation.score + 1) / 2;
    const kind = evaluation.score >= 0 ? "win" : "loss";
    // Half the strength of a proof, and none where the chances are even.
    const strength = Math.abs(evaluation.score) / 2 - 0.3;
    return { kind, strength, short: t.understand.short.percent(share * 100), text, proven };
  }
  const { value, distance, margin } = evaluation;
  if (value === "draw") return { kind: value, strength: 0.5, short: t.understand.short.draw, text, proven };
  const short =
    margin !== null ? `${margin > 0 ? "+" : "−"}${Math.abs(margin)}` : t.understand.short[value](distance);
  // A quick win and a slow loss are better: the first glows, the second pales.
  const plies = distance ?? evaluation.within ?? 12;
  return { kind: value, strength: 0.35 + 0.65 * Math.max(0, 1 - plies / 24), short, text, proven };
}

export function heatMap(layout: Layout, analysis: AnalysisBody): Map<number, Heat> {
  const cells = new Map<string, number>();
  for (let cell = 0; cell < layout.rows * layout.cols * layout.layers; cell++)
    cells.set(cellName(layout, cell), cell);
  const heat = new Map<number, Heat>();
  for (const [name, evaluation] of Object.entries(analysis.moves)) {
    const cell = cells.get(name);
    if (cell !== undefined && evaluation) heat.set(cell, heatOf(evaluation));
  }
  return heat;
}
