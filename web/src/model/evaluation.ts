/** An evaluation as a number. */
import type { Evaluation } from "../api/client";

/** Whether there is anything to show: an estimate whose interval says nothing is no number. */
export const isClear = (evaluation: Evaluation): boolean => evaluation.proven || evaluation.clear;

/** -1 (lost) to 1 (won), as the player it is seen by; 0 where it is unclear. */
export function scoreOf(evaluation: Evaluation): number {
  if (!evaluation.proven) return evaluation.clear ? evaluation.score : 0;
  return evaluation.value === "win" ? 1 : evaluation.value === "loss" ? -1 : 0;
}

/** The share of the bar that belongs to the first mark. */
export function barShare(evaluation: Evaluation, seenBy: string, marks: readonly string[]): number {
  const score = scoreOf(evaluation) * (seenBy === marks[0] ? 1 : -1);
  return Math.max(0.02, Math.min(0.98, (score + 1) / 2));
}
