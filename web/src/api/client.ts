/** Calls to the server. Every refusal is a Refusal with the server's code and words. */
import type { components } from "./schema";

type Schemas = components["schemas"];
type With<T, U> = Omit<T, keyof U> & U;

/** What a note may say: plain values, names, or another note. */
export type Fact = string | number | boolean | null | readonly string[] | Note;
export type Facts = Readonly<Record<string, Fact>>;
/** Something to say, as a code and its facts. */
export type Note = With<Schemas["Note"], { facts: Facts }>;
export type NoteCode = Schemas["NoteCode"];
export type Stage = Schemas["Stage"];
export type Progress = Schemas["Progress"];
export type Presence = Schemas["Presence"];
export type StreamMessage =
  | Schemas["StateMessage"]
  | Schemas["EventMessage"]
  | Schemas["ResumedMessage"]
  | Schemas["PresenceMessage"]
  | Schemas["ThinkingMessage"]
  | Schemas["HeartbeatMessage"]
  | Schemas["PongMessage"];
export type Layout = Schemas["Layout"];
export type Region = Schemas["Region"];
/** What a game is called and what one tries to do. */
export type About = Schemas["About"];
export type GameState = Schemas["GameState"];
export type Preset = Schemas["Preset"];
export type GameInfo = Schemas["GameInfo"];
export type OptionInfo = Schemas["OptionInfo"];
export type LevelInfo = Schemas["LevelInfo"];
export type LegalMove = Schemas["LegalMove"];
export type PlayedMove = Schemas["PlayedMove"];
export type SeatState = Schemas["SeatState"];
export type You = Schemas["You"];
export type AiMove = With<Schemas["AiMove"], { note: Note | null }>;
export type Hint = With<Schemas["Hint"], { note: Note | null; reason?: Note | null }>;
export type Analysis = Schemas["AnalysisState"];
export type AnalysisBody = Schemas["AnalysisBody"];
export type Evaluation = Schemas["ProvenValue"] | Schemas["EstimatedValue"];
export type Threat = Schemas["ThreatState"];
export type Review = With<Schemas["ReviewState"], { moves: GradedMove[] }>;
export type GradedMove = With<Schemas["GradedMove"], { reason?: Note | null }>;
export type GameHistory = Schemas["Moments"];
export type BoardInfo = Schemas["BoardInfo"];
export type RuleScene = Schemas["RuleScene"];
export type RuleInfo = Schemas["RuleInfo"];
export type RulesInfo = Schemas["RulesInfo"];
export type OpeningInfo = Schemas["OpeningInfo"];
export type OpeningMap = Schemas["OpeningMap"];
export type MoveRequest = Schemas["MoveRequest"];
export type Session = Schemas["Session"];
type ErrorBody = With<Schemas["Error"], { facts?: Facts | null }>;
export type Grade = GradedMove["grade"];
/** What a player can ask for that may need the others' consent. */
export type Wish = "undo" | "redo" | "reset";

/** The server said no. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly facts: Facts = {},
    readonly state: GameState | null = null,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** The server did not answer at all. */
export class Unreachable extends Error {}

type Some<T> = { [K in keyof T]?: T[K] | undefined };

/** What a game begins with; a level is any that the server has named. */
export type NewGame = Some<Omit<Schemas["StartRequest"], "level">> & { level?: string };

async function call<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Unreachable(path);
  }
  if (response.ok) return (await response.json()) as T;
  const wait = Number(response.headers.get("Retry-After"));
  let error: Partial<ErrorBody> = {};
  try {
    error = (await response.json()) as ErrorBody;
  } catch {
    // A proxy's error page says nothing that we could show.
  }
  if (response.status >= 502 && !error.error) throw new Unreachable(path);
  throw new Refusal(
    response.status,
    error.error ?? "error",
    error.message ?? response.statusText,
    error.facts ?? {},
    error.state ?? null,
    wait > 0 ? wait : null,
  );
}

const at = (id: string, what: string) => `/game/${encodeURIComponent(id)}/${what}`;
const query = (game: string) => `?game=${encodeURIComponent(game)}`;

export const api = {
  games: () => call<GameInfo[]>("GET", "/games"),
  levels: () => call<LevelInfo[]>("GET", "/levels"),
  board: (game: string) => call<BoardInfo>("GET", `/games/board${query(game)}`),
  rules: (game: string) => call<RulesInfo>("GET", `/games/rules${query(game)}`),
  openings: () => call<OpeningInfo[]>("GET", "/openings/list"),
  openingMap: (game: string) => call<OpeningMap>("GET", `/openings/map${query(game)}`),
  session: (name: string) => call<Session>("POST", "/session", { name, cookie: true }),
  start: (request: NewGame) => call<GameState>("POST", "/game/start", request),
  state: (id: string) => call<GameState>("GET", `/game/state/${encodeURIComponent(id)}`),
  move: (request: Some<MoveRequest>) => call<GameState>("POST", "/game/move", request),
  aiMove: (gameId: string, expectedVersion: number) =>
    call<AiMove>("POST", "/ai/move", { gameId, expectedVersion }),
  ask: (id: string, wish: Wish, expectedVersion: number) =>
    call<GameState>("POST", at(id, wish), { expectedVersion }),
  answer: (id: string, accept: boolean) => call<GameState>("POST", at(id, "answer"), { accept }),
  resign: (id: string, player: string) => call<GameState>("POST", at(id, "resign"), { player }),
  join: (id: string) => call<GameState>("POST", at(id, "join"), {}),
  rematch: (id: string) => call<GameState>("POST", at(id, "rematch"), {}),
  hint: (id: string) => call<Hint>("POST", at(id, "hint"), { seconds: 2 }),
  analysis: (id: string, ply: number) => call<Analysis>("POST", at(id, "analysis"), { seconds: 1, ply }),
  review: (id: string) => call<Review>("POST", at(id, "review"), { seconds: 5 }),
  history: (id: string) => call<GameHistory>("GET", at(id, "moments")),
  recordAddress: (id: string) => at(id, "record"),
};
