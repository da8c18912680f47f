/** Every text of the page, in English. A language is another file of this shape; see docs/web.md. */

/** What is known of an action that was refused. */
export interface RefusalFacts {
  /** The move as people write it. */
  move?: string;
  player?: string;
  turn?: string;
  /** Whose mark is on the cell. */
  holder?: string;
}

const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const MARKS: Record<string, string> = { R: "Red", G: "Green" };
const mark = (of: string) => MARKS[of] ?? of;

type Value = "win" | "draw" | "loss";

const cell = (move: string | undefined) => move ?? "That move";
const seat = (of: string | undefined) => (of === undefined ? "That player" : mark(of));

/** Why something was refused, by the server's code. */
const REFUSALS: Record<string, (facts: RefusalFacts) => string> = {
  unreachable: () => "The server does not answer. Nothing was done; try again in a moment.",
  stale_version: () => "The game has moved on in the meantime.",
  game_over: () => "The game is over.",
  wrong_turn: ({ turn }) => (turn === undefined ? "It is not your turn." : `It is ${mark(turn)}'s turn.`),
  out_of_bounds: ({ move }) => `${cell(move)} is not on this board.`,
  invalid_notation: ({ move }) => `${cell(move)} is no move that can be read.`,
  occupied: ({ move, holder }) => `${cell(move)} is already taken${holder ? ` by ${mark(holder)}` : ""}.`,
  not_adjacent: ({ move, player }) => `${cell(move)} does not touch a tile of ${seat(player)}.`,
  pass_not_allowed: ({ player }) => `${seat(player)} can place a tile and so may not pass.`,
  swap_not_allowed: () =>
    "Only the second player may swap, right after the first stone, where the game has it.",
  unknown_player: () => "This game has no such player.",
  not_your_seat: () => "That seat is not yours.",
  watch_only: () => "This link only shows the game.",
  session_needed: () => "The server does not know you any more. Load the page again.",
  seat_taken: () => "Somebody else has taken the seat.",
  no_free_seat: () => "No seat is free.",
  your_own_offer: () => "The other player has to answer that.",
  already_offered: () => "Something is asked for already.",
  no_offer: () => "Nothing is asked for any more.",
  nothing_to_undo: () => "There is nothing to take back.",
  nothing_to_redo: () => "There is nothing to play again.",
  not_over: () => "The game is not over yet.",
  no_help: () => "There is no help in a game between people until it is over.",
  no_ai: () => "No computer plays in this game.",
  unknown_level: () => "This server does not have that opponent.",
  agent_cannot_play: () => "That opponent does not play this game.",
  agent_missing: () => "That opponent is not here at the moment.",
  agent_failed: () => "That opponent cannot play at the moment.",
  board_too_large: () => "The board is larger than this server takes.",
  not_solved: () => "There is no map of this game.",
  game_not_found: () => "There is no game under this link.",
  too_long: () => "This game has become too long to go on.",
  too_busy: () => "Too many act on this game at once. Try again.",
  too_many_requests: () => "That was too much at once. Wait a moment.",
  too_many_ai_tasks: () => "You have asked for too much at once. Wait a moment.",
  too_many_streams: () => "Too many pages are open at once.",
  ai_busy: () => "The computer has too much to do. Try again in a moment.",
  no_ai_worker: () => "The computer is not here at the moment.",
  unavailable: () => "The server cannot store anything right now. Nothing was done.",
  closing: () => "The server is being restarted. Try again in a moment.",
  internal: () => "Something went wrong on the server.",
};

