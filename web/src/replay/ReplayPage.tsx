/** A game to look at again: step by step or by itself, with a review of every move. */
import { useEffect, useMemo, useState } from "react";

import { EvaluationBar } from "../analysis/EvaluationBar";
import { EvaluationLine } from "../analysis/EvaluationLine";
import { Legend } from "../analysis/Legend";
import { useAnalysis } from "../analysis/useAnalysis";
import { api, type GameHistory, type GameState, type Review } from "../api/client";
import { heatMap } from "../board/heat";
import { numberedLine } from "../board/line";
import { emptyPicture, ending } from "../board/picture";
import { MoveList, Steps } from "../game/MoveList";
import { PlayBoard } from "../game/PlayBoard";
import { headline, reason } from "../game/result";
import { Seats } from "../game/Seats";
import { cellsAt, lastCellAt, regionsAt } from "../model/history";
import { isOver, NOBODY } from "../model/view";
import { loadWords, WordsContext } from "../state/games";
import { saveSettings, settings } from "../state/settings";
import { useStore } from "../state/store";
import { useRequest } from "../state/useRequest";
import { t } from "../text";
import type { GameWords } from "../text/gameWords";
import { moveText } from "../text/move";
import { CopyButton } from "../ui/CopyButton";
import { keepFocus } from "../ui/focus";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { LoadFailure } from "../ui/LoadFailure";
import { Switch } from "../ui/Switch";
import { usePageTitle } from "../ui/usePageTitle";
import { GameHeading } from "../game/GameHeading";
import { GradeBadge, ReviewPanel } from "./ReviewPanel";
import "../game/GameLayout.css";
import "./ReplayPage.css";

const SPEEDS = [0.5, 1, 2, 4];
/** More moves ahead than this are more than an eye can follow. */
const LONGEST_LINE = 9;
const NOBODY_HERE = { players: [], watchers: 0 };

async function loadReplay(id: string) {
  const [view, history] = await Promise.all([api.state(id), api.history(id)]);
  return { view, history, words: await loadWords(view.name) };
}

export default function ReplayPage({ id }: { id: string }) {
  const { answer, failure, retry } = useRequest(id, () => loadReplay(id));
  usePageTitle(answer ? t.replay.of(answer.words.title(answer.view)) : t.replay.title);
  if (failure) return <LoadFailure failure={failure} onRetry={retry} />;
  if (!answer) return <p className="loading">…</p>;
  const { view, history, words } = answer;
  return (
    <WordsContext value={words}>
      <Replay id={id} view={view} history={history} words={words} />
    </WordsContext>
  );
}

interface ReplayProps {
  id: string;
  view: GameState;
  history: GameHistory;
  words: GameWords;
}

function Replay({ id, view, history, words }: ReplayProps) {
  const plies = history.moments.length;
  const { bar, heat } = useStore(settings);
  const [shown, setShown] = useState(plies);
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [review, setReview] = useState<Review | null>(null);
  const helps = (isOver(view) || !view.needsConsent) && view.marks.length === 2;
  const studied = useAnalysis(id, view.version, shown, helps && (bar || heat) && !running);

  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => {
      if (shown >= plies) setRunning(false);
      else setShown(shown + 1);
    }, 900 / speed);
    return () => clearTimeout(timer);
  }, [running, shown, plies, speed]);

  const graded = review?.moves[shown - 1];
  const picture = useMemo(() => {
    const { layout, marks } = view;
    const better =
      graded?.better != null
        ? numberedLine(layout, graded.line.slice(0, LONGEST_LINE), graded.player, marks)
        : null;
    // The better line begins where the move was not yet made.
    const at = better ? shown - 1 : shown;
    return {
      ...emptyPicture(layout, marks, words.title(view), words),
      cells: cellsAt(layout, history, at),
      regions: regionsAt(history, at),
      last: lastCellAt(layout, history, better ? 0 : shown),
      ...(shown === plies && !better && ending(view)),
      ...(better && { line: better }),
      ...(heat && studied.analysis && !better && { heat: heatMap(layout, studied.analysis) }),
    };
  }, [view, words, history, shown, plies, graded, heat, studied.analysis]);

  const show = (ply: number) => {
    setRunning(false);
    setShown(ply);
  };
  const toggle = () => {
    if (!running && shown === plies) setShown(0);
    setRunning(!running);
  };
  return (
    <div className="game-page is-replay" ref={keepFocus}>
      <div className="game-main">
        <GameHeading view={view} heading={t.replay.of(picture.title)} />
        <Seats view={view} you={NOBODY} presence={NOBODY_HERE} thinking={false} cells={picture.cells} />
        <div className="board-row">
          {bar && helps && <EvaluationBar view={view} analysis={studied.analysis} />}
          <PlayBoard picture={picture} onPlay={null} />
        </div>
        <section className="panel replay-controls" aria-label={t.replay.controls}>
          <Steps plies={plies} shown={shown} onShow={show}>
            <button
              type="button"
              className="icon-button is-main"
              aria-label={running ? t.replay.pause : t.replay.play}
              title={running ? t.replay.pause : t.replay.play}
              disabled={plies === 0}
              onClick={toggle}
            >
              <Icon name={running ? "pause" : "play"} />
            </button>
          </Steps>
          <label className="speed">
            <span>{t.replay.speed}</span>
            <select value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
              {SPEEDS.map((each) => (
                <option key={each} value={each}>
                  {each}×
                </option>
              ))}
            </select>
          </label>
        </section>
      </div>
      <aside className="game-side">
        <section className="panel status is-over">
          <p className="status-line">
            <b>{isOver(view) ? headline(view, NOBODY, words) : t.replay.unfinished}</b>
          </p>
          <p className="status-more">{reason(view, words)}</p>
          {!isOver(view) && (
            <Link to={`/watch/${view.watchId}`} className="button">
              {t.replay.watchIt}
            </Link>
          )}
        </section>
        {helps && (
          <ReviewPanel id={id} view={view} review={review} shown={shown} onReview={setReview} onShow={show} />
        )}
        <section className="panel moves-panel" aria-label={t.moves.label}>
          <MoveList
            moves={history.moments}
            shown={shown}
            onShow={show}
            note={(ply) => {
              const move = review?.moves[ply - 1];
              return move && <GradeBadge grade={move.grade} />;
            }}
          />
        </section>
        {helps && (
          <section className="panel analysis" aria-label={t.understand.label}>
            <div className="analysis-row">
              <Switch label={t.understand.bar} on={bar} onSwitch={(on) => saveSettings({ bar: on })} />
              <Switch label={t.understand.heat} on={heat} onSwitch={(on) => saveSettings({ heat: on })} />
            </div>
            {(bar || heat) && studied.working && <p className="help">{t.understand.working}</p>}
            {(bar || heat) && studied.analysis && (
              <EvaluationLine of={studied.analysis.turn} evaluation={studied.analysis.evaluation} />
            )}
            {heat && <Legend />}
          </section>
        )}
        <section className="panel share">
          <div className="action-row">
            <a className="button" href={api.recordAddress(id)} download={`noughts-${view.watchId}.jsonl`}>
              <Icon name="save" />
              {t.replay.export}
            </a>
            <CopyButton
              label={t.replay.copyMoves}
              text={history.moments.map((move) => moveText(move.move)).join(" ")}
            />
            <CopyButton label={t.replay.copyLink} text={`${location.origin}/replay/${view.watchId}`} />
          </div>
        </section>
      </aside>
    </div>
  );
}
