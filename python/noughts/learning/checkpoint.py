"""Checkpoints: the arrays of a learner in a safetensors file, never half written.

The file's metadata hold what noughts says about the arrays: the format's version, the learner, the
game, the games learned from, and a checksum. Nothing in a file is ever executed.

A file is written beside its place, forced to disk and then moved there, so whatever goes wrong on
the way (no space left, no power) leaves the file before it as it was.
"""

from __future__ import annotations

import json
import os
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from noughts.errors import InvalidCheckpoint

__all__ = ["VERSION", "Checkpoint", "newest", "write_atomically"]

VERSION = 2
"""The version of what the metadata say and mean. Version 1 took the arrays of the checksum in the file's order."""

SUFFIX = ".safetensors"

_TYPES: Final = {"uint8": "U8", "uint16": "U16", "uint32": "U32", "float32": "F32"}
"""How safetensors calls the types of the arrays."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Checkpoint:
    """What a learner knew after some games."""

    kind: str
    """The learner, such as ``q``."""
    game: str
    """The spec of the game it learned."""
    games: int
    """The games it learned from."""
    arrays: Mapping[str, Array]
    settings: Mapping[str, object]
    """Whatever else the learner needs to go on."""

    def check_arrays(self, *names: str) -> None:
        """Refuse a checkpoint that lacks some of these arrays."""
        if missing := set(names) - set(self.arrays):
            raise InvalidCheckpoint(f"the checkpoint is damaged: it holds no {', '.join(sorted(missing))}")

    def save(self, path: Path) -> None:
        """Write the file, or leave the one that is there."""
        arrays = {name: np.ascontiguousarray(self.arrays[name]) for name in sorted(self.arrays)}
        about = {
            "format": "noughts",
            "version": str(VERSION),
            "kind": self.kind,
            "game": self.game,
            "games": str(self.games),
            "settings": json.dumps(self.settings, sort_keys=True),
        }
        write_atomically(path, save(arrays, {**about, "crc32": _checksum(arrays, about)}))

    @classmethod
    def load(cls, path: Path, *, kind: str | None = None, game: str | None = None) -> Checkpoint:
        """Read a file; one that is damaged, of another version, learner or game says so.

        A folder stands for the newest checkpoint of the run it holds.
        """
        path = newest(path) if path.is_dir() else path
        try:
            with safe_open(path, framework="np") as file:
                about, order = file.metadata() or {}, file.offset_keys()
                arrays = {name: file.get_tensor(name) for name in order}
        except SafetensorError as error:
            raise InvalidCheckpoint(f"{path} is no checkpoint, or is damaged: {error}") from None
        if about.get("format") != "noughts":
            raise InvalidCheckpoint(f"{path} is no checkpoint of noughts")
        if about.get("version") not in ("1", str(VERSION)):
            raise InvalidCheckpoint(
                f"{path} has version {about.get('version')}; this noughts reads versions up to {VERSION}",
                "other_version",
            )
        if about["version"] != "1":
            arrays = {name: arrays[name] for name in sorted(arrays)}
        if about.pop("crc32", None) != _checksum(arrays, about):
            raise InvalidCheckpoint(f"{path} is damaged: its checksum does not fit")
        found = cls(about["kind"], about["game"], int(about["games"]), arrays, json.loads(about["settings"]))
        if kind is not None and found.kind != kind:
            raise InvalidCheckpoint(f"{path} was learned by {found.kind}, not by {kind}", "other_learner")
        if game is not None and found.game != game:
            raise InvalidCheckpoint(f"{path} was learned on {found.game}, not on {game}", "other_game")
        return found


def _checksum(arrays: Mapping[str, Array], about: Mapping[str, str]) -> str:
    """The checksum of all that a file says: types, shapes and bytes of the arrays in their order, and the metadata."""
    entries, end = {}, 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        entries[name] = {
            "dtype": _TYPES.get(array.dtype.name, array.dtype.name),
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    checksum = zlib.crc32(json.dumps([entries, about], sort_keys=True).encode())
    for array in arrays.values():
        checksum = zlib.crc32(array.tobytes(), checksum)
    return f"{checksum:08x}"


def newest(folder: Path) -> Path:
    """The newest checkpoint of a run's folder that is whole; a warning names those after it that are not."""
    failed: list[InvalidCheckpoint] = []
    found = sorted([*folder.glob(f"checkpoints/*{SUFFIX}"), *folder.glob(f"*{SUFFIX}")])
    for path in reversed(found):
        try:
            Checkpoint.load(path)
        except InvalidCheckpoint as error:
            failed.append(error)
        else:
            for why in failed:
                warnings.warn(f"{why}; the checkpoint before it is used: {path.name}", stacklevel=2)
            return path
    raise failed[0] if failed else InvalidCheckpoint(f"{folder} holds no checkpoint", "no_checkpoint")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that its name always stands for the whole old or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        # A failed write does not say by itself what it was writing.
        raise OSError(error.errno, error.strerror, str(path)) from None
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    # The new name itself is on disk once the folder is.
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
