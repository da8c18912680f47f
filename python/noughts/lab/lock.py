"""The lock on a run: one process at a time trains it.

The operating system holds the lock and lets go of it when the process ends, however it ends. The file says
who has it, for the message to others.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from noughts.learning import InvalidTraining

__all__ = ["LOCK_FILE", "RunInUse", "is_locked", "run_lock"]

LOCK_FILE: Final = "lock"

TRIES: Final = 5
"""How often to ask for the lock: whoever only looks whether it is taken has it for a moment."""

PAUSE: Final = 0.02
"""Seconds between two of them."""


class RunInUse(InvalidTraining):
    """Another process trains the run."""

    code = "run_in_use"


@contextmanager
def run_lock(folder: Path) -> Iterator[None]:
    """Lock a run for this process, or say who has it. The folder is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        for left in reversed(range(TRIES)):
            if _locked(file):
                break
            if not left:
                raise RunInUse(f"{folder} is being trained by {_holder(file)}; wait until it ends, or stop it first")
            time.sleep(PAUSE)
        holder = {"process": os.getpid(), "machine": platform.node()}
        os.truncate(file, 0)
        os.pwrite(file, json.dumps(holder).encode(), 0)
        yield
        os.truncate(file, 0)
    finally:
        os.close(file)


def is_locked(folder: Path) -> bool:
    """Whether some process trains the run."""
    try:
        file = os.open(folder / LOCK_FILE, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _locked(file)
    finally:
        os.close(file)


def _locked(file: int) -> bool:
    """Take the lock if it is free."""
    try:
        import fcntl
    except ImportError:
        # Windows has no such lock.
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(file: int) -> str:
    try:
        told = json.loads(os.pread(file, 4096, 0))
        return f"process {int(told['process'])} on {told['machine']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
