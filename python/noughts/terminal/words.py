"""The terminal's catalogue: codes and facts become words here, and nowhere else on the way to a terminal.

Players, searches and analyses speak in codes. A game's own codes (refusals, threats, the notes of its
rules of thumb) have their words in the game's file; the words for all others are below.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from noughts.analysis import Analysis, Estimate, Evaluation, Grade, GradedMove, Proven, Review, Threat
from noughts.analysis.finding import Method
from noughts.analysis.reasons import reason as find_reason
from noughts.board.grid import column_name
from noughts.compute.limits import Progress
from noughts.compute.solver import Verdict
from noughts.core import Game, Mark, Position
from noughts.errors import IllegalMove, MatchError
from noughts.match import Action, MakeMove, Resign, State
from noughts.note import Fact, Note
from noughts.words import capital, sentence

if TYPE_CHECKING:
    from noughts.players import Player

__all__ = [
    "ACTIONS",
    "COUNTED",
    "GRADES",
    "METHODS",
    "NOTES",
    "PLAIN_NOTES",
    "STAGES",
    "STOPS",
    "action",
    "analysis_json",
    "evaluation",
    "explain",
    "graded",
    "hint",
    "how_to_move",
    "level_of",
    "notice",
    "outcome",
    "outcome_reason",
    "passes",
    "player_name",
    "progress",
    "reason",
    "refusal",
    "review_json",
    "seats",
    "summary",
    "threat",
    "verdict",
]

Facts = Mapping[str, Fact]


def explain(note: Note, game: Game, *, details: bool = True) -> str:
    """Why a player chose a move: ``win in 5``, ``best after 4 plies, not proven``; ``looks best`` without details."""
    if not details and note.code in PLAIN_NOTES:
        return PLAIN_NOTES[note.code](note.facts, game)
    if note.code in NOTES:
        return NOTES[note.code](note.facts, game)
    return game.say("note", note)


def progress(news: Progress) -> str:
    """How a search is getting on: ``solving, depth 7, 120,000 positions``."""
    depth = f", depth {news.depth}" if news.depth else ""
    return f"{STAGES[news.stage]}{depth}, {news.nodes:,} {COUNTED.get(news.stage, 'positions')}"


def evaluation(worth: Evaluation) -> str:
    """A value: ``win in 11``, ``loss by 4 tiles``, ``win within 30``, ``about 62% (55–70%)``, ``unclear``."""
    if isinstance(worth, Proven):
        return _proven(worth.value, worth.distance, worth.within, worth.margin)
    return _estimate(worth.score, worth.low, worth.high, clear=worth.clear)


def verdict(found: Verdict) -> str:
    """What a solve came to: ``win in 11``, or what is known when it stopped."""
    if found.known is not None:
        return evaluation(found.known)
    stopped = f", stopped by {STOPS[found.stopped]}" if found.stopped else ""
    return f"not known{stopped}; between {found.bounds[0]} and {found.bounds[1]}"


def summary(analysis: Analysis) -> str:
    """The value of a position: ``X: win in 5, proven`` or ``O: about 62% (55–70%), estimate``."""
    mark, worth = analysis.position.turn, analysis.evaluation
    if worth is None:
        return f"{mark}: unknown"
    if isinstance(worth, Estimate) and not worth.clear:
        return f"{mark}: {evaluation(worth)}"
    return f"{mark}: {evaluation(worth)}, {'proven' if analysis.proven else 'estimate'}"


def hint(analysis: Analysis, *, details: bool = False) -> str:
    """A move to play, why, and how sure that is: ``block at h11 or lose next move (proven)``.

    Nothing once the game is over. With details, the value too: ``(proven: loss in 8)``.
    """
    if analysis.position.outcome is not None:
        return ""
    if not analysis.best:
        return "no move found in the time given"
    move, whole = analysis.best[0], analysis.evaluation
    text, worth = reason(find_reason(analysis, move), analysis.position.game), analysis.moves.get(move)
    if worth is None or whole is None:
        return text
    if isinstance(whole, Estimate) and not whole.clear:
        return f"{text} ({evaluation(whole)})"
    return f"{text} ({'proven' if analysis.proven else 'estimate'}{f': {evaluation(whole)}' if details else ''})"


def reason(found: Note, game: Game) -> str:
    """What speaks for a move or against it, in the game's words: ``h5 misses the win at h11``."""
    return game.say("reason", found)


