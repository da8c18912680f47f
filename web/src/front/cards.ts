/** Which games the front page offers, made from what the server says it can play. */
import type { GameInfo, Layout, Preset } from "../api/client";
import { t } from "../text";

export type Values = Record<string, unknown>;

export interface Card {
  key: string;
  name: string;
  summary: string;
  game: GameInfo;
  /** The spec that the card begins with. */
  spec: string;
  values: Values;
  marks: readonly string[];
  layout: Layout;
  /** Whether its options are what the card is about. */
  open: boolean;
}

/** The order of the cards; `custom` is any size. A preset of the server that is neither here nor left out comes last. */
const ORDER = ["tictactoe", "4x4", "custom", "gomoku", "misere", "qubic", "hex7", "peaceful"];
/** The same games with other options, which their cards offer. */
const LEFT_OUT = ["hex", "duel"];
const OPEN = ["custom", "hex7", "peaceful"];

function cardOf(game: GameInfo, preset: Preset): Card {
  const known = t.cards[preset.name];
  return {
    key: preset.name,
    name: known?.name ?? preset.name,
    summary: known?.summary ?? preset.summary,
    game,
    spec: preset.spec,
    values: preset.options,
    marks: preset.marks,
    layout: preset.layout,
    open: OPEN.includes(preset.name),
  };
}

export function cardsOf(games: readonly GameInfo[]): Card[] {
  const cards = games.flatMap((game) => game.presets.map((preset) => cardOf(game, preset)));
  const four = cards.find((card) => card.key === "4x4");
  if (four) {
    const values = { ...four.values, size: "6x6", k: 4 };
    const layout = { ...four.layout, rows: 6, cols: 6 };
    cards.push({ ...four, key: "custom", ...t.front.custom, spec: "6x6,k=4", values, layout, open: true });
  }
  const place = (card: Card) => (ORDER.includes(card.key) ? ORDER.indexOf(card.key) : ORDER.length);
  return cards.filter((card) => !LEFT_OUT.includes(card.key)).sort((a, b) => place(a) - place(b));
}

/** What stands in the field of an option: numbers stay text while somebody types them. */
export const toText = (value: unknown): string =>
  typeof value === "number" ? String(value) : typeof value === "string" ? value : "";

/** The words to choose from, the one that the card begins with first: it is the one that the card is about. */
export const choicesOf = (choices: readonly string[], initial: unknown): string[] => [
  ...choices.filter((choice) => choice === initial),
  ...choices.filter((choice) => choice !== initial),
];

/** Whether something stands in every field that needs a number. */
export const isComplete = (game: GameInfo, values: Values): boolean =>
  game.options.every(
    ({ name, kind }) =>
      !["integer", "number", "size"].includes(kind) ||
      toText(values[name])
        .split("x")
        .every((part) => part !== ""),
  );

/** The spec of a game with these options, for the server to read. */
export function specOf(game: GameInfo, values: Values): string {
  const parts = game.options.flatMap(({ name, flag }) => {
    const value = values[name];
    if (flag) return value === true ? [name] : [];
    const text = toText(value);
    return text === "" ? [] : [`${name}=${text}`];
  });
  return [game.name, ...parts].join(",");
}
