"""The ``noughts`` command: one file per subcommand, loaded when it is asked for."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Sequence

from noughts import __version__
from noughts.errors import NoughtsError

__all__ = ["main"]

COMMANDS = (
    "play",
    "games",
    "replay",
    "analyse",
    "serve",
    "worker",
    "solve",
    "balance",
    "arena",
    "train",
    "runs",
    "report",
    "playouts",
    "perft",
    "count",
    "gomocup",
)

BAD_INPUT = 2
INTERRUPTED = 130

EPILOG = """\
examples:
  noughts play                    4x4 against the AI
  noughts play gomoku             five in a row on 15x15
  noughts games                   what can be played
  noughts solve 6x6,k=4           who wins, and how
  noughts analyse game.jsonl      how well a match was played
  noughts train q --game 3x3      an agent that learns to play perfectly
  noughts serve                   play over HTTP
  noughts COMMAND --help          more about a command, with examples
"""


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line as argparse knows it, with all commands or only those that are needed."""
    top = argparse.ArgumentParser(
        prog="noughts",
        description="Play, prove, train and serve grid games.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"noughts {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name in names:
        command = importlib.import_module(f"{__name__}.{name}")
        sub = commands.add_parser(
            name,
            help=command.SUMMARY,
            description=command.SUMMARY[0].upper() + command.SUMMARY[1:] + ".",
            epilog=command.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return top


def _needed(argv: Sequence[str]) -> Sequence[str]:
    """The commands to load: the one that will run, none for the version, all of them for the list."""
    first = argv[0] if argv else ""
    return (first,) if first in COMMANDS else () if first == "--version" else COMMANDS


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit code: 0 fine, 2 bad input, 130 interrupted."""
    warnings.showwarning = lambda message, *_, **__: print(f"noughts: warning: {message}", file=sys.stderr)
    argv = sys.argv[1:] if argv is None else argv
    try:
        arguments = parser(_needed(argv)).parse_args(argv)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except NoughtsError as error:
        print(f"noughts: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader is gone; keep the interpreter from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"noughts: {error.filename or 'input or output'}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("\nnoughts: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code