export const en = {
  language: "en",
  mark,
  name: "noughts",
  skip: "Skip to the content",
  title: (page: string) => `${page} – noughts`,
  nav: { label: "Main", play: "Play", openings: "Openings" },
  settings: {
    theme: { label: "Colours", auto: "as the system", light: "light", dark: "dark" },
    sound: (on: boolean) => (on ? "Sound is on" : "Sound is off"),
  },
  front: {
    title: "Play",
    heading: "What shall we play?",
    games: "Games",
    setup: "How to play it",
    opponent: {
      label: "Opponent",
      here: "Friend here",
      link: "Friend by link",
      ai: "Computer",
      hereHelp: "Two people at this screen, in turn.",
      linkHelp: "You get a link to send. Whoever opens it first takes the other seat.",
    },
    levelLabel: "How strong?",
    level: {
      easy: "Easy",
      medium: "Medium",
      hard: "Hard",
      perfect: "Perfect",
    } as Record<string, string>,
    starts: {
      label: "Who starts?",
      me: "I do",
      other: "They do",
      chance: "By chance",
      mark: (of: string) => `${mark(of)} starts`,
    },
    options: "Options",
    incomplete: "A number is missing in the options.",
    name: "Your name (if you like)",
    play: "Play",
    starting: "Setting up…",
    loading: "Asking the server for its games…",
    failed: "The server does not answer.",
    custom: { name: "Any size", summary: "k in a row on a board of your own" },
  },
  games: {
    lines: {
      title: "k in a row",
      summary: "Mark cells in turn; the first with k in a row, in any direction, wins.",
    },
    hex: {
      title: "Hex",
      summary: "Place stones in turn; X wins by joining top and bottom, O by joining left and right.",
    },
    duel: {
      title: "Infinity Grid Duel",
      summary:
        "Place next to your own tiles and capture the enemy's beside you; most tiles on the full board wins.",
    },
  } as Record<string, { title: string; summary: string }>,
  cards: {
    tictactoe: { name: "Tic-tac-toe", summary: "Three in a row. The classic." },
    "4x4": { name: "4×4", summary: "Four in a row on a bigger board." },
    misere: { name: "Misère", summary: "Three in a row loses." },
    gomoku: { name: "Gomoku", summary: "Five in a row on 15×15." },
    qubic: { name: "3-D", summary: "Four in a row in a cube." },
    hex: { name: "Hex", summary: "Join your two sides. No draws." },
    hex7: { name: "Hex", summary: "Join your two sides. No draws." },
    peaceful: { name: "Duel", summary: "Grow, capture, own the most." },
  } as Record<string, { name: string; summary: string }>,
  option: {
    size: { name: "Board", help: "How many rows and columns, and layers for a cube." },
    k: { name: "In a row", help: "How many in a row it takes." },
    players: { name: "Players", help: "How many play, one after the other." },
    misere: { name: "Misère", help: "Turned around: whoever completes a row loses." },
    exact: { name: "Exactly", help: "A longer row does not count." },
    corners: { name: "Corners", help: "Three of the four corners win as well." },
    early_draw: { name: "Early draw", help: "Stop as soon as nobody can win any more." },
    swap: {
      name: "Swap",
      help: "After the first stone the second player may take it over, so nobody wants to open too strongly. Fair.",
    },
    opening: {
      name: "Opening",
      help: "Peaceful is the fair game: the two opening tiles capture nothing. Capture plays the rules to the letter, and then the second player can take the first tile at once and win every cell. That is proven.",
      choices: { peaceful: "peaceful", capture: "capture" },
    },
  } as Record<string, { name: string; help: string; choices?: Record<string, string> }>,
  size: { rows: "Rows", cols: "Columns", layers: "Layers", side: "Cells per side" },
  seat: {
    label: "Players",
    you: "You",
    open: "free seat",
    ai: (level: string) => `Computer (${level})`,
    tilesWord: "tiles",
    away: "away",
    here: "here",
    onTurn: "on turn",
  },
  status: {
    yourTurn: "Your turn",
    turn: (of: string) => `${mark(of)} to move`,
    waiting: "Waiting for your friend",
    free: "A seat is free",
    thinking: "The computer is thinking",
    stuck: "The computer does not move.",
    youWin: "You win!",
    youLose: "You lose",
    wins: (of: string) => `${mark(of)} wins`,
    draw: "A draw",
    why: {
      line: "a row is complete",
      chain: "both sides are joined",
      tiles: "no more tiles can be placed",
      full: "the board is full",
      dead: "nobody can complete a row any more",
      resigned: "by resignation",
    } as Record<string, string>,
    misereLine: "by completing a row",
    tiles: (counts: [string, number][]) => counts.map(([of, count]) => `${mark(of)} ${count}`).join(", "),
    past: (ply: number, of: number) => `Looking at move ${ply} of ${of}`,
    back: "Back to now",
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
      easy: "It plays quickly and errs often.",
      medium: "It looks a little ahead.",
      hard: "It searches as far as its time allows.",
      perfect: "It looks for a proof.",
    } as Record<string, string>,
  },
  board: {
    label: (title: string) => `Board, ${title}`,
    layer: (number: number) => `Layer ${number}`,
    empty: "empty",
    last: "last move",
    winning: "winning",
    hint: "hint",
    keys: "Arrow keys move, Enter plays. Home and End go along the row, Page Up and Page Down between layers.",
    zoom: "Zoom",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    confirm: (cell: string, of: string) => `${mark(of)} at ${cell}?`,
    place: "Place it",
    cancel: "Cancel",
    tapTwice: "Tap twice to play",
    turnable: "Cube that can be turned by dragging",
    turnableHelp: "Drag to turn. Everything can also be played on the layers.",
    noWebgl: "This browser cannot draw in 3-D. The layers show everything.",
    loading3d: "Loading the 3-D view…",
    no3d: "The 3-D view could not be loaded. The layers show everything.",
  },
  typed: { label: "Type a move", example: (cell: string) => `such as ${cell}`, play: "Play" },
  moves: {
    label: "Moves",
    none: "No move yet.",
    captured: (count: number) => `captures ${count}`,
    first: "First moment",
    back: "One move back",
    forward: "One move forward",
    last: "Latest moment",
    names: { pass: "pass", swap: "swap" } as Record<string, string>,
  },
  actions: {
    label: "Actions",
    undo: "Undo",
    redo: "Redo",
    restart: "Restart",
    resign: "Resign",
    really: "Really resign?",
    yes: "Yes, resign",
    no: "No",
    rematch: "Rematch",
    fresh: "New game",
    review: "Review the game",
    pass: "Pass",
    swap: "Swap: take over the stone",
    offers: { undo: "take a move back", redo: "play a move again", reset: "begin again" } as Record<
      string,
      string
    >,
    asks: (of: string, what: string) => `${mark(of)} would like to ${what}.`,
    asked: (what: string) => `You ask to ${what}. Waiting for an answer.`,
    agreed: (of: string, what: string) => `You agree that ${mark(of)} may ${what}. Waiting for the others.`,
    agree: "Agree",
    decline: "Decline",
    withdraw: "Take it back",
    follow: "The next game has begun",
  },
  share: {
    invite: "Send this link to your friend",
    watch: "Link to watch",
    copy: "Copy",
    copied: "Copied",
    selected: "Selected: copy it now",
    failed: "Cannot copy here",
    joinHeading: "You are invited",
    join: (of: string) => `Play as ${mark(of)}`,
  },
  presence: {
    watching: (count: number) => plural(count, "watcher", "watchers"),
  },
  connection: {
    lost: "The connection is lost. Trying again…",
    retry: "Try now",
    resumed: "Connected again.",
  },
  refusal: {
    label: "Not possible",
    codes: REFUSALS,
    dismiss: "All right",
  },
  understand: {
    label: "Understand",
    hint: "Hint",
    hinting: "Looking…",
    hintSays: (cell: string, note: string) => `${cell}: ${note}`,
    bar: "Evaluation",
    heat: "Worth of every move",
    proven: "proven",
    estimate: "estimate",
    unknown: "unknown",
    working: "Working it out…",
    noHelp: "There are no hints in a game between people until it is over.",
    says: (of: string, text: string) => `${mark(of)}: ${text}`,
    barLabel: "Evaluation bar",
    threats: "Threats",
    threat: {
      win: (of, cells) => `${mark(of)} wins at ${cells}`,
      lose: (of, cells) => `${mark(of)} loses at ${cells}`,
      open: (of, cells) => `${mark(of)} has an open row, to be extended at ${cells}`,
      fork: (of, cells) => `${mark(of)} makes two threats at once at ${cells}`,
      capture: (of, cells) => `${mark(of)} captures at ${cells}`,
      bridge: (of, cells) => `${mark(of)} has a bridge over ${cells}`,
    } as Record<string, (of: string, cells: string) => string>,
    legend: { win: "win", draw: "draw", loss: "loss" },
    short: {
      win: (plies: number | null) => (plies === null ? "W" : `W${plies}`),
      loss: (plies: number | null) => (plies === null ? "L" : `L${plies}`),
      draw: "D",
      percent: (share: number) => `${Math.round(share)}%`,
    },
  },
  /** What a position or a move is worth. */
  worth: {
    is: { win: "win", draw: "draw", loss: "loss" },
    in: (value: Value, plies: number) => `${value} in ${plies}`,
    within: (value: Value, plies: number) => `${value} within ${plies}`,
    by: (value: Value, tiles: number) => `${value} by ${plural(tiles, "tile", "tiles")}`,
    about: (share: number, low: number, high: number) => `about ${share} % (${low}–${high} %)`,
  },
  /** What players say of their moves. */
  note: {
    best: (value: Value) => `a ${value} with best play`,
    ahead: (plies: number) => `best after ${plural(plies, "ply", "plies")}, not proven`,
    games: (share: number, games: number) =>
      `scores ${share} % in ${plural(games, "random game", "random games")}`,
    blocks: (of: string) => `blocks ${mark(of)}`,
    noProof: (rest: string) => `no proof in time; ${rest}`,
    plain: {
      "a guess": "a guess",
      "a random move, as its epsilon allows": "a random move",
      "at random": "at random",
      centre: "centre",
      corner: "corner",
      edge: "edge",
      "every move completes a row": "every move completes a row",
      "looks best one ply ahead": "looks best one move ahead",
      "no placement is possible": "no tile can be placed",
      "no time to look ahead": "no time to look ahead",
      "the middle of an empty board": "the middle of an empty board",
      "the program's move": "a move of another program",
      wins: "wins",
    } as Record<string, string>,
  },
  /** What the computer does, by the stage of its search. */
  stage: {
    best: "Comparing the best moves",
    engine: "Looking ahead",
    line: "Following the best line",
    mcts: "Playing games out",
    search: "Looking ahead",
    solve: "Looking for a proof",
  } as Record<string, string>,
  thinks: (doing: string, depth: number, positions: number) =>
    [doing, depth > 0 ? `${depth} deep` : "", plural(positions, "position", "positions")]
      .filter(Boolean)
      .join(", "),
  watch: { title: "Watch", badge: "You are watching", play: "Play a game of your own" },
  replay: {
    title: "Replay",
    heading: "Replay",
    controls: "Replay",
    play: "Play",
    pause: "Pause",
    speed: "Speed",
    export: "Save the record",
    copyMoves: "Copy the moves",
    copyLink: "Copy the link",
    review: "Review every move",
    reviewing: "Looking at every move…",
    reviewed: "Review",
    accuracy: (share: number | null) => (share === null ? "–" : `${Math.round(share * 100)} %`),
    accuracyLabel: "good moves",
    graph: "Value after every move",
    better: (cell: string) => `Better: ${cell}`,
    line: "and then",
    unfinished: "This game still goes on.",
    watchIt: "Watch it",
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
    intro: "Some games are solved. Here is what every first move of them is worth when both play perfectly.",
    choose: "Solved game",
    source: (source: string) => `Source: ${source}`,
    sources: {
      "solved exhaustively": "solved exhaustively",
      "folklore; solved exhaustively": "folklore; solved exhaustively",
    } as Record<string, string>,
    verdict: (of: string, text: string) => `With best play: ${text} for ${mark(of)}, who begins.`,
    working: "Solving…",
  },
  missing: {
    title: "Not found",
    heading: "There is nothing here",
    game: "There is no game under this link. It may have been mistyped.",
    page: "There is no such page.",
    home: "To the games",
  },
  broken: {
    heading: "Something went wrong",
    what: "A part of the page could not be loaded or failed. Your game is safe on the server.",
    reload: "Load the page again",
  },
  trouble: {
    title: "Waiting",
    heading: "One moment, please",
    busy: "The server has too much to do right now.",
    unreachable: "The server does not answer.",
    again: "Trying again by itself…",
    retry: "Try again",
  },
  live: {
    moved: (of: string, cell: string, captured: number) =>
      `${mark(of)} plays ${cell}${captured > 0 ? `, captures ${captured}` : ""}.`,
    yourTurn: "Your turn.",
    takenBack: "A move was taken back.",
    begun: "The game begins again.",
    declined: "That was not agreed to. Nothing changes.",
  },
};

export type Catalogue = typeof en;
