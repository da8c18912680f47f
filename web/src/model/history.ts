/** Boards of the past, from the first one and the cells that each move changed. */
import type { GameHistory, Layout, Region } from "../api/client";
import { cellIndex, flat, moveCell } from "./cells";

export function cellsAt(layout: Layout, game: GameHistory, ply: number): (string | null)[] {
  const cells = flat(game.board);
  for (const moment of game.moments.slice(0, ply)) {
    for (const changed of moment.changed) {
      cells[cellIndex(layout, changed)] = typeof changed.mark === "string" ? changed.mark : null;
    }
  }
  return cells;
}

/** The parts of the board that were decided. */
export const regionsAt = (game: GameHistory, ply: number): readonly Region[] =>
  game.moments[ply - 1]?.owned ?? [];

export function lastCellAt(layout: Layout, game: GameHistory, ply: number): number | null {
  const moment = game.moments[ply - 1];
  return moment ? moveCell(layout, moment) : null;
}
