"""A program that runs beside this one and is spoken to line by line, within limits.

Whatever the program does, nothing here waits longer than it may: lines go out and come in
on threads of their own, what is not read is bounded, and the end of it is certain.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence

__all__ = ["Ended", "Program", "Silent"]

MAX_LINE_LENGTH = 1000
"""Characters of a line that are kept."""

MAX_WAITING_LINES = 1000
"""Lines that may wait to be read; a program that prints more is held up."""

READ_BYTES = 1 << 16


class Ended(Exception):
    """The program has ended, or at least it will not say anything more; the text says how."""


class Silent(Exception):
    """The program has said nothing in time."""


class Program:
    """A running program. Starting one that is not there raises ``OSError``."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            arguments,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own, so that what it starts in turn can be ended with it.
            start_new_session=os.name == "posix",
        )
        self._closed = threading.Event()
        self._said: queue.Queue[str | None] = queue.Queue(MAX_WAITING_LINES)
        self._sent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=3)
        self._complaining = threading.Thread(target=self._read_complaints, daemon=True)
        others = (threading.Thread(target=work, daemon=True) for work in (self._read_output, self._write))
        self._threads = [self._complaining, *others]
        for thread in self._threads:
            thread.start()

    def send(self, *lines: str) -> None:
        """Send lines. A program that does not read them is found out when it does not answer."""
        self._sent.put("".join(f"{line}\r\n" for line in lines).encode())

    def read_line(self, deadline: float) -> str:
        """The next line that is not empty, at the latest when ``time.monotonic()`` is the deadline."""
        while True:
            try:
                line = self._said.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Silent from None
            if line is None:
                self._said.put(None)
                raise Ended(self._how_it_ended())
            if line.strip():
                return line.strip()

    def forget(self) -> None:
        """Drop the lines that wait and nobody asked for."""
        with contextlib.suppress(queue.Empty):
            for _ in range(MAX_WAITING_LINES):
                if self._said.get_nowait() is None:
                    self._said.put(None)
                    break

    def end(self, *, patience: float) -> None:
        """Wait a while for the program to end by itself, then end it."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._sent.put(None)
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        except BaseException:
            self._kill()
            raise
        if not self._is_quiet(within=0.2):
            # It has left something behind that holds its pipes.
            self._kill()
            self._is_quiet(within=1.0)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()

    def _is_quiet(self, *, within: float) -> bool:
        """Whether nothing can come from the pipes any more."""
        for thread in self._threads:
            thread.join(within)
        return not any(thread.is_alive() for thread in self._threads)

    def _kill(self) -> None:
        """End the program and all that it has started."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        self._complaining.join(timeout=1)
        how = f"it was killed by {_signal(-code)}" if code < 0 else f"it ended with exit code {code}"
        return f"{how}, saying {self._complaints[-1]!r}" if self._complaints else how

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            while (data := self._sent.get()) is not None:
                while data:
                    data = data[self._process.stdin.write(data) :]
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        for line in _lines(self._process.stdout.fileno()):
            self._keep(line)
        self._keep(None)

    def _keep(self, line: str | None) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._said.put(line, timeout=0.1)
                break

    def _read_complaints(self) -> None:
        assert self._process.stderr is not None
        for line in _lines(self._process.stderr.fileno()):
            if line.strip():
                self._complaints.append(line.strip())


def _lines(descriptor: int) -> Iterator[str]:
    """The lines that come out of a pipe, however they end, cut where they are too long."""
    rest = b""
    with contextlib.suppress(OSError):
        while data := os.read(descriptor, READ_BYTES):
            *lines, rest = re.split(rb"[\r\n]", rest + data)
            yield from map(_text, lines)
            rest = rest[:MAX_LINE_LENGTH]
    if rest:
        yield _text(rest)


def _text(line: bytes) -> str:
    """A line that is safe to show."""
    text = line[:MAX_LINE_LENGTH].decode(errors="replace")
    return "".join(c if c.isprintable() else " " for c in text)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
