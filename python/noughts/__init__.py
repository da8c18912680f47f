"""noughts plays, proves, trains and serves grid games."""

import contextlib
import importlib
import sys

from noughts.core import PASS, SWAP, Game, Outcome, Position
from noughts.counting import count, perft
from noughts.games import game, position
from noughts.sampling import Survey, Tally, mcts, playouts
from noughts.solver import Verdict, solve

__all__ = [
    "PASS",
    "SWAP",
    "Game",
    "Outcome",
    "Position",
    "Survey",
    "Tally",
    "Verdict",
    "count",
    "game",
    "mcts",
    "perft",
    "playouts",
    "position",
    "solve",
]
__version__ = "0.1.0"

if "gymnasium" in sys.modules:
    # gymnasium.make("noughts:noughts/Game-v0") imports this package, then looks the name up.
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module("noughts.lab.environments")
