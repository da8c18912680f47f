"""Report: one page about one run or several, with everything in it."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.core import Move, Position
from noughts.errors import NoughtsError
from noughts.games import game as game_of
from noughts.lab import words
from noughts.lab.curves import draw_curves, groups, picture
from noughts.lab.grading import NODES, Probe
from noughts.lab.page import PAGE
from noughts.lab.runs import Run
from noughts.lab.workers import Workers
from noughts.learning.checkpoint import write_atomically
from noughts.match import Record, load
from noughts.players.learned import Learned

__all__ = ["Report", "write_report"]

GAMES_PER_RUN = 6

LISTED = 8
"""Moves whose values stand below a board that is not drawn as a square."""


@dataclass(frozen=True)
class Report:
    """Where a report was written."""

    page: Path
    picture: Path


def write_report(runs: Sequence[Run], page: Path, place: Workers) -> Report:
    """Write the page, and its curves as a picture beside it."""
    grouped = groups(runs)
    image = page.with_suffix(".png")
    curves, narrow = (picture(draw_curves(grouped, columns), "png") for columns in (3, 1))
    samples = [
        {**told, "title": f"{run.name}, {told['title']}"}
        for run, told in zip(*_samples(runs, place), strict=True)
        if told is not None
    ]
    title = runs[0].name if len(runs) == 1 else f"{len(runs)} runs"
    text = (
        PAGE.replace("$TITLE", html.escape(title))
        .replace("$SUMMARY", _table(_summary(runs)))
        .replace("$CURVES", base64.b64encode(curves).decode())
        .replace("$NARROW_CURVES", base64.b64encode(narrow).decode())
        .replace("$PROGRESS", "".join(_progress(run) for run in runs))
        .replace("$MANIFESTS", "".join(_manifest(run) for run in runs))
        # A game's names are data: nothing in them may end the script.
        .replace("$GAMES", json.dumps(samples, ensure_ascii=False).replace("<", "\\u003c"))
    )
    write_atomically(image, curves)
    write_atomically(page, text.encode())
    return Report(page, image)


def _samples(runs: Sequence[Run], place: Workers) -> tuple[list[Run], list[dict[str, Any] | None]]:
    """Games to step through: the first and the last that each run kept."""
    chosen: list[tuple[Run, Path]] = []
    for run in runs:
        records = run.records()
        half = GAMES_PER_RUN // 2
        picked = records if len(records) <= GAMES_PER_RUN else [*records[:half], *records[-half:]]
        chosen += [(run, path) for path in picked]
    pieces = [(str(run.folder), str(path)) for run, path in chosen]
    return [run for run, _ in chosen], list(place.map(annotate, pieces))


def annotate(piece: tuple[str, str]) -> dict[str, Any] | None:
    """A recorded game with the agent's values and the exact worth of every move; nothing if it is damaged."""
    folder, path = piece
    try:
        record = load(Path(path))
        agent = Run.open(Path(folder)).agent()
    except (NoughtsError, OSError):
        return None
    state, grid = record.state, record.state.game.grid
    names = ", ".join(f"{mark}: {name}" for mark, name in state.players.items())
    square = state.game.layout == "square" and max(grid.rows, grid.cols) <= 20
    return {
        "title": f"{Path(path).stem.partition('-')[0].lstrip('0') or '0'} games in",
        "players": names,
        "result": state.position.result(),
        "cols": grid.cols if square else 0,
        "steps": [_step(record, agent, number) for number in range(len(state.history) + 1)],
    }


def _step(record: Record, agent: Learned, number: int) -> dict[str, Any]:
    state = record.state
    position = state.positions[number]
    told: dict[str, Any] = {
        "cells": [position.cells.get(cell, "") for cell in range(state.game.grid.cells)],
        "text": str(position),
        "best": "",
        "last": position.last,
        "note": f"{position.turn} to move" if position.outcome is None else position.result(),
        "values": {},
    }
    if position.outcome is None:
        try:
            values = agent.values(position)
        except NoughtsError:
            values = {}
        told["values"] = {move: round(value, 3) for move, value in values.items()}
        # Boards that are not drawn as a square have the values below them.
        best = sorted(values, key=values.__getitem__, reverse=True)[:LISTED]
        listed = ", ".join(f"{position.game.move_name(move)} {values[move]:+.2f}" for move in best)
        told["best"] = f"The agent's best moves: {listed}." if listed else ""
    if number:
        told["note"] = f"{_verdict(state.positions[number - 1], state.history[number - 1].move)}; {told['note']}"
    return told


