import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { GameState } from "../api/client";
import { waitBefore } from "../api/request";
import type { StreamHandlers } from "../api/stream";
import { isAiTurn, isMine, newer, stillPending } from "../model/view";
import { announce, announcements } from "./announcer";
import { GameStore } from "./gameStore";
import { parseRoute, rulesPath } from "./route";

const live = vi.hoisted(() => ({ handlers: null as StreamHandlers | null }));
vi.mock("../api/stream", async (original) => ({
  ...(await original<typeof import("../api/stream")>()),
  LiveStream: class {
    constructor(_id: string, handlers: StreamHandlers) {
      live.handlers = handlers;
    }
    close() {}
    reconnect() {}
    retryNow() {}
  },
}));

vi.mock("./games", async () => {
  const { NO_WORDS } = await import("../text/gameWords");
  return { loadWords: () => Promise.resolve(NO_WORDS) };
});

const place = (cell: number) => ({ row: Math.floor(cell / 3), col: cell % 3, layer: 0, move: `m${cell}` });

function view(version: number, moves: number[], change: Partial<GameState> = {}): GameState {
  const board = [0, 1, 2].map((row) =>
    [0, 1, 2].map((col) => {
      const at = moves.indexOf(row * 3 + col);
      return at < 0 ? (0 as const) : at % 2 ? "O" : "X";
    }),
  );
  const played = moves.map((cell, at) => ({
    ...place(cell),
    player: at % 2 ? "O" : "X",
    timestamp: 0,
    capturedCount: 0,
  }));
  const seat = { kind: "person", name: null, level: null } as const;
  return {
    id: "game",
    board,
    currentPlayer: moves.length % 2 ? "O" : "X",
    mode: "PvP",
    winner: null,
    moveHistory: played,
    version,
    status: "playing",
    legalMoves: [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((cell) => !moves.includes(cell)).map(place),
    lastMove: played.at(-1) ?? null,
    winningCells: [],
    layout: { kind: "square", rows: 3, cols: 3, layers: 1, gravity: false },
    watchId: "watch",
    game: "3x3",
    title: "Tic-tac-toe",
    goal: "Three in a row.",
    about: { title: { code: "plain", facts: {} }, goal: { code: "plain", facts: {} } },
    name: "lines",
    owned: [],
    captures: {},
    notice: null,
    marks: ["X", "O"],
    first: "X",
    level: null,
    seats: { X: seat, O: seat },
    canUndo: false,
    canRedo: false,
    needsConsent: false,
    offer: null,
    resigned: null,
    ended: null,
    tiles: null,
    rematchWatchId: null,
    you: { role: "player", marks: ["X", "O"] },
    ...change,
  };
}

type Answer = { status?: number; headers?: Record<string, string>; body: unknown } | "unreachable";

/** Answers calls in turn, each when it is told to. */
class Server {
  readonly calls: { path: string; body: unknown; answer: (answer: Answer) => void }[] = [];

  readonly fetch = (path: string, options: { body?: string }): Promise<Response> =>
    new Promise((resolve, reject) => {
      this.calls.push({
        path,
        body: options.body ? JSON.parse(options.body) : null,
        answer: (answer) => {
          if (answer === "unreachable") reject(new TypeError("network"));
          else {
            const { status = 200, headers = {} } = answer;
            resolve(new Response(JSON.stringify(answer.body), { status, headers }));
          }
        },
      });
    });
}

const settled = () => vi.advanceTimersByTimeAsync(1);

const progress = { stage: "engine", depth: 4, nodes: 100, seconds: 0.5 } as const;

describe("a game", () => {
  let server: Server;
  let store: GameStore;
  beforeEach(async () => {
    vi.useFakeTimers();
    server = new Server();
    vi.stubGlobal("fetch", server.fetch);
    store = new GameStore("game");
    store.open();
    server.calls.pop()?.answer({ body: view(1, []) });
    await settled();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("shows our move at once and drops it for the server's answer", async () => {
    void store.play({ cell: 4 });
    expect(store.get().pending).toEqual({ version: 1, player: "X", cell: 4 });
    server.calls[0]?.answer({ body: view(2, [4]) });
    await settled();
    expect(store.get().pending).toBeNull();
    expect(store.get().view?.version).toBe(2);
  });

  it("takes the stream's word for it when that comes first, and never goes back", async () => {
    void store.play({ cell: 4 });
    live.handlers?.message({
      type: "event",
      version: 2,
      event: { action: "make_move" },
      state: view(2, [4]),
    });
    live.handlers?.message({
      type: "event",
      version: 3,
      event: { action: "make_move" },
      state: view(3, [4, 0]),
    });
    expect(store.get().pending).toBeNull();
    server.calls[0]?.answer({ body: view(2, [4]) });
    await settled();
    expect(store.get().view?.version).toBe(3);
  });

  it("takes a refused move off the board and says why", async () => {
    void store.play({ cell: 4 });
    server.calls[0]?.answer({
      status: 400,
      body: { error: "occupied", message: "b2 is taken", facts: { move: "b2" }, statusCode: 400 },
    });
    await settled();
    expect(store.get().pending).toBeNull();
    expect(store.get().refusal).toMatchObject({
      code: "occupied",
      message: "b2 is taken",
      facts: { move: "b2" },
    });
  });

  it("catches up when the game has moved on", async () => {
    void store.play({ cell: 4 });
    const state = view(3, [0, 8]);
    server.calls[0]?.answer({
      status: 409,
      body: { error: "stale_version", message: "moved on", statusCode: 409, state },
    });
    await settled();
    expect(store.get().view?.version).toBe(3);
    expect(store.get().refusal?.code).toBe("stale_version");
  });

  it("sends a move again with the same key until the server is back", async () => {
    void store.play({ cell: 4 });
    server.calls[0]?.answer("unreachable");
    await vi.advanceTimersByTimeAsync(400);
    expect(server.calls).toHaveLength(2);
    expect(server.calls[1]?.body).toEqual(server.calls[0]?.body);
    expect(store.get().pending).not.toBeNull();
    server.calls[1]?.answer({ body: view(2, [4]) });
    await settled();
    expect(store.get().view?.version).toBe(2);
  });

  it("plays one move at a time and none that is shown before it is legal", () => {
    void store.play({ cell: 4 });
    void store.play({ cell: 5 });
    expect(server.calls).toHaveLength(1);
  });

  const ai = { kind: "ai", name: null, level: "easy" } as const;
  const person = { kind: "person", name: null, level: null } as const;
  const change = { seats: { X: person, O: ai }, you: { role: "player" as const, marks: ["X"] } };
  const onAi = () =>
    live.handlers?.message({
      type: "state",
      version: 2,
      state: view(2, [4], change),
      you: change.you,
      presence: { players: [], watchers: 0 },
    });

  it("asks the AI once for each version", async () => {
    onAi();
    live.handlers?.connection(true, 0);
    expect(server.calls.map((call) => call.path)).toEqual(["/ai/move"]);
    server.calls[0]?.answer({
      body: { player: "O", note: { code: "guess", facts: {} }, state: view(3, [4, 0], change) },
    });
    await settled();
    expect(store.get().thought?.note?.code).toBe("guess");
    expect(store.get().view?.version).toBe(3);
  });

  it("asks an AI that fails again, later and later, and says so", async () => {
    onAi();
    const failed = { error: "unavailable", message: "the database does not answer", statusCode: 503 };
    server.calls[0]?.answer({ status: 503, body: failed });
    await settled();
    expect(store.get().aiFailure?.kind).toBe("busy");
    await vi.advanceTimersByTimeAsync(600);
    server.calls[1]?.answer({ status: 500, body: { ...failed, error: "internal", statusCode: 500 } });
    await vi.advanceTimersByTimeAsync(1200);
    expect(server.calls).toHaveLength(3);
    server.calls[2]?.answer({
      body: { player: "O", note: { code: "guess", facts: {} }, state: view(3, [4, 0], change) },
    });
    await settled();
    expect(store.get()).toMatchObject({ aiFailure: null, view: { version: 3 } });
  });

  it("asks an AI that said no again only when the player wants to", async () => {
    onAi();
    const body = { error: "board_too_large", message: "too large", statusCode: 400 };
    server.calls[0]?.answer({ status: 400, body });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.calls).toHaveLength(1);
    expect(store.get().aiFailure).toMatchObject({ kind: "refused", message: "too large" });
    store.retry();
    expect(server.calls).toHaveLength(2);
  });

  it("knows who watches and what the AI is doing", () => {
    live.handlers?.message({ type: "presence", players: ["X"], watchers: 3 });
    live.handlers?.message({ type: "thinking", player: "X", level: "hard", progress });
    expect(store.get()).toMatchObject({ presence: { watchers: 3 }, thinking: { progress: { depth: 4 } } });
    live.handlers?.connection(false, 1);
    expect(store.get().connection).toBe("lost");
  });
});

describe("a game that cannot be shown yet", () => {
  const busy = (headers: Record<string, string> = {}) => ({
    status: 503,
    headers,
    body: { error: "unavailable", message: "the database does not answer", statusCode: 503 },
  });
  let server: Server;
  let store: GameStore;
  beforeEach(() => {
    vi.useFakeTimers();
    server = new Server();
    vi.stubGlobal("fetch", server.fetch);
    store = new GameStore("game");
    store.open();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("asks again while the server is busy, and when it was told to", async () => {
    server.calls[0]?.answer(busy());
    await settled();
    expect(store.get().loadFailure).toMatchObject({ kind: "busy", code: "unavailable" });
    await vi.advanceTimersByTimeAsync(600);
    expect(server.calls).toHaveLength(2);
    server.calls[1]?.answer(busy({ "Retry-After": "3" }));
    await vi.advanceTimersByTimeAsync(2900);
    expect(server.calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    server.calls[2]?.answer({ body: view(1, []) });
    await settled();
    expect(store.get()).toMatchObject({ loadFailure: null, view: { version: 1 } });
  });

  it("asks at once when the player wants to", async () => {
    server.calls[0]?.answer("unreachable");
    await settled();
    expect(store.get().loadFailure?.kind).toBe("unreachable");
    store.retry();
    store.retry();
    expect(server.calls).toHaveLength(2);
  });

  it("is missing only where the server knows no such game", async () => {
    const body = { error: "game_not_found", message: "no game has this id", statusCode: 404 };
    server.calls[0]?.answer({ status: 404, body });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.get().loadFailure?.kind).toBe("missing");
    expect(server.calls).toHaveLength(1);
  });

  it("asks no more once nobody looks", async () => {
    server.calls[0]?.answer(busy());
    await settled();
    store.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.calls).toHaveLength(1);
  });
});

describe("views", () => {
  it("say whose turn it is", () => {
    const you = { role: "player" as const, marks: ["X"] };
    expect(isMine(view(1, []), you)).toBe(true);
    expect(isMine(view(2, [0]), you)).toBe(false);
    expect(isMine(view(1, [], { status: "draw" }), you)).toBe(false);
    expect(isAiTurn(view(1, []), you)).toBe(false);
  });
  it("are reconciled by version", () => {
    expect(newer(view(3, []), view(2, [])).version).toBe(3);
    expect(newer(null, view(2, [])).version).toBe(2);
    const pending = { version: 2, player: "X", cell: 0 };
    expect(stillPending(pending, view(2, []))).toBe(pending);
    expect(stillPending(pending, view(3, []))).toBeNull();
  });
});

describe("the stream", () => {
  it("waits longer and longer, but not too long", () => {
    const waits = [0, 1, 2, 3, 4, 9].map((tries) => waitBefore(tries, 0.5));
    expect(waits).toEqual([400, 800, 1600, 3200, 6400, 8000]);
    expect(waitBefore(0, 0)).toBeLessThan(waitBefore(0, 1));
  });
});

describe("announcements", () => {
  it("change even when the same is said again, so that it is heard again", () => {
    const said = [
      "A move was taken back.",
      "A move was taken back.",
      "A move was taken back.",
      "X wins.",
    ].map((text) => {
      announce(text);
      return announcements.get().polite;
    });
    expect(said.map((text) => text.trim())).toEqual([
      ...Array<string>(3).fill("A move was taken back."),
      "X wins.",
    ]);
    said.slice(1).forEach((text, at) => expect(text).not.toBe(said[at]));
    announce("X wins.", "assertive");
    expect(announcements.get()).toMatchObject({ polite: "X wins.", assertive: "X wins." });
  });
});

describe("routes", () => {
  it("come from the address", () => {
    expect(parseRoute("/")).toEqual({ page: "front" });
    expect(parseRoute("/play/a%20b")).toEqual({ page: "play", id: "a b" });
    expect(parseRoute("/rules", "?game=hex%2Csize%3D7")).toEqual({ page: "rules", game: "hex,size=7" });
    expect(parseRoute("/rules")).toEqual({ page: "missing" });
    const path = new URL(rulesPath("3x3,setup=X:b2"), "http://here");
    expect(parseRoute(path.pathname, path.search)).toEqual({ page: "rules", game: "3x3,setup=X:b2" });
    expect(parseRoute("/openings", "?game=3x3%2Cmisere")).toEqual({ page: "openings", game: "3x3,misere" });
    expect(parseRoute("/play").page).toBe("missing");
    expect(parseRoute("/watch/a/b").page).toBe("missing");
    expect(parseRoute("/play/100%").page).toBe("missing");
  });
});
