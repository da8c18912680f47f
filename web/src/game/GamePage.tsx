/** A game being played or watched. */
import { useMemo, useState } from "react";

import type { Hint } from "../api/client";
import { cellsAt, lastCellAt } from "../board/moments";
import { pictureOf } from "../board/picture";
import { heatMap } from "../board/worth";
import { CopyField } from "../shell/Copy";
import { keepFocus } from "../shell/focus";
import { Icon } from "../shell/Icon";
import { Link } from "../shell/Link";
import { Hindered } from "../shell/Missing";
import { usePageTitle } from "../shell/title";
import { settings } from "../state/settings";
import { useStore } from "../state/store";
import { isMine, isOver, moveCell } from "../state/view";
import { t } from "../text";
import { gameTitle } from "../text/said";
import { Actions } from "./Actions";
import { EvaluationBar } from "./EvaluationBar";
import { Invitation } from "./Invitation";
import { MoveList, Steps } from "./MoveList";
import { PlayBoard } from "./PlayBoard";
import { Seats } from "./Seats";
import { ConnectionBanner, RefusalNote, Status } from "./Status";
import { TypedMove } from "./TypedMove";
import { Understand } from "./Understand";
import { useAnalysis } from "./useAnalysis";
import { useMoments } from "./useMoments";
import { useNews } from "./useNews";
import { useTable } from "./useTable";

export function GamePage({ id, watching }: { id: string; watching: boolean }) {
  const { table, view, you, presence, connection, thinking, thought, stuck, refusal, pending, problem } =
    useTable(id);
  const { bar, heat } = useStore(settings);
  const [past, setPast] = useState<number | null>(null);
  const [hint, setHint] = useState<Hint | null>(null);
  usePageTitle(watching ? t.watch.title : view ? gameTitle(view) : t.front.title);
  useNews({ view, you, connection, refusal });

  const version = view?.version ?? 0;
  const plies = view?.moveHistory.length ?? 0;
  // A moment that was taken back is not there any more.
  const ply = past !== null && past < plies ? past : null;
  const moments = useMoments(id, version, ply !== null);
  const helps = view !== null && (isOver(view) || !view.needsConsent);
  const twoPlay = view !== null && view.marks.length === 2;
  const studied = useAnalysis(id, version, ply ?? plies, helps && twoPlay && (bar || heat));
  const shownHint = hint?.version === version && ply === null ? hint : null;

  const picture = useMemo(() => {
    if (!view) return null;
    const now = pictureOf(view, pending, ply === null && isMine(view, you));
    const analysis = studied.analysis;
    const worths = heat && analysis && pending === null ? heatMap(view.layout, analysis) : now.heat;
    if (ply === null)
      return { ...now, heat: worths, hint: shownHint ? moveCell(view.layout, shownHint) : null };
    if (!moments) return now;
    return {
      ...now,
      cells: cellsAt(view.layout, moments, ply),
      last: lastCellAt(view.layout, moments, ply),
      winning: new Set<number>(),
      strokes: [],
      heat: worths,
    };
  }, [view, you, pending, ply, moments, heat, studied.analysis, shownHint]);

  if (problem) return <Hindered obstacle={problem} onRetry={table.retry} />;
  if (!view || !picture) return <p className="loading">…</p>;
  const playing = ply === null && you.marks.length > 0 && !isOver(view);
  const legalNames = view.legalMoves.map((move) => move.move);
  const onTurn = playing && isMine(view, you) && pending === null;
  return (
    <div className="table" ref={keepFocus}>
      <h1 className="unseen">{gameTitle(view)}</h1>
      <ConnectionBanner connection={connection} onRetry={table.retry} />
      <div className="table-board">
        <Seats view={view} you={you} presence={presence} thinking={thinking !== null} cells={picture.cells} />
        <div className="board-row">
          {bar && helps && twoPlay && <EvaluationBar view={view} analysis={studied.analysis} />}
          <PlayBoard
            picture={picture}
            onPlay={playing ? (cell) => void table.play({ cell }) : null}
            key={view.game}
          />
        </div>
        <RefusalNote refusal={refusal} onDismiss={table.forgive} />
        {playing && (
          <div className="board-tools">
            <TypedMove disabled={!onTurn} example={legalNames[0]} onPlay={(name) => table.play({ name })} />
            {onTurn && legalNames.includes("pass") && (
              <button
                type="button"
                className="button is-main"
                onClick={() => void table.play({ name: "pass" })}
              >
                {t.actions.pass}
              </button>
            )}
            {onTurn && legalNames.includes("swap") && (
              <button type="button" className="button" onClick={() => void table.play({ name: "swap" })}>
                <Icon name="swap" />
                {t.actions.swap}
              </button>
            )}
          </div>
        )}
      </div>
      <aside className="table-side">
        <Status
          view={view}
          you={you}
          thinking={thinking}
          thought={thought}
          stuck={stuck}
          past={ply}
          watchers={presence.watchers - (you.marks.length === 0 ? 1 : 0)}
          onNow={() => setPast(null)}
          onRetry={table.retry}
        />
        {watching && <p className="badge">{t.watch.badge}</p>}
        <Invitation view={view} you={you} watching={watching} onJoin={(name) => void table.join(name)} />
        <Actions view={view} you={you} table={table} watching={watching} />
        <section className="panel moves-panel" aria-label={t.moves.label}>
          <MoveList
            moves={view.moveHistory}
            shown={ply ?? plies}
            onShow={(to) => setPast(to === plies ? null : to)}
          />
          <Steps plies={plies} shown={ply ?? plies} onShow={(to) => setPast(to === plies ? null : to)} />
        </section>
        {twoPlay && (
          <Understand
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
  );
}
