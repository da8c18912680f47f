"""The table that ``make bench`` writes."""

from __future__ import annotations

import gc
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import noughts

LATEST = Path(__file__).parent / "latest.md"


@dataclass
class Table:
    """One section of the results."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, *cells: object) -> None:
        """Add a row and print it, so that a long run shows its progress."""
        self.rows.append(tuple(map(str, cells)))
        print("  " + " | ".join(self.rows[-1]), flush=True)

    def markdown(self) -> str:
        """The section as Markdown."""
        lines = ["| " + " | ".join(row) + " |" for row in [self.columns, *self.rows]]
        lines.insert(1, "|" + " --- |" * len(self.columns))
        return f"## {self.title}\n\n" + "\n".join(lines) + "\n"


def machine() -> str:
    """The processor and the versions that the numbers are for."""
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, noughts {noughts.__version__}"


def rate(work: Callable[[], int], *, seconds: float = 1.0, best_of: int = 3) -> float:
    """Units of work per second; ``work`` returns how many it did. The best of several runs counts."""
    best = 0.0
    for _ in range(best_of):
        gc.collect()
        amount, began = 0, time.perf_counter()
        while (spent := time.perf_counter() - began) < seconds:
            amount += work()
        best = max(best, amount / spent)
    return best


def seconds_for(work: Callable[[], object], *, best_of: int = 3) -> float:
    """The seconds ``work`` takes, the best of several runs."""
    best = float("inf")
    for _ in range(best_of):
        gc.collect()
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def human(number: float) -> str:
    """A number with a unit: 12.3 k, 4.56 M."""
    for limit, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= limit:
            return f"{number / limit:.3g}{unit}"
    return f"{number:.3g}"
