/** Hints, evaluation and the worth of every move, each marked as proven or as an estimate. */
import { useState } from "react";

import { api, type Evaluation, type GameState, type Hint, Refusal } from "../api/client";
import { Icon } from "../shell/Icon";
import { choose, settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { noteText, refusalText, threatText, worthText } from "../text/said";
import type { AnalysisAnswer } from "./useAnalysis";
import { moveText } from "./words";

export function Sureness({ proven }: { proven: boolean }) {
  return (
    <span className={proven ? "sure is-proven" : "sure"}>
      {proven ? t.understand.proven : t.understand.estimate}
    </span>
  );
}

export function Switch({
  label,
  on,
  onSwitch,
}: {
  label: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
}) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

export function Worth({ of, worth }: { of: string; worth: Evaluation | null }) {
  return (
    <p className="worth-line">
      {worth ? (
        <>
          {t.understand.says(of, worthText(worth))} <Sureness proven={worth.proven} />
        </>
      ) : (
        t.understand.unknown
      )}
    </p>
  );
}

export function Legend() {
  return (
    <ul className="legend">
      {(["win", "draw", "loss"] as const).map((value) => (
        <li key={value}>
          <span className={`swatch heat-${value}`} aria-hidden="true" />
          {t.understand.legend[value]}
        </li>
      ))}
    </ul>
  );
}

interface UnderstandProps {
  id: string;
  view: GameState;
  helps: boolean;
  mayHint: boolean;
  hint: Hint | null;
  onHint: (hint: Hint) => void;
  studied: AnalysisAnswer;
}

export function Understand({ id, helps, mayHint, hint, onHint, studied }: UnderstandProps) {
  const { bar, heat } = useStore(settings);
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState("");
  const ask = async () => {
    setAsking(true);
    setRefused("");
    try {
      onHint(await api.hint(id));
    } catch (error) {
      setRefused(error instanceof Refusal ? refusalText(error) : t.front.failed);
    }
    setAsking(false);
  };
  if (!helps) {
    return (
      <section className="panel understand" aria-label={t.understand.label}>
        <p className="help">{t.understand.noHelp}</p>
      </section>
    );
  }
  const { analysis, working } = studied;
  return (
    <section className="panel understand" aria-label={t.understand.label}>
      <div className="understand-row">
        <button type="button" className="button" disabled={!mayHint || asking} onClick={() => void ask()}>
          <Icon name="hint" />
          {asking ? t.understand.hinting : t.understand.hint}
        </button>
        <Switch label={t.understand.bar} on={bar} onSwitch={(on) => choose({ bar: on })} />
        <Switch label={t.understand.heat} on={heat} onSwitch={(on) => choose({ heat: on })} />
      </div>
      <div role="status">
        {hint && (
          <p className="hint-line">
            {t.understand.hintSays(moveText(hint.move), noteText(hint.note))}{" "}
            <Sureness proven={hint.proven} />
          </p>
        )}
        {refused && <p className="problem">{refused}</p>}
      </div>
      {(bar || heat) && working && <p className="help">{t.understand.working}</p>}
      {(bar || heat) && analysis && (
        <>
          <Worth of={analysis.turn} worth={analysis.evaluation} />
          {analysis.threats.length > 0 && (
            <ul className="threats" aria-label={t.understand.threats}>
              {analysis.threats.slice(0, 4).map((threat) => (
                <li key={threat.text}>{threatText(threat)}</li>
              ))}
            </ul>
          )}
          {heat && <Legend />}
        </>
      )}
    </section>
  );
}
