"""Runs: the folder that a training leaves behind.

    manifest.json   what was trained and how: seed, config, versions, machine, status
    metrics.jsonl   one line for every evaluation
    games.jsonl     the metrics of every game that was played to evaluate
    checkpoints/    the last few checkpoints, the newest last
    lock            held by the process that trains the run
    games/          some of those games, as records

Everything can be read while the training goes on.
"""

from __future__ import annotations

import json
import os
import platform
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from noughts.errors import InvalidCheckpoint, InvalidPlayer
from noughts.lab.lock import is_locked
from noughts.learning import Checkpoint, all_learners
from noughts.learning.checkpoint import SUFFIX, newest, write_atomically
from noughts.players import all_players
from noughts.players.learned import Learned

__all__ = ["DamagedRun", "Run", "all_runs", "machine", "versions"]

VERSION = 1
"""The version of what a manifest says and means."""

PARTS: Final = {"kind": str, "game": str, "seed": int, "config": dict, "created": str, "status": str}
"""What every manifest has."""

MEASURED: Final = {"graded": dict, "training": dict, "timing": dict, "choices": list}
"""What every line of metrics has."""

MAX_CHECKPOINTS = 3
"""Checkpoints that a run keeps."""


def versions() -> dict[str, str]:
    """The versions that decide what a seed gives."""
    from noughts import __version__

    return {"noughts": __version__, "python": platform.python_version(), "numpy": np.__version__}


def machine() -> dict[str, object]:
    """The machine, as far as it matters to the figures."""
    return {"processor": platform.machine(), "system": platform.system(), "cores": os.cpu_count() or 1}


