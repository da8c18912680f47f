"""Hypothesis profiles (thorough with ``make soak``), Ctrl-C for programs under test, and a fixture for commands."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from noughts.cli import main

settings.register_profile(
    "quick",
    max_examples=100,
    deadline=None,
    # Tests must not fail because the machine is busy.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("soak", parent=settings.get_profile("quick"), max_examples=1000)
settings.load_profile(os.environ.get("NOUGHTS_HYPOTHESIS", "quick"))

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell that runs the tests in the background makes them and their children ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def noughts(capsys, monkeypatch, tmp_path):
    """Run a command in an empty folder: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(list(arguments))
        output = capsys.readouterr()
        return code, output.out, output.err

    return run
