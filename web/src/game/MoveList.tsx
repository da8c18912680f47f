/** The moves so far; every one leads to its moment. */
import { type ReactNode, useEffect, useRef } from "react";

import type { PlayedMove } from "../api/client";
import { useWords } from "../state/games";
import { t } from "../text";
import { moveText } from "../text/move";
import { Icon, type IconName } from "../ui/Icon";
import "./MoveList.css";

interface MoveListProps {
  moves: readonly PlayedMove[];
  /** How many moves are shown on the board. */
  shown: number;
  onShow: (ply: number) => void;
  /** What stands beside a move: its grade in a review. */
  note?: (ply: number) => ReactNode;
}

export function MoveList({ moves, shown, onShow, note }: MoveListProps) {
  const list = useRef<HTMLOListElement>(null);
  const words = useWords();
  useEffect(() => {
    const place = list.current;
    const item = place?.querySelector<HTMLElement>('[aria-current="true"]');
    if (!place || !item) return;
    // Scrolls the list alone, never the page under a player's finger.
    const top = item.offsetTop - place.offsetTop;
    if (top < place.scrollTop || top + item.offsetHeight > place.scrollTop + place.clientHeight) {
      place.scrollTop = top - place.clientHeight / 2;
    }
  }, [shown, moves.length]);
  if (moves.length === 0) return <p className="moves-none">{t.moves.none}</p>;
  return (
    <ol className="moves" ref={list}>
      {moves.map((move, at) => (
        <li key={at}>
          <button
            type="button"
            aria-current={shown === at + 1 ? "true" : undefined}
            onClick={() => onShow(at + 1)}
          >
            <span className="move-number">{at + 1}</span>
            <span className={`move-mark of-${move.player}`}>{words.mark(move.player)}</span>
            <span className="move-name">{moveText(move.move)}</span>
            {move.capturedCount > 0 && (
              <span className="move-captures" title={t.moves.captured(move.capturedCount)}>
                +{move.capturedCount}
              </span>
            )}
            {note?.(at + 1)}
          </button>
        </li>
      ))}
    </ol>
  );
}

interface StepsProps {
  plies: number;
  shown: number;
  onShow: (ply: number) => void;
  children?: ReactNode;
}

export function Steps({ plies, shown, onShow, children }: StepsProps) {
  const button = (name: IconName, label: string, to: number, possible: boolean) => (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      disabled={!possible}
      onClick={() => onShow(to)}
    >
      <Icon name={name} />
    </button>
  );
  return (
    <div className="steps">
      {button("first", t.moves.first, 0, shown > 0)}
      {button("back", t.moves.back, shown - 1, shown > 0)}
      {children}
      {button("forward", t.moves.forward, shown + 1, shown < plies)}
      {button("last", t.moves.last, plies, shown < plies)}
    </div>
  );
}
