"""The server: stored moves compared with empty requests, latency, watchers, memory, loading."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import holds
from benchmarks.routes import microseconds
from benchmarks.table import Table, human

RUNS = 6
"""Runs of the load generator, each with six turns of empty requests and six of moves."""

WATCHERS = 5000
GUESTS = 64
EASY_MOVES = 500
IDLE_GAMES = 2000


GREEDY = {
    "alone": "",
    "analyses": f" beside {GUESTS} guests who ask for analyses",
    "moves": f" beside {GUESTS} guests, half of whom ask for perfect moves",
}


def run() -> list[Table]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    table = Table("The server: one process on SQLite", ("what", "measured", "target"))
    with serving() as (url, _):
        rates = [pair for _ in range(RUNS) for pair in ask(url, "turns", 6, 64)["rates"]]
        empty, moves = (statistics.mean(rate) for rate in zip(*rates, strict=True))
        table.add("durable moves/s, 64 clients", human(moves), "")
        table.add("empty requests/s through the same middleware", human(empty), "")
        table.add(f"moves to empty requests, {len(rates)} turns with each", f"{moves / empty:.2f}", "at least 0.50")
    routes = microseconds()
    table.add("an empty move in process, through FastAPI's own route", f"{routes['/own']:.0f} µs", "")
    table.add("the same through the direct route", f"{routes['/direct']:.0f} µs", "")
    with serving() as (url, _):
        paced = ask(url, "paced", 10, 500, 64)
        table.add("a move at 500 moves/s, p50", milliseconds(paced["p50"]), "")
        table.add("a move at 500 moves/s, p99", milliseconds(paced["p99"]), "under 50 ms")
    with serving() as (url, _):
        watched = ask(url, "watch", WATCHERS, 10)
        table.add(f"{WATCHERS:,} watchers have a move, p99", milliseconds(watched["p99"]), "under 500 ms")
    with serving() as (url, _):
        times = ask(url, "greedy", GUESTS, EASY_MOVES)
        for name, beside in GREEDY.items():
            table.add(f"an easy AI move{beside}, p50", milliseconds(times[name]["p50"]), "")
            target = "" if name == "alone" else "under 100 ms"
            table.add(f"an easy AI move{beside}, p99", milliseconds(times[name]["p99"]), target)
    with serving() as (url, pid):
        ask(url, "idle", 40, 20)
        before = memory(pid)
        games = ask(url, "idle", IDLE_GAMES, 20)["games"]
        table.add("memory per idle game of 20 moves", f"{(memory(pid) - before) / games / 1024:.1f} KB", "under 20 KB")
    with serving("--cached-games", "1") as (url, _):
        loads = ask(url, "loads", 10, 200, 400)
        table.add("loading a game of 10 moves", milliseconds(loads["short"]), "")
        table.add("loading a game of 200 moves", milliseconds(loads["long"]), "")
        table.add("200 moves to 10", f"{loads['long'] / loads['short']:.2f}", "at most 2")
    return [table, holds.table()]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


@contextlib.contextmanager
def serving(*more: str) -> Iterator[tuple[str, int]]:
    """A server with a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ["--port", "0", "--database", str(Path(folder, "games.db"))]
        settings += [
            "--rate",
            "0",
            "--games-per-day",
            "0",
            "--max-games",
            "0",
            "--connections",
            "0",
            "--client-sockets",
            "0",
            "--log",
            "warning",
            *more,
        ]
        process = subprocess.Popen(
            [sys.executable, "-m", "noughts", "serve", *settings], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[3], process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
            process.stdout.close()


def ask(url: str, *what: object) -> dict[str, Any]:
    """Run the load generator in another process and return its result."""
    command = [sys.executable, "-m", "benchmarks.load", url, *map(str, what)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def memory(pid: int) -> int:
    """The memory a process uses, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
