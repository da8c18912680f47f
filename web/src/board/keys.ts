/** Where the focus goes on a board: arrows, Home, End, Page Up and Page Down. */
import { type Box, placeOf } from "../model/cells";

const clamp = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));

/** The cell that a key leads to, or null for a key that is none of the board's. */
export function cellAfterKey(box: Box, cell: number, key: string, control: boolean): number | null {
  let { row, col, layer } = placeOf(box, cell);
  switch (key) {
    case "ArrowLeft":
      col = clamp(col - 1, box.cols);
      break;
    case "ArrowRight":
      col = clamp(col + 1, box.cols);
      break;
    case "ArrowUp":
      row = clamp(row - 1, box.rows);
      break;
    case "ArrowDown":
      row = clamp(row + 1, box.rows);
      break;
    case "Home":
      col = 0;
      if (control) row = 0;
      break;
    case "End":
      col = box.cols - 1;
      if (control) row = box.rows - 1;
      break;
    case "PageUp":
      if (box.layers === 1) return null;
      layer = clamp(layer - 1, box.layers);
      break;
    case "PageDown":
      if (box.layers === 1) return null;
      layer = clamp(layer + 1, box.layers);
      break;
    default:
      return null;
  }
  return (layer * box.rows + row) * box.cols + col;
}
