"""What goes wrong, drawn from the seed: each run has some kinds of faults and not others, so none hides another."""

from __future__ import annotations

from typing import Final

from noughts.server.errors import Unavailable
from tests.simulation.world import World

RATES: Final = {
    "lost_request": 0.05,
    "lost_answer": 0.05,
    "repeated_request": 0.1,
    "broken_stream": 0.03,
    "slow_stream": 0.02,
    "lost_message": 0.3,
    "repeated_message": 0.2,
    "query_fails": 0.02,
    "query_fails_after": 0.05,
}
"""How often each kind happens where a run has it."""

TIMED: Final = ("crash", "pause", "full_disk", "database_away", "bus_away", "clock_jump")
"""What happens at some moments, and lasts."""


class Faults:
    """The faults of one run."""

    def __init__(self, world: World) -> None:
        self.world = world
        rng = world.rng
        self.rates = {kind: rate * rng.choice((0.0, 0.5, 1.0, 2.0)) for kind, rate in RATES.items()}
        self.timed = tuple(kind for kind in TIMED if rng.random() < 0.6)
        self.on = True
        self.disk_is_full = False
        self.database_is_away = False
        self.bus_is_away = False

    def happens(self, kind: str) -> bool:
        """Whether a fault happens now."""
        rate = self.rates[kind]
        if not self.on or not rate or self.world.rng.random() >= rate:
            return False
        self.world.trace("fault", kind)
        return True

    def before_query(self, process: str, what: str) -> None:
        """Fail with nothing done."""
        if self.database_is_away or self.happens("query_fails"):
            raise Unavailable(f"{process} cannot {what}")

    def after_query(self, process: str, what: str) -> None:
        """Fail with everything done: the answer is lost."""
        if self.happens("query_fails_after"):
            raise Unavailable(f"{process} is not told what became of {what}")

    def stop(self) -> None:
        """No more faults: from now on everything has to come right."""
        self.on = self.disk_is_full = self.database_is_away = self.bus_is_away = False
        self.world.trace("faults stop")
