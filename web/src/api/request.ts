/** A request that is sent again, later and later, while the server is busy or does not answer. */
import { type Facts, type GameState, Refusal, Unreachable } from "./client";

/** Too much to do, no answer at all, no such thing, or a no that stays one. */
export type FailureKind = "busy" | "unreachable" | "missing" | "refused";

/** Why a request has no answer. */
export interface Failure {
  kind: FailureKind;
  code: string;
  message: string;
  facts: Facts;
  /** The game as it stands, where the server sent it along. */
  state: GameState | null;
}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;

/** Milliseconds to wait before the next try: doubling, bounded, and never all pages at once. */
export function waitBefore(tries: number, random: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.7 + 0.6 * random);
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Unreachable)
    return { kind: "unreachable", code: "unreachable", message: "", facts: {}, state: null };
  if (!(error instanceof Refusal)) throw error;
  const { status, code, message, facts, state } = error;
  const busy = status === 429 || status >= 500 || code === "too_busy";
  return { kind: status === 404 ? "missing" : busy ? "busy" : "refused", code, message, facts, state };
}

/** Whether it helps to send it again. */
export const isTemporary = ({ kind }: Failure): boolean => kind === "busy" || kind === "unreachable";

interface Handlers<T> {
  done: (answer: T) => void;
  /** Called for every failure; after a temporary one the request is sent again by itself. */
  failed: (failure: Failure) => void;
  /** Whether anybody still waits for the answer. */
  wanted: () => boolean;
}

export class RetryingRequest<T> {
  private asking = true;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly send: () => Promise<T>,
    private readonly handlers: Handlers<T>,
  ) {
    void this.run();
  }

  /** Sends it now instead of later, or again after a refusal. */
  readonly retryNow = (): void => {
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
      if (this.handlers.wanted()) this.handleFailure(error);
      return;
    }
    this.handlers.done(answer);
  }

  private handleFailure(error: unknown): void {
    const failure = failureOf(error);
    if (isTemporary(failure)) {
      const told = error instanceof Refusal ? error.retryAfter : null;
      const wait = told === null ? waitBefore(this.tries, Math.random()) : told * 1000;
      this.tries += 1;
      this.timer = setTimeout(this.retryNow, wait);
    }
    this.handlers.failed(failure);
  }
}
