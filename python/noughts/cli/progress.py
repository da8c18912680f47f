"""Long work on the command line: a line on stderr that says how it is getting on, and Ctrl-C to end it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from noughts.compute.kernel import Progress, Stop

__all__ = ["interruptible", "news_line", "progress_line"]


@contextmanager
def progress_line() -> Iterator[Progress | None]:
    """Give a progress function that keeps one line up to date, or none when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    # Slow to load, and most work is quick.
    from rich.console import Console

    with Console(file=sys.stderr).status("starting…") as status:

        def tell(stage: str, depth: int, nodes: int, seconds: float) -> None:
            status.update(f"{stage}: depth {depth}, {nodes:,} nodes, {seconds:.0f} s  (Ctrl-C stops)")

        yield tell


@contextmanager
def news_line() -> Iterator[Callable[[str], None] | None]:
    """Give a function that shows what it is told in one line, or none when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(file=sys.stderr).status("starting…") as status:
        yield lambda news: status.update(f"{news}  (Ctrl-C stops)")


@contextmanager
def interruptible() -> Iterator[Stop]:
    """Give a function that says whether Ctrl-C was pressed, so that work can end with what it knows.

    A second Ctrl-C interrupts as usual.
    """
    pressed = threading.Event()

    def press(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return
    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
