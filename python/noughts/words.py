"""Words: what a game says to people, as templates by code.

A template is plain text with facts in braces: ``{move} does not touch a tile of {player}``. The codes:

    title, goal                                  the name of all its boards together, and what one tries to do
    title.<code>, goal.<code>                    the same for one spec: Hex 7×7, Avoid three in a row
    rule.<code>                                  a rule, for the page of rules
    part.<code>                                  a phrase in other templates: a fact that is itself a note
    mark.<mark>                                  what a player is called, where the mark does not say it
    option.<name>, option.<name>.help            an option's label, and what it does
    option.<name>.<choice>                       one of its choices
    preset.<name>.title, preset.<name>.summary   a card of the menu
    refusal.<code>                               why a move is refused
    move.<code>                                  what a move does
    outcome.<reason>                             why the game is over; with .lost, by a mistake of who moved last
    note.<code>                                  a reason of the game's rules of thumb
    threat.<kind>                                something a player could do
    reason.<code>                                what speaks for a move or against it, the move named; also
                                                 reason.<kind> and reason.stops_<kind> for the game's own threats
    notice.<code>                                what players should know at a moment, e.g. in the opening
    level.<name>                                 what a level does in this game, where there is more to say

A note with the fact ``case`` is said by ``<code>.<case>`` where there is such a template, and one whose code has no
template by that of its kind. Templates are lower case without a full stop, for whoever shows them to dress up. Facts
named ``player``, ``turn``, ``holder``, ``winner`` or ``rival`` are marks, those named ``move`` or ``cells`` are cells
by name.

A translation is a file ``words/<game>.<language>.json`` beside the game's own, with the same codes.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from noughts.note import Fact, Note

__all__ = ["COMMON", "Words", "capital", "fill", "number", "sentence", "sides", "translations"]

_FACT = re.compile(r"\{(\w+)\}")


def fill(template: str, facts: Mapping[str, Fact]) -> str:
    """Put facts into a template.

    >>> fill("{player} wins at {cells}", {"player": "X", "cells": ("c1", "c2")})
    'X wins at c1 c2'

    Raises ``KeyError`` for a fact that is not there.
    """
    return _FACT.sub(lambda found: _shown(facts[found[1]]), template)


def number(value: int) -> Note:
    """A number as a part of a sentence: small ones in words, others in digits.

    >>> COMMON.say("part", number(3)), COMMON.say("part", number(40))
    ('three', '40')
    """
    return Note("number", {"value": value, "case": str(value)})


def sides(lengths: Iterable[int]) -> str:
    """The sides of a board as people write them.

    >>> sides((6, 7))
    '6×7'
    """
    return "×".join(map(str, lengths))


def capital(text: str) -> str:
    """A text with a capital letter in front.

    >>> capital("four in a row")
    'Four in a row'
    """
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A text as a sentence: with a capital letter and a full stop.

    >>> sentence("the board is full")
    'The board is full.'
    """
    return capital(text) + ("" if text.endswith((".", "!", "?", "…")) else ".")


def _shown(fact: Fact) -> str:
    if fact is None:
        return ""
    if isinstance(fact, tuple):
        return " ".join(fact)
    return f"{fact:g}" if isinstance(fact, float) else str(fact)


class Words(Mapping[str, str]):
    """The templates of a game in one language, by code."""

    __slots__ = ("_templates",)

    def __init__(self, templates: Mapping[str, str]) -> None:
        self._templates = dict(templates)

    def __getitem__(self, code: str) -> str:
        return self._templates[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._templates)

    def __len__(self) -> int:
        return len(self._templates)

    def __repr__(self) -> str:
        return f"Words({self._templates!r})"

    def say(self, kind: str, note: Note) -> str:
        """Say a note of some kind: ``title``, ``rule``, ``refusal``, ``outcome`` and so on.

        >>> Words({"refusal.occupied": "{move} is taken"}).say("refusal", Note("occupied", {"move": "b2"}))
        'b2 is taken'

        A fact that is itself a note is said by ``part.<code>``. Raises ``KeyError`` for what there is no template for.
        """
        code = f"{kind}.{note.code}"
        template = self.get(f"{code}.{note.facts.get('case')}", self.get(code))
        facts = {name: self.say("part", fact) if isinstance(fact, Note) else fact for name, fact in note.facts.items()}
        return fill(self[kind] if template is None else template, facts)


_NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

COMMON: Final = Words(
    {
        "refusal.game_over": "the game is over: {winner} wins",
        "refusal.game_over.draw": "the game is over: draw",
        "refusal.wrong_turn": "it is {turn}'s turn, not {player}'s",
        "refusal.out_of_bounds": "'{move}' is outside the board, which ends at '{last}'",
        "refusal.out_of_bounds.number": "there is no cell {move}; cells go from 0 to {last}",
        "refusal.out_of_bounds.place": "{move} is outside the board, which ends at {last}",
        "refusal.invalid_notation": "'{move}' is not a cell; write one like '{last}'",
        "refusal.invalid_notation.place": "{move} is not a cell; write one like {last}",
        "refusal.invalid_notation.other": "{move} is not a move; write a cell like '{last}', its number, or its row and"
        " column as a pair",
        "refusal.occupied": "{move} is already taken by {holder}",
        "refusal.pass_not_allowed": "there is no pass in {game}",
        "refusal.swap_not_allowed": "there is no swap in {game}",
        "move.pass": "{player} cannot move and passes",
        "move.pass.you": "you cannot move, so you passed",
        "move.swap": "{player} swaps",
        "move.capture": "captures {count}",
        "outcome.line": "a row is complete",
        "outcome.line.lost": "{player} completed a row",
        "outcome.full": "the board is full",
        "part.number": "{value}",
        **{f"part.number.{value}": word for value, word in enumerate(_NUMBERS, 2)},
        "threat.win": "{player} wins at {cells}",
        "threat.lose": "{player} loses at {cells}",
        "reason.win": "{move} wins at once",
        "reason.stops_win": "block at {move} or lose next move",
        "reason.stopped_win": "{move} stops {rival} from winning next move",
        "reason.only_win": "{move} is the only move that wins",
        "reason.only_draw": "{move} is the only move that draws",
        "reason.wins": "{move} wins",
        "reason.wins_in": "{move} wins in {moves} moves",
        "reason.wins_by": "{move} wins by {count} tiles",
        "reason.wins_by.1": "{move} wins by one tile",
        "reason.draws": "{move} draws",
        "reason.lasts": "every move loses, {move} lasts longest",
        "reason.likely": "{move} looks best",
        "reason.guess": "{move} is a guess",
        "reason.missed_win": "{move} misses the win at {cells}",
        "reason.threw_win": "{move} gives the win away",
        "reason.threw_win_in": "{move} gives away a win in {moves} moves",
        "reason.threw_draw": "{move} gives the draw away",
        "reason.allows_win": "{move} lets {rival} win at {cells}",
        "reason.allows_win_next": "{move} lets {rival} win next move",
        "reason.allows_win_in": "{move} lets {rival} win in {moves} moves",
        "reason.loses": "{move} loses",
        "reason.slower_win": "{move} wins too, but {cells} wins sooner",
        "reason.faster_loss": "{move} loses sooner than {cells}",
        "reason.fewer_tiles": "{move} ends with fewer tiles than {cells}",
        "reason.weaker": "{move} looks weaker than {cells}",
        "reason.weak": "{move} looks weak",
    }
)
"""What every game can say."""


def translations(beside: Path, game: str) -> dict[str, Words]:
    """The translations of a game's words that lie beside its file, by language.

    A file that does not hold templates by code is left out with a warning.
    """
    found = {}
    for path in sorted((beside.parent / "words").glob(f"{game}.*.json")):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            warnings.warn(f"the words {path} cannot be read: {error}", stacklevel=2)
            continue
        if isinstance(data, dict) and all(isinstance(text, str) for text in data.values()):
            found[path.name.removeprefix(f"{game}.").removesuffix(".json")] = Words(data)
        else:
            warnings.warn(f"the words {path} are not templates by code", stacklevel=2)
    return found
