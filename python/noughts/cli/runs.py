"""``noughts runs``: list the training runs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from noughts.lab import words
from noughts.lab.runs import Run, all_runs

SUMMARY = "list training runs"
EPILOG = """\
examples:
  noughts runs                   those in runs/
  noughts runs experiments/      those in another folder
  noughts runs --json            everything about them, for programs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", nargs="?", type=Path, default=Path("runs"), help="where they are (default: runs/)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print one line for each run."""
    found, damaged = all_runs(arguments.folder)
    if arguments.json:
        told = [{"run": str(run.folder), "status": "damaged", "damage": run.why} for run in damaged]
        print(json.dumps([*map(_summary, found), *told]))
        return 0
    if not found and not damaged:
        print(f"no runs in {arguments.folder}; noughts train q --game 3x3 makes one")
        return 0
    width = max(len(name) for name in [run.name for run in found] + [run.name for run in damaged])
    print(
        f"{'run':<{width}}  {'game':<12} {'games':>12}  {'status':<12} {'optimal':>8}  vs rules  vs perfect  positions"
    )
    for run in found:
        shown = _summary(run)
        known = shown["optimal"] is not None
        optimal = words.percent(shown["optimal"]) if known else "–"
        sure = words.interval(shown) if known else ""
        print(
            f"{run.name:<{width}}  {shown['game']:<12} {shown['games']:>12,}  {shown['status']:<12} {optimal:>8}"
            f"  {words.score(shown['rules']):<8}  {words.score(shown['perfect']):<10}"
            f"  {words.positions(shown) if known else '–'}{f', {sure}' if sure else ''}"
        )
    for broken in damaged:
        print(f"{broken.name:<{width}}  {'–':<12} {'–':>12}  {'damaged':<12} {'–':>8}  {'–':<8}  {'–':<10}  –")
    for broken in damaged:
        print(f"{broken.name}: {broken.why}")
    return 0


def _summary(run: Run) -> dict[str, Any]:
    """What a list shows of a run."""
    metrics = run.metrics()
    last = metrics[-1] if metrics else {}
    graded = last.get("graded", {})
    return {
        "run": str(run.folder),
        **{name: run.manifest[name] for name in ("kind", "game", "seed", "created")},
        "status": run.status,
        "games": last.get("games", 0),
        "optimal": graded.get("optimal") if graded.get("positions") else None,
        "value_lost": graded.get("value_lost") if graded.get("positions") else None,
        **{name: graded.get(name) for name in ("positions", "chosen", "interval")},
        "rules": last.get("rules"),
        "perfect": last.get("perfect"),
    }
