"""``noughts games``: what can be played."""

from __future__ import annotations

import argparse
import json

from noughts.core import Game
from noughts.errors import InvalidGame
from noughts.games import all_games
from noughts.spec import suggest

SUMMARY = "list the games, their presets and options"
EPILOG = """\
examples:
  noughts games             all games with their presets
  noughts games hex         one game with its options and what is known about it
  noughts games --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", help="one game, with all there is to know about it")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print one game or all of them."""
    games = all_games()
    if arguments.name and arguments.name not in games:
        raise InvalidGame(f"unknown game {arguments.name!r}; {suggest(arguments.name, games)}")
    chosen = [games[arguments.name]] if arguments.name else list(games.values())
    if arguments.json:
        print(json.dumps([_as_json(kind) for kind in chosen], indent=2, ensure_ascii=False))
        return 0
    for kind in chosen:
        print(f"{kind.title} ({kind.name}): {kind.summary}")
        for preset in kind.presets:
            print(f"  {preset.name:<12} {preset.spec:<24} {preset.summary}")
        if arguments.name:
            _details(kind)
        print()
    if not arguments.name:
        print("A spec is a size or a name, then options: 6x5,k=4 or hex,size=7,swap.")
        print("noughts games NAME lists the options of a game; noughts play SPEC plays it.")
    return 0


def _details(kind: type[Game]) -> None:
    print("\n  options")
    for name, field in kind.option_fields().items():
        kind_of = field.metadata["kind"]
        print(f"    {name:<12} {field.metadata['help']} ({kind_of.expects})")
    print("\n  known")
    for fact in kind.facts:
        value = " ".join(map(str, fact.value)) if isinstance(fact.value, tuple) else f"{fact.value}"
        print(f"    {fact.spec:<32} {fact.about:<10} {value}  [{fact.source}]")


def _as_json(kind: type[Game]) -> dict[str, object]:
    return {
        "name": kind.name,
        "title": kind.title,
        "summary": kind.summary,
        "presets": [{"name": p.name, "spec": p.spec, "summary": p.summary} for p in kind.presets],
        "options": [
            {"name": name, "help": field.metadata["help"], "expects": field.metadata["kind"].expects}
            for name, field in kind.option_fields().items()
        ],
        "facts": [{"spec": f.spec, "about": f.about, "value": f.value, "source": f.source} for f in kind.facts],
    }
