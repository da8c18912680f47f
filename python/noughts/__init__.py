"""noughts plays, proves, trains and serves grid games."""

from __future__ import annotations

import contextlib
import importlib
import sys
from typing import TYPE_CHECKING

from noughts.compute.counting import count, perft
from noughts.compute.limits import Limits
from noughts.compute.sampling import Survey, Tally, mcts, playouts
from noughts.compute.solver import Verdict, solve
from noughts.core import PASS, SWAP, Game, Outcome, Position
from noughts.games import game, position

if TYPE_CHECKING:
    from noughts.analysis import Analysis, Review, analyse, review

__all__ = [
    "PASS",
    "SWAP",
    "Analysis",
    "Game",
    "Limits",
    "Outcome",
    "Position",
    "Review",
    "Survey",
    "Tally",
    "Verdict",
    "analyse",
    "count",
    "game",
    "mcts",
    "perft",
    "playouts",
    "position",
    "review",
    "solve",
]
__version__ = "0.2.0.dev0"


def __getattr__(name: str) -> object:
    """Load analysis when it is first asked for; it stands on everything else."""
    if name in ("Analysis", "Review", "analyse", "review"):
        from noughts import analysis

        return getattr(analysis, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if "gymnasium" in sys.modules:
    # gymnasium.make("noughts:noughts/Game-v0") imports this package, then looks the name up.
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module("noughts.lab.environments")
