/** One game on this page: what the server says, what we sent, and whether we are connected. */
import {
  type AiMove,
  api,
  type Facts,
  type GameState,
  type Presence,
  type StreamMessage,
  type Progress,
  Refusal,
  Unreachable,
  type Wish,
  type You,
} from "../api/client";
import { type Failure, RetryingRequest } from "../api/request";
import { LiveStream } from "../api/stream";
import { moveCell } from "../model/cells";
import { isAiTurn, isMine, isOver, newer, NOBODY, type Pending, stillPending } from "../model/view";
import { type GameWords, NO_WORDS } from "../text/gameWords";
import { loadWords } from "./games";
import { Store } from "./store";

export interface Thinking {
  player: string;
  level: string;
  /** Null until the search has something to tell. */
  progress: Progress | null;
}

export interface GameStoreState {
  view: GameState | null;
  /** The game's own words. */
  words: GameWords;
  you: You;
  presence: Presence;
  connection: "connecting" | "live" | "lost";
  thinking: Thinking | null;
  /** What the AI said about its last move. */
  thought: Pick<AiMove, "player" | "note" | "proven" | "nodes" | "seconds" | "move"> | null;
  refusal: { code: string; message: string; facts: Facts; at: number } | null;
  pending: Pending | null;
  /** Why the AI does not move. */
  aiFailure: Failure | null;
  /** Why the game cannot be shown. */
  loadFailure: Failure | null;
}

const RETRY_WAITS_MS = [300, 1000, 2500, 5000, 5000, 5000, 5000];

/** Enough to tell one move of one page from another. */
const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Send, and when the server cannot be reached send the same again a few times. */
async function sendWithRetries<T>(send: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_WAITS_MS) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
    await pause(wait);
  }
  return send();
}

export class GameStore extends Store<GameStoreState> {
  private loading: RetryingRequest<{ view: GameState; words: GameWords }> | null = null;
  private live: LiveStream | null = null;
  private aiRequest: RetryingRequest<AiMove> | null = null;
  private askedVersion = 0;
  private closed = false;

  constructor(readonly id: string) {
    super({
      view: null,
      words: NO_WORDS,
      you: NOBODY,
      presence: { players: [], watchers: 0 },
      connection: "connecting",
      thinking: null,
      thought: null,
      refusal: null,
      pending: null,
      aiFailure: null,
      loadFailure: null,
    });
  }

  open(): void {
    const load = async () => {
      const view = await api.state(this.id);
      return { view, words: await loadWords(view.name) };
    };
    this.loading = new RetryingRequest(load, {
      wanted: () => !this.closed,
      done: ({ view, words }) => {
        if (this.closed) return;
        this.set({ loadFailure: null, words });
        this.accept(view);
        this.connect();
      },
      failed: (loadFailure) => this.set({ loadFailure }),
    });
  }

  private connect(): void {
    this.live = new LiveStream(this.id, {
      message: (message) => this.receive(message),
      connection: (open) => {
        this.set({ connection: open ? "live" : "lost" });
        if (!open) return;
        this.aiRequest?.retryNow();
        this.askAi();
      },
      version: () => this.get().view?.version ?? null,
    });
  }

  close(): void {
    this.closed = true;
    this.live?.close();
  }

  /** Try at once what waits to be tried again. */
  readonly retry = (): void => {
    this.loading?.retryNow();
    this.live?.retryNow();
    this.aiRequest?.retryNow();
  };

