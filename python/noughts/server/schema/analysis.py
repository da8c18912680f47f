"""The answers that explain a game: boards, moments, analyses, reviews and openings."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from noughts.server.schema.game import About, Answer, Cell, Layout, Note, PlayedMove, Region

__all__ = ["AnalysisState", "BoardInfo", "Moment", "Moments", "OpeningInfo", "OpeningMap", "ReviewState", "RulesInfo"]

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder", "unknown"]
Value = Literal["win", "draw", "loss"]


class ProvenValue(Answer):
    """A value that is certain."""

    proven: Literal[True]
    value: Value
    distance: int | None = Field(description="plies to the end under best play")
    margin: int | None = Field(description="tiles by which the player leads in the end")
    within: int | None = Field(description="decided after at most so many plies, where only that is proven")


class EstimatedValue(Answer):
    """What a search thinks, from -1 (a sure loss) to 1 (a sure win), and the interval it may be in."""

    proven: Literal[False]
    score: float
    low: float
    high: float
    by: str
    samples: int
    clear: bool = Field(description="false where the interval says nothing, so that a number should not be shown")


Evaluation = ProvenValue | EstimatedValue


class ThreatState(Answer):
    """What a player would do if it were on turn."""

    player: str
    kind: str
    cells: list[str]
    stones: list[str]


class AnalysisBody(Answer):
    """What a position and its moves are worth to the player on turn; moves go by name."""

    game: str
    position: str
    turn: str
    proven: bool
    evaluation: Evaluation | None
    best: list[str]
    best_proven: bool
    moves: dict[str, Evaluation | None]
    threats: list[ThreatState]
    line: list[str]
    method: str
    bounds: list[Value]
    nodes: int
    seconds: float
    stopped: str | None


class AnalysisState(AnalysisBody):
    """The analysis of a game as it stands, or as it stood after so many moves."""

    version: int
    ply: int


class GradedMove(Answer):
    """A move and what it changed, seen by the player who made it."""

    ply: int
    player: str
    move: str
    grade: Grade
    proven: bool
    forced: bool
    before: Evaluation | None
    after: Evaluation | None
    better: str | None
    line: list[str]
    reason: Note | None = Field(
        default=None, description="what speaks for the move or against it, in the game's words (reason.<code>)"
    )


class PlayerSummary(Answer):
    """How one player did."""

    player: str
    moves: int
    grades: dict[str, int]
    accuracy: float | None


class ReviewState(Answer):
    """A game move by move."""

    game: str
    position: str
    result: str
    resigned: str | None
    moves: list[GradedMove]
    players: list[PlayerSummary]
    nodes: int
    seconds: float
    stopped: str | None
    version: int


class ChangedCell(Answer):
    """A cell and what is on it from now on; 0 is empty."""

    row: int
    col: int
    layer: int
    mark: Cell


class Moment(PlayedMove):
    """A move and every cell it changed, so that a page can show any moment without knowing the rules."""

    changed: list[ChangedCell]
    owned: list[Region] = Field(description="parts of the board that are decided after it")


class Moments(Answer):
    """A game from its first position on."""

    version: int
    board: list[list[Cell]] | list[list[list[Cell]]] = Field(description="the board before the first move")
    moments: list[Moment]


class BoardFields(Answer):
    """What a page needs to draw the board of a game."""

    game: str = Field(description="the spec as the server writes it")
    name: str
    title: str = Field(description="what the game is called, in English")
    goal: str = Field(description="what one tries to do, in English")
    about: About
    marks: list[str]
    layout: Layout


class BoardInfo(BoardFields):
    """The board that a spec stands for, and who can be played against on it."""

    levels: list[str] = Field(description="the levels and agents of GET /levels that can play this game")


class RuleScene(Answer):
    """A board that shows a rule."""

    layout: Layout = Field(description="of the board shown, which may be smaller than the game's")
    board: list[list[Cell]] | list[list[list[Cell]]]
    turn: str = Field(description="who moves next, or moved last if the game is over")
    last: int | None = Field(description="the cell of the last move")
    winning: list[int] = Field(description="the cells that decide the game")
    owned: list[Region] = Field(description="parts of the board that are decided")
    legal: list[int] = Field(description="cells to mark because the player may play there")
    refused: list[int] = Field(description="cells to cross out because the player may not")


class RuleInfo(Answer):
    """One rule."""

    note: Note = Field(description="said by rule.<code> of the game's words")
    text: str = Field(description="the same in English")
    scenes: list[RuleScene]


class RulesInfo(BoardFields):
    """How a game is played."""

    rules: list[RuleInfo]


class OpeningInfo(BoardFields):
    """A solved game."""

    source: str


class OpeningMap(OpeningInfo):
    """What every first move of a solved game is worth."""

    board: list[list[Cell]] | list[list[list[Cell]]]
    analysis: AnalysisBody
