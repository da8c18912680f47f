/** The custom property with the colour of a mark; Mark.css gives the layers the same. */
const COLOURS: Record<string, string> = {
  X: "--first",
  O: "--second",
  R: "--red",
  G: "--green",
  A: "--green",
  B: "--red",
  C: "--draw",
  D: "--quiet",
  E: "--violet",
  F: "--teal",
};

/** The colour of a mark; one that nobody knows is grey. */
export const colourOf = (mark: string): string => COLOURS[mark] ?? "--quiet";
