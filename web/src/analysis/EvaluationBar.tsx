/** Who stands better, as a bar: the first mark's share from below. */
import type { Analysis, GameState } from "../api/client";
import { colourOf } from "../board/markColour";
import { barShare, isClear } from "../model/evaluation";
import { useWords } from "../state/games";
import { t } from "../text";
import { evaluationText } from "../text/evaluation";
import "./EvaluationBar.css";

export function EvaluationBar({ view, analysis }: { view: GameState; analysis: Analysis | null }) {
  const words = useWords();
  const evaluation = analysis?.evaluation ?? null;
  const shown = evaluation !== null && isClear(evaluation);
  const share = evaluation && analysis ? barShare(evaluation, analysis.turn, view.marks) : 0.5;
  const text =
    evaluation && analysis
      ? [
          t.understand.says(words.mark(analysis.turn), evaluationText(evaluation)),
          shown && (evaluation.proven ? t.understand.proven : t.understand.estimate),
        ]
          .filter(Boolean)
          .join(", ")
      : t.understand.working;
  const classes = ["eval-bar", evaluation?.proven && "is-proven", !shown && "is-unknown"];
  const [first = "", second = ""] = view.marks;
  return (
    <div
      className={classes.filter(Boolean).join(" ")}
      role="img"
      aria-label={`${t.understand.barLabel}: ${text}`}
      title={text}
      style={{
        ["--share" as string]: `${(share * 100).toFixed(1)}%`,
        ["--below" as string]: `var(${colourOf(first)})`,
        ["--above" as string]: `var(${colourOf(second)})`,
      }}
    >
      <span className="eval-fill" />
    </div>
  );
}
