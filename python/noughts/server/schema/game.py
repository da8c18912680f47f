"""The messages of the API. Unknown fields are refused; the OpenAPI document is made from these."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.note import CODES

__all__ = [
    "AiMove", "AiRequest", "AnalysisRequest", "AnswerRequest", "Error", "GameInfo", "GameState", "JoinRequest",
    "LevelInfo", "MoveRequest", "RematchRequest", "SeatRequest", "Session", "SessionRequest", "StartRequest",
]  # fmt: skip

NoteCode = StrEnum("NoteCode", {code.upper(): code for code in CODES})  # type: ignore[misc]
NoteCode.__doc__ = "The reasons that players give. Games have reasons of their own besides."

GameId = Annotated[str, Field(max_length=64)]
Mark = Annotated[str, Field(min_length=1, max_length=1)]
Version = Annotated[int, Field(ge=1, le=2**31 - 1)]
Coordinate = Annotated[int, Field(ge=-(2**31), le=2**31 - 1)]
INVISIBLE: Final = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
"""Characters that nobody sees: controls, marks that turn the direction of writing, spaces without width, fillers.

With them one name can look like another, or like nothing, and turn the words beside it around.
"""

Name = Annotated[str, Field(max_length=40, pattern=f"^[^{INVISIBLE}]*$")]
Key = Annotated[str, Field(max_length=64, pattern=r"^[!-~]+$")]
Level = Annotated[str, Field(max_length=24, pattern=r"^[a-z][a-z0-9_-]*$")]
Seconds = Annotated[float, Field(gt=0, le=60)]

DEFAULT_GAME: Final = "duel"
"""The game of a start request that names none, so that ``{"mode": "PvP"}`` starts one."""


class Request(BaseModel):
    """What a client sends."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """What the server says."""

    model_config = ConfigDict(extra="forbid")


class StartRequest(Request):
    """Start a game.

    Without `game` it is `duel`, Infinity Grid Duel by the letter of its rules. There the second player (Green, unless
    `starter` says otherwise) can capture the first tile at once and then take every cell. `duel,opening=peaceful` is
    the balanced game.
    """

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"mode": "PvP"},
                {"mode": "PvAI", "game": "duel,opening=peaceful", "level": "rules"},
                {"mode": "PvAI", "game": "4x4", "level": "perfect"},
                {"mode": "PvP", "game": "hex,size=7,swap", "opponent": "link"},
            ]
        },
    )

    mode: Literal["PvP", "PvAI"] = Field(description="two people, or a person against the AI")
    game: str = Field(
        default=DEFAULT_GAME,
        min_length=1,
        max_length=200,
        description="a spec, e.g. 4x4, gomoku or hex,size=7; without one, duel, which favours the second player:"
        " duel,opening=peaceful is the balanced game",
    )
    level: Level = Field(
        default="medium",
        description="how strong the AI is: easy, medium, hard or perfect; rules, where the game has rules of thumb;"
        " or an agent of GET /levels",
        examples=["medium"],
    )
    starter: Mark | None = Field(default=None, description="the mark that moves first (default: the game's first)")
    seat: Mark | None = Field(default=None, description="your mark (default: the first)")
    opponent: Literal["here", "link"] = Field(
        default="here", description="PvP only: both sit here, or the other seats are free for those who get the link"
    )
    idempotencyKey: Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[!-~]+$")] | None = Field(
        default=None, description="random, e.g. a UUID: sent again with the same key, one game is started"
    )


class MoveRequest(Request):
    """Play a move: by row and column (and layer), or by its name."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"gameId": "6Jq…", "player": "R", "row": 2, "col": 3},
                {"gameId": "6Jq…", "player": "G", "move": "b2", "expectedVersion": 7, "idempotencyKey": "a1b2"},
            ]
        },
    )

    gameId: GameId
    player: Annotated[str, Field(max_length=8)]
    row: Coordinate | None = None
    col: Coordinate | None = None
    layer: Coordinate = 0
    move: Annotated[str, Field(max_length=16)] | None = Field(
        default=None, description="instead of row and col: b2 or swap; a pass is made by itself"
    )
    expectedVersion: Version | None = Field(default=None, description="refuse with 409 if anything was played since")
    idempotencyKey: Key | None = Field(default=None, description="sent again with the same key, the move counts once")


