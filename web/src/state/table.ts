/** One game on this page: what the server says, what we sent, and whether we are connected. */
import { type AiMove, api, type GameState, Refusal, Unreachable, type Wish, type You } from "../api/client";
import { Errand, type Obstacle } from "../api/errand";
import { Live, type LiveMessage, type Presence } from "../api/live";
import { cellName } from "../board/names";
import type { Facts } from "../text/said";
import { Store } from "./store";
import { flat, isAiTurn, isMine, isOver, moveCell, newer, NOBODY, type Pending, stillPending } from "./view";

export interface Thinking {
  player: string;
  level: string;
  words: string;
}

export interface TableState {
  view: GameState | null;
  you: You;
  presence: Presence;
  connection: "connecting" | "live" | "lost";
  thinking: Thinking | null;
  /** What the AI said about its last move. */
  thought: Pick<AiMove, "player" | "note" | "proven" | "nodes" | "seconds" | "move"> | null;
  refusal: { code: string; message: string; facts: Facts; at: number } | null;
  pending: Pending | null;
  /** Why the AI does not move. */
  stuck: Obstacle | null;
  /** Why the game cannot be shown. */
  problem: Obstacle | null;
}

const SENT_AGAIN = [300, 1000, 2500, 5000];

/** Enough to tell one move of one page from another. */
const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Send, and when the server cannot be reached send the same again a few times. */
async function insist<T>(send: () => Promise<T>): Promise<T> {
  for (const wait of SENT_AGAIN) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
    await pause(wait);
  }
  return send();
}

/** What can be said of a move if it is refused. */
function factsOf(view: GameState, player: string, move: { cell: number } | { name: string }): Facts {
  const cells = flat(view.board);
  const name = "name" in move ? move.name : cellName(view.layout, move.cell);
  const holder = cells.find((mark, cell) => mark !== null && cellName(view.layout, cell) === name);
  return { move: name.toUpperCase(), player, turn: view.currentPlayer, ...(holder && { holder }) };
}

export class Table extends Store<TableState> {
  private opening: Errand<GameState> | null = null;
  private live: Live | null = null;
  private mind: Errand<AiMove> | null = null;
  private asked = 0;
  private closed = false;

  constructor(readonly id: string) {
    super({
      view: null,
      you: NOBODY,
      presence: { players: [], watchers: 0 },
      connection: "connecting",
      thinking: null,
      thought: null,
      refusal: null,
      pending: null,
      stuck: null,
      problem: null,
    });
  }

  open(): void {
    this.opening = new Errand(() => api.state(this.id), {
      wanted: () => !this.closed,
      done: (view) => {
        if (this.closed) return;
        this.set({ problem: null });
        this.take(view);
        this.listen();
      },
      trouble: (problem) => this.set({ problem }),
    });
  }

  private listen(): void {
    this.live = new Live(this.id, {
      message: (message) => this.hear(message),
      connection: (open) => {
        this.set({ connection: open ? "live" : "lost" });
        if (!open) return;
        this.mind?.hurry();
        this.drive();
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
    this.opening?.hurry();
    this.live?.hurry();
    this.mind?.hurry();
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
    return this.told(() => insist(() => api.move(request)), factsOf(view, player, move));
  }

  ask = (wish: Wish): Promise<boolean> => this.told(() => api.ask(this.id, wish, this.version()));

  answer = (accept: boolean): Promise<boolean> => this.told(() => api.answer(this.id, accept));

  resign = (player: string): Promise<boolean> => this.told(() => api.resign(this.id, player));

  async join(name: string): Promise<void> {
    const joined = await this.told(async () => {
      await api.session(name);
      return api.join(this.id);
    });
    // The stream was opened as a stranger's.
    if (joined) this.live?.again();
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

  readonly forgive = (): void => this.set({ refusal: null });

  private version = (): number => this.get().view?.version ?? 1;

  private async told(send: () => Promise<GameState>, facts: Facts = {}): Promise<boolean> {
    try {
      this.take(await send());
      return true;
    } catch (error) {
      this.refused(error, facts);
      return false;
    }
  }

  private refused(error: unknown, facts: Facts = {}): void {
    this.set({ pending: null });
    if (error instanceof Refusal) {
      if (error.state) this.take(error.state);
      this.set({ refusal: { code: error.code, message: error.message, facts, at: Date.now() } });
    } else if (error instanceof Unreachable) {
      this.set({ refusal: { code: "unreachable", message: "", facts, at: Date.now() } });
    } else throw error;
  }

  private take(given: GameState, said: Partial<TableState> = {}): void {
    const { view: known, pending, you, thinking } = this.get();
    const view = newer(known, given);
    const changed = known === null || view.version !== known.version;
    this.set({
      view,
      you: given.you ?? you,
      pending: stillPending(pending, view),
      thinking: changed ? null : thinking,
      ...(changed && { refusal: null, stuck: null }),
      ...said,
    });
    this.drive();
  }

  private hear(message: LiveMessage): void {
    switch (message.type) {
      case "state":
        this.set({ you: message.you, presence: message.presence });
        this.take(message.state);
        break;
      case "event":
        if (message.state) this.take(message.state);
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

  /** Have the AI move when it is its turn; the server thinks once however often it is asked. */
  private drive(): void {
    const { view, you } = this.get();
    if (view === null || this.closed || !isAiTurn(view, you) || this.asked === view.version) return;
    const { version } = view;
    this.asked = version;
    this.mind = new Errand(() => api.aiMove(this.id, version), {
      wanted: () => !this.closed && this.version() === version,
      // The stream may have shown the move already; what the AI thought of it only comes here.
      done: ({ state, ...thought }) => this.take(state, { thought }),
      trouble: (stuck) => {
        if (stuck.state) this.take(stuck.state);
        if (this.version() === version) this.set({ stuck, thinking: null });
      },
    });
  }
}
