"""``noughts gomocup``: a brain for Gomocup managers, on standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial

from noughts.cli.playouts import count
from noughts.errors import InvalidPlayer
from noughts.gomocup.brain import Brain
from noughts.gomocup.mind import PERFECT, Mind
from noughts.gomocup.wire import Wire

SUMMARY = "be a brain for a Gomocup manager, on standard input and output"
EPILOG = """\
A manager runs this and sends START, BEGIN, TURN, BOARD, INFO and so on; the brain answers with its moves. It plays five
in a row, freestyle or exactly five, on boards from 5x5 to 400 cells, and keeps the manager's limits of time and memory.
Managers that want a program called pbrain-... find one in pbrain-noughts, which takes the same options.

examples:
  noughts gomocup                              as strong as the time allows
  noughts gomocup --level easy                 for people
  noughts gomocup --threads 1                  on one core
  printf 'START 15\\nBEGIN\\nEND\\n' | noughts gomocup
  noughts arena rules "process,cmd=noughts gomocup" --game gomoku --games 2
"""

CHUNK = 1 << 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--level", default=PERFECT, help="easy, medium, hard or perfect (default: perfect)")
    parser.add_argument("--threads", type=count, metavar="T", help="for the level perfect (default: all cores)")


def run(arguments: argparse.Namespace) -> int:
    """Answer the manager until it says END or is gone."""
    if arguments.level != PERFECT:
        _check(arguments)
    if os.isatty(0):
        print("MESSAGE this is for programs; by hand: START 15, BEGIN, TURN 7,7, ..., END", flush=True)
    wire = Wire(partial(os.read, 0, CHUNK))
    brain = Brain(Mind(arguments.level, threads=arguments.threads, stop=wire.is_waiting))
    for line, at in wire.lines():
        for answer in brain.obey(line, at):
            print(answer, flush=True)
        if brain.has_ended:
            break
    return 0


def _check(arguments: argparse.Namespace) -> None:
    from noughts.players.levels import LEVELS

    if arguments.level not in LEVELS:
        raise InvalidPlayer(f"{arguments.level!r} is not a level: {', '.join(LEVELS)}")
    if arguments.threads is not None:
        raise InvalidPlayer(f"--threads is for the level perfect, not for {arguments.level}")


def pbrain() -> int:
    """Run this command alone, under the name that managers look for."""
    from noughts.cli import main

    return main(["gomocup", *sys.argv[1:]])