class AiRequest(Request):
    """Let the AI move."""

    gameId: GameId = Field(examples=["6Jq…"])
    expectedVersion: Version | None = None


class SeatRequest(Request):
    """Act for a seat: undo, redo, resign. ``player`` may be left out where only one is yours."""

    player: Mark | None = None
    expectedVersion: Version | None = None
    idempotencyKey: Key | None = Field(default=None, description="sent again with the same key, it happens once")


class AnswerRequest(Request):
    """Agree or not to what another player offers: undo, redo or reset."""

    accept: bool
    player: Mark | None = None


class JoinRequest(Request):
    """Take the free seat."""

    player: Mark | None = Field(default=None, description="which seat, if several are free")


class RematchRequest(Request):
    """Play the same again; the player who moved second moves first."""

    idempotencyKey: Key | None = Field(default=None, description="a game has one rematch, with or without a key")


class AnalysisRequest(Request):
    """Ask what the position is worth, within a budget."""

    seconds: Seconds = Field(default=1.0, description="how long to think; the server has its own bound")
    ply: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = Field(
        default=None, description="analysis only: the position after so many moves (default: as the game stands)"
    )


class SessionRequest(Request):
    """Start a guest session, or rename it."""

    name: Name | None = Field(default=None, description="how others see you; an empty one takes it away again")
    cookie: bool = Field(default=False, description="for pages: keep the token in an HttpOnly cookie")


class Session(Answer):
    """A guest session. ``token`` is there once, and only for programs."""

    name: str
    token: str | None = Field(default=None, description="send it as Authorization: Bearer …")
    expiresAt: int = Field(description="when the session ends unless used, in milliseconds")


Cell = Literal[0] | str


class Place(Answer):
    """A cell of the board, 0-based."""

    row: int
    col: int
    layer: int


class LegalMove(Answer):
    """A move that can be played; ``row`` and ``col`` are null for pass and swap."""

    row: int | None
    col: int | None
    layer: int | None
    move: str


class PlayedMove(LegalMove):
    """A move as it was made; the time is in milliseconds."""

    player: str
    timestamp: int
    capturedCount: int


class Blocks(Answer):
    """The size of nested boards."""

    rows: int
    cols: int


class Layout(Answer):
    """How to draw the board."""

    kind: Literal["square", "cube", "hex"]
    rows: int
    cols: int
    layers: int
    gravity: bool = Field(default=False, description="a press anywhere in a column plays the open cell of the column")
    blocks: Blocks | None = Field(default=None, description="nested boards: a heavier line every so many rows, columns")
    pieces: Literal["ink", "stone", "tile"] | None = Field(default=None, description="what a mark looks like")
    mark: str | None = Field(default=None, description="what every player writes, where that is not their own mark")


class Region(Answer):
    """A part of the board that is decided, to be drawn as one large mark."""

    cells: list[int] = Field(description="cells by number: rows from the top, layer by layer")
    mark: str | None = Field(description="whose it is, or nobody's")


class SeatState(Answer):
    """Who plays a mark."""

    kind: Literal["anyone", "person", "ai", "open"]
    name: str | None
    level: str | None


class Offer(Answer):
    """What a player asks the others to agree to; it happens when all of them have."""

    player: str
    what: Literal["undo", "redo", "reset"]
    agreed: list[str] = Field(description="who has agreed so far")


class You(Answer):
    """What you are at this table and which marks are yours to move."""

    role: Literal["player", "holder", "watcher"]
    marks: list[str]


class Note(Answer):
    """Why a move was chosen: a code and its facts, for the client to put into words."""

    code: NoteCode | str = Field(description="a NoteCode, or a code of the game's words (note.<code>)")
    facts: dict[str, Any] = Field(description="values by name: a number, a text, a list of names, or another note")


class About(Answer):
    """What a game is called and what one tries to do, for clients that say it in the game's words."""

    title: Note = Field(description="said by title.<code> of the game's words")
    goal: Note = Field(description="said by goal.<code>")


