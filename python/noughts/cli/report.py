"""``noughts report``: a page about training runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from noughts.cli.playouts import count
from noughts.lab.report import checked, default_page, write_report
from noughts.lab.workers import workers

SUMMARY = "make a page about training runs, with curves and games"
EPILOG = """\
The page needs nothing else: open it from the file, send it, keep it. The curves are written beside it as a picture.
Runs that differ in the seed alone are drawn as one line with a band. Needs matplotlib: pip install 'noughts[lab]'

examples:
  noughts report runs/q-3x3-s0                    writes runs/q-3x3-s0/report.html and report.png
  noughts report runs/q-3x3-s*                    several seeds: a band
  noughts report runs/a runs/b --out compare.html two ways to train, side by side
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="the folders of runs")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the page to write")
    parser.add_argument("--workers", type=count, metavar="W", help="processes (default: all cores)")
    parser.add_argument("--on", default="local", metavar="PLACE", help="where to work (default: local, this machine)")


def run(arguments: argparse.Namespace) -> int:
    """Write the page and say where it is."""
    place = workers(arguments.on, arguments.workers)
    found = checked(arguments.runs)
    made = write_report(found, arguments.out or default_page(arguments.runs), place)
    print(f"wrote {made.page} and {made.picture}")
    return 0
