/** What a player can do besides moving. What cannot be done now cannot be pressed. */
import { useEffect, useRef, useState } from "react";

import type { GameState, Wish, You } from "../api/client";
import { Icon, type IconName } from "../shell/Icon";
import { Link } from "../shell/Link";
import { go } from "../state/route";
import type { Table } from "../state/table";
import { isOver } from "../state/view";
import { t } from "../text";
import { offerText } from "./words";

interface ActionsProps {
  view: GameState;
  you: You;
  table: Table;
  watching: boolean;
}

export function Actions({ view, you, table, watching }: ActionsProps) {
  const over = isOver(view);
  const plays = you.marks.length > 0;
  const replay = `/replay/${view.watchId}`;
  return (
    <section className="panel actions" aria-label={t.actions.label}>
      {plays && view.offer && <Offer view={view} you={you} table={table} />}
      {over && (
        <div className="action-row">
          {plays && <Rematch table={table} />}
          <Link to={replay} className="button">
            <Icon name="play" />
            {t.actions.review}
          </Link>
          <Link to="/" className="button">
            {t.actions.fresh}
          </Link>
        </div>
      )}
      {plays && (
        <div className={over ? "action-grid is-three" : "action-grid"}>
          <Wishes view={view} table={table} />
          {!over && <Resign view={view} you={you} table={table} />}
        </div>
      )}
      {(watching || !plays) && view.rematchWatchId && (
        <Link to={`/watch/${view.rematchWatchId}`} className="button">
          {t.actions.follow}
        </Link>
      )}
    </section>
  );
}

function Wishes({ view, table }: { view: GameState; table: Table }) {
  const free = view.offer === null;
  const begun = view.moveHistory.length > 0 || view.canRedo;
  const wish = (what: Wish, icon: IconName, label: string, possible: boolean) => (
    <button
      type="button"
      className="button"
      disabled={!possible || !free}
      onClick={() => void table.ask(what)}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
  return (
    <>
      {wish("undo", "undo", t.actions.undo, view.canUndo)}
      {wish("redo", "redo", t.actions.redo, view.canRedo)}
      {wish("reset", "restart", t.actions.restart, begun)}
    </>
  );
}

function Offer({ view, you, table }: { view: GameState; you: You; table: Table }) {
  if (!view.offer) return null;
  const mine = you.marks.includes(view.offer.player);
  return (
    <div className="offer">
      <p>{offerText(view.offer, you)}</p>
      <div className="action-row">
        {!mine && (
          <button type="button" className="button is-main" onClick={() => void table.answer(true)}>
            {t.actions.agree}
          </button>
        )}
        <button type="button" className="button" onClick={() => void table.answer(false)}>
          {mine ? t.actions.withdraw : t.actions.decline}
        </button>
      </div>
    </div>
  );
}

function Resign({ view, you, table }: { view: GameState; you: You; table: Table }) {
  // Whether the question is open; null until it was asked for the first time.
  const [sure, setSure] = useState<boolean | null>(null);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that was pressed is gone: on to the harmless answer, and back.
    if (sure !== null) next.current?.focus();
  }, [sure]);
  const player = you.marks.includes(view.currentPlayer) ? view.currentPlayer : (you.marks[0] ?? "");
  const open = Object.values(view.seats).some((seat) => seat.kind === "open");
  if (!sure) {
    return (
      <button ref={next} type="button" className="button" disabled={open} onClick={() => setSure(true)}>
        <Icon name="flag" />
        {t.actions.resign}
      </button>
    );
  }
  return (
    <div className="action-row is-wide" role="group" aria-label={t.actions.really}>
      <span>{t.actions.really}</span>
      <button type="button" className="button is-danger" onClick={() => void table.resign(player)}>
        {t.actions.yes}
      </button>
      <button ref={next} type="button" className="button" onClick={() => setSure(false)}>
        {t.actions.no}
      </button>
    </div>
  );
}

function Rematch({ table }: { table: Table }) {
  const again = async () => {
    const id = await table.rematch();
    if (id !== null) go(`/play/${id}`);
  };
  return (
    <button type="button" className="button is-main" onClick={() => void again()}>
      <Icon name="restart" />
      {t.actions.rematch}
    </button>
  );
}
