"""A line on stderr that says how long work is getting on, where somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from noughts.kernel import Progress

__all__ = ["progress_line"]


@contextmanager
def progress_line() -> Iterator[Progress | None]:
    """Give a progress function that keeps one line up to date, or none when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with Console(file=sys.stderr).status("starting…") as status:

        def tell(stage: str, depth: int, nodes: int, seconds: float) -> None:
            status.update(f"{stage}: depth {depth}, {nodes:,} nodes, {seconds:.0f} s  (Ctrl-C stops)")

        yield tell
