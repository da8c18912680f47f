"""Readable searches for any two-player game, and tree search for any number of players.

They are the teaching text and the oracle: plain minimax is what the words say, and every other
search here must agree with it.
"""

from noughts.search.alphabeta import alphabeta, board_order, centre_first
from noughts.search.counting import Count, count, perft
from noughts.search.deepening import deepening
from noughts.search.mcts import mcts, mcts_with_stats
from noughts.search.minimax import minimax
from noughts.search.negamax import ENDLESS, Negamax, Table, negamax
from noughts.search.result import WIN, Result, check_searchable, tile_margin, win_soon

__all__ = [
    "ENDLESS",
    "WIN",
    "Count",
    "Negamax",
    "Result",
    "Table",
    "alphabeta",
    "board_order",
    "centre_first",
    "check_searchable",
    "count",
    "deepening",
    "mcts",
    "mcts_with_stats",
    "minimax",
    "negamax",
    "perft",
    "tile_margin",
    "win_soon",
]
