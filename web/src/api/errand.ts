/** Something asked of the server until it answers: with patience while it is busy or silent. */
import { type GameState, Refusal, Unreachable } from "./client";

/** Too much to do, no answer at all, no such thing, or a no that stays one. */
export type Trouble = "busy" | "silent" | "missing" | "refused";

/** What stands between a question and its answer. */
export interface Obstacle {
  trouble: Trouble;
  code: string;
  message: string;
  /** The game as it stands, where the server sent it along. */
  state: GameState | null;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

/** Milliseconds to wait before the next try: doubling, bounded, and never all pages at once. */
export function waitBefore(tries: number, random: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.7 + 0.6 * random);
}

export function obstacleOf(error: unknown): Obstacle {
  if (error instanceof Unreachable)
    return { trouble: "silent", code: "unreachable", message: "", state: null };
  if (!(error instanceof Refusal)) throw error;
  const { status, code, message, state } = error;
  const busy = status === 429 || status >= 500 || code === "too_busy";
  return { trouble: status === 404 ? "missing" : busy ? "busy" : "refused", code, message, state };
}

/** Whether it helps to ask again. */
export const passes = ({ trouble }: Obstacle): boolean => trouble === "busy" || trouble === "silent";

interface Handlers<T> {
  done: (answer: T) => void;
  /** Hears of every failure; after one that passes, the errand goes on by itself. */
  trouble: (obstacle: Obstacle) => void;
  /** Whether anybody still waits for the answer. */
  wanted: () => boolean;
}

export class Errand<T> {
  private asking = true;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly send: () => Promise<T>,
    private readonly handlers: Handlers<T>,
  ) {
    void this.run();
  }

  /** Ask at once instead of later, or again after a no. */
  readonly hurry = (): void => {
    if (this.asking || !this.handlers.wanted()) return;
    clearTimeout(this.timer);
    this.asking = true;
    void this.run();
  };

  private async run(): Promise<void> {
    let answer: T;
    try {
      answer = await this.send();
    } catch (error) {
      this.asking = false;
      if (this.handlers.wanted()) this.failed(error);
      return;
    }
    this.handlers.done(answer);
  }

  private failed(error: unknown): void {
    const obstacle = obstacleOf(error);
    if (passes(obstacle)) {
      const told = error instanceof Refusal ? error.retryAfter : null;
      const wait = told === null ? waitBefore(this.tries, Math.random()) : told * 1000;
      this.tries += 1;
      this.timer = setTimeout(this.hurry, wait);
    }
    this.handlers.trouble(obstacle);
  }
}
