/** Who stands better, as a bar: the first mark's share from below. */
import type { Analysis, GameState } from "../api/client";
import { barShare } from "../model/evaluation";
import { t } from "../text";
import { evaluationText } from "../text/evaluation";
import "./EvaluationBar.css";

export function EvaluationBar({ view, analysis }: { view: GameState; analysis: Analysis | null }) {
  const evaluation = analysis?.evaluation ?? null;
  const share = evaluation && analysis ? barShare(evaluation, analysis.turn, view.marks) : 0.5;
  const words =
    evaluation && analysis
      ? `${t.understand.says(analysis.turn, evaluationText(evaluation))}, ${evaluation.proven ? t.understand.proven : t.understand.estimate}`
      : t.understand.working;
  const classes = [
    "eval-bar",
    evaluation?.proven && "is-proven",
    evaluation === null && "is-unknown",
    `first-${view.marks[0] ?? ""}`,
  ];
  return (
    <div
      className={classes.filter(Boolean).join(" ")}
      role="img"
      aria-label={`${t.understand.barLabel}: ${words}`}
      title={words}
      style={{ ["--share" as string]: `${(share * 100).toFixed(1)}%` }}
    >
      <span className="eval-fill" />
    </div>
  );
}
