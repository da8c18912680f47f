/** Every text of the page, in English. A language is another file of this shape; see docs/web.md. */
import type { NoteCode, Stage } from "../api/client";
import type { Estimate, NoteReader, Value } from "./noteReader";

const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const percent = (score: number) => Math.round(50 * (score + 1));

/** What a position or a move is worth. */
const evaluation = {
  is: { win: "win", draw: "draw", loss: "loss" },
  in: (value: Value, plies: number) => `${value} in ${plies}`,
  within: (value: Value, plies: number) => `${value} within ${plies}`,
  by: (value: Value, tiles: number) => `${value} by ${plural(tiles, "tile", "tiles")}`,
  unclear: "unclear",
  about: ({ score, low, high }: Estimate) => `about ${percent(score)}% (${percent(low)}–${percent(high)}%)`,
};

/** Why something was refused, by the server's code. Games have words of their own for refused moves. */
const REFUSALS: Record<string, string> = {
  unreachable: "The server is not answering. Nothing has changed; try again in a moment.",
  stale_version: "Something else has happened in this game. Have another look.",
  unknown_player: "This game has no such player.",
  not_your_game: "Only the player who started this game can delete it.",
  not_your_seat: "Somebody else plays that side.",
  watch_only: "With this link you can only watch.",
  session_needed: "Your session has ended. Reload the page.",
  seat_taken: "Somebody else has already joined.",
  no_free_seat: "This game is full.",
  your_own_offer: "The other player has to answer that.",
  already_offered: "There is already a request.",
  no_offer: "The request has been withdrawn.",
  nothing_to_undo: "There is nothing to undo.",
  nothing_to_redo: "There is nothing to redo.",
  not_over: "The game is not over yet.",
  no_help: "There are no hints while people play each other.",
  no_ai: "There is no computer player in this game.",
  unknown_level: "This server has no such opponent.",
  level_cannot_play: "That level is not for this game.",
  agent_cannot_play: "That opponent does not play this game.",
  agent_missing: "That opponent is not available at the moment.",
  agent_failed: "That opponent cannot play at the moment.",
  board_too_large: "The board is larger than this server allows.",
  not_solved: "There is no opening map for this game.",
  game_not_found: "There is no game at this address.",
  too_long: "This game has become too long to continue.",
  too_busy: "Too many people are using this game at once. Try again.",
  too_many_requests: "Too many requests. Wait a moment.",
  too_many_ai_tasks: "Too many requests to the computer. Wait a moment.",
  too_many_streams: "This game is open in too many windows.",
  too_many_sockets: "This game is open in too many windows.",
  too_many_games: "The server has no room for another game.",
  newer_game: "The server is being updated. Try again in a moment.",
  server_full: "The server is full. Try again in a moment.",
  request_timeout: "The connection is too slow. Try again.",
  ai_busy: "The computer is busy. Try again in a moment.",
  no_ai_worker: "The computer player is not available at the moment.",
  unavailable: "The server cannot save anything right now. Nothing has changed.",
  closing: "The server is restarting. Try again in a moment.",
  internal: "Something went wrong on the server.",
};

/** Why a player chose its move, by the note's code. Games have words of their own for their rules of thumb. */
const NOTES: Record<NoteCode, (note: NoteReader) => string> = {
  random: () => "a random move",
  epsilon: () => "a random move, to learn something",
  sampled: () => "one of the good moves, picked at random",
  proven: (note) => note.proven(),
  no_proof: (note) => `no proof in time; ${note.nested("found")}`,
  estimate: (note) => note.estimate(),
  searched: (note) => `best after ${plural(note.number("depth"), "ply", "plies")}, not proven`,
  simulated: (note) =>
    `scores ${Math.round(100 * note.number("share"))}% in ${plural(note.number("games"), "random game", "random games")}`,
  looked: (note) => {
    const depth = note.number("depth");
    return depth === 1 ? "looks best one move ahead" : `looks best ${depth} moves ahead`;
  },
  one_ply: () => "looks best one move ahead",
  win_now: () => "wins",
  block_now: () => "stops a win on the next move",
  only_move: () => "the only move that makes sense",
  opening: () => "the middle of an empty board",
  no_time: () => "no time to look ahead",
  guess: () => "a guess",
  window: (note) => `looking at ${note.text("size").replaceAll("x", "×")} cells: ${note.nested("found")}`,
  learned: (note) => `learned from ${plural(note.number("games"), "game", "games")}`,
  in_training: () => "still learning",
  explores: () => "trying something new",
  program: () => "a move of another program",
  message: (note) => note.text("text"),
};

