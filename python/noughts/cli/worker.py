"""``noughts worker``: think for servers on other machines."""

from __future__ import annotations

import argparse
import os

from noughts.cli.serve import require_server
from noughts.errors import NoughtsError

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
    parser.add_argument("--bus", metavar="URL", help="the NATS server that the servers use, as nats://…")
    parser.add_argument(
        "--agent",
        dest="agents",
        metavar="NAME=SPEC",
        action="append",
        help="an agent that the servers have; may be given several times",
    )
    parser.add_argument("--threads", metavar="N", type=int, help="tasks to do at once (default: one for each core)")


def run(arguments: argparse.Namespace) -> int:
    """Work until Ctrl-C."""
    require_server()
    from noughts.server.settings import InvalidSetting, Settings

    bus = arguments.bus or os.environ.get("NOUGHTS_BUS", "")
    if not bus.startswith(("nats://", "tls://")):
        raise InvalidSetting(f"--bus {bus or '(missing)'}: must begin with nats://")
    try:
        threads = arguments.threads or int(os.environ.get("NOUGHTS_THREADS", os.cpu_count() or 1))
    except ValueError:
        raise InvalidSetting(f"NOUGHTS_THREADS={os.environ['NOUGHTS_THREADS']}: must be a whole number") from None
    if threads < 1:
        raise InvalidSetting(f"--threads {threads}: must be at least 1")
    named = {"NOUGHTS_AGENTS": os.environ.get("NOUGHTS_AGENTS", "")}
    return _work(bus, threads, Settings.read({"agents": arguments.agents}, named).agents)


def _work(bus: str, threads: int, agents: tuple[str, ...]) -> int:
    try:
        from noughts.server.ai.agents import read_agents
        from noughts.server.ai.worker import work
        from noughts.server.run import configure_logging
    except ImportError as error:
        raise NoughtsError(f"{error}; install the server with: pip install 'noughts[server]'") from error
    configure_logging("info")
    return work(bus, threads, read_agents(agents))
