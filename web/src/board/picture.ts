/** All that is to be seen on a board, whatever game it is. */
import type { GameState, Layout, Region } from "../api/client";
import { flat, moveCell, type Place } from "../model/cells";
import { lastChoice } from "../model/passes";
import type { Pending } from "../model/view";
import type { GameWords } from "../text/gameWords";
import { type Stroke, strokesOf } from "./strokes";

export type Style = "ink" | "stone" | "tile";

/** What a move is worth, ready to be drawn on its cell. */
export interface Heat {
  kind: "win" | "draw" | "loss";
  /** How strong its colour is, up to 1. */
  strength: number;
  short: string;
  text: string;
  proven: boolean;
}

export interface Picture {
  layout: Layout;
  style: Style;
  title: string;
  words: GameWords;
  cells: readonly (string | null)[];
  legal: ReadonlySet<number>;
  /** What a move to a legal cell would capture. */
  captures: ReadonlyMap<number, readonly number[]>;
  last: number | null;
  winning: ReadonlySet<number>;
  strokes: readonly Stroke[];
  /** The mark that would be placed, shown under the pointer. */
  turn: string | null;
  hint: number | null;
  /** Cells of a line that was not played, numbered. */
  line: ReadonlyMap<number, { number: number; mark: string }>;
  heat: ReadonlyMap<number, Heat>;
  /** Cells that are crossed out, because nobody may play there. */
  refused: ReadonlySet<number>;
  /** Parts of the board that are decided. */
  regions: readonly Region[];
}

/** What the game says; else stones on lines where the board is large, and ink on paper where it is small. */
export function styleOf(layout: Layout, marks: readonly string[]): Style {
  if (layout.pieces) return layout.pieces;
  if (layout.kind === "hex" || layout.gravity) return "stone";
  if (layout.blocks) return "ink";
  return layout.kind === "square" && marks.length === 2 && Math.min(layout.rows, layout.cols) >= 9
    ? "stone"
    : "ink";
}

const NO_LINE: ReadonlyMap<number, never> = new Map<number, never>();
const NO_CELLS: ReadonlySet<number> = new Set<number>();

export function emptyPicture(
  layout: Layout,
  marks: readonly string[],
  title: string,
  words: GameWords,
): Picture {
  return {
    layout,
    style: styleOf(layout, marks),
    title,
    words,
    cells: new Array<null>(layout.rows * layout.cols * layout.layers).fill(null),
    legal: NO_CELLS,
    captures: NO_LINE,
    last: null,
    winning: NO_CELLS,
    strokes: [],
    turn: null,
    hint: null,
    line: NO_LINE,
    heat: NO_LINE,
    refused: NO_CELLS,
    regions: [],
  };
}

/** What moves would capture, by their cells. */
function capturesOf({ layout, legalMoves, captures }: GameState): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  for (const move of legalMoves) {
    const taken = captures[move.move];
    const cell = moveCell(layout, move);
    if (taken && cell !== null) found.set(cell, taken);
  }
  return found;
}

/** The game as it stands, with our own move on it before the server has answered. */
export function pictureOf(
  view: GameState,
  pending: Pending | null,
  mayPlay: boolean,
  words: GameWords,
): Picture {
  const { layout } = view;
  const cells = flat(view.board);
  const choice = lastChoice(view.moveHistory);
  let last = choice ? moveCell(layout, choice) : null;
  const captures = capturesOf(view);
  if (pending && pending.cell !== null) {
    for (const cell of [pending.cell, ...(captures.get(pending.cell) ?? [])])
      cells[cell] = layout.mark ?? pending.player;
    last = pending.cell;
  }
  const can = mayPlay && pending === null;
  const legal = can
    ? view.legalMoves.map((move) => moveCell(layout, move)).filter((cell) => cell !== null)
    : [];
  return {
    ...emptyPicture(layout, view.marks, words.title(view), words),
    cells,
    legal: new Set(legal),
    captures: can ? captures : NO_LINE,
    last,
    turn: can ? view.currentPlayer : null,
    regions: view.owned,
    ...ending(view),
  };
}

/** The winning cells and the strokes through them; where tiles are counted or boards won, nothing is drawn through those. */
export function ending(view: GameState): Pick<Picture, "winning" | "strokes"> {
  const places: Place[] = view.winningCells;
  const shown = view.tiles === null;
  const joined = shown && view.owned.length === 0;
  return {
    winning: new Set(shown ? places.map((place) => moveCell(view.layout, place) ?? -1) : []),
    strokes: joined ? strokesOf(view.layout, places) : [],
  };
}
