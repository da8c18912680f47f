/** Reads the facts of a note by name and kind, for the catalogues. */
import type { Fact, Note } from "../api/client";
import { isNote } from "./template";

export type Value = "win" | "draw" | "loss";

/** A guess at a result, from -1 (lost) to 1 (won). */
export interface Estimate {
  score: number;
  low: number;
  high: number;
  /** Whether the interval says anything. */
  clear: boolean;
}

export interface Proof {
  value: Value;
  distance: number | null;
  within: number | null;
  margin: number | null;
}

/** How the parts of a note become words. */
interface Speaker {
  proof: (proof: Proof) => string;
  estimate: (estimate: Estimate) => string;
  note: (note: Note) => string;
}

const isValue = (fact: Fact | undefined): fact is Value =>
  fact === "win" || fact === "draw" || fact === "loss";

export class NoteReader {
  constructor(
    private readonly facts: Note["facts"],
    private readonly speaker: Speaker,
  ) {}

  text(name: string): string {
    const fact = this.facts[name];
    return typeof fact === "string" ? fact : "";
  }

  number(name: string): number {
    return this.numberOrNull(name) ?? 0;
  }

  nested(name: string): string {
    const fact = this.facts[name];
    return isNote(fact) ? this.speaker.note(fact) : "";
  }

  proven(): string {
    const { value } = this.facts;
    return this.speaker.proof({
      value: isValue(value) ? value : "draw",
      distance: this.numberOrNull("distance"),
      within: this.numberOrNull("within"),
      margin: this.numberOrNull("margin"),
    });
  }

  estimate(): string {
    return this.speaker.estimate({
      score: this.number("score"),
      low: this.number("low"),
      high: this.number("high"),
      // Notes of older games do not say.
      clear: this.facts.clear !== false,
    });
  }

  private numberOrNull(name: string): number | null {
    const fact = this.facts[name];
    return typeof fact === "number" ? fact : null;
  }
}
