"""``noughts serve``: play over the network."""

from __future__ import annotations

import argparse
import importlib.util
import json
from typing import Any

from noughts.errors import NoughtsError

SUMMARY = "serve the games over HTTP, with live streams and a page"
EPILOG = """\
every setting is also read from the environment: --ai-seconds 1 is NOUGHTS_AI_SECONDS=1

examples:
  noughts serve                                   on http://127.0.0.1:8000, games kept in your data directory
  noughts serve --port 0 --database games.db      on a free port, with a file of your own
  noughts serve --workers 4                       four processes on this machine
  noughts serve --host 0.0.0.0 --database postgresql://me@db/noughts --bus nats://bus:4222
                                                  one of any number of servers
  noughts serve --agent robin=q,path=runs/q-3x3-s0
                                                  what you trained plays as the level robin
  noughts serve --openapi                         print the description of the API and end
"""


class ServerMissing(NoughtsError):
    """The extra that serves is not installed."""

    code = "server_missing"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare one flag for every setting."""
    if missing_library() is not None:
        accept_anything(parser)
        return
    from noughts.server.settings import Settings

    for name, field in Settings.flags().items():
        flag, default, text = Settings.flag(name), field.default, field.description
        if isinstance(default, bool):
            parser.add_argument(flag, dest=name, action=argparse.BooleanOptionalAction, default=None, help=text)
            continue
        metavar = Settings.metavar(name)
        if isinstance(default, tuple):
            parser.add_argument(flag, dest=name, metavar=metavar, action="append", default=None, help=text)
            continue
        shown = text if default == "" else f"{text} (default: {default})"
        parser.add_argument(flag, dest=name, metavar=metavar, type=type(default), default=None, help=shown)
    parser.add_argument("--openapi", action="store_true", help="print the OpenAPI document as JSON and end")


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    require_server()
    from noughts.server.settings import Settings

    if arguments.openapi:
        from noughts.server.http.app import openapi

        print(json.dumps(openapi(), indent=2, ensure_ascii=False))
        return 0
    given: dict[str, Any] = vars(arguments)
    settings = Settings.read(given)
    from noughts.server.run import serve

    return serve(settings)


def missing_library() -> str | None:
    """A library of the extra ``server`` that is not installed, if any."""
    libraries = ("fastapi", "uvicorn", "apsw", "orjson", "pydantic_settings")
    return next((library for library in libraries if importlib.util.find_spec(library) is None), None)


def accept_anything(parser: argparse.ArgumentParser) -> None:
    """Take whatever is given, so that the command can say what to install instead of which flag is unknown."""
    parser.prefix_chars = "\0"
    parser.add_argument("anything", nargs="*", help=argparse.SUPPRESS)


def require_server() -> None:
    """Say what to install where the server's libraries are missing."""
    library = missing_library()
    if library is not None:
        raise ServerMissing(f"{library} is missing; install the server with: pip install 'noughts[server]'")
