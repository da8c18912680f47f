/** A decided part of the board as one large mark: a small board that somebody has won. */
import type { Region } from "../api/client";
import { placeOf } from "../model/cells";
import type { Plane } from "./geometry";
import { Mark } from "./Mark";
import type { Picture } from "./picture";
import "./RegionMark.css";

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(4)}%`;

interface RegionMarkProps {
  region: Region;
  picture: Picture;
  plane: Plane;
}

export function RegionMark({ region, picture, plane }: RegionMarkProps) {
  const corners = region.cells.map((cell) => {
    const { row, col } = placeOf(picture.layout, cell);
    return plane.corner(row, col);
  });
  const left = Math.min(...corners.map(({ x }) => x));
  const top = Math.min(...corners.map(({ y }) => y));
  const right = Math.max(...corners.map(({ x }) => x)) + plane.cellWidth;
  const bottom = Math.max(...corners.map(({ y }) => y)) + plane.cellHeight;
  return (
    <div
      className="region"
      style={{
        left: percent(left, plane.width),
        top: percent(top, plane.height),
        width: percent(right - left, plane.width),
        height: percent(bottom - top, plane.height),
      }}
    >
      {region.mark !== null && <Mark mark={region.mark} style={picture.style} />}
    </div>
  );
}
