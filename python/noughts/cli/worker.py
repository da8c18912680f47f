"""``noughts worker``: think for servers on other machines."""

from __future__ import annotations

import argparse

from noughts.cli.serve import accept_anything, missing_library, require_server

SUMMARY = "think for servers on other machines: AI moves, hints, analyses"
EPILOG = """\
the settings are also read from the environment: NOUGHTS_BUS, NOUGHTS_THREADS and NOUGHTS_AGENTS (; between)

a worker needs the same --agent settings as the servers, and the files they name; it refuses tasks for an agent
that it lacks, and says so

examples:
  noughts worker --bus nats://bus:4222              as many tasks at once as this machine has cores
  noughts worker --bus nats://bus:4222 --threads 2
  noughts worker --bus nats://bus:4222 --agent robin=q,path=runs/q-3x3-s0
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    if missing_library() is not None:
        accept_anything(parser)
        return
    from noughts.server.settings import WorkerSettings

    for name, field in WorkerSettings.flags().items():
        flag, metavar, text = WorkerSettings.flag(name), WorkerSettings.metavar(name), field.description
        if isinstance(field.default, tuple):
            parser.add_argument(flag, dest=name, metavar=metavar, action="append", help=text)
        else:
            parser.add_argument(flag, dest=name, metavar=metavar, type=type(field.default), help=text)


def run(arguments: argparse.Namespace) -> int:
    """Work until Ctrl-C."""
    require_server()
    from noughts.server.ai.agents import read_agents
    from noughts.server.ai.worker import work
    from noughts.server.logs import configure_logging
    from noughts.server.settings import WorkerSettings

    settings = WorkerSettings.read(vars(arguments))
    configure_logging("info")
    return work(settings.bus, settings.threads, read_agents(settings.agents))
