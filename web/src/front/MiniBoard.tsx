/** A small picture of a board: for cards, never for playing. */
import { planeOf } from "../board/geometry";
import { Mark } from "../board/Mark";
import type { Style } from "../board/picture";
import type { Sample } from "./sample";
import "./MiniBoard.css";

const HEXAGON = "M.5 0L1 .2887V.866L.5 1.1547L0 .866V.2887Z";

export function MiniBoard({ sample, style }: { sample: Sample; style: Style }) {
  const { layout, cells } = sample;
  const plane = planeOf(layout);
  const layers = Array.from({ length: layout.layers }, (_, layer) => layer);
  const cube = layout.layers > 1;
  // A cube's layers lie behind each other like sheets of paper.
  const shiftY = cube ? plane.height * 0.4 : 0;
  const width = plane.width + (cube ? plane.height * 0.35 : 0);
  const height = cube ? plane.height * 0.36 + shiftY * (layout.layers - 1) : plane.height;
  return (
    <svg
      className={`mini mini-${plane.kind} as-${style}`}
      viewBox={`-0.15 -0.15 ${width + 0.3} ${height + 0.3}`}
      aria-hidden="true"
      focusable="false"
    >
      {layers.map((layer) => (
        <g
          key={layer}
          transform={
            cube
              ? `translate(${plane.height * 0.35} ${shiftY * layer}) matrix(1 0 -0.35 0.36 0 0)`
              : undefined
          }
        >
          {cube && (
            <rect className="sheet" x={-0.1} y={-0.1} width={plane.width + 0.2} height={plane.height + 0.2} />
          )}
          {layout.gravity && (
            <rect className="rack" x={0} y={0} width={plane.width} height={plane.height} rx={0.3} />
          )}
          {style === "stone" && plane.kind === "square" && !layout.gravity && (
            <rect className="wood" x={0} y={0} width={plane.width} height={plane.height} rx={0.3} />
          )}
          {Array.from({ length: layout.rows * layout.cols }, (_, at) => {
            const row = Math.floor(at / layout.cols);
            const col = at % layout.cols;
            const { x, y } = plane.corner(row, col);
            const mark = cells[layer * layout.rows * layout.cols + at] ?? null;
            return (
              <g key={at} transform={`translate(${x} ${y})`}>
                {plane.kind === "hex" ? (
                  <path className="socket" d={HEXAGON} />
                ) : layout.gravity ? (
                  <circle className="hole" cx={0.5} cy={0.5} r={0.44} />
                ) : style === "stone" ? (
                  <path
                    className="cross"
                    d={`M${col ? 0 : 0.5} .5H${col < layout.cols - 1 ? 1 : 0.5}M.5 ${row ? 0 : 0.5}V${row < layout.rows - 1 ? 1 : 0.5}`}
                  />
                ) : (
                  <rect className="socket" x={0.05} y={0.05} width={0.9} height={0.9} rx={0.14} />
                )}
                {mark !== null && (
                  <svg x={0.04} y={plane.kind === "hex" ? 0.117 : 0.04} width={0.92} height={0.92}>
                    <Mark mark={mark} style={style} />
                  </svg>
                )}
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}