class GameState(Answer):
    """A game as it stands."""

    id: str
    board: list[list[Cell]] | list[list[list[Cell]]] = Field(description="rows of cells, or layers of rows; 0 is empty")
    currentPlayer: str = Field(description="who moves next; once the game is over, who moved last")
    mode: Literal["PvP", "PvAI"]
    winner: str | None = Field(description="a mark, 'draw', or null while the game goes on")
    moveHistory: list[PlayedMove]
    version: int = Field(description="grows by one with everything that happens")
    status: str = Field(description="playing, draw, or x_wins and its like")
    legalMoves: list[LegalMove]
    lastMove: PlayedMove | None
    winningCells: list[Place]
    layout: Layout
    watchId: str = Field(description="lets its holder watch, never move")
    game: str = Field(description="the game's spec")
    name: str = Field(description="the name of the game in GET /games, which has its words")
    title: str = Field(description="what this game is called, in English: Four in a row on 6×6")
    goal: str = Field(description="what one tries to do, in English")
    about: About = Field(description="title and goal as facts, to say them in another language")
    owned: list[Region] = Field(description="parts of the board that are decided")
    captures: dict[str, list[int]] = Field(
        description="what legal moves would capture: cells by number, by the name of the move; others capture nothing"
    )
    notice: Note | None = Field(
        description="what players should know right now, e.g. in the opening; said by notice.<code> of the game's words"
    )
    marks: list[str] = Field(description="the players in the order of their turns")
    first: str = Field(description="who moved first")
    level: str | None = Field(description="the AI's level, if it plays")
    seats: dict[str, SeatState]
    canUndo: bool
    canRedo: bool
    needsConsent: bool = Field(description="whether undo, redo and reset must be offered and accepted")
    offer: Offer | None = Field(description="what a player asks the others to agree to")
    resigned: str | None
    ended: str | None = Field(
        description="why the game is over: resigned, or a code of the game's words (outcome.<code>), e.g. line or full"
    )
    tiles: dict[str, int] | None = Field(description="the final count, in games that count tiles")
    rematchWatchId: str | None = Field(description="the game that follows, to watch; its players get it by /rematch")
    you: You | None = Field(default=None, description="in answers to requests; live messages say it once, in the first")


class AiMove(LegalMove):
    """What the AI played, and the game after it."""

    player: str
    note: Note | None
    proven: bool
    score: float | None
    nodes: int
    depth: int
    seconds: float
    state: GameState


class Hint(LegalMove):
    """A good move and how sure it is."""

    note: Note | None
    reason: Note | None = Field(
        default=None, description="what speaks for the move, in the game's words (reason.<code>)"
    )
    proven: bool
    version: int


class Preset(Answer):
    """A game worth a name of its own."""

    name: str
    spec: str
    title: str = Field(description="what its card says; fullTitle is what the game is called")
    summary: str
    fullTitle: str
    goal: str
    about: About
    menu: int | None = Field(description="its place in the menu, the smallest first; null for none")
    sample: str = Field(description="a moment for its picture: rows joined by /, a dot for an empty cell")
    open: bool = Field(description="whether its options are what it is about, so that a menu shows them at once")
    marks: list[str]
    layout: Layout
    options: dict[str, Any] = Field(description="the value of every option")


class OptionInfo(Answer):
    """A parameter of a game."""

    name: str
    kind: Literal["flag", "choice", "integer", "number", "size", "text"]
    help: str
    expects: str
    default: Any
    choices: list[str] | None
    minimum: float | None
    maximum: float | None = Field(description="the largest value that this server takes")
    sides: dict[str, int] | None = Field(
        description="of a size: the longest side that this server takes, by the number of sides"
    )
    flag: bool
    hidden: bool = Field(description="only for specs that are written by hand; menus leave it out")


class GameInfo(Answer):
    """A game that can be played here."""

    name: str
    title: str = Field(description="what all its boards together are called")
    summary: str
    words: dict[str, dict[str, str]] = Field(
        description="what the game says, by language and code: templates with facts in braces"
    )
    presets: list[Preset]
    options: list[OptionInfo]


class LevelInfo(Answer):
    """A level of the AI, or an agent of this server."""

    name: str
    summary: str
    games: list[str] | None = Field(description="the specs of the games that it plays, or null for every one")


class Error(Answer):
    """What went wrong. ``error`` is a stable code."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"error": "occupied", "message": "b2 is already taken by X", "statusCode": 400}]
        },
    )

    error: str
    message: str
    statusCode: int
    facts: dict[str, Any] | None = Field(
        default=None, description="of a refused move: what the game's words for the code (refusal.<code>) tell"
    )
    state: GameState | None = Field(default=None, description="with 409: the game as it stands")
