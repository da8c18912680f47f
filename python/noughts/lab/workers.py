"""Workers: where the lab's work is done.

Arenas, training and reports hand their work to :class:`Workers` and never ask where it runs.
``local`` is this machine's processes; a cluster is one more class that answers to :func:`workers`.
"""

from __future__ import annotations

import _thread
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from typing import Protocol, TypeVar

from noughts.compute.kernel import share_cores
from noughts.errors import NoughtsError

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
    """Processes of this machine; with one, the process itself.

    Ctrl-C is for the process that gave the work; it tells its workers, whose pieces then see a Ctrl-C of their own.
    A terminal would send it to each of them as well, whatever it is doing just then: loading, waiting, or saving.
    """

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
        # Nothing is ever sent: a worker is to leave when the other end is closed, by us or by our end.
        heard, leave = context.Pipe(duplex=False)
        with ProcessPoolExecutor(self.count, context, initializer=_settle, initargs=(self.count, heard)) as pool:
            running: dict[Future[R], int] = {}

            def start(most: int) -> None:
                for number, piece in itertools.islice(waiting, most):
                    with _deaf_to_interrupts():
                        future = pool.submit(_work, work, piece)
                    running[future] = number

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
            except (KeyboardInterrupt, GeneratorExit):
                leave.close()
                raise
            finally:
                pool.shutdown(cancel_futures=True)
                leave.close()
                heard.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Keep Ctrl-C for later, and from every process begun meanwhile for good. Windows has no such thing."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_leaving = threading.Event()
"""Whether this worker was told to leave."""

_working = threading.Lock()
"""Held by a worker while it works."""


def _settle(count: int, heard: Connection) -> None:
    """Begin as one of so many workers."""
    share_cores(count)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, lambda *_: None)
    threading.Thread(target=_listen, args=(heard,), daemon=True).start()


def _listen(heard: Connection) -> None:
    """Wait until it is time to leave, and interrupt the piece of work there may be; without those who gave it, end."""
    with suppress(EOFError, OSError):
        heard.recv()
    _leaving.set()
    _thread.interrupt_main()
    if hasattr(signal, "SIGUSR1"):
        # Should it sleep or wait for something, this wakes it up to see the interrupt.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
    giver = parent_process()
    assert giver is not None
    giver.join()
    with _working:
        os._exit(1)


def _work(work: Callable[[T], R], piece: T) -> R:
    """Do a piece in a worker that can be interrupted meanwhile; a worker that was told to leave does not begin.

    The worker itself stays: if it ended, the pool would kill the others before they let go of what they hold.
    """
    with _working:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            if _leaving.is_set():
                raise KeyboardInterrupt
            return work(piece)
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)


PLACES: dict[str, Callable[[int | None], Workers]] = {"local": Local}


def workers(on: str = "local", count: int | None = None) -> Workers:
    """The workers of a place; ``count`` of them, or all there are."""
    if on not in PLACES:
        raise UnknownPlace(f"there is no {on!r} to work on; there is: {', '.join(PLACES)}")
    return PLACES[on](count)