def seats(game: Game, seats: Mapping[Mark, Player | None]) -> str:
    """Who plays whom: ``You play X against the perfect computer player.``; ``None`` is a person."""
    people = [mark for mark, ai in seats.items() if ai is None]
    ais = {mark: player_name(ai.spec, game) for mark, ai in seats.items() if ai is not None}
    if not ais:
        return f"{_listed(people)} take turns at this keyboard."
    if not people:
        return capital(f"{_listed([f'{mark} is {name}' for mark, name in ais.items()])}.")
    if len(ais) == 1:
        return f"You play {_listed(people)} against {next(iter(ais.values()))}."
    return f"You play {_listed(people)}; {_listed([f'{mark} is {name}' for mark, name in ais.items()])}."


def player_name(spec: str, game: Game) -> str:
    """What a computer player is called: by its level in the game, or by its spec."""
    level = level_of(spec, game)
    return f"the computer player {spec}" if level is None else f"the {level} computer player"


def level_of(spec: str, game: Game) -> str | None:
    """The level of a computer player in a game, if its spec is that of one."""
    # Not needed by every command that has words, and slow to load.
    from noughts.players import player
    from noughts.players.levels import LEVELS, level_spec

    return next((name for name in LEVELS if player(level_spec(name, game)).spec == spec), None)


def _listed(parts: Sequence[str]) -> str:
    """Names in a sentence: ``X, O and A``."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def how_to_move(game: Game) -> str:
    """How moves are typed in a game: ``b2, or row and column: 2 2``."""
    cell = game.move_name(game.grid.centre()[0])
    layer, row, col = (at + 1 for at in game.grid.coordinates(game.grid.centre()[0]))
    numbers = f"row, column and layer: {row} {col} {layer}" if game.grid.layers > 1 else f"row and column: {row} {col}"
    column = f", or a column: {column_name(col - 1)}" if game.layout_facts.get("gravity") else ""
    return ", or ".join([cell, numbers, *map(game.move_name, game.specials)]) + column


def threat(found: Threat, position: Position) -> str:
    """A threat in the game's words: ``O wins at c1``."""
    return position.game.say("threat", found.note(position))


def graded(move: GradedMove, game: Game, *, details: bool = False) -> str:
    """The grade of a move and why: ``blunder: c3 gives away a win in 3 moves; better a2``.

    With details, what it changed too: ``blunder: c3 gives away … (proven: win in 5 became draw)``.
    """
    name, grade = game.move_name, GRADES[move.grade]
    text = f"{grade}: {reason(move.reason, game)}" if move.reason is not None else f"{grade}: {name(move.move)}"
    if move.better is not None and not _names(move.reason, name(move.better)):
        text += f"; better {name(move.better)}"
    if not details or move.grade == "unknown" or move.before is None or move.after is None:
        return text
    before, after = evaluation(move.before), evaluation(move.after)
    change = after if before == after else f"{before} became {after}"
    return f"{text} ({'proven' if move.proven else 'estimate'}: {change})"


def _names(found: Note | None, cell: str) -> bool:
    """Whether a reason says a cell besides the move."""
    cells = None if found is None else found.facts.get("cells")
    return isinstance(cells, tuple) and cell in cells


def notice(position: Position) -> str:
    """What players should know at this moment, in the game's words; nothing, most of the time."""
    found = position.notice() if position.outcome is None else None
    return "" if found is None else position.game.say("notice", found)


def passes(mark: Mark, game: Game) -> str:
    """A player has to pass, in the game's words."""
    return game.say("move", Note("pass", {"player": mark}))


def action(taken: Action, state: State) -> str:
    """One step of a match: ``G plays b1, captures 1``, ``undo by X``, ``resign by O: it crashed``."""
    if isinstance(taken, MakeMove):
        count = state.history[-1].captured_count
        captured = state.game.say("move", Note("capture", {"count": count}))
        return f"{taken.player} plays {taken.move}" + (f", {captured}" if count else "")
    who: Mark | None = getattr(taken, "player", None)
    text = ACTIONS[taken.name] + (f" by {who}" if who else "")
    return f"{text}: {taken.reason}" if isinstance(taken, Resign) and taken.reason else text


