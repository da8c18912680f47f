"""Long work on the command line: a line on stderr with its progress, and Ctrl-C to end it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from noughts.compute.limits import OnProgress, Stop

__all__ = ["interruptible", "progress_line"]


@contextmanager
def progress_line() -> Iterator[OnProgress | None]:
    """Give a progress function that keeps one line up to date, or none when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    # Slow to load, and most work is quick.
    from rich.console import Console

    from noughts.terminal import words

    with Console(file=sys.stderr).status("starting…") as status:
        yield lambda news: status.update(f"{words.progress(news)}, {news.seconds:.0f} s  (Ctrl-C stops)")


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
