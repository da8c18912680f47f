/** One cell of a board. */
import { memo, useEffect, useRef } from "react";

import { Mark } from "./Mark";
import type { Heat, Style } from "./picture";
import "./Cell.css";

export interface CellProps {
  index: number;
  left: string;
  top: string;
  width: string;
  height: string;
  style: Style;
  mark: string | null;
  /** The mark that a press would place here, or null where none can be placed. */
  ghost: string | null;
  label: string;
  isLast: boolean;
  isWinning: boolean;
  isHint: boolean;
  /** How many cells a move here would capture. */
  captures: number;
  /** The mark that would take this cell with the move that is aimed at, or null. */
  takenBy: string | null;
  /** Whether it is crossed out. */
  isRefused: boolean;
  isChosen: boolean;
  /** Whether a press at the pointer or the focus would play here. */
  isAimed: boolean;
  /** Whether a press here drops a stone into the column. */
  isColumn: boolean;
  /** Whether the part of the board that it lies in is decided. */
  isOwned: boolean;
  isFocus: boolean;
  isInert: boolean;
  colindex: number;
  number: number | null;
  lineMark: string | null;
  heat: Heat | undefined;
}

export const Cell = memo(function Cell(props: CellProps) {
  const { mark, ghost, heat, style } = props;
  const before = useRef(mark);
  const turned = before.current !== null && mark !== null && before.current !== mark;
  useEffect(() => {
    before.current = mark;
  });
  const classes = [
    "cell",
    ghost !== null && "is-legal",
    props.isLast && "is-last",
    props.isWinning && "is-winning",
    props.isHint && "is-hint",
    props.isChosen && "is-chosen",
    props.isAimed && "is-aimed",
    props.isColumn && "is-column",
    props.isOwned && "is-owned",
    turned && "is-turned",
    props.captures > 0 && "is-capture",
    props.takenBy !== null && "is-taken",
    heat && `heat heat-${heat.kind}`,
  ];
  return (
    <div
      role="gridcell"
      className={classes.filter(Boolean).join(" ")}
      data-cell={props.index}
      aria-colindex={props.colindex}
      aria-label={props.label}
      aria-disabled={ghost === null && !props.isColumn ? true : undefined}
      aria-selected={props.isChosen ? true : undefined}
      tabIndex={props.isInert ? undefined : props.isFocus ? 0 : -1}
      style={{
        left: props.left,
        top: props.top,
        width: props.width,
        height: props.height,
        ...(heat && { ["--heat" as string]: heat.strength.toFixed(2) }),
      }}
    >
      <span className="face" aria-hidden="true" />
      {mark !== null && <Mark key={mark} mark={mark} style={style} />}
      {mark === null && props.lineMark !== null && (
        <span className="line-mark" aria-hidden="true">
          <Mark mark={props.lineMark} style={style} />
          <b>{props.number}</b>
        </span>
      )}
      {mark === null && props.lineMark === null && ghost !== null && (
        <span className="ghost" aria-hidden="true">
          <Mark mark={ghost} style={style} />
        </span>
      )}
      {mark === null && props.captures > 0 && (
        <span className="captures" data-count={`+${props.captures}`} aria-hidden="true" />
      )}
      {props.takenBy !== null && (
        <span className="taken" aria-hidden="true">
          <Mark mark={props.takenBy} style={style} />
        </span>
      )}
      {props.isRefused && <span className="refused-sign" aria-hidden="true" />}
      {heat && mark === null && (
        // Drawn, not written: the label says the same in words.
        <span
          className={heat.proven ? "cell-value" : "cell-value is-estimate"}
          data-value={heat.short}
          aria-hidden="true"
        />
      )}
    </div>
  );
});
