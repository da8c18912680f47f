"""What the server counts, for Prometheus."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

__all__ = ["Metrics", "shared_text"]

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """Counters of one process; with several processes on a machine they add up through files."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter("noughts_requests", "Requests answered", labels, registry=self.registry)
        self.seconds = Histogram(
            "noughts_request_seconds", "Time to answer", ("route",), buckets=BUCKETS, registry=self.registry
        )
        self.cuts = Counter(
            "noughts_connections_cut", "Connections refused or closed early", ("reason",), registry=self.registry
        )
        self._gauges: list[tuple[Gauge, Callable[[], float]]] = []
        self._series: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        series = self._series.get((method, route, status))
        if series is None:
            series = (self.requests.labels(method, route, str(status)), self.seconds.labels(route))
            self._series[method, route, status] = series
        series[0].inc()
        series[1].observe(seconds)

    def cut_off(self, reason: str) -> None:
        """Count a connection that was refused or closed early."""
        self.cuts.labels(reason).inc()

    def gauge(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Show a number that is read regularly and when asked for."""
        self._gauges.append((Gauge(name, text, registry=self.registry, multiprocess_mode="livesum"), value))

    def update_gauges(self) -> None:
        """Read every gauge, for whichever process is asked next."""
        for gauge, value in self._gauges:
            gauge.set(value())

    def text(self) -> bytes:
        """Everything in Prometheus' text format; gauges as they were when they were last read."""
        return generate_latest(self.registry)


def shared_text(folder: str) -> bytes:
    """What all processes of a machine counted together, from the files that they share."""
    _remove_dead_processes(Path(folder))
    shared = CollectorRegistry()
    MultiProcessCollector(shared, path=folder)  # type: ignore[no-untyped-call]
    return generate_latest(shared)


def _remove_dead_processes(folder: Path) -> None:
    """Remove the gauges of processes that have ended; what they counted stays."""
    for file in folder.glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            mark_process_dead(process, str(folder))  # type: ignore[no-untyped-call]
        except PermissionError:
            continue
