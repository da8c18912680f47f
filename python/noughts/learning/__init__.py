"""What is learned from play: tables of values, networks of tuples, and the files that keep them.

One file per learner, found by itself; a package outside announces its learner in the entry-point group
``noughts.learners``.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache

from noughts.discovery import announced, defined
from noughts.learning.checkpoint import Checkpoint, newest
from noughts.learning.features import Features
from noughts.learning.learner import Estimate, InvalidTraining, Learner, Schedule, Settings
from noughts.learning.network import TupleNetwork
from noughts.learning.q import Q
from noughts.learning.table import QTable
from noughts.learning.td import Td, TdSettings

__all__ = [
    "Checkpoint",
    "Estimate",
    "Features",
    "InvalidTraining",
    "Learner",
    "Q",
    "QTable",
    "Schedule",
    "Settings",
    "Td",
    "TdSettings",
    "TupleNetwork",
    "all_learners",
    "newest",
]


def _learner_class(value: object) -> type[Learner] | None:
    return value if inspect.isclass(value) and issubclass(value, Learner) and hasattr(value, "kind") else None


@cache
def all_learners() -> Mapping[str, type[Learner]]:
    """Every kind of learner by name, those of this package first."""
    known = {kind.kind: kind for kind in defined(__name__, _learner_class)}
    return {**known, **announced("noughts.learners", "learner", _learner_class, lambda kind: kind.kind, known)}
