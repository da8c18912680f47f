"""``noughts play``: a game in the terminal, typed line by line."""

from __future__ import annotations

import argparse

from noughts.core import Game, Mark
from noughts.errors import InvalidPlayer
from noughts.games import game
from noughts.match import load
from noughts.players import player
from noughts.players.levels import all_levels, level_spec
from noughts.terminal.line import HUMAN, LineGame
from noughts.terminal.screen import Screen

SUMMARY = "play a game in the terminal"
EPILOG = """\
players: human, easy, medium, hard, perfect, casual, random, rules, minimax, mcts, engine, process, q, td; options
follow a comma: minimax,depth=4. A level (easy, medium, hard, perfect) stands for a player that suits the game; the
level rules follows the game's rules of thumb, where it has some.

examples:
  noughts play                               4x4: you are X, the AI is O
  noughts play gomoku --level medium         meet an AI you can beat
  noughts play 3x3 --o human                 two people at one keyboard
  noughts play gomoku --x minimax --o rules  watch two AIs
  noughts play peaceful --first g            Infinity Grid Duel, Green begins
  noughts play peaceful --level rules        against its own rules: capture, block, expand
  noughts play 5x5,k=4,players=3 --player A=rules
  noughts play gomoku --o "process,cmd=./pbrain-other"   against any Gomocup brain
  noughts play 3x3 --o q,path=runs/q-3x3-s0  against an agent that you trained
  noughts play --load game.jsonl             go on with a saved match
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("spec", nargs="?", help="the game, e.g. 4x4, gomoku or hex,size=7 (default: 4x4)")
    parser.add_argument("--x", metavar="PLAYER", help="who plays the first mark (default: human)")
    parser.add_argument("--o", metavar="PLAYER", help="who plays the second mark (default: an AI)")
    parser.add_argument(
        "--player", metavar="MARK=PLAYER", action="append", default=[], help="who plays a mark; may be repeated"
    )
    parser.add_argument(
        "--level", choices=[*all_levels()], default="perfect", help="how strong the AI is (default: perfect)"
    )
    parser.add_argument("--first", metavar="MARK", help="who moves first")
    parser.add_argument("--load", metavar="FILE", help="go on with a saved match")
    parser.add_argument("--details", action="store_true", help="the figures behind moves: values, positions, seconds")
    parser.add_argument("--plain", action="store_true", help="plain text, for pipes and screen readers")


def run(arguments: argparse.Namespace) -> int:
    """Start or resume the match and play it."""
    screen = Screen(plain=arguments.plain, details=arguments.details)
    if arguments.load:
        if arguments.spec or arguments.first:
            raise InvalidPlayer("--load takes the game and who begins from the file; leave SPEC and --first out")
        record = load(arguments.load)
        known = record.state.game
        players = _players(known, arguments, dict(record.state.players))
        return LineGame.resume(record, players, screen).run()
    chosen = game(arguments.spec or "4x4")
    players = _players(chosen, arguments, {})
    first = chosen.check_mark(arguments.first) if arguments.first else None
    return LineGame.begin(chosen, players, screen, first=first).run()


def _players(game: Game, arguments: argparse.Namespace, recorded: dict[Mark, str]) -> dict[Mark, str]:
    """Who plays each mark: as given, else as recorded, else a person first and AIs after."""
    named = {mark: spec for mark, spec in zip(game.marks, (arguments.x, arguments.o), strict=False) if spec}
    for given in arguments.player:
        mark, equals, spec = given.partition("=")
        if not equals or not spec:
            raise InvalidPlayer(f"{given!r}: write --player MARK=PLAYER, e.g. --player X=rules")
        named[game.check_mark(mark)] = spec
    players = {}
    for seat, mark in enumerate(game.marks):
        spec = named.get(mark) or recorded.get(mark) or (level_spec(arguments.level, game) if seat else HUMAN)
        players[mark] = spec if spec == HUMAN else _checked(spec, mark, game, trusted=mark in named)
    return players


def _checked(spec: str, mark: Mark, game: Game, *, trusted: bool) -> str:
    """The canonical spec of a player who can play the game and may be started."""
    made = player(spec)
    if made.local and not trusted:
        # A record may come from anywhere.
        raise InvalidPlayer(f"the file has {mark} played by {spec!r}, a program: name it with --player if you trust it")
    made.check_game(game)
    return made.spec
