"""Every example runs as it stands, the long ones at a small size."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))

SMALL = {"learn_with_sklearn": ["--steps", "100"]}
"""Arguments that make an example quick."""


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example_runs(path):
    command = [sys.executable, "-W", "error", str(path), *SMALL.get(path.stem, [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert RESULTS.get(path.stem, bool)(done.stdout), done.stdout


def has_learned(told):
    """Whether the network chose better and lost less with every few thousand moves."""
    right = [float(share) for share in re.findall(r"([0-9.]+)% of 3,191 positions right", told)]
    lost = [int(games) for games in re.findall(r"O loses ([0-9]+) of", told)]
    return len(right) == len(lost) == 5 and right[0] + 10 < right[-1] > 70 and lost[-1] < lost[0]


RESULTS = {"learn_with_sklearn": has_learned}
"""What an example's output has to show."""