def _verdict(before: Position, move: Move) -> str:
    """A move and how it compares with exact play, where that is known."""
    name = f"{before.turn} played {before.game.move_name(move)}"
    probe = Probe.of(before, NODES)
    if probe is None:
        return name
    judged = probe.grade(move)
    if judged.best:
        return f"{name}, a best move ({words.worth(probe.values[move])})"
    if judged.sound:
        return f"{name}, sound ({words.worth(probe.values[move])})"
    return f"{name}, a mistake ({words.worth(probe.values[move])})"


def _summary(runs: Sequence[Run]) -> Iterator[tuple[object, ...]]:
    yield (
        "run",
        "learner",
        "game",
        "seed",
        "status",
        "games",
        "optimal",
        "95% interval",
        "positions",
        "points lost",
        "against rules",
        "against exact play",
        "games/s",
    )
    for run in runs:
        metrics, told = run.metrics(), run.manifest
        if not metrics:
            yield run.name, told["kind"], told["game"], told["seed"], run.status, 0, *"–––––––"
            continue
        games, optimal, interval, *others = _measures(metrics[-1])
        graded = metrics[-1]["graded"]
        positions = words.positions(graded) if graded["positions"] else "–"
        named = (run.name, told["kind"], told["game"], told["seed"], run.status)
        yield (*named, games, optimal, interval, positions, *others)


def _measures(line: dict[str, Any]) -> tuple[object, ...]:
    graded = line["graded"]
    known = graded["positions"] > 0
    return (
        f"{line['games']:,}",
        words.percent(graded["optimal"]) if known else "–",
        (words.interval(graded) or "exact") if known and "chosen" in graded else "–",
        f"{graded['value_lost']:.4f}" if known else "–",
        words.score(line["rules"], "–"),
        words.score(line["perfect"], "–"),
        f"{line['timing']['games_per_second']:,.0f}",
    )


def _progress(run: Run) -> str:
    """The table of one run's evaluations."""
    head = (
        "games",
        "optimal",
        "95% interval",
        "points lost",
        "against rules",
        "against exact play",
        "games/s",
        "consistency",
        "error",
        "length",
        "refused",
        "ms/decision",
    )
    rows = [
        (
            *_measures(line),
            f"{line['consistency']:.2f}",
            f"{line['training']['error']:.4f}",
            f"{line['training']['length']:.1f}",
            line["training"]["invalid_attempts"],
            f"{1000 * line['timing']['decision_seconds']:.2f}",
        )
        for line in run.metrics()
    ]
    return f"<details><summary>{html.escape(run.name)}</summary>{_table(iter([head, *rows]))}</details>"


def _manifest(run: Run) -> str:
    text = html.escape(json.dumps(run.manifest, indent=2))
    return f"<details><summary>{html.escape(run.name)}</summary><pre>{text}</pre></details>"


def _table(rows: Iterator[tuple[object, ...]]) -> str:
    names = [html.escape(str(cell), quote=True) for cell in next(rows)]
    head = "".join(f"<th scope=col>{name}</th>" for name in names)
    body = "".join(f"<tr>{_cells(names, row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(names: Sequence[str], row: tuple[object, ...]) -> str:
    """The cells of a row, each with the name of its column, which a narrow screen shows beside it."""
    pairs = zip(names, row, strict=True)
    return "".join(f'<td data-label="{name}">{html.escape(str(cell))}</td>' for name, cell in pairs)


def default_page(folders: Sequence[Path]) -> Path:
    """Where a report goes unless told: into the run, or beside the runs."""
    return folders[0] / "report.html" if len(folders) == 1 else folders[0].parent / "report.html"


def checked(folders: Sequence[Path]) -> list[Run]:
    """Open the runs and make sure that this noughts knows their games."""
    runs = [Run.open(folder) for folder in folders]
    for run in runs:
        game_of(run.manifest["game"])
    return runs
