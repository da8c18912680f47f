"""Curves: how runs learned, as a picture with a band over the seeds."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noughts.lab.config import Config
from noughts.lab.runs import Run
from noughts.lab.tensorboard import MissingExtra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PANELS", "Group", "draw_curves", "groups"]

Line = Mapping[str, Any]


def _score(name: str) -> Callable[[Line], float | None]:
    def read(line: Line) -> float | None:
        score = line[name]
        if score is None:
            return None
        games = sum(score.values())
        return (score["wins"] + score["draws"] / 2) / games if games else None

    return read


def _graded(name: str) -> Callable[[Line], float | None]:
    return lambda line: line["graded"][name] if line["graded"]["positions"] else None


def _invalid(line: Line) -> float | None:
    games = line["training"]["games"]
    return line["training"]["invalid_attempts"] / games if games else None


PANELS: tuple[tuple[str, Callable[[Line], float | None]], ...] = (
    ("share of optimal moves", _graded("optimal")),
    ("points lost per move", _graded("value_lost")),
    ("score against rules", _score("rules")),
    ("score against exact play", _score("perfect")),
    ("consistency of choices", lambda line: line["consistency"]),
    ("training error", lambda line: line["training"]["error"]),
    ("training game length", lambda line: line["training"]["length"]),
    ("refused attempts per training game", _invalid),
    ("milliseconds per decision", lambda line: 1000 * line["timing"]["decision_seconds"]),
)
"""What is drawn: a title, and where a line of metrics has it."""


@dataclass(frozen=True)
class Group:
    """Runs that differ in nothing but the seed."""

    label: str
    runs: tuple[Run, ...]

    def curve(self, read: Callable[[Line], float | None]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The games at which something was measured, and a row of values for each run.

        Runs of a group evaluate after the same numbers of games; those that did not get as far as
        another are left out where they have nothing.
        """
        rows = [{line["games"]: read(line) for line in run.metrics()} for run in self.runs]
        games = sorted({games for row in rows for games, value in row.items() if value is not None})
        values = [[_number(row.get(at)) for at in games] for row in rows]
        return np.array(games, dtype=float), np.array(values, dtype=float).reshape(len(rows), len(games))


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def groups(runs: Sequence[Run]) -> list[Group]:
    """Put runs together that differ in nothing but the seed."""
    found: dict[tuple[tuple[str, object], ...], list[Run]] = {}
    for run in runs:
        config = {**Config.from_json(run.manifest["config"]).to_json(), "seed": None, "threads": None}
        found.setdefault(tuple(sorted(config.items(), key=lambda item: item[0])), []).append(run)
    labels = [_label(members[0], list(found)) for members in found.values()]
    return [
        Group(label + (f", {len(members)} seeds" if len(members) > 1 else ""), tuple(members))
        for label, members in zip(labels, found.values(), strict=True)
    ]


def _label(run: Run, keys: Sequence[tuple[tuple[str, object], ...]]) -> str:
    """The learner and game, and whatever else tells the groups apart."""
    config = run.manifest["config"]
    known = [dict(key) for key in keys]
    differing = {name for key in known for other in known for name in key if key[name] != other.get(name, key[name])}
    told = differing - {"learner", "game", "evaluations", "matches", "probes"}
    extra = [f"{name} {config[name]}" for name in sorted(told) if name in config]
    return " ".join([run.manifest["kind"], run.manifest["game"], *extra])


def draw_curves(found: Sequence[Group], columns: int = 3) -> Figure:
    """Draw a panel for everything that was measured: the mean over the seeds, and from least to most."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("matplotlib") from None
    panels = [
        (title, read)
        for title, read in PANELS
        if any(
            np.isfinite(values).any() and _interesting(title, values) for _, values in (g.curve(read) for g in found)
        )
    ]
    rows = (len(panels) + columns - 1) // columns
    figure = Figure(figsize=(13 / 3 * columns, 3.4 * max(rows, 1) + 0.5), layout="constrained")
    for number, (title, read) in enumerate(panels):
        axes = figure.add_subplot(rows, columns, number + 1)
        for group in found:
            games, values = group.curve(read)
            if not len(games) or not np.isfinite(values).any():
                continue
            known = np.isfinite(values).any(axis=0)
            games, values = games[known], values[:, known]
            [line] = axes.plot(games, np.nanmean(values, axis=0), marker="o", markersize=3, label=group.label)
            if len(group.runs) > 1:
                low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
                axes.fill_between(games, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
        axes.set_xscale("log")
        axes.set_title(title, fontsize=10)
        axes.grid(alpha=0.3)
        axes.tick_params(labelsize=8)
        if "score" in title or "share" in title or "consistency" in title:
            axes.set_ylim(-0.04, 1.04)
        if number >= len(panels) - columns:
            axes.set_xlabel("training games", fontsize=9)
    if figure.axes:
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=columns, fontsize=9, frameon=False)
    return figure


def _interesting(title: str, values: NDArray[Any]) -> bool:
    """Attempts are only drawn where there were any."""
    return "attempts" not in title or bool(np.nanmax(values) > 0)


def picture(figure: Figure, kind: str) -> bytes:
    """A figure as the bytes of a ``png`` or ``svg`` file; the same figure gives the same bytes."""
    data = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    figure.savefig(data, format=kind, dpi=110, metadata=metadata)
    return data.getvalue()
