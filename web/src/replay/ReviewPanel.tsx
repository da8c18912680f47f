/** The review of a game: how well each side played, move by move, and what would have been better. */
import { useState } from "react";

import { Certainty } from "../analysis/Certainty";
import { api, type GameState, type Grade, type GradedMove, Refusal, type Review } from "../api/client";
import { scoreOf } from "../model/evaluation";
import { useWords } from "../state/games";
import { saveSettings, settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { evaluationText } from "../text/evaluation";
import { moveText } from "../text/move";
import { reasonText } from "../text/reason";
import { refusalText } from "../text/refusal";
import { Switch } from "../ui/Switch";
import "./ReviewPanel.css";

export function GradeBadge({ grade }: { grade: Grade }) {
  return (
    <span className={`grade is-${grade}`} title={t.replay.grades[grade]}>
      <span aria-hidden="true">{t.replay.glyphs[grade]}</span>
      <span className="unseen">{t.replay.grades[grade]}</span>
    </span>
  );
}

interface ReviewPanelProps {
  id: string;
  view: GameState;
  review: Review | null;
  shown: number;
  onReview: (review: Review) => void;
  onShow: (ply: number) => void;
}

export function ReviewPanel({ id, view, review, shown, onReview, onShow }: ReviewPanelProps) {
  const words = useWords();
  const { details } = useStore(settings);
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState("");
  const ask = async () => {
    setAsking(true);
    setRefused("");
    try {
      onReview(await api.review(id));
    } catch (error) {
      setRefused(error instanceof Refusal ? refusalText(error, words) : t.front.failed);
    }
    setAsking(false);
  };
  if (!review) {
    return (
      <section className="panel review" aria-label={t.replay.reviewed}>
        <button
          type="button"
          className="button is-main"
          disabled={asking || view.moveHistory.length === 0}
          onClick={() => void ask()}
        >
          {asking ? t.replay.reviewing : t.replay.review}
        </button>
        <p className="problem" role="alert">
          {refused}
        </p>
      </section>
    );
  }
  const graded = review.moves[shown - 1];
  return (
    <section className="panel review" aria-label={t.replay.reviewed}>
      <div className="summaries">
        {review.players.map((player) => (
          <p key={player.player}>
            <b>{words.mark(player.player)}</b> {t.replay.accuracy(player.accuracy)} {t.replay.accuracyLabel}
            <span className="tally">
              {(["best", "good", "inaccuracy", "mistake", "blunder"] as const)
                .filter((grade) => player.grades[grade])
                .map((grade) => (
                  <span key={grade}>
                    <GradeBadge grade={grade} /> {player.grades[grade]}
                  </span>
                ))}
            </span>
          </p>
        ))}
      </div>
      <Graph review={review} first={view.marks[0] ?? ""} shown={shown} onShow={onShow} />
      <div role="status">{graded && <Verdict graded={graded} />}</div>
      <Switch label={t.understand.details} on={details} onSwitch={(on) => saveSettings({ details: on })} />
    </section>
  );
}

function Verdict({ graded }: { graded: GradedMove }) {
  const words = useWords();
  const { details } = useStore(settings);
  const said = reasonText(graded.reason, words);
  return (
    <div className="verdict">
      <p>
        <GradeBadge grade={graded.grade} />{" "}
        <b>
          {graded.ply}. {words.mark(graded.player)} {moveText(graded.move)}
        </b>{" "}
        {t.replay.grades[graded.grade]} {graded.grade !== "unknown" && <Certainty proven={graded.proven} />}
      </p>
      {said && <p>{said}</p>}
      {(details || !said) && graded.before && graded.after && (
        <p className="help">
          {[...new Set([evaluationText(graded.before), evaluationText(graded.after)])].join(" → ")}
        </p>
      )}
      {graded.better !== null && (
        <p>
          {t.replay.better(moveText(graded.better))}
          {graded.line.length > 1 && (
            <span className="help">
              {" "}
              {t.replay.line} {graded.line.slice(1, 7).map(moveText).join(" ")}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

interface GraphProps {
  review: Review;
  first: string;
  shown: number;
  onShow: (ply: number) => void;
}

/** The value after every move for the first mark: up is good for it. */
function Graph({ review, first, shown, onShow }: GraphProps) {
  const points = review.moves.map(({ after, player }) =>
    after ? scoreOf(after) * (player === first ? 1 : -1) : 0,
  );
  const width = Math.max(1, points.length);
  const x = (at: number) => at + 0.5;
  const y = (score: number) => 1 - score * 0.85;
  const line = points.map((score, at) => `${at ? "L" : "M"}${x(at)} ${y(score)}`).join("");
  return (
    <div className="graph">
      <svg viewBox={`0 0 ${width} 2`} preserveAspectRatio="none" role="img" aria-label={t.replay.graph}>
        <path className="graph-area" d={`M${x(0)} 1${line.replace("M", "L")}L${x(points.length - 1)} 1Z`} />
        <path className="graph-zero" d={`M0 1H${width}`} />
        <path className="graph-line" d={line} />
        {shown > 0 && <path className="graph-now" d={`M${x(shown - 1)} 0V2`} />}
      </svg>
      <input
        type="range"
        min={0}
        max={points.length}
        value={shown}
        aria-label={t.moves.label}
        onChange={(event) => onShow(event.target.valueAsNumber)}
      />
    </div>
  );
}
