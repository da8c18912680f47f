"""The ``noughts`` command: one file per subcommand."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

from noughts import __version__
from noughts.cli import arena, balance, count, games, perft, play, playouts, replay, serve, solve, worker
from noughts.errors import NoughtsError

__all__ = ["main"]

COMMANDS = (play, games, replay, serve, worker, solve, balance, arena, playouts, perft, count)

BAD_INPUT = 2
INTERRUPTED = 130

EPILOG = """\
examples:
  noughts play                    4x4 against the AI
  noughts play gomoku             five in a row on 15x15
  noughts games                   what can be played
  noughts solve 6x6,k=4           who wins, and how
  noughts COMMAND --help          more about a command, with examples
"""


def parser() -> argparse.ArgumentParser:
    """The command line as argparse knows it."""
    top = argparse.ArgumentParser(
        prog="noughts",
        description="Play, prove, train and serve grid games.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"noughts {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(
            command.__name__.rpartition(".")[2],
            help=command.SUMMARY,
            description=command.SUMMARY[0].upper() + command.SUMMARY[1:] + ".",
            epilog=command.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit code: 0 fine, 2 bad input, 130 interrupted."""
    warnings.showwarning = lambda message, *_, **__: print(f"noughts: warning: {message}", file=sys.stderr)
    try:
        arguments = parser().parse_args(argv)
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
