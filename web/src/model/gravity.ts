/** Boards on which a stone falls: a column stands for the one cell of it that can be played. */
import type { GameState, Layout } from "../api/client";
import { columnName, moveCell, placeOf } from "./cells";

/** Where a stone lands that is dropped into the column of a cell, or null where nothing can be played. */
export function landingCell(layout: Layout, legal: Iterable<number>, cell: number): number | null {
  const at = placeOf(layout, cell);
  for (const each of legal) {
    const place = placeOf(layout, each);
    if (place.col === at.col && place.layer === at.layer) return each;
  }
  return null;
}

/** The column of a legal move, for an example of what can be typed. */
const columnOf = (move: { col: number | null }): string | null =>
  move.col === null ? null : columnName(move.col);

/** What somebody typed, as the name of a move: a column stands for its open cell. */
export function typedMove(view: GameState, text: string): string {
  if (!view.layout.gravity) return text;
  return view.legalMoves.find((move) => columnOf(move) === text)?.move ?? text;
}

/** Something that could be typed now. */
export function exampleMove(view: GameState): string | undefined {
  const move = view.legalMoves.find((each) => moveCell(view.layout, each) !== null) ?? view.legalMoves[0];
  return move && view.layout.gravity ? (columnOf(move) ?? move.move) : move?.move;
}
