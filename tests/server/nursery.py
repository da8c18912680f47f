"""A process that has imported the server and forks one whenever it is asked, so that tests can start hundreds.

It reads one JSON object a line, ``{"arguments": [...], "environment": {...}, "output": path}``, and answers each with
the process id of a real server. Ended servers are reaped by the kernel.
"""

import importlib
import json
import os
import signal
import sys

from noughts.cli import main as noughts


def main() -> None:
    for name in ("ai.worker", "bus.nats", "http.app", "run", "storage.database.postgresql", "storage.database.sqlite"):
        importlib.import_module(f"noughts.server.{name}")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    for line in sys.stdin:
        wanted = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.setsid()
            output = os.open(wanted["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            for number in (1, 2):
                os.dup2(output, number)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.environ.update(wanted["environment"])
            try:
                code = noughts(wanted["arguments"])
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                code = 1
            sys.stdout.flush()
            os._exit(code)
        print(child, flush=True)


if __name__ == "__main__":
    main()
