/** The cards of the front page: the presets that the server's games have in their menu. */
import type { About, GameInfo, Layout, Preset } from "../api/client";
import { gameWords, type GameWords } from "../text/gameWords";
import type { Values } from "./options";
import { type Sample, sampleOf } from "./sample";

export interface Card {
  key: string;
  title: string;
  summary: string;
  goal: string;
  about: About;
  game: GameInfo;
  words: GameWords;
  /** The spec that the card begins with. */
  spec: string;
  values: Values;
  marks: readonly string[];
  layout: Layout;
  sample: Sample;
  /** Whether its options are what the card is about. */
  open: boolean;
}

function cardOf(game: GameInfo, preset: Preset): Card {
  const words = gameWords(game.words);
  return {
    key: preset.name,
    ...words.preset(preset.name),
    goal: preset.goal,
    about: preset.about,
    game,
    words,
    spec: preset.spec,
    values: preset.options,
    marks: preset.marks,
    layout: preset.layout,
    sample: sampleOf(preset.sample, preset.layout),
    open: preset.open,
  };
}

/** The cards in the order that the presets ask for. */
export function cardsOf(games: readonly GameInfo[]): Card[] {
  return games
    .flatMap((game) => game.presets.map((preset) => ({ game, preset })))
    .filter(({ preset }) => preset.menu !== null)
    .sort((a, b) => (a.preset.menu ?? 0) - (b.preset.menu ?? 0))
    .map(({ game, preset }) => cardOf(game, preset));
}
