"""Workers: where the lab's work is done.

Arenas, training and reports hand their work to :class:`Workers` and never ask where it runs.
``local`` is this machine's processes; a cluster is one more class that answers to :func:`workers`.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Protocol, TypeVar

from noughts.errors import NoughtsError
from noughts.kernel import share_cores

__all__ = ["Local", "UnknownPlace", "Workers", "workers"]

T = TypeVar("T")
R = TypeVar("R")


class UnknownPlace(NoughtsError, ValueError):
    """A place to work that there is not."""

    code = "unknown_place"


class Workers(Protocol):
    """Does many pieces of work at a time."""

    count: int
    """How many pieces at a time."""

    def map(self, work: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
        """Do every piece and give the results in the order of the pieces.

        ``work`` is a function of a module and pieces are plain values, so that both can travel.
        """


class Local:
    """Processes of this machine; with one, the process itself."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1

    def map(self, work: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
        """Do every piece and give the results in the order of the pieces."""
        if self.count == 1:
            yield from map(work, pieces)
            return
        waiting = enumerate(pieces)
        done: dict[int, R] = {}
        context = get_context("spawn")
        with ProcessPoolExecutor(self.count, context, initializer=_settle, initargs=(self.count,)) as pool:
            running: dict[Future[R], int] = {}

            def start(most: int) -> None:
                for number, piece in itertools.islice(waiting, most):
                    running[pool.submit(_work, work, piece)] = number

            try:
                start(2 * self.count)
                due = 0
                while running:
                    finished, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        done[running.pop(future)] = future.result()
                        start(1)
                    while due in done:
                        yield done.pop(due)
                        due += 1
            finally:
                pool.shutdown(cancel_futures=True)


_on_interrupt = signal.getsignal(signal.SIGINT)
"""What Ctrl-C does in a worker that works."""


def _settle(count: int) -> None:
    """Begin as one of so many workers."""
    share_cores(count)
    _wait_for_work()


def _wait_for_work() -> None:
    """Leave Ctrl-C to whoever gave the work as long as there is none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_interrupted = False
"""Whether Ctrl-C has come in this worker."""


def _work(work: Callable[[T], R], piece: T) -> R:
    """Do a piece in a worker. Ctrl-C ends it, and the pieces that wait for this worker do not begin.

    The worker itself stays: if it ended, the pool would kill the others before they let go of what they hold.
    """
    global _interrupted
    if _interrupted:
        raise KeyboardInterrupt
    signal.signal(signal.SIGINT, _on_interrupt)
    try:
        return work(piece)
    except KeyboardInterrupt:
        _interrupted = True
        raise
    finally:
        _wait_for_work()


PLACES: dict[str, Callable[[int | None], Workers]] = {"local": Local}


def workers(on: str = "local", count: int | None = None) -> Workers:
    """The workers of a place; ``count`` of them, or all there are."""
    if on not in PLACES:
        raise UnknownPlace(f"there is no {on!r} to work on; there is: {', '.join(PLACES)}")
    return PLACES[on](count)
