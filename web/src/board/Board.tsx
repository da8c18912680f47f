/** The board: an ARIA grid with roving focus, for the mouse, fingers and keys alike. */
import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  Suspense,
  type SyntheticEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";

import { landingCell } from "../model/gravity";
import { t } from "../text";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { planeOf } from "./geometry";
import { cellAfterKey } from "./keys";
import type { Picture } from "./picture";
import { PlaneGrid } from "./PlaneGrid";
import "./Board.css";

const CubeView = lazy(() => import("./CubeView"));

interface BoardProps {
  picture: Picture;
  /** A cell was pressed; null for a board that is only looked at. */
  onPress: ((cell: number) => void) | null;
  chosen?: number | null;
  /** Whether the turnable view is shown beside the layers. */
  turnable?: boolean;
}

const cellOf = (target: EventTarget): number | null => {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-cell]") : null;
  return element ? Number(element.dataset.cell) : null;
};

export function Board({ picture, onPress, chosen = null, turnable = true }: BoardProps) {
  const { layout } = picture;
  const plane = useMemo(() => planeOf(layout), [layout]);
  const middle = (Math.floor(layout.rows / 2) * layout.cols + Math.floor(layout.cols / 2)) | 0;
  const [focus, setFocus] = useState(middle);
  const [aimed, setAimed] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const keys = useId();

  /** The cell that a press on a cell plays: where stones fall, any of a column will do. */
  const targetOf = (cell: number): number =>
    (layout.gravity ? landingCell(layout, picture.legal, cell) : null) ?? cell;
  const press = (event: MouseEvent) => {
    const cell = cellOf(event.target);
    if (cell === null) return;
    setFocus(cell);
    onPress?.(targetOf(cell));
  };
  const aim = (event: SyntheticEvent) => setAimed(cellOf(event.target));
  const key = (event: KeyboardEvent) => {
    const cell = cellOf(event.target);
    if (cell === null || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPress?.(targetOf(cell));
      return;
    }
    const next = cellAfterKey(layout, cell, event.key, event.ctrlKey);
    if (next === null) return;
    event.preventDefault();
    setFocus(next);
    box.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  };

  const grid = {
    role: "grid",
    "aria-label": t.board.label(picture.title),
    "aria-describedby": keys,
    "aria-rowcount": layout.rows * layout.layers,
    "aria-colcount": layout.cols,
    "aria-readonly": onPress === null ? true : undefined,
    onClick: press,
    onKeyDown: key,
    ...((layout.gravity || picture.captures.size > 0) &&
      onPress && {
        onPointerOver: aim,
        onFocus: aim,
        onPointerLeave: () => setAimed(null),
        onBlur: () => setAimed(null),
      }),
  } as const;
  const help = (
    <p className="unseen" id={keys}>
      {t.board.keys(layout.layers > 1)}
    </p>
  );
  const target = aimed === null || onPress === null ? null : targetOf(aimed);
  const shared = { picture, plane, focus, chosen, aimed: target, inert: false };

  if (layout.layers === 1) {
    return (
      <div className={onPress ? "board is-playable" : "board"} ref={box}>
        <PlaneGrid
          {...shared}
          layer={0}
          wrap={(rows, className, style) => (
            <div {...grid} className={className} style={style}>
              {rows}
            </div>
          )}
        />
        {help}
      </div>
    );
  }
  return (
    <div className={onPress ? "board is-cube is-playable" : "board is-cube"} ref={box}>
      <div {...grid} className="layers">
        {Array.from({ length: layout.layers }, (_, layer) => (
          <div className="layer" key={layer} role="presentation">
            <PlaneGrid
              {...shared}
              layer={layer}
              wrap={(rows, className, style) => (
                <div
                  role="rowgroup"
                  aria-label={t.board.layer(layer + 1)}
                  className={className}
                  style={style}
                >
                  {rows}
                </div>
              )}
            />
            <span className="layer-name" aria-hidden="true">
              {t.board.layer(layer + 1)}
            </span>
          </div>
        ))}
      </div>
      {help}
      {turnable && (
        <ErrorBoundary instead={<p className="cube-note">{t.board.no3d}</p>}>
          <Suspense fallback={<p className="cube-note">{t.board.loading3d}</p>}>
            <CubeView picture={picture} onPress={onPress} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}
