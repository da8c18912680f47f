/** Which phrase says what a position or a move is worth. */
import type { Evaluation } from "../api/client";
import { t } from "./index";
import type { Estimate, Proof } from "./noteReader";

/** What something is worth: "win in 5", "loss by 4 tiles", "about 62% (55–70%)", "unclear". */
export const evaluationText = (evaluation: Evaluation): string =>
  evaluation.proven ? proofText(evaluation) : estimateText(evaluation);

/** An estimate whose interval says nothing gets no number. */
export const estimateText = (estimate: Estimate): string =>
  estimate.clear ? t.evaluation.about(estimate) : t.evaluation.unclear;

export function proofText({ value, distance, margin, within }: Proof): string {
  if (margin) return t.evaluation.by(value, Math.abs(margin));
  if (value === "draw" || distance === 0) return t.evaluation.is[value];
  if (distance !== null) return t.evaluation.in(value, distance);
  return within === null ? t.evaluation.is[value] : t.evaluation.within(value, within);
}
