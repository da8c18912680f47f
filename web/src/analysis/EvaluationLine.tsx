/** What a position is worth to a player, in words. */
import type { Evaluation } from "../api/client";
import { isClear } from "../model/evaluation";
import { useWords } from "../state/games";
import { t } from "../text";
import { evaluationText } from "../text/evaluation";
import { Certainty } from "./Certainty";
import "./EvaluationLine.css";

export function EvaluationLine({ of, evaluation }: { of: string; evaluation: Evaluation | null }) {
  const words = useWords();
  return (
    <p className="evaluation-line">
      {evaluation ? (
        <>
          {t.understand.says(words.mark(of), evaluationText(evaluation))}{" "}
          {isClear(evaluation) && <Certainty proven={evaluation.proven} />}
        </>
      ) : (
        t.understand.unknown
      )}
    </p>
  );
}