/** What is said instead of notes that are figures, where details are not shown. */
const PLAIN_NOTES: Partial<Record<NoteCode, (note: NoteReader) => string>> = {
  no_proof: (note) => note.nested("found"),
  estimate: () => "looks best",
  searched: () => "looks best",
  simulated: () => "looks best",
  window: (note) => note.nested("found"),
};

/** What a search does, by its stage, and what it counts. */
const STAGES: Record<Stage, { does: string; counts: [one: string, many: string] }> = {
  search: { does: "Looking ahead", counts: ["position", "positions"] },
  solve: { does: "Looking for a proof", counts: ["position", "positions"] },
  best: { does: "Comparing the best moves", counts: ["position", "positions"] },
  line: { does: "Following the best line", counts: ["position", "positions"] },
  engine: { does: "Looking ahead", counts: ["position", "positions"] },
  mcts: { does: "Playing games out", counts: ["simulation", "simulations"] },
  playouts: { does: "Playing random games", counts: ["game", "games"] },
  strong_play: { does: "Playing games by search", counts: ["move", "moves"] },
  count: { does: "Counting", counts: ["position", "positions"] },
  perft: { does: "Counting", counts: ["position", "positions"] },
  exploring: { does: "Listing positions", counts: ["position", "positions"] },
  training: { does: "Training", counts: ["game", "games"] },
  review: { does: "Reviewing", counts: ["position", "positions"] },
};

