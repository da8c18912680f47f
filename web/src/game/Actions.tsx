/** What a player can do besides moving. What cannot be done now cannot be pressed. */
import { useEffect, useRef, useState } from "react";

import type { GameState, Wish, You } from "../api/client";
import { isOver } from "../model/view";
import { useWords } from "../state/games";
import type { GameStore } from "../state/gameStore";
import { navigate } from "../state/route";
import { t } from "../text";
import { Icon, type IconName } from "../ui/Icon";
import { Link } from "../ui/Link";
import { hasAgreed, offerText } from "./offer";
import "./Actions.css";

interface ActionsProps {
  view: GameState;
  you: You;
  store: GameStore;
  watching: boolean;
}

export function Actions({ view, you, store, watching }: ActionsProps) {
  const over = isOver(view);
  const plays = you.marks.length > 0;
  const replay = `/replay/${view.watchId}`;
  return (
    <section className="panel actions" aria-label={t.actions.label}>
      {plays && view.offer && <Offer view={view} you={you} store={store} />}
      {over && (
        <div className="action-row">
          {plays && <Rematch store={store} />}
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
          <Wishes view={view} store={store} />
          {!over && <Resign view={view} you={you} store={store} />}
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

function Wishes({ view, store }: { view: GameState; store: GameStore }) {
  const free = view.offer === null;
  const begun = view.moveHistory.length > 0 || view.canRedo;
  const wish = (what: Wish, icon: IconName, label: string, possible: boolean) => (
    <button
      type="button"
      className="button"
      disabled={!possible || !free}
      onClick={() => void store.ask(what)}
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

function Offer({ view, you, store }: { view: GameState; you: You; store: GameStore }) {
  const words = useWords();
  if (!view.offer) return null;
  const mine = you.marks.includes(view.offer.player);
  return (
    <div className="offer">
      <p>{offerText(view.offer, you, words)}</p>
      <div className="action-row">
        {!mine && !hasAgreed(view.offer, you) && (
          <button type="button" className="button is-main" onClick={() => void store.answer(true)}>
            {t.actions.agree}
          </button>
        )}
        <button type="button" className="button" onClick={() => void store.answer(false)}>
          {mine ? t.actions.withdraw : t.actions.decline}
        </button>
      </div>
    </div>
  );
}

function Resign({ view, you, store }: { view: GameState; you: You; store: GameStore }) {
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
      <button type="button" className="button is-danger" onClick={() => void store.resign(player)}>
        {t.actions.yes}
      </button>
      <button ref={next} type="button" className="button" onClick={() => setSure(false)}>
        {t.actions.no}
      </button>
    </div>
  );
}

function Rematch({ store }: { store: GameStore }) {
  const again = async () => {
    const id = await store.rematch();
    if (id !== null) navigate(`/play/${id}`);
  };
  return (
    <button type="button" className="button is-main" onClick={() => void again()}>
      <Icon name="restart" />
      {t.actions.rematch}
    </button>
  );
}
