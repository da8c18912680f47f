"""Endless work for the tests of workers: ``python -m tests.lab.endless FOLDER``."""

import os
import sys
import time
from pathlib import Path

from noughts.lab.workers import Local


def linger(folder):
    """Write the process id to a file and wait; on an interrupt rename the file, which takes a while."""
    begun, over = Path(folder, f"begun-{os.getpid()}"), Path(folder, f"over-{os.getpid()}")
    try:
        begun.touch()
        time.sleep(3600)
    except KeyboardInterrupt:
        time.sleep(0.2)
        if begun.exists():
            begun.rename(over)
        raise


def linger_or_not(folder):
    """Linger if there is a folder, else return at once."""
    return linger(folder) if folder else os.getpid()


if __name__ == "__main__":
    for _ in Local(2).map(linger, [sys.argv[1]] * 8):
        pass
