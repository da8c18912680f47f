"""Hypothesis profiles: quick for every run, thorough for ``make soak``."""

import os

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
