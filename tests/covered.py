"""Checks that every line and branch of win detection and move validation is covered.

Run as ``python -m tests.covered``: it runs their tests under coverage and reads the report.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = ("tests/board/test_detector.py", "tests/test_validation.py")

WANTED = {
    "board/detector.py": (
        "CounterDetector.place",
        "CounterDetector._lines",
        "DirectionDetector.place",
        "DirectionDetector._both_ways",
    ),
    "core.py": (
        "Position.play",
        "Position.why_not",
        "Position.checked",
        "Position.refusal",
    ),
    "legal_moves.py": ("LegalMoves.__contains__",),
    "board/grid.py": ("Grid.parse",),
    "games/duel.py": ("DuelPosition.refusal",),
    "games/hex.py": ("HexPosition.refusal",),
}
"""The functions that see wins and judge moves, by file."""


def main() -> int:
    """Measure the coverage and print what is missing."""
    with tempfile.TemporaryDirectory() as folder:
        data, report = Path(folder, "data"), Path(folder, "report.json")
        coverage = [sys.executable, "-m", "coverage"]
        subprocess.run([*coverage, "run", f"--data-file={data}", "-m", "pytest", "-q", *TESTS], check=True)
        subprocess.run([*coverage, "json", "-q", f"--data-file={data}", "-o", str(report)], check=True)
        files = json.loads(report.read_text())["files"]
    failed = 0
    for name, functions in WANTED.items():
        [path] = [path for path in files if path.endswith(f"noughts/{name}")]
        for function in functions:
            measured = files[path]["functions"][function]
            if measured["summary"]["percent_covered"] < 100:
                missing = measured["missing_lines"], measured["missing_branches"]
                print(f"{name} {function}: lines {missing[0]} and branches {missing[1]} are not covered")
                failed = 1
    print("win detection and move validation: " + ("not covered" if failed else "every line and branch is covered"))
    return failed


if __name__ == "__main__":
    sys.exit(main())
