"""``noughts replay``: step through a recorded match."""

from __future__ import annotations

import argparse
import json

from noughts.errors import InvalidPlayer, InvalidRecord
from noughts.match import Record, load, measure
from noughts.players import Limits, all_players, player
from noughts.players.fallible import Fallible
from noughts.terminal import words
from noughts.terminal.screen import Screen
from noughts.terminal.values import values_board

SUMMARY = "step through a recorded match"
EPILOG = """\
commands: next (or Enter), back, first, last, a number, quit

examples:
  noughts replay game.jsonl              step with Enter and back
  noughts replay game.jsonl --all        print every position
  noughts replay game.jsonl --json       the match in numbers: winner, length, duration, …
  noughts replay game.jsonl --values q,path=runs/q-3x3-s0   with what an agent thinks of every move
  noughts replay game.jsonl --values perfect                with what every move is worth
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", help="a record saved by noughts play")
    parser.add_argument("--all", action="store_true", help="print every position and leave")
    parser.add_argument("--json", action="store_true", help="print the metrics of the match as JSON and leave")
    parser.add_argument("--values", metavar="PLAYER", help="write what a player thinks of every move onto the board")
    parser.add_argument("--plain", action="store_true", help="plain text, for pipes and screen readers")


def run(arguments: argparse.Namespace) -> int:
    """Load the record and show it."""
    try:
        record = load(arguments.file)
    except InvalidRecord as error:
        raise InvalidRecord(f"{arguments.file}: {error.reason}", line=error.line, state=error.state) from None
    if arguments.json:
        metrics = measure(record.state).to_json()
        print(
            json.dumps({"game": record.state.game.spec, "status": record.state.status, **metrics}, ensure_ascii=False)
        )
        return 0
    screen = Screen(plain=arguments.plain)
    critic = _critic(arguments.values, record) if arguments.values else None
    if arguments.all:
        for step in range(len(record.actions)):
            _show(record, step, screen, critic)
        return 0
    return _step_through(record, screen, critic)


def _critic(spec: str, record: Record) -> Fallible:
    """The player who says what moves are worth."""
    made = player(spec)
    if not isinstance(made, Fallible):
        able = ", ".join(sorted(name for name, kind in all_players().items() if issubclass(kind, Fallible)))
        raise InvalidPlayer(f"{spec} does not say what moves are worth; these do: {able}")
    made.check_game(record.state.game)
    return made


def _step_through(record: Record, screen: Screen, critic: Fallible | None) -> int:
    step, last = 0, len(record.actions) - 1
    _show(record, step, screen, critic)
    while (command := screen.ask(f"{step + 1}/{last + 1}, next, back, first, last, a number or quit:")) is not None:
        match command.lower():
            case "" | "n" | "next":
                wanted = step + 1
            case "b" | "back" | "p" | "previous":
                wanted = step - 1
            case "first":
                wanted = 0
            case "last":
                wanted = last
            case "q" | "quit" | "exit":
                return 0
            case number if number.isascii() and number.isdigit():
                wanted = int(number[:9]) - 1
            case other:
                screen.say(f"{other!r} is not a command")
                continue
        if not 0 <= wanted <= last:
            screen.say("the match begins here" if wanted < 0 else f"the record has {last + 1} steps and ends there")
            continue
        step = wanted
        _show(record, step, screen, critic)
    return 0


def _show(record: Record, step: int, screen: Screen, critic: Fallible | None = None) -> None:
    action, state = record.actions[step], record.states[step]
    screen.say(f"{step + 1}. {words.action(action, state)}   ({state.status})")
    if critic is None or state.is_over:
        screen.board(state.position)
    else:
        screen.say(values_board(state.position, critic.rate(state.position, Limits())))
    screen.say()
