"""noughts plays, proves, trains and serves grid games."""

from noughts.core import PASS, SWAP, Game, Outcome, Position
from noughts.games import game, position

__all__ = ["PASS", "SWAP", "Game", "Outcome", "Position", "game", "position"]
__version__ = "0.1.0"
