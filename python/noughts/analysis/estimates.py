"""What searches say of positions without tables: a tree search in Python, or the kernel through a window.

Neither proves anything here: the reference search carries no proofs up its tree, and stones outside a
window may matter.
"""

from __future__ import annotations

from noughts.analysis.calibration import by_engine, by_tree, tree_reading
from noughts.analysis.evaluation import Estimate, Evaluation, Proven
from noughts.analysis.finding import Finding, Method
from noughts.analysis.kernel import analysed
from noughts.compute.engine import WON
from noughts.compute.limits import Limits
from noughts.compute.sampling import mcts
from noughts.core import Game, Move, Position
from noughts.hooks import Window

__all__ = ["estimated"]

TREE_MEMORY = 256 << 20
"""Bytes for a tree."""

MOST_CHOICES = 2_000
"""With more legal moves than this a tree in Python would hardly look at each once."""


def estimated(position: Position, limits: Limits, *, every: bool, seed: int) -> Finding:
    """Ask a search about a position whose game has no tables; with ``every``, about each move too."""
    window = position.window()
    if window is not None and window.position.game.kernel is not None:
        return _in_a_window(position, window, limits, every=every, seed=seed)
    if len(position.legal_moves) > MOST_CHOICES:
        return Finding()
    return _by_tree(position, limits, seed)


def _by_tree(position: Position, limits: Limits, seed: int) -> Finding:
    survey = mcts(position, seed=seed, limits=limits.within(memory=TREE_MEMORY))
    favourite = survey.moves[survey.best]
    reading = tree_reading(favourite.value, max(1, favourite.visits))
    moves: dict[Move, Evaluation] = {}
    for move, stats in survey.moves.items():
        if stats.visits:
            beside = None if move == survey.best else reading
            moves[move] = by_tree(position.game, stats.value, stats.visits, best=beside)
    whole = moves.get(survey.best)
    method: Method = "none" if whole is None else "mcts"
    return Finding(method, whole, (survey.best,), survey.line, moves, nodes=survey.simulations, stopped=survey.stopped)


def _in_a_window(position: Position, window: Window, limits: Limits, *, every: bool, seed: int) -> Finding:
    """Look at the part of a large board where the stones are, as large as the kernel takes."""
    local = analysed(window.position, limits, map_proofs=every, map_estimates=every, seed=seed)
    moves = {
        window.outside(move): doubted
        for move, worth in local.moves.items()
        if (doubted := _doubted(position.game, worth)) is not None
    }
    best = tuple(map(window.outside, local.best[:1]))
    whole = moves.get(best[0]) if best else None
    return Finding(
        local.method if isinstance(local.evaluation, Estimate) else "none" if whole is None else "engine",
        whole,
        best,
        tuple(map(window.outside, local.line)),
        moves,
        nodes=local.nodes,
        stopped=local.stopped,
    )


def _doubted(game: Game, worth: Evaluation | None) -> Estimate | None:
    """A value of the window as an estimate of the whole board's."""
    if isinstance(worth, Proven):
        return by_engine(game, round(worth.score * WON), 0)
    return worth
