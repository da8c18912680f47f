"""The rules of a game as text, with the boards that show them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from noughts.core import Game
from noughts.hooks import Scene
from noughts.words import sentence

__all__ = ["lines", "texts"]

WIDTH = 100


def texts(game: Game) -> list[str]:
    """The rules as sentences."""
    return [sentence(game.say("rule", rule.note)) for rule in game.rules()]


def lines(game: Game) -> Iterator[str]:
    """The rules, numbered, each with its boards below it."""
    for number, (rule, text) in enumerate(zip(game.rules(), texts(game), strict=True), 1):
        yield from textwrap.wrap(text, WIDTH, initial_indent=f"{number:>3}. ", subsequent_indent="     ")
        for scene in rule.scenes:
            yield ""
            yield from textwrap.indent(_drawing(scene), "       ").splitlines()
        if rule.scenes:
            yield ""


def _drawing(scene: Scene) -> str:
    """A board; where some cells are marked as legal, only those have a dot."""
    position = scene.position
    dotted = set(position.legal_moves) if scene.legal else None

    def symbol(cell: int) -> str:
        if cell in scene.refused:
            return "⊘"
        return position.cells.get(cell, "·" if dotted is None or cell in dotted else " ")

    return position.drawing(symbol)
