"""Checkpoints: arrays with a header, in the safetensors layout, never half written.

A file is eight bytes with the length of the header, the header as JSON, and the arrays one after
the other. The header names each array's type, shape and place, and its ``__metadata__`` holds what
noughts says about them: the format's version, the learner, the game, the games learned from, and
a checksum. Nothing in a file is ever executed.

A file is written beside its place, forced to disk and then moved there, so whatever goes wrong on
the way (no space left, no power) leaves the file before it as it was.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noughts.errors import InvalidCheckpoint

__all__ = ["VERSION", "Checkpoint", "newest", "write_atomically"]

VERSION = 1
"""The version of what the metadata say and mean."""

SUFFIX = ".safetensors"

KINDS: Final = {
    "q": ("codes", "values", "visits"),
    "td": ("tuples", "tables", "weights", "sums", "sizes"),
}
"""The arrays that each learner needs."""

LONGEST_HEADER = 1 << 24

_TYPES = {"U8": "|u1", "U16": "<u2", "U32": "<u4", "U64": "<u8", "I16": "<i2", "F32": "<f4", "F64": "<f8"}
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}

Array = NDArray[Any]


@dataclass(frozen=True)
class Checkpoint:
    """What a learner knew after some games."""

    kind: str
    """The learner: ``q`` or ``td``."""
    game: str
    """The spec of the game it learned."""
    games: int
    """The games it learned from."""
    arrays: Mapping[str, Array]
    settings: Mapping[str, object]
    """Whatever else the learner needs to go on."""

    def save(self, path: Path) -> None:
        """Write the file, or leave the one that is there."""
        header: dict[str, object] = {}
        parts, end = [], 0
        for name, array in self.arrays.items():
            data = np.ascontiguousarray(array).tobytes()
            header[name] = {
                "dtype": _NAMES[array.dtype],
                "shape": list(array.shape),
                "data_offsets": [end, end + len(data)],
            }
            parts.append(data)
            end += len(data)
        body = b"".join(parts)
        about = {
            "format": "noughts",
            "version": str(VERSION),
            "kind": self.kind,
            "game": self.game,
            "games": str(self.games),
            "settings": json.dumps(self.settings, sort_keys=True),
        }
        header["__metadata__"] = {**about, "crc32": _checksum(header, about, body)}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        write_atomically(path, len(text).to_bytes(8, "little") + text + body)

    @classmethod
    def load(cls, path: Path, *, kind: str | None = None, game: str | None = None) -> Checkpoint:
        """Read a file; one that is damaged, of another version, learner or game says so.

        A folder stands for the newest checkpoint of the run it holds.
        """
        path = newest(path) if path.is_dir() else path
        data = path.read_bytes()
        length = int.from_bytes(data[:8], "little")
        if len(data) < 8 or length > min(len(data) - 8, LONGEST_HEADER):
            raise InvalidCheckpoint(f"{path} is no checkpoint, or was cut short")
        try:
            header = json.loads(data[8 : 8 + length])
            about = header.pop("__metadata__", {})
            if about.get("format") != "noughts":
                raise InvalidCheckpoint(f"{path} is no checkpoint of noughts")
            if about["version"] != str(VERSION):
                raise InvalidCheckpoint(
                    f"{path} has version {about['version']}; this noughts reads version {VERSION}", "other_version"
                )
            body = data[8 + length :]
            told = about.pop("crc32")
            if told != _checksum(header, about, body):
                raise InvalidCheckpoint(f"{path} is damaged: its checksum does not fit")
            arrays = {name: _array(entry, body) for name, entry in header.items()}
            if missing := set(KINDS[about["kind"]]) - set(arrays):
                raise InvalidCheckpoint(f"{path} is damaged: it holds no {', '.join(sorted(missing))}")
            found = cls(about["kind"], about["game"], int(about["games"]), arrays, json.loads(about["settings"]))
        except (UnicodeDecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, InvalidCheckpoint):
                raise
            raise InvalidCheckpoint(f"{path} is damaged: its header cannot be read") from None
        if kind is not None and found.kind != kind:
            raise InvalidCheckpoint(f"{path} was learned by {found.kind}, not by {kind}", "other_learner")
        if game is not None and found.game != game:
            raise InvalidCheckpoint(f"{path} was learned on {found.game}, not on {game}", "other_game")
        return found


def _checksum(header: Mapping[str, object], about: Mapping[str, str], body: bytes) -> str:
    """The checksum of all that a file says."""
    entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
    text = json.dumps([entries, about], sort_keys=True)
    return f"{zlib.crc32(body, zlib.crc32(text.encode())):08x}"


def _array(entry: Mapping[str, Any], body: bytes) -> Array:
    begin, end = entry["data_offsets"]
    return np.frombuffer(body[begin:end], dtype=_TYPES[entry["dtype"]]).reshape(entry["shape"])


def newest(folder: Path) -> Path:
    """The newest checkpoint of a run's folder that is whole."""
    failed = InvalidCheckpoint(f"{folder} holds no checkpoint", "no_checkpoint")
    found = sorted([*folder.glob(f"checkpoints/*{SUFFIX}"), *folder.glob(f"*{SUFFIX}")])
    for at, path in enumerate(reversed(found)):
        try:
            Checkpoint.load(path)
        except InvalidCheckpoint as error:
            failed = failed if at else error
        else:
            return path
    raise failed


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
