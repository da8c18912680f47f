/** A board to play on: with zoom, and with a second tap to confirm where fingers may slip. */
import { useEffect, useRef, useState } from "react";

import { Board } from "../board/Board";
import { planeOf, ratioOf } from "../board/geometry";
import type { Picture } from "../board/picture";
import { spokenName } from "../model/cells";
import { t } from "../text";
import { Icon } from "../ui/Icon";
import "./PlayBoard.css";

const ZOOMS = [1, 1.5, 2, 3];
/** From this many columns on a board can be zoomed. */
const LARGE = 9;
/** Below this many pixels a finger may hit the cell beside. */
const FINGER = 40;

function useSlippery(holder: React.RefObject<HTMLDivElement | null>, across: number): () => boolean {
  return () => {
    if (!window.matchMedia("(pointer: coarse)").matches) return false;
    const width = holder.current?.querySelector(".plane")?.clientWidth ?? Infinity;
    return width / across < FINGER;
  };
}

interface PlayBoardProps {
  picture: Picture;
  onPlay: ((cell: number) => void) | null;
}

export function PlayBoard({ picture, onPlay }: PlayBoardProps) {
  const [zoom, setZoom] = useState(0);
  const [wanted, setWanted] = useState<number | null>(null);
  const holder = useRef<HTMLDivElement>(null);
  const plane = planeOf(picture.layout);
  const slippery = useSlippery(holder, plane.width);
  const large = plane.width >= LARGE;
  // A cell that cannot be played any more is not chosen any more either.
  const chosen = wanted !== null && picture.legal.has(wanted) && onPlay ? wanted : null;

  useEffect(() => {
    const place = holder.current;
    if (!place || place.scrollWidth <= place.clientWidth) return;
    place.scrollTo(
      (place.scrollWidth - place.clientWidth) / 2,
      (place.scrollHeight - place.clientHeight) / 2,
    );
  }, [zoom]);

  const press = (cell: number) => {
    if (!onPlay) return;
    if (slippery() && picture.legal.has(cell) && chosen !== cell) setWanted(cell);
    else {
      setWanted(null);
      onPlay(cell);
    }
  };
  const deep = picture.layout.layers > 1;
  const classes = `play-board${large ? " is-large" : ""}${deep ? " is-cube" : ""}`;
  const factor = ZOOMS[zoom] ?? 1;
  return (
    <div className={classes} style={{ ["--ratio" as string]: ratioOf(plane) }}>
      <div
        className={factor > 1 ? "board-scroll is-zoomed" : "board-scroll"}
        ref={holder}
        style={{
          ["--zoom" as string]: factor,
          ["--smallest" as string]: `${Math.ceil((plane.width + plane.margin) * 24)}px`,
        }}
      >
        <Board picture={picture} onPress={onPlay ? press : null} chosen={chosen} />
      </div>
      {(large || chosen !== null) && (
        <div className="board-bar">
          {chosen !== null && onPlay ? (
            <div className="confirm" role="group" aria-label={t.board.tapTwice}>
              <span>
                {t.board.confirm(spokenName(picture.layout, chosen), picture.words.mark(picture.turn ?? ""))}
              </span>
              <button type="button" className="button is-main" onClick={() => press(chosen)}>
                {t.board.place}
              </button>
              <button type="button" className="button" onClick={() => setWanted(null)}>
                {t.board.cancel}
              </button>
            </div>
          ) : (
            <span />
          )}
          {large && (
            <div className="zoom" role="group" aria-label={t.board.zoom}>
              <button
                type="button"
                className="icon-button"
                aria-label={t.board.zoomOut}
                disabled={zoom === 0}
                onClick={() => setZoom(zoom - 1)}
              >
                <Icon name="minus" />
              </button>
              <span>{factor}×</span>
              <button
                type="button"
                className="icon-button"
                aria-label={t.board.zoomIn}
                disabled={zoom === ZOOMS.length - 1}
                onClick={() => setZoom(zoom + 1)}
              >
                <Icon name="plus" />
              </button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}
