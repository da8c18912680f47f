"""The signals that end a server, caught before the HTTP server acts on them.

Uvicorn waits for open requests before it tells the application to shut down, and a live stream is a request that
would stay open for ever.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["on_shutdown_signal"]


@contextmanager
def on_shutdown_signal(callback: Callable[[], None]) -> Iterator[None]:
    """Call something in the event loop once the process is told to end, before the handlers that were there."""
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may listen.
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(callback)
        former = before[signal.Signals(number)]
        if callable(former):
            former(number, frame)

    # Where nobody listens the process just ends, and should go on doing so.
    chained = [number for number, former in before.items() if callable(former)]
    for number in chained:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in chained:
            signal.signal(number, before[number])
