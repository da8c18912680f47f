"""Note: why a player chose a move, as a code and its facts.

Players and searches never write sentences. They give a note; whoever talks to a person (the terminal,
the page) has a catalogue that turns each code into words. A game's own notes, those of its rules of
thumb, have their words in the game's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, TypeAlias

__all__ = ["CODES", "Fact", "Note", "note"]

Fact: TypeAlias = "int | float | str | bool | tuple[str, ...] | Note | None"
"""What a note may say: plain values, names, or another note."""

CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        # How the move was picked.
        "random": (),
        "epsilon": ("epsilon",),
        "sampled": ("temperature",),
        # What a proof says: `value` is win, draw or loss for the player on turn.
        "proven": ("value", "distance", "within", "margin"),
        "no_proof": ("found",),
        # What a search says without one.
        "estimate": ("score", "low", "high", "by", "samples", "clear"),
        "searched": ("depth",),
        "simulated": ("share", "games"),
        "looked": ("depth",),
        "one_ply": (),
        "win_now": (),
        "block_now": (),
        "only_move": (),
        "opening": (),
        "no_time": (),
        "guess": (),
        "window": ("size", "found"),
        # Where else moves come from.
        "learned": ("games",),
        "in_training": (),
        "explores": (),
        "program": (),
        "message": ("text",),
    }
)
"""Every code of the players here, with the names of its facts. Games have codes of their own besides."""


@dataclass(frozen=True, slots=True)
class Note:
    """A code and its facts."""

    code: str
    facts: Mapping[str, Fact] = field(default_factory=dict, hash=False)

    def to_json(self) -> dict[str, Any]:
        """The note as a JSON object."""
        return {"code": self.code, "facts": {name: _to_json(fact) for name, fact in self.facts.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Note:
        """Read what :meth:`to_json` wrote."""
        return cls(str(data["code"]), {name: _from_json(fact) for name, fact in data["facts"].items()})


def note(code: str, **facts: Fact) -> Note:
    """Make a note of one of :data:`CODES`.

    >>> note("searched", depth=4)
    Note(code='searched', facts={'depth': 4})

    Raises ``ValueError`` for any other code, and for facts that the code does not have.
    """
    if code not in CODES:
        raise ValueError(f"unknown note {code!r}")
    if set(facts) != set(CODES[code]):
        raise ValueError(f"a note {code!r} has the facts {', '.join(CODES[code]) or 'none'}; got {', '.join(facts)}")
    return Note(code, facts)


def _to_json(fact: Fact) -> Any:
    if isinstance(fact, Note):
        return fact.to_json()
    return list(fact) if isinstance(fact, tuple) else fact


def _from_json(fact: Any) -> Fact:
    if isinstance(fact, dict):
        return Note.from_json(fact)
    return tuple(map(str, fact)) if isinstance(fact, list) else fact
