"""The lock on an SQLite file: one server on a machine at a time, alone or with its worker processes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from noughts.server.errors import InvalidSetting

__all__ = ["server_lock", "worker_lock"]


@contextlib.contextmanager
def server_lock(database: str) -> Iterator[None]:
    """Lock the file for this server, or say that another server has it.

    The operating system releases the lock when the process ends, however it ends.
    """
    Path(database).absolute().parent.mkdir(parents=True, exist_ok=True)
    with _locked(f"{database}.lock", shared=False) as ours:
        with _locked(f"{database}.workers.lock", shared=False) as no_workers:
            if not (ours and no_workers):
                raise InvalidSetting(
                    f"another noughts serve uses {database}; give this one a --database of its own, "
                    "or run one with --workers"
                )
        yield


@contextlib.contextmanager
def worker_lock(database: str) -> Iterator[None]:
    """Share the lock with the other worker processes, so that no server starts before all of them are gone."""
    with _locked(f"{database}.workers.lock", shared=True):
        yield


@contextlib.contextmanager
def _locked(path: str, *, shared: bool) -> Iterator[bool]:
    try:
        import fcntl
    except ImportError:
        # Windows: SQLite's own locks must do.
        yield True
        return
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(file)
