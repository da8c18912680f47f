"""Hypothesis profiles: quick for every run, thorough for ``make soak``. And Ctrl-C for the programs under test."""

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=100,
    deadline=None,
    # A busy machine is no reason to fail.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("soak", parent=settings.get_profile("quick"), max_examples=1000)
settings.load_profile(os.environ.get("NOUGHTS_HYPOTHESIS", "quick"))

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell that runs the tests in the background has them ignore it, and so would all that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
