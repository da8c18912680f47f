"""The terminal's catalogue: every code becomes words here, and nowhere else on the way to a terminal.

Players, searches and analyses speak in codes and facts. A game's own codes have their words in the
game's file; all others are below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from noughts.analysis import Evaluation, Proven
from noughts.compute.limits import Progress
from noughts.note import Fact, Note

__all__ = ["NOTES", "STAGES", "evaluation", "explain", "progress"]

Facts = Mapping[str, Fact]


def explain(note: Note) -> str:
    """Why a player chose a move: ``win in 5``, ``best after 4 plies, not proven``."""
    if note.code in NOTES:
        return NOTES[note.code](note.facts)
    return _GAME_NOTES[note.code](note.facts)


def progress(news: Progress) -> str:
    """How a search is getting on: ``solving, depth 7, 120,000 positions``."""
    depth = f", depth {news.depth}" if news.depth else ""
    return f"{STAGES[news.stage]}{depth}, {news.nodes:,} {_COUNTED.get(news.stage, 'positions')}"


def evaluation(worth: Evaluation) -> str:
    """A value in words: ``win in 11``, ``draw``, ``loss by 4 tiles``, ``win within 30``, ``about 62 % (55–70 %)``."""
    if isinstance(worth, Proven):
        return _proven(worth.value, worth.distance, worth.within, worth.margin)
    return _estimate(worth.score, worth.low, worth.high)


def _proven(value: Fact, distance: Fact, within: Fact, margin: Fact) -> str:
    if isinstance(margin, int) and margin:
        return f"{value} by {abs(margin)} tile{'s' if abs(margin) > 1 else ''}"
    if value == "draw" or distance == 0:
        return str(value)
    if distance is not None:
        return f"{value} in {distance}"
    return str(value) if within is None else f"{value} within {within}"


def _nested(fact: Fact) -> str:
    return explain(fact) if isinstance(fact, Note) else ""


def _estimate(score: Fact, low: Fact, high: Fact) -> str:
    return f"about {_percent(score)} % ({_percent(low)}–{_percent(high)} %)"


def _percent(score: Fact) -> int:
    """A result from −1 to 1 as a percentage of points."""
    assert isinstance(score, int | float)
    return round(50 * (score + 1))


NOTES: Final[Mapping[str, Callable[[Facts], str]]] = {
    "random": lambda facts: "a random move",
    "epsilon": lambda facts: "a random move on purpose",
    "sampled": lambda facts: f"sampled at temperature {facts['temperature']:g}",
    "proven": lambda facts: _proven(facts["value"], facts["distance"], facts["within"], facts["margin"]),
    "no_proof": lambda facts: f"no proof in time; {_nested(facts['found'])}",
    "estimate": lambda facts: _estimate(facts["score"], facts["low"], facts["high"]),
    "searched": lambda facts: f"best after {facts['depth']} plies, not proven",
    "simulated": lambda facts: f"scores {facts['share']:.0%} in {facts['games']:,} random games",
    "one_ply": lambda facts: "looks best one move ahead",
    "win_now": lambda facts: "wins",
    "opening": lambda facts: "the middle of an empty board",
    "no_time": lambda facts: "no time to look ahead",
    "guess": lambda facts: "a guess",
    "window": lambda facts: f"looking at {facts['size']} of the board: {_nested(facts['found'])}",
    "learned": lambda facts: f"learned from {facts['games']:,} games",
    "in_training": lambda facts: "still learning",
    "explores": lambda facts: "exploring",
    "program": lambda facts: "the program's move",
    "message": lambda facts: str(facts["text"]),
}
"""The words for each note of :data:`noughts.note.CODES`."""

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

_COUNTED: Final[Mapping[str, str]] = {
    "mcts": "simulations",
    "playouts": "games",
    "strong_play": "moves",
    "training": "games",
}
"""What a stage counts, where it is not positions."""

_GAME_NOTES: Final[Mapping[str, Callable[[Facts], str]]] = {
    "blocks": lambda facts: f"blocks {facts['rival']}",
    "centre": lambda facts: "centre",
    "corner": lambda facts: "corner",
    "edge": lambda facts: "edge",
    "completes_row": lambda facts: "every move completes a row",
    "no_placement": lambda facts: "no placement is possible",
    "placement": lambda facts: f"captures {facts['captures']}",
}
