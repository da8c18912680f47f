/** One plane of cells with what lies under and over it. */
import type { ReactNode } from "react";

import { placeOf, spokenName } from "../model/cells";
import { landingCell } from "../model/gravity";
import { t } from "../text";
import { Backdrop } from "./Backdrop";
import { Cell } from "./Cell";
import type { Plane } from "./geometry";
import type { Picture } from "./picture";
import { RegionMark } from "./RegionMark";
import "./PlaneGrid.css";

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(4)}%`;

/** What a screen reader says of a cell: "C2, X, last move". */
export function cellLabel(picture: Picture, cell: number): string {
  const mark = picture.cells[cell];
  const heat = picture.heat.get(cell);
  const ahead = picture.line.get(cell);
  const taken = picture.captures.get(cell)?.length ?? 0;
  const region = picture.regions.find(({ cells }) => cells.includes(cell));
  const landing = picture.layout.gravity ? landingCell(picture.layout, picture.legal, cell) : null;
  return [
    spokenName(picture.layout, cell),
    mark ? picture.words.mark(mark) : t.board.empty,
    picture.last === cell && t.board.last,
    picture.winning.has(cell) && t.board.winning,
    picture.hint === cell && t.board.hint,
    region && (region.mark ? t.board.wonBy(picture.words.mark(region.mark)) : t.board.wonByNobody),
    !mark && taken > 0 && t.board.captures(taken),
    landing !== null && landing !== cell && !mark && t.board.landsOn(spokenName(picture.layout, landing)),
    ahead && !mark && `${ahead.number}: ${picture.words.mark(ahead.mark)}`,
    heat && !mark && `${heat.text}, ${heat.proven ? t.understand.proven : t.understand.estimate}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Whether a press on a cell drops a stone into its column. */
const isColumn = (picture: Picture, cell: number): boolean =>
  picture.layout.gravity && landingCell(picture.layout, picture.legal, cell) !== null;

/** Whether some empty cells cannot be played, so that those that can deserve a sign. */
const isLimited = ({ cells, legal }: Picture): boolean =>
  legal.size > 0 && cells.some((mark, cell) => mark === null && !legal.has(cell));

interface PlaneGridProps {
  picture: Picture;
  plane: Plane;
  layer: number;
  focus: number;
  chosen: number | null;
  /** The cell that a press at the pointer or the focus would play. */
  aimed: number | null;
  inert: boolean;
  /** Wraps the rows: a grid of their own, or a part of a grid of several planes. */
  wrap: (rows: ReactNode, className: string, style: Record<string, string>) => ReactNode;
}

export function PlaneGrid({ picture, plane, layer, focus, chosen, aimed, inert, wrap }: PlaneGridProps) {
  const { rows, cols, width, height, cellWidth, cellHeight, margin, rim } = plane;
  const across = width + margin + rim;
  const down = height + margin + rim;
  // What the cell at the pointer, at the focus or waiting for a second tap would capture.
  const taken = new Set(picture.captures.get(chosen ?? aimed ?? -1));
  const owned = new Set(picture.regions.flatMap(({ cells }) => cells));
  const grid = Array.from({ length: rows }, (_, row) => (
    <div role="row" key={row} aria-rowindex={layer * rows + row + 1}>
      {Array.from({ length: cols }, (_, col) => {
        const index = (layer * rows + row) * cols + col;
        const { x, y } = plane.corner(row, col);
        const ahead = picture.line.get(index);
        return (
          <Cell
            key={col}
            index={index}
            left={percent(x, width)}
            top={percent(y, height)}
            width={percent(cellWidth, width)}
            height={percent(cellHeight, height)}
            style={picture.style}
            mark={picture.cells[index] ?? null}
            ghost={picture.legal.has(index) ? (picture.layout.mark ?? picture.turn) : null}
            label={cellLabel(picture, index)}
            isLast={picture.last === index}
            isWinning={picture.winning.has(index)}
            isHint={picture.hint === index}
            captures={picture.captures.get(index)?.length ?? 0}
            takenBy={taken.has(index) ? (picture.layout.mark ?? picture.turn) : null}
            isRefused={picture.refused.has(index)}
            isChosen={chosen === index}
            isAimed={aimed === index}
            isColumn={isColumn(picture, index)}
            isOwned={owned.has(index)}
            isFocus={focus === index}
            isInert={inert}
            colindex={col + 1}
            number={ahead?.number ?? null}
            lineMark={ahead?.mark ?? null}
            heat={picture.heat.get(index)}
          />
        );
      })}
    </div>
  ));
  const inset = {
    left: percent(margin, across),
    top: percent(margin, down),
    width: percent(width, across),
    height: percent(height, down),
  };
  const regions = picture.regions.filter(
    ({ cells }) => placeOf(picture.layout, cells[0] ?? 0).layer === layer,
  );
  const classes = [
    `plane plane-${plane.kind} as-${picture.style}`,
    picture.layout.gravity && "has-gravity",
    isLimited(picture) && "is-limited",
  ];
  const strokes = picture.strokes.filter(({ from, to }) => from.layer === layer && to.layer === layer);
  return (
    <div
      className={classes.filter(Boolean).join(" ")}
      style={{
        aspectRatio: `${across} / ${down}`,
        ["--across" as string]: across,
      }}
    >
      <Backdrop plane={plane} style={picture.style} gravity={picture.layout.gravity} />
      {wrap(grid, "cells", inset)}
      {regions.length > 0 && (
        <div className="regions" style={inset} aria-hidden="true">
          {regions.map((region) => (
            <RegionMark key={region.cells[0]} region={region} picture={picture} plane={plane} />
          ))}
        </div>
      )}
      {strokes.length > 0 && (
        <svg
          className="strokes"
          viewBox={`0 0 ${width} ${height}`}
          style={inset}
          aria-hidden="true"
          focusable="false"
        >
          {strokes.map(({ from, to }) => {
            const a = plane.centre(from.row, from.col);
            const b = plane.centre(to.row, to.col);
            return (
              <line key={`${a.x},${a.y},${b.x},${b.y}`} x1={a.x} y1={a.y} x2={b.x} y2={b.y} pathLength={1} />
            );
          })}
        </svg>
      )}
    </div>
  );
}
