"""``noughts games``: what can be played, and by which rules."""

from __future__ import annotations

import argparse
import json

from noughts.core import Game
from noughts.games import all_games, game
from noughts.spec import Flag
from noughts.terminal import rules

SUMMARY = "list the games, or show the rules and options of one"
EPILOG = """\
examples:
  noughts games                   all games with their presets
  noughts games hex               one game: its rules, its options and what is known about it
  noughts games gomoku            a preset, or any spec: noughts games 5x5,k=4,misere
  noughts games --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", help="one game, by its name, a preset or a spec, with all about it")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print one game or all of them."""
    if arguments.name:
        made = game(arguments.name)
        if arguments.json:
            print(json.dumps([_as_json(type(made), made)], indent=2, ensure_ascii=False))
        else:
            _details(made, every_fact=arguments.name in all_games())
        return 0
    if arguments.json:
        print(json.dumps([_as_json(kind) for kind in all_games().values()], indent=2, ensure_ascii=False))
        return 0
    for kind in all_games().values():
        print(f"{kind.title} ({kind.name}): {kind.summary}")
        _presets(kind)
        print()
    print("A spec is a size or a name, then options: 6x5,k=4 or hex,size=7,swap.")
    print("noughts games NAME shows the rules and options of a game; noughts play NAME plays it.")
    return 0


def _presets(kind: type[Game]) -> None:
    for preset in kind.presets:
        print(f"  {preset.name:<12} {preset.spec:<24} {game(preset.spec).full_title}")


def _details(made: Game, *, every_fact: bool) -> None:
    print(f"{made.full_title} ({made.spec})\n{made.goal}\n\nrules")
    for line in rules.lines(made):
        print(line)
    print("\noptions")
    for name, field in made.option_fields().items():
        kind = field.metadata["kind"]
        print(f"  {name:<12} {field.metadata['help']}" + ("" if isinstance(kind, Flag) else f" ({kind.expects})"))
    print("\npresets")
    _presets(type(made))
    known = [fact for fact in made.facts if every_fact or game(fact.spec) == made]
    if known:
        print("\nknown")
    for fact in known:
        value = " ".join(map(str, fact.value)) if isinstance(fact.value, tuple) else f"{fact.value}"
        print(f"  {fact.spec:<32} {fact.about:<10} {value}  [{fact.source}]")


def _as_json(kind: type[Game], made: Game | None = None) -> dict[str, object]:
    own: dict[str, object] = {}
    if made is not None:
        own = {"spec": made.spec, "full_title": made.full_title, "goal": made.goal, "rules": rules.texts(made)}
    return {
        "name": kind.name,
        "title": kind.title,
        "summary": kind.summary,
        **own,
        "presets": [
            {"name": p.name, "spec": p.spec, "title": game(p.spec).full_title, "summary": p.summary}
            for p in kind.presets
        ],
        "options": [
            {"name": name, "help": field.metadata["help"], "expects": field.metadata["kind"].expects}
            for name, field in kind.option_fields().items()
        ],
        "facts": [{"spec": f.spec, "about": f.about, "value": f.value, "source": f.source} for f in kind.facts],
    }
