/** A game being played or watched. */
import { useMemo, useState } from "react";

import { AnalysisPanel } from "../analysis/AnalysisPanel";
import { EvaluationBar } from "../analysis/EvaluationBar";
import { useAnalysis } from "../analysis/useAnalysis";
import type { Hint } from "../api/client";
import { heatMap } from "../board/heat";
import { pictureOf } from "../board/picture";
import { moveCell } from "../model/cells";
import { exampleMove, typedMove } from "../model/gravity";
import { cellsAt, lastCellAt, regionsAt } from "../model/history";
import { isMine, isOver } from "../model/view";
import { WordsContext } from "../state/games";
import { settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { CopyField } from "../ui/CopyField";
import { keepFocus } from "../ui/focus";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { LoadFailure } from "../ui/LoadFailure";
import { usePageTitle } from "../ui/usePageTitle";
import { Actions } from "./Actions";
import { GameHeading } from "./GameHeading";
import { Invitation } from "./Invitation";
import { MoveList, Steps } from "./MoveList";
import { PlayBoard } from "./PlayBoard";
import { Seats } from "./Seats";
import { ConnectionBanner, RefusalNote, Status } from "./Status";
import { TypedMove } from "./TypedMove";
import { useAnnouncements } from "./useAnnouncements";
import { useGame } from "./useGame";
import { useHistory } from "./useHistory";
import "./GameLayout.css";
import "./GamePage.css";

export function GamePage({ id, watching }: { id: string; watching: boolean }) {
  const {
    store,
    view,
    words,
    you,
    presence,
    connection,
    thinking,
    thought,
    aiFailure,
    refusal,
    pending,
    loadFailure,
  } = useGame(id);
  const { bar, heat } = useStore(settings);
  const [past, setPast] = useState<number | null>(null);
  const [hint, setHint] = useState<Hint | null>(null);
  const title = view && words.title(view);
  usePageTitle(watching ? t.watch.of(title) : (title ?? t.front.title));
  useAnnouncements({ view, words, you, connection, refusal });

  const version = view?.version ?? 0;
  const plies = view?.moveHistory.length ?? 0;
  // A moment that was taken back is not there any more.
  const ply = past !== null && past < plies ? past : null;
  const history = useHistory(id, version, ply !== null);
  const helps = view !== null && (isOver(view) || !view.needsConsent);
  const twoPlay = view !== null && view.marks.length === 2;
  const studied = useAnalysis(id, version, ply ?? plies, helps && twoPlay && (bar || heat));
  const shownHint = hint?.version === version && ply === null ? hint : null;

  const picture = useMemo(() => {
    if (!view) return null;
    const now = pictureOf(view, pending, ply === null && isMine(view, you), words);
    const analysis = studied.analysis;
    const values = heat && analysis && pending === null ? heatMap(view.layout, analysis) : now.heat;
    if (ply === null)
      return { ...now, heat: values, hint: shownHint ? moveCell(view.layout, shownHint) : null };
    if (!history) return now;
    return {
      ...now,
      cells: cellsAt(view.layout, history, ply),
      last: lastCellAt(view.layout, history, ply),
      winning: new Set<number>(),
      strokes: [],
      regions: regionsAt(history, ply),
      heat: values,
    };
  }, [view, words, you, pending, ply, history, heat, studied.analysis, shownHint]);

  if (loadFailure) return <LoadFailure failure={loadFailure} onRetry={store.retry} />;
  if (!view || !picture) return <p className="loading">…</p>;
  const playing = ply === null && you.marks.length > 0 && !isOver(view);
  const legalNames = view.legalMoves.map((move) => move.move);
  const onTurn = playing && isMine(view, you) && pending === null;
  return (
    <WordsContext value={words}>
      <div className="game-page" ref={keepFocus}>
        <ConnectionBanner connection={connection} onRetry={store.retry} />
        <div className="game-main">
          <GameHeading view={view} heading={picture.title} />
          <Seats
            view={view}
            you={you}
            presence={presence}
            thinking={thinking !== null}
            cells={picture.cells}
          />
          <div className="board-row">
            {bar && helps && twoPlay && <EvaluationBar view={view} analysis={studied.analysis} />}
            <PlayBoard
              picture={picture}
              onPlay={playing ? (cell) => void store.play({ cell }) : null}
              key={view.game}
            />
          </div>
          <RefusalNote refusal={refusal} onDismiss={store.dismissRefusal} />
          {playing && (
            <div className="board-tools">
              <TypedMove
                disabled={!onTurn}
                example={exampleMove(view)}
                onPlay={(text) => store.play({ name: typedMove(view, text) })}
              />
              {onTurn && legalNames.includes("pass") && (
                <button
                  type="button"
                  className="button is-main"
                  onClick={() => void store.play({ name: "pass" })}
                >
                  {t.actions.pass}
                </button>
              )}
              {onTurn && legalNames.includes("swap") && (
                <button type="button" className="button" onClick={() => void store.play({ name: "swap" })}>
                  <Icon name="swap" />
                  {t.actions.swap}
                </button>
              )}
            </div>
          )}
        </div>
        <aside className="game-side">
          <Status
            view={view}
            you={you}
            thinking={thinking}
            thought={thought}
            aiFailure={aiFailure}
            past={ply}
            watchers={presence.watchers - (you.marks.length === 0 ? 1 : 0)}
            onNow={() => setPast(null)}
            onRetry={store.retry}
          />
          {watching && <p className="badge">{t.watch.badge}</p>}
          <Invitation view={view} you={you} watching={watching} onJoin={(name) => void store.join(name)} />
          <Actions view={view} you={you} store={store} watching={watching} />
          <section className="panel moves-panel" aria-label={t.moves.label}>
            <MoveList
              moves={view.moveHistory}
              shown={ply ?? plies}
              onShow={(to) => setPast(to === plies ? null : to)}
            />
            <Steps plies={plies} shown={ply ?? plies} onShow={(to) => setPast(to === plies ? null : to)} />
          </section>
          {twoPlay && (
            <AnalysisPanel
              id={id}
              view={view}
              helps={helps}
              mayHint={onTurn}
              hint={shownHint}
              onHint={setHint}
              studied={studied}
            />
          )}
          <section className="panel share">
            <CopyField label={t.share.watch} text={`${location.origin}/watch/${view.watchId}`} />
            {watching && (
              <Link to="/" className="button">
                {t.watch.play}
              </Link>
            )}
          </section>
        </aside>
      </div>
    </WordsContext>
  );
}
