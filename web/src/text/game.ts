import { t } from "./index";

/** The title and the summary of a game; its name is the head of its spec, and a size stands for k in a row. */
export function gameWords(spec: string): { title: string; summary: string } | undefined {
  const head = spec.split(",")[0] ?? "";
  return t.games[/^\d/.test(head) ? "lines" : head];
}

export const gameTitle = ({ game, title }: { game: string; title: string }): string =>
  gameWords(game)?.title ?? title;