def outcome(state: State, *, you: Mark | None, ais: Container[Mark]) -> str:
    """Who won a match and how: ``You win with a1 b1 c1!`` or ``It's a draw. The board is full.``.

    ``you`` are the one person at the board, if there is just one.
    """
    winner, end = state.winner, state.position.outcome
    if winner == "draw":
        return f"It's a draw. {sentence(outcome_reason(state.position))}" if end else "It's a draw."
    who = "You win" if winner == you else "The computer wins" if winner in ais and you is not None else f"{winner} wins"
    stop = "!" if winner == you else "."
    if state.resigned is not None:
        return f"{'You resign' if state.resigned == you else f'{state.resigned} resigns'}. {who}{stop}"
    if end is None:
        return who + stop
    if end.tiles is not None:
        most, *others = sorted(end.tiles.values(), reverse=True)
        return f"{who}, {most} tiles to {' and '.join(map(str, others))}{stop}"
    cells = " ".join(map(state.game.move_name, end.cells))
    if cells and winner == state.position.turn:
        return f"{who} with {cells}{stop}"
    return f"{who}{stop} {sentence(outcome_reason(state.position) + (f': {cells}' if cells else ''))}"


def outcome_reason(position: Position) -> str:
    """Why a finished game is over, in the game's words: ``the board is full``."""
    end = position.outcome
    assert end is not None
    # Once the game is over, the turn stays with the player who moved last.
    lost = end.winner not in (None, position.turn)
    facts: dict[str, Fact] = {"winner": end.winner, "player": position.turn, "case": "lost" if lost else None}
    return position.game.say("outcome", Note(end.reason, facts))


def refusal(error: IllegalMove | MatchError, game: Game) -> str:
    """Why a move is refused, in the game's words where it has some; else what the error says."""
    return game.say("refusal", Note(error.code, error.facts)) if error.facts else str(error)


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """An analysis as JSON for people to read: with a hint, and a text beside every value."""
    data = analysis.to_json()
    data |= {
        "hint": hint(analysis, details=True),
        "text": summary(analysis),
        "evaluation": _with_text(analysis.evaluation),
    }
    name = analysis.position.game.move_name
    data["moves"] = {name(move): _with_text(worth) for move, worth in analysis.moves.items()}
    data["threats"] = [
        {**found.to_json(analysis.position), "text": threat(found, analysis.position)} for found in analysis.threats
    ]
    return data


def review_json(review: Review) -> dict[str, Any]:
    """A review as JSON for people to read: with a text for every move and value."""
    data, game = review.to_json(), review.positions[0].game
    data["moves"] = [
        {
            **move.to_json(game),
            "before": _with_text(move.before),
            "after": _with_text(move.after),
            "text": graded(move, game, details=True),
        }
        for move in review.moves
    ]
    return data


def _with_text(worth: Evaluation | None) -> dict[str, object] | None:
    return None if worth is None else {**worth.to_json(), "text": evaluation(worth)}


def _proven(value: Fact, distance: Fact, within: Fact, margin: Fact) -> str:
    if isinstance(margin, int) and margin:
        return f"{value} by {abs(margin)} tile{'s' if abs(margin) > 1 else ''}"
    if value == "draw" or distance == 0:
        return str(value)
    if distance is not None:
        return f"{value} in {distance}"
    return str(value) if within is None else f"{value} within {within}"


def _estimate(score: Fact, low: Fact, high: Fact, *, clear: Fact) -> str:
    if not clear:
        return "unclear"
    return f"about {_percent(score)}% ({_percent(low)}–{_percent(high)}%)"


def _percent(score: Fact) -> int:
    """A result from −1 to 1 as a percentage of points."""
    assert isinstance(score, int | float)
    return round(50 * (score + 1))


def _moves_ahead(depth: Fact) -> str:
    return "one move ahead" if depth == 1 else f"{depth} moves ahead"