export const en = {
  language: "en",
  name: "noughts",
  skip: "Skip to the content",
  title: (page: string) => `${page} – noughts`,
  nav: { label: "Main", play: "Play", openings: "Openings" },
  settings: {
    theme: { label: "Theme", auto: "system", light: "light", dark: "dark" },
    sound: (on: boolean) => (on ? "Sound is on" : "Sound is off"),
  },
  front: {
    title: "Play",
    heading: "Choose a game",
    games: "Games",
    setup: "Game setup",
    opponent: {
      label: "Opponent",
      here: "Friend here",
      link: "Friend by link",
      ai: "Computer",
      hereHelp: "You share this screen and take turns.",
      linkHelp: "You get a link to send to your friend. Whoever opens it first joins the game.",
    },
    levelLabel: "Level",
    level: {
      easy: "Easy",
      medium: "Medium",
      hard: "Hard",
      perfect: "Perfect",
      rules: "Simple rules",
    } as Record<string, string>,
    levelOwn: (does: string) => `It ${does}.`,
    starts: {
      label: "Who starts?",
      me: "You",
      other: { ai: "The computer", link: "Your friend" } as Record<string, string>,
      chance: "Random",
      mark: (player: string) => `${player} starts`,
    },
    options: "Options",
    incomplete: "Fill in every number in the options.",
    name: "Your name (optional)",
    play: "Play",
    starting: "Starting…",
    loading: "Loading the games…",
    failed: "The server is not answering.",
  },
  size: { rows: "Rows", cols: "Columns", layers: "Layers" },
  seat: {
    label: "Players",
    you: "You",
    open: "nobody yet",
    ai: (level: string) => `Computer (${level})`,
    tilesWord: "tiles",
    away: "away",
    here: "here",
    onTurn: "to move",
  },
  status: {
    yourTurn: "Your turn",
    turn: (player: string) => `${player} to move`,
    waiting: "Waiting for your friend",
    free: "You can join this game",
    thinking: "The computer is thinking…",
    stuck: "The computer could not move.",
    youWin: "You win!",
    youLose: "You lose",
    wins: (player: string) => `${player} wins`,
    draw: "Draw",
    resigned: "by resignation",
    tiles: (counts: [player: string, count: number][]) =>
      counts.map(([player, count]) => `${player} ${count}`).join(", "),
    past: (ply: number, plies: number) => `Looking at move ${ply} of ${plies}`,
    back: "Back to the game",
    said: (move: string, note: string) => [move, note].filter(Boolean).join(": "),
    thought: (note: string, proven: boolean, nodes: number, seconds: number) =>
      [
        note,
        proven ? "proven" : "",
        nodes > 0
          ? `${plural(nodes, "position", "positions")} in ${seconds.toFixed(seconds < 1 ? 2 : 1)} s`
          : "",
      ]
        .filter(Boolean)
        .join(" · "),
    levelDoes: {
      easy: "It looks one move ahead and overlooks a lot, but never a win.",
      medium: "It looks two moves ahead. It stops your threats, but misses traps.",
      hard: "It looks several moves ahead and misses little.",
      perfect: "It plays what is proven best, or its best guess.",
      rules: "It follows simple rules of thumb.",
    } as Record<string, string>,
  },
  board: {
    label: (title: string) => `Board: ${title}`,
    layer: (number: number) => `Layer ${number}`,
    empty: "empty",
    last: "last move",
    winning: "winning",
    hint: "hint",
    captures: (count: number) => `captures ${count}`,
    wonBy: (player: string) => `in a board won by ${player}`,
    wonByNobody: "in a board that nobody won",
    landsOn: (cell: string) => `a piece here falls to ${cell}`,
    keys: (layers: boolean) =>
      `Use the arrow keys to move around and Enter to play. Home and End jump to the ends of a row.${
        layers ? " Page Up and Page Down change the layer." : ""
      }`,
    zoom: "Zoom",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    confirm: (cell: string, player: string) => `${player} at ${cell}?`,
    place: "Play here",
    cancel: "Cancel",
    tapTwice: "Tap twice to play",
    turnable: "3-D view: drag to turn it",
    turnableHelp: "Drag to turn the cube. You can play here or on the layers.",
    noWebgl: "This browser cannot show the 3-D view. You can play on the layers.",
    loading3d: "Loading the 3-D view…",
    no3d: "The 3-D view could not be loaded. You can play on the layers.",
  },
  typed: { label: "Type a move", example: (cell: string) => `e.g. ${cell}`, play: "Play" },
  moves: {
    label: "Moves",
    none: "No moves yet.",
    captured: (count: number) => `captures ${count}`,
    first: "Start of the game",
    back: "One move back",
    forward: "One move forward",
    last: "Latest move",
    names: { pass: "pass", swap: "swap" } as Record<string, string>,
  },
  actions: {
    label: "Actions",
    undo: "Undo",
    redo: "Redo",
    restart: "Restart",
    resign: "Resign",
    really: "Do you really want to resign?",
    yes: "Yes, resign",
    no: "No",
    rematch: "Rematch",
    fresh: "New game",
    review: "Review the game",
    pass: "Pass",
    swap: "Swap: take over the first stone",
    offers: { undo: "take back a move", redo: "replay a move", reset: "start again" } as Record<
      string,
      string
    >,
    asks: (player: string, what: string) => `${player} would like to ${what}.`,
    asked: (what: string) => `You asked to ${what}. Waiting for an answer.`,
    agreed: (player: string, what: string) =>
      `You agreed that ${player} may ${what}. Waiting for the others.`,
    agree: "Agree",
    decline: "Decline",
    withdraw: "Cancel request",
    follow: "Go to the next game",
  },
  share: {
    invite: "Send this link to your friend",
    watch: "Link for spectators",
    copy: "Copy",
    copied: "Copied",
    selected: "Selected: press Ctrl+C",
    failed: "Copying failed",
    invited: (host: string | null, game: string) =>
      host === null ? `You are invited to ${game}` : `${host} invites you to ${game}`,
    join: (player: string) => `Play as ${player}`,
  },
  presence: {
    watching: (count: number) => plural(count, "spectator", "spectators"),
  },
  connection: {
    lost: "Connection lost. Trying again…",
    retry: "Try now",
    resumed: "Connected again.",
  },
  refusal: {
    label: "Not possible",
    codes: REFUSALS,
    dismiss: "OK",
  },
  understand: {
    label: "Analysis",
    hint: "Hint",
    hinting: "Looking…",
    bar: "Evaluation",
    heat: "Value of every move",
    proven: "proven",
    estimate: "estimate",
    unknown: "unknown",
    working: "Analysing…",
    noHelp: "There are no hints while people play each other.",
    says: (player: string, text: string) => `${player}: ${text}`,
    barLabel: "Evaluation bar",
    details: "Details",
    threats: "Threats",
    legend: { win: "win", draw: "draw", loss: "loss" },
    short: {
      win: (plies: number | null) => (plies === null ? "W" : `W${plies}`),
      loss: (plies: number | null) => (plies === null ? "L" : `L${plies}`),
      draw: "D",
      percent: (share: number) => `${Math.round(share)}%`,
      unclear: "?",
    },
  },
  evaluation,
  notes: NOTES,
  plainNotes: PLAIN_NOTES,
  stages: STAGES,
  progress: (stage: Stage, depth: number, count: number) =>
    [STAGES[stage].does, depth > 0 ? `${depth} deep` : "", plural(count, ...STAGES[stage].counts)]
      .filter(Boolean)
      .join(", "),
  watch: {
    of: (game: string | null) => (game === null ? "Watch" : `Watch ${game}`),
    badge: "You are watching",
    play: "Start your own game",
  },
  rules: {
    link: "Rules",
    newTab: "(opens in a new tab)",
    of: (game: string) => `Rules of ${game}`,
    title: "Rules",
    /** A picture for those who do not see it: "Board: X on A1, B2; O on C3". */
    scene: (marks: [player: string, cells: string[]][]) =>
      marks.length === 0
        ? "Empty board"
        : `Board: ${marks.map(([player, cells]) => `${player} on ${cells.join(", ")}`).join("; ")}`,
    then: "then",
    play: "Play",
  },
  replay: {
    title: "Replay",
    of: (game: string) => `Replay: ${game}`,
    controls: "Replay",
    play: "Play",
    pause: "Pause",
    speed: "Speed",
    export: "Download the game",
    copyMoves: "Copy the moves",
    copyLink: "Copy the link",
    review: "Review every move",
    reviewing: "Looking at every move…",
    reviewed: "Review",
    accuracy: (share: number | null) => (share === null ? "–" : `${Math.round(share * 100)}%`),
    accuracyLabel: "good moves",
    graph: "Value after every move",
    better: (cell: string) => `Better: ${cell}`,
    line: "and then",
    unfinished: "This game is not over yet.",
    watchIt: "Watch it live",
    grades: {
      best: "best",
      good: "good",
      inaccuracy: "inaccuracy",
      mistake: "mistake",
      blunder: "blunder",
      unknown: "not known",
    } as Record<string, string>,
    glyphs: { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??", unknown: "·" } as Record<
      string,
      string
    >,
  },
  openings: {
    title: "Opening maps",
    heading: "Opening maps",
    intro: "These games are solved: here is how each first move ends if both players play perfectly.",
    choose: "Solved game",
    source: (source: string) => `Source: ${source}`,
    verdict: (player: string, text: string) => `With best play: ${text} for ${player}, who moves first.`,
    working: "Solving…",
  },
  missing: {
    title: "Not found",
    heading: "Page not found",
    game: "There is no game at this address. Check the link.",
    page: "There is no page at this address.",
    home: "All games",
  },
  broken: {
    heading: "Something went wrong",
    what: "Part of the page failed to load. Your game is safe on the server.",
    reload: "Reload the page",
  },
  trouble: {
    title: "Waiting",
    heading: "One moment, please",
    refused: "That did not work",
    busy: "The server is busy.",
    unreachable: "The server is not answering.",
    again: "Trying again…",
    retry: "Try again",
  },
  live: {
    moved: (player: string, cell: string, captured: number) =>
      `${player} plays ${cell}${captured > 0 ? `, captures ${captured}` : ""}.`,
    yourTurn: "Your turn.",
    takenBack: "A move was taken back.",
    begun: "The game starts again.",
    declined: "The request was declined.",
  },
};

export type Catalogue = typeof en;
