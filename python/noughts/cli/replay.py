"""``noughts replay``: step through a recorded match."""

from __future__ import annotations

import argparse
import json

from noughts.errors import InvalidRecord
from noughts.match import MakeMove, Record, Resign, load, measure
from noughts.terminal.screen import Screen

SUMMARY = "step through a recorded match"
EPILOG = """\
commands: next (or Enter), back, first, last, a number, quit

examples:
  noughts replay game.jsonl              step with Enter and back
  noughts replay game.jsonl --all        print every position
  noughts replay game.jsonl --json       the match in numbers: winner, length, duration, …
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", help="a record, as save in noughts play writes it")
    parser.add_argument("--all", action="store_true", help="print every position and leave")
    parser.add_argument("--json", action="store_true", help="print the metrics of the match as JSON and leave")
    parser.add_argument("--plain", action="store_true", help="plain text, for pipes and screen readers")


def run(arguments: argparse.Namespace) -> int:
    """Load the record and show it."""
    try:
        record = load(arguments.file)
    except InvalidRecord as error:
        raise InvalidRecord(f"{arguments.file}: {_without_line(error)}", line=error.line, state=error.state) from None
    if arguments.json:
        metrics = measure(record.state).to_json()
        print(
            json.dumps({"game": record.state.game.spec, "status": record.state.status, **metrics}, ensure_ascii=False)
        )
        return 0
    screen = Screen(plain=arguments.plain)
    if arguments.all:
        for step in range(len(record.actions)):
            _show(record, step, screen)
        return 0
    return _step_through(record, screen)


def _without_line(error: InvalidRecord) -> str:
    return str(error).removeprefix(f"line {error.line}: ")


def _step_through(record: Record, screen: Screen) -> int:
    step, last = 0, len(record.actions) - 1
    _show(record, step, screen)
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
        _show(record, step, screen)
    return 0


def _show(record: Record, step: int, screen: Screen) -> None:
    action, state = record.actions[step], record.states[step]
    who = getattr(action, "player", None)
    what = f"{who} plays {action.move}" if isinstance(action, MakeMove) else action.name.replace("_", " ")
    if who and not isinstance(action, MakeMove):
        what += f" by {who}"
    if isinstance(action, Resign) and action.reason:
        what += f": {action.reason}"
    captured = state.history[-1].captured_count if isinstance(action, MakeMove) else 0
    screen.say(f"{step + 1}. {what}" + (f", capturing {captured}" if captured else "") + f"   ({state.status})")
    screen.board(state.position)
    screen.say()
