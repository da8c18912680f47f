/** Hints, the evaluation and the value of every move, each marked as proven or as an estimate. */
import { useState } from "react";

import { api, type GameState, type Hint, Refusal } from "../api/client";
import { useWords } from "../state/games";
import { saveSettings, settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { moveText } from "../text/move";
import { noteText } from "../text/note";
import { reasonText } from "../text/reason";
import { refusalText } from "../text/refusal";
import { threatText } from "../text/threat";
import { Icon } from "../ui/Icon";
import { Switch } from "../ui/Switch";
import { Certainty } from "./Certainty";
import { EvaluationLine } from "./EvaluationLine";
import { Legend } from "./Legend";
import type { AnalysisAnswer } from "./useAnalysis";
import "./AnalysisPanel.css";

interface AnalysisPanelProps {
  id: string;
  view: GameState;
  helps: boolean;
  mayHint: boolean;
  hint: Hint | null;
  onHint: (hint: Hint) => void;
  studied: AnalysisAnswer;
}

export function AnalysisPanel({ id, helps, mayHint, hint, onHint, studied }: AnalysisPanelProps) {
  const { bar, heat, details } = useStore(settings);
  const words = useWords();
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState("");
  const ask = async () => {
    setAsking(true);
    setRefused("");
    try {
      onHint(await api.hint(id));
    } catch (error) {
      setRefused(error instanceof Refusal ? refusalText(error, words) : t.front.failed);
    }
    setAsking(false);
  };
  if (!helps) {
    return (
      <section className="panel analysis" aria-label={t.understand.label}>
        <p className="help">{t.understand.noHelp}</p>
      </section>
    );
  }
  const { analysis, working } = studied;
  return (
    <section className="panel analysis" aria-label={t.understand.label}>
      <div className="analysis-row">
        <button type="button" className="button" disabled={!mayHint || asking} onClick={() => void ask()}>
          <Icon name="hint" />
          {asking ? t.understand.hinting : t.understand.hint}
        </button>
        <Switch label={t.understand.bar} on={bar} onSwitch={(on) => saveSettings({ bar: on })} />
        <Switch label={t.understand.heat} on={heat} onSwitch={(on) => saveSettings({ heat: on })} />
        <Switch label={t.understand.details} on={details} onSwitch={(on) => saveSettings({ details: on })} />
      </div>
      <div role="status">
        {hint && (
          <p className="hint-line">
            {reasonText(hint.reason, words) ||
              t.status.said(moveText(hint.move), hint.note ? noteText(hint.note, words, false) : "")}{" "}
            {hint.note?.facts.clear !== false && <Certainty proven={hint.proven} />}
            {details && hint.note && <span className="help"> {noteText(hint.note, words)}</span>}
          </p>
        )}
        {refused && <p className="problem">{refused}</p>}
      </div>
      {(bar || heat) && working && <p className="help">{t.understand.working}</p>}
      {(bar || heat) && analysis && (
        <>
          <EvaluationLine of={analysis.turn} evaluation={analysis.evaluation} />
          {analysis.threats.length > 0 && (
            <ul className="threats" aria-label={t.understand.threats}>
              {analysis.threats.slice(0, 4).map((threat) => (
                <li key={`${threat.player} ${threat.kind} ${threat.cells.join()}`}>
                  {threatText(threat, words)}
                </li>
              ))}
            </ul>
          )}
          {heat && <Legend />}
        </>
      )}
    </section>
  );
}
