"""The claim on an SQLite file: one server on a machine at a time, alone or with its worker processes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from noughts.server.settings import InvalidSetting

__all__ = ["claimed", "claimed_by_worker"]


@contextlib.contextmanager
def claimed(database: str) -> Iterator[None]:
    """Hold the file for this server, or say that another one does.

    The kernel lets go of the claim when the process ends, however it ends.
    """
    Path(database).absolute().parent.mkdir(parents=True, exist_ok=True)
    with _locked(f"{database}.lock", shared=False) as ours:
        with _locked(f"{database}.workers.lock", shared=False) as free:
            if not (ours and free):
                raise InvalidSetting(
                    f"another noughts serve uses {database}; give this one a --database of its own, "
                    "or run one with --workers"
                )
        yield


@contextlib.contextmanager
def claimed_by_worker(database: str) -> Iterator[None]:
    """Hold the file together with the other workers, so that no other server starts before they are gone."""
    with _locked(f"{database}.workers.lock", shared=True):
        yield


@contextlib.contextmanager
def _locked(path: str, *, shared: bool) -> Iterator[bool]:
    try:
        import fcntl
    except ImportError:
        # Without file locks SQLite's own have to do.
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
