/** Who stands better, as a bar: the first mark's share from below. */
import type { Analysis, GameState } from "../api/client";
import { barShare } from "../board/worth";
import { t } from "../text";
import { worthText } from "../text/said";

export function EvaluationBar({ view, analysis }: { view: GameState; analysis: Analysis | null }) {
  const worth = analysis?.evaluation ?? null;
  const share = worth && analysis ? barShare(worth, analysis.turn, view.marks) : 0.5;
  const words =
    worth && analysis
      ? `${t.understand.says(analysis.turn, worthText(worth))}, ${worth.proven ? t.understand.proven : t.understand.estimate}`
      : t.understand.working;
  const classes = [
    "eval-bar",
    worth?.proven && "is-proven",
    worth === null && "is-unknown",
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