  /** Play a cell, or a move by its name (b2, pass, swap). */
  async play(move: { cell: number } | { name: string }): Promise<boolean> {
    const { view, pending, you } = this.get();
    if (view === null || pending !== null) return false;
    const { cols, rows } = view.layout;
    const cell = "cell" in move ? move.cell : null;
    const player = isMine(view, you) ? view.currentPlayer : (you.marks[0] ?? view.currentPlayer);
    const where =
      cell === null
        ? { move: (move as { name: string }).name }
        : { row: Math.floor(cell / cols) % rows, col: cell % cols, layer: Math.floor(cell / (cols * rows)) };
    const legal = view.legalMoves.some((known) => cell !== null && moveCell(view.layout, known) === cell);
    const request = {
      gameId: this.id,
      player,
      ...where,
      expectedVersion: view.version,
      idempotencyKey: newKey(),
    };
    this.set({ refusal: null, pending: legal ? { version: view.version, player, cell } : null });
    return this.send(() => sendWithRetries(() => api.move(request)));
  }

  ask = (wish: Wish): Promise<boolean> => this.send(() => api.ask(this.id, wish, this.version()));

  answer = (accept: boolean): Promise<boolean> => this.send(() => api.answer(this.id, accept));

  resign = (player: string): Promise<boolean> => this.send(() => api.resign(this.id, player));

  async join(name: string): Promise<void> {
    const joined = await this.send(async () => {
      await api.session(name);
      return api.join(this.id);
    });
    // The stream was opened as a stranger's.
    if (joined) this.live?.reconnect();
  }

  /** The id of the game that follows. */
  async rematch(): Promise<string | null> {
    try {
      return (await api.rematch(this.id)).id;
    } catch (error) {
      this.refused(error);
      return null;
    }
  }

  readonly dismissRefusal = (): void => this.set({ refusal: null });

  private version = (): number => this.get().view?.version ?? 1;

  private async send(send: () => Promise<GameState>): Promise<boolean> {
    try {
      this.accept(await send());
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    }
  }

  private refused(error: unknown): void {
    this.set({ pending: null });
    if (error instanceof Refusal) {
      if (error.state) this.accept(error.state);
      const { code, message, facts } = error;
      this.set({ refusal: { code, message, facts, at: Date.now() } });
    } else if (error instanceof Unreachable) {
      this.set({ refusal: { code: "unreachable", message: "", facts: {}, at: Date.now() } });
    } else throw error;
  }

  private accept(given: GameState, said: Partial<GameStoreState> = {}): void {
    const { view: known, pending, you, thinking } = this.get();
    const view = newer(known, given);
    const changed = known === null || view.version !== known.version;
    this.set({
      view,
      you: given.you ?? you,
      pending: stillPending(pending, view),
      thinking: changed ? null : thinking,
      ...(changed && { refusal: null, aiFailure: null }),
      ...said,
    });
    this.askAi();
  }

  private receive(message: StreamMessage): void {
    switch (message.type) {
      case "state":
        this.set({ you: message.you, presence: message.presence });
        this.accept(message.state);
        break;
      case "event":
        if (message.state) this.accept(message.state);
        break;
      case "resumed":
        this.set({ you: message.you, presence: message.presence });
        break;
      case "presence":
        this.set({ presence: { players: message.players, watchers: message.watchers } });
        break;
      case "thinking": {
        const { view } = this.get();
        if (view && !isOver(view) && view.currentPlayer === message.player) this.set({ thinking: message });
        break;
      }
      case "heartbeat":
      case "pong":
        break;
    }
  }

  /** Have the AI move when it is its turn; the server thinks once however often it is askedVersion. */
  private askAi(): void {
    const { view, you } = this.get();
    if (view === null || this.closed || !isAiTurn(view, you) || this.askedVersion === view.version) return;
    const { version } = view;
    this.askedVersion = version;
    this.aiRequest = new RetryingRequest(() => api.aiMove(this.id, version), {
      wanted: () => !this.closed && this.version() === version,
      // The stream may have shown the move already; what the AI thought of it only comes here.
      done: ({ state, ...thought }) => this.accept(state, { thought }),
      failed: (aiFailure) => {
        if (aiFailure.state) this.accept(aiFailure.state);
        if (this.version() === version) this.set({ aiFailure, thinking: null });
      },
    });
  }
}
