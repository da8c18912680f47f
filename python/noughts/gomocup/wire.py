"""The wire to the manager: lines as they come, when they came, and whether the manager has moved on."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

__all__ = ["Wire"]

MAX_LINE_BYTES = 1000
"""Bytes of a line that are kept."""


class Wire:
    """Reads lines on a thread of its own, so that the end of a game is noticed while the brain thinks.

    ``read`` gives the next bytes, and none at the end. Lines end with LF or CR LF.
    """

    def __init__(self, read: Callable[[], bytes], clock: Callable[[], float] = time.monotonic) -> None:
        self._read, self._clock = read, clock
        self._lines: deque[tuple[str, float]] = deque()
        self._ended = False
        self._news = threading.Condition()
        self._known = 0
        self._knew_the_end = False
        threading.Thread(target=self._listen, daemon=True).start()

    def lines(self) -> Iterator[tuple[str, float]]:
        """Every line with the time when it came, until the input ends."""
        while True:
            with self._news:
                while not self._lines and not self._ended:
                    self._news.wait()
                if not self._lines:
                    return
                line = self._lines.popleft()
                self._known, self._knew_the_end = len(self._lines), self._ended
            yield line

    def is_waiting(self) -> bool:
        """Whether a command or the end has come since the last line was handed out.

        What was there already does not count: a script that is piped in gets full answers. Nor does
        ``INFO``, which may come at any time.
        """
        with self._news:
            new = list(self._lines)[self._known :]
            ended = self._ended and not self._knew_the_end
        return ended or any(text.strip() and not text.upper().lstrip().startswith("INFO") for text, _ in new)

    def _listen(self) -> None:
        rest = b""
        with contextlib.suppress(OSError):
            while data := self._read():
                *lines, rest = re.split(rb"\r?\n", rest + data)
                self._add(lines)
                rest = rest[:MAX_LINE_BYTES]
        self._add([rest] if rest else [])
        with self._news:
            self._ended = True
            self._news.notify()

    def _add(self, lines: list[bytes]) -> None:
        now = self._clock()
        with self._news:
            self._lines.extend((line[:MAX_LINE_BYTES].decode(errors="replace"), now) for line in lines)
            self._news.notify()
