"""Every example runs unchanged, the long ones with small settings."""

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


def tells_exact_play_apart(told):
    """Whether random, rules and perfect are in this order by their share of best moves."""
    right = [float(share) for share in re.findall(r"plays +([0-9.]+)% best moves", told)]
    return len(right) == 3 and right[0] < 60 < right[1] < right[2] == 100


def gets_better(told):
    """Whether the network wins more, chooses better and loses less the more it has played."""
    wins, best, lost = (
        [float(number) for number in re.findall(pattern, told)]
        for pattern in (r"([0-9]+) wins", r"([0-9]+)% best moves", r"([0-9.]+) points lost")
    )
    return len(wins) == 3 and wins == sorted(wins) and best == sorted(best) and lost[0] > lost[1] > lost[2]


RESULTS = {
    "learn_with_sklearn": has_learned,
    "learn_1_random": tells_exact_play_apart,
    "learn_3_features": gets_better,
}
"""What an example's output has to show."""
