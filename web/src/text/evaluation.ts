import type { Evaluation } from "../api/client";
import { t } from "./index";

const percent = (score: number) => Math.round(50 * (score + 1));

/** What something is worth: "win in 5", "loss by 4 tiles", "about 62 % (55–70 %)". */
export function evaluationText(evaluation: Evaluation): string {
  if (!evaluation.proven)
    return t.worth.about(percent(evaluation.score), percent(evaluation.low), percent(evaluation.high));
  const { value, distance, margin, within } = evaluation;
  if (margin) return t.worth.by(value, Math.abs(margin));
  if (value === "draw" || distance === 0) return t.worth.is[value];
  if (distance !== null) return t.worth.in(value, distance);
  return within === null ? t.worth.is[value] : t.worth.within(value, within);
}
