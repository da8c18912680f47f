"""TensorBoard: a run's metrics as event files, for those who have it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from typing import Any

from noughts.errors import NoughtsError
from noughts.lab.runs import Run

__all__ = ["MissingExtra", "check_tensorboard", "write_events"]


class MissingExtra(NoughtsError):
    """A part of the lab that is not installed."""

    code = "missing_extra"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not installed; pip install 'noughts[lab]' brings it")


def check_tensorboard() -> None:
    """Say so early if event files cannot be written."""
    if importlib.util.find_spec("tensorboardX") is None:
        raise MissingExtra("tensorboardX")


def write_events(run: Run) -> None:
    """Write all metrics of a run to an event file in its folder."""
    check_tensorboard()
    from tensorboardX import SummaryWriter

    folder = run.folder / "tensorboard"
    # All points are written each time: beside older files every curve would be there twice.
    for old in folder.glob("events.*"):
        old.unlink()
    with SummaryWriter(str(folder)) as writer:
        for line in run.metrics():
            for name, value in _scalars(line):
                writer.add_scalar(name, value, line["games"], walltime=line["timing"]["at"])


def _scalars(line: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    for name, value in line.items():
        if isinstance(value, Mapping):
            yield from _scalars(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and name not in ("games", "at"):
            yield f"{prefix}{name}", float(value)