@dataclass(frozen=True)
class Run:
    """One training: its folder and its manifest as it was read."""

    folder: Path
    manifest: Mapping[str, Any]

    @classmethod
    def create(cls, folder: Path, kind: str, game: str, seed: int, config: Mapping[str, object]) -> Run:
        """Begin a run in a new folder."""
        if (folder / "manifest.json").exists():
            raise InvalidCheckpoint(
                f"{folder} holds a run already; go on with --resume {folder} or choose another --out", "exists"
            )
        manifest = {
            "format": "noughts run",
            "version": VERSION,
            "kind": kind,
            "game": game,
            "seed": seed,
            "config": dict(config),
            "versions": versions(),
            "machine": machine(),
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "status": "running",
        }
        run = cls(folder, manifest)
        run._write_manifest()
        return run

    @classmethod
    def open(cls, folder: Path) -> Run:
        """Read a run that is there."""
        path = folder / "manifest.json"
        if not path.is_file():
            raise InvalidCheckpoint(f"{folder} holds no run: there is no manifest.json in it", "no_run")
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            told, version = manifest["format"], manifest["version"]
        except (ValueError, KeyError, TypeError):
            raise InvalidCheckpoint(f"{path} is damaged: it is not the manifest of a run", "invalid_manifest") from None
        if told != "noughts run":
            raise InvalidCheckpoint(f"{path} is not the manifest of a run", "invalid_manifest")
        if version != VERSION:
            raise InvalidCheckpoint(f"{path} has version {version}; this noughts reads {VERSION}", "other_version")
        for name, kind in PARTS.items():
            if not isinstance(manifest.get(name), kind):
                raise InvalidCheckpoint(f"{path} is damaged: it does not say its {name}", "invalid_manifest")
        if manifest["kind"] not in all_learners():
            raise InvalidCheckpoint(f"{path}: there is no learner {manifest['kind']!r}", "invalid_manifest")
        return cls(folder, manifest)

    def with_status(self, status: str) -> Run:
        """The run, its manifest saying how it stands: ``running``, ``interrupted`` or ``finished``."""
        run = Run(self.folder, {**self.manifest, "status": status})
        run._write_manifest()
        return run

    def _write_manifest(self) -> None:
        text = json.dumps(self.manifest, indent=2) + "\n"
        write_atomically(self.folder / "manifest.json", text.encode())

    @property
    def name(self) -> str:
        """How people call it."""
        return self.folder.name

    @property
    def status(self) -> str:
        """``running``, ``interrupted`` or ``finished``; a process that was killed could not write that it stopped."""
        told = str(self.manifest["status"])
        return "interrupted" if told == "running" and not is_locked(self.folder) else told

    def check(self) -> None:
        """Refuse a run whose metrics or checkpoints cannot be used."""
        for line in self.metrics():
            if not all(isinstance(line.get(name), kind) for name, kind in MEASURED.items()):
                raise InvalidCheckpoint(f"{self.folder / 'metrics.jsonl'} is damaged: line of {line['games']:,} games")
        if self.checkpoints:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                newest(self.folder)

    def metrics(self) -> list[dict[str, Any]]:
        """The evaluations so far; a line that was cut short is left out."""
        return list(_lines(self.folder / "metrics.jsonl"))

    def append(self, metrics: Mapping[str, object], games: Sequence[Mapping[str, object]] = ()) -> None:
        """Add an evaluation and the games it was made of."""
        _append(self.folder / "metrics.jsonl", [metrics])
        _append(self.folder / "games.jsonl", games)

    def rewind(self, games: int) -> None:
        """Forget the evaluations after so many games."""
        for name in ("metrics.jsonl", "games.jsonl"):
            kept = [line for line in _lines(self.folder / name) if line["games"] <= games]
            write_atomically(self.folder / name, "".join(json.dumps(line) + "\n" for line in kept).encode())

    @property
    def checkpoints(self) -> list[Path]:
        """The checkpoints, the newest last."""
        return sorted((self.folder / "checkpoints").glob(f"*{SUFFIX}"))

    def save(self, checkpoint: Checkpoint) -> Path:
        """Keep a checkpoint, and let the oldest go once it is safe."""
        path = self.folder / "checkpoints" / f"{checkpoint.games:012}{SUFFIX}"
        checkpoint.save(path)
        for old in self.checkpoints[:-MAX_CHECKPOINTS]:
            old.unlink(missing_ok=True)
        return path

    def latest(self) -> Checkpoint | None:
        """The newest checkpoint that can be read, or ``None`` when there is none at all."""
        if not self.checkpoints:
            return None
        return Checkpoint.load(newest(self.folder), kind=self.manifest["kind"], game=self.manifest["game"])

    def agent(self) -> Learned:
        """The player it trained."""
        kind = all_players().get(self.manifest["kind"])
        if kind is None or not issubclass(kind, Learned):
            raise InvalidPlayer(f"no player plays what {self.manifest['kind']} learned")
        return kind(path=str(self.folder))

    def records(self) -> list[Path]:
        """The games that were kept, in order."""
        return sorted((self.folder / "games").glob("*.jsonl"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        return
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidCheckpoint(f"{path} is damaged: it is not text") from None
    for line in text.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(found.get("games"), int):
            yield found


def _append(path: Path, lines: Sequence[Mapping[str, object]]) -> None:
    if lines:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


@dataclass(frozen=True)
class DamagedRun:
    """A run that cannot be used."""

    folder: Path
    why: str

    @property
    def name(self) -> str:
        """How people call it."""
        return self.folder.name


def all_runs(folder: Path) -> tuple[list[Run], list[DamagedRun]]:
    """The runs in a folder, the oldest first, and those that are damaged; folders without a manifest are none."""
    found, damaged = list[Run](), list[DamagedRun]()
    for manifest in sorted(folder.glob("*/manifest.json")):
        try:
            run = Run.open(manifest.parent)
            run.check()
        except (InvalidCheckpoint, OSError) as error:
            damaged.append(DamagedRun(manifest.parent, str(error)))
        else:
            found.append(run)
    return sorted(found, key=lambda run: (str(run.manifest["created"]), run.name)), damaged
