/** What lies under the cells of one plane: lines, coordinates, the sides of a hex board. */
import { memo } from "react";

import { columnName } from "../model/cells";
import { hexSide, type Plane, type Point } from "./geometry";
import type { Style } from "./picture";
import "./Backdrop.css";

const path = (points: readonly Point[]) =>
  points.map(({ x, y }, at) => `${at ? "L" : "M"}${x} ${y}`).join("");

function stars(size: number): number[] {
  if (size < 13) return size % 2 ? [(size - 1) / 2] : [];
  return [3, (size - 1) / 2, size - 4].filter(Number.isInteger);
}

interface BackdropProps {
  plane: Plane;
  style: Style;
  /** Whether stones fall: then the board is a rack of holes. */
  gravity: boolean;
}

export const Backdrop = memo(function Backdrop({ plane, style, gravity }: BackdropProps) {
  const { rows, cols, width, height, margin, rim, dividers } = plane;
  const lined = style === "stone" && plane.kind === "square" && !gravity;
  return (
    <svg
      className="backdrop"
      viewBox={`${-margin} ${-margin} ${width + margin + rim} ${height + margin + rim}`}
      aria-hidden="true"
      focusable="false"
    >
      {lined && (
        <g className="lines">
          <rect className="wood" x={-0.02} y={-0.02} width={cols + 0.04} height={rows + 0.04} rx={0.25} />
          {Array.from({ length: cols }, (_, col) => (
            <path key={`c${col}`} d={`M${col + 0.5} .5V${rows - 0.5}`} />
          ))}
          {Array.from({ length: rows }, (_, row) => (
            <path key={`r${row}`} d={`M.5 ${row + 0.5}H${cols - 0.5}`} />
          ))}
          {stars(rows).flatMap((row) =>
            stars(cols).map((col) => <circle key={`${row}-${col}`} cx={col + 0.5} cy={row + 0.5} r={0.09} />),
          )}
        </g>
      )}
      {gravity && (
        <rect className="rack" x={-0.02} y={-0.02} width={width + 0.04} height={height + 0.04} rx={0.3} />
      )}
      <g className="dividers">
        {dividers.x.map((x) => (
          <path key={`x${x}`} d={`M${x} 0V${height}`} />
        ))}
        {dividers.y.map((y) => (
          <path key={`y${y}`} d={`M0 ${y}H${width}`} />
        ))}
      </g>
      {plane.kind === "hex" && (
        <g className="sides">
          <path className="side-first" d={path(hexSide(plane, "top"))} />
          <path className="side-first" d={path(hexSide(plane, "bottom"))} />
          <path className="side-second" d={path(hexSide(plane, "left"))} />
          <path className="side-second" d={path(hexSide(plane, "right"))} />
        </g>
      )}
      <g className="coordinates" fontSize={plane.kind === "hex" ? 0.3 : Math.min(0.4, margin * 0.62)}>
        {Array.from({ length: cols }, (_, col) => (
          <text
            key={`c${col}`}
            x={plane.centre(0, col).x}
            className="column"
            y={-margin * (plane.kind === "hex" ? 0.45 : 0.28)}
          >
            {columnName(col)}
          </text>
        ))}
        {Array.from({ length: rows }, (_, row) => (
          <text
            key={`r${row}`}
            x={plane.corner(row, 0).x - (plane.kind === "hex" ? 0.22 : 0) - margin * 0.18}
            y={plane.centre(row, 0).y + margin * 0.22}
          >
            {row + 1}
          </text>
        ))}
      </g>
    </svg>
  );
});
