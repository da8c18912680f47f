/** The options of a game as somebody fills them in, and the spec that they make. */
import type { GameInfo } from "../api/client";

/** Options by name; numbers stay text while somebody types them. */
export type Values = Record<string, unknown>;

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