def _nested(fact: Fact, game: Game, *, details: bool = True) -> str:
    assert isinstance(fact, Note)
    return explain(fact, game, details=details)


NOTES: Final[Mapping[str, Callable[[Facts, Game], str]]] = {
    "random": lambda facts, game: "a random move",
    "epsilon": lambda facts, game: "a random move on purpose",
    "sampled": lambda facts, game: "one of the good moves, picked at random",
    "proven": lambda facts, game: _proven(facts["value"], facts["distance"], facts["within"], facts["margin"]),
    "no_proof": lambda facts, game: f"no proof in time; {_nested(facts['found'], game)}",
    "estimate": lambda facts, game: _estimate(
        facts["score"], facts["low"], facts["high"], clear=facts.get("clear", True)
    ),
    "searched": lambda facts, game: f"best after {facts['depth']} plies, not proven",
    "simulated": lambda facts, game: f"scores {facts['share']:.0%} in {facts['games']:,} random games",
    "looked": lambda facts, game: f"looks best {_moves_ahead(facts['depth'])}",
    "one_ply": lambda facts, game: "looks best one move ahead",
    "win_now": lambda facts, game: "wins",
    "block_now": lambda facts, game: "stops a win on the next move",
    "only_move": lambda facts, game: "the only move that makes sense",
    "opening": lambda facts, game: "the middle of an empty board",
    "no_time": lambda facts, game: "no time to look ahead",
    "guess": lambda facts, game: "a guess",
    "window": lambda facts, game: f"looking only at {facts['size']} cells: {_nested(facts['found'], game)}",
    "learned": lambda facts, game: f"learned from {facts['games']:,} games",
    "in_training": lambda facts, game: "still learning",
    "explores": lambda facts, game: "exploring",
    "program": lambda facts, game: "the program's move",
    "message": lambda facts, game: str(facts["text"]),
}
"""The words for each note of :data:`noughts.note.CODES`."""

PLAIN_NOTES: Final[Mapping[str, Callable[[Facts, Game], str]]] = {
    "no_proof": lambda facts, game: _nested(facts["found"], game, details=False),
    "estimate": lambda facts, game: "looks best",
    "searched": lambda facts, game: "looks best",
    "simulated": lambda facts, game: "looks best",
    "window": lambda facts, game: _nested(facts["found"], game, details=False),
}
"""What is said instead of the notes that are figures, where details are not asked for."""

STAGES: Final[Mapping[str, str]] = {
    "search": "searching",
    "solve": "solving",
    "best": "comparing the best moves",
    "line": "following the best line",
    "engine": "thinking",
    "mcts": "simulating games",
    "playouts": "playing random games",
    "strong_play": "playing games by search",
    "count": "counting",
    "perft": "counting",
    "exploring": "listing positions",
    "training": "training",
    "review": "reviewing",
}
"""The words for each stage of :data:`noughts.compute.limits.STAGES`."""

COUNTED: Final[Mapping[str, str]] = {
    "mcts": "simulations",
    "playouts": "games",
    "strong_play": "moves",
    "training": "games",
}
"""What a stage counts, where it is not positions."""

ACTIONS: Final[Mapping[str, str]] = {
    "start_game": "start game",
    "undo": "undo",
    "redo": "redo",
    "reset_game": "reset game",
    "resign": "resign",
}
"""The words for each action of a match that is not a move."""

STOPS: Final[Mapping[str, str]] = {
    "deadline": "the time limit",
    "node limit": "the node limit",
    "memory limit": "the memory limit",
    "recursion limit": "the recursion limit",
    "cancelled": "Ctrl-C",
}
"""The words for each limit of :data:`noughts.compute.limits.STOPS`."""

GRADES: Final[Mapping[Grade, str]] = {
    "best": "best",
    "good": "good",
    "inaccuracy": "inaccuracy",
    "mistake": "mistake",
    "blunder": "blunder",
    "unknown": "unknown",
}
"""The words for each grade of a move."""

METHODS: Final[Mapping[Method, str]] = {
    "rules": "by the rules",
    "solver": "by the solver",
    "engine": "by the engine",
    "mcts": "by a tree search",
    "none": "",
}
"""Who evaluated a position."""
