"""``noughts worker``: think for servers on other machines."""

from __future__ import annotations

import argparse
import os

from noughts.cli.serve import require_server
from noughts.errors import NoughtsError

SUMMARY = "think for servers on other machines: AI moves, hints, analyses"
EPILOG = """\
both settings are also read from the environment: NOUGHTS_BUS and NOUGHTS_THREADS

examples:
  noughts worker --bus nats://bus:4222              as many tasks at once as this machine has cores
  noughts worker --bus nats://bus:4222 --threads 2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--bus", metavar="URL", help="the NATS server that the servers use, as nats://…")
    parser.add_argument("--threads", metavar="N", type=int, help="tasks to do at once (default: one for each core)")


def run(arguments: argparse.Namespace) -> int:
    """Work until Ctrl-C."""
    require_server()
    from noughts.server.settings import InvalidSetting

    bus = arguments.bus or os.environ.get("NOUGHTS_BUS", "")
    if not bus.startswith(("nats://", "tls://")):
        raise InvalidSetting(f"--bus {bus or '(missing)'}: must begin with nats://")
    try:
        threads = arguments.threads or int(os.environ.get("NOUGHTS_THREADS", os.cpu_count() or 1))
    except ValueError:
        raise InvalidSetting(f"NOUGHTS_THREADS={os.environ['NOUGHTS_THREADS']}: must be a whole number") from None
    if threads < 1:
        raise InvalidSetting(f"--threads {threads}: must be at least 1")
    return _work(bus, threads)


def _work(bus: str, threads: int) -> int:
    try:
        from noughts.server.run import configure_logging
        from noughts.server.worker import work
    except ImportError as error:
        raise NoughtsError(f"{error}; install the server with: pip install 'noughts[server]'") from error
    configure_logging("info")
    return work(bus, threads)
