"""What a search says of a position that no proof fits: the engine, or a tree search where that tells more.

Either may find a proof all the same, of the position or of single moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from noughts.analysis.calibration import by_engine, by_tree, tree_reading
from noughts.analysis.evaluation import Estimate, Evaluation, Proven
from noughts.analysis.finding import Finding
from noughts.compute.engine import WON, Engine, Thought, proven_score, think
from noughts.compute.limits import Limits
from noughts.compute.sampling import mcts, proven_result
from noughts.core import Game, Move, Position
from noughts.hooks import Window

__all__ = ["estimated"]

TREE_MEMORY = 256 << 20
"""Bytes for a tree."""

MOST_CHOICES = 2_000
"""With more legal moves than this a tree in Python would hardly look at each once."""


def estimated(position: Position, limits: Limits, *, every: bool, seed: int) -> Finding:
    """Ask the search that tells most about this game; with ``every``, about each move too."""
    game = position.game
    window = position.window() if game.kernel is None else None
    if window is not None and window.position.game.kernel is not None:
        return _in_a_window(position, window, limits, every=every, seed=seed)
    if game.kernel is not None and len(game.marks) == 2 and game.estimator == "engine":
        return _by_engine(position, limits, every=every)
    if game.kernel is None and len(position.legal_moves) > MOST_CHOICES:
        return Finding()
    return _by_tree(position, limits, seed)


def _by_engine(position: Position, limits: Limits, *, every: bool) -> Finding:
    """Search for the best move, then, for the other half of the time, all of them alike."""
    # The second search starts from what the first one found.
    limits = replace(limits, engine=limits.engine or Engine())
    found = think(position, limits.share(0.5 if every else 1.0))
    best, stopped = found.best, found.stopped
    if found.depth == 0 and found.proven is None:
        return Finding(best=(best,), stopped=stopped) if stopped else _after_the_opening(position, best, limits)
    worth, nodes = _judged(found, found.score), found.nodes
    moves: dict[Move, Evaluation] = {}
    if every:
        mapped = think(position, limits.share(0.5), every=True)
        moves, nodes = _compared(found, mapped), nodes + mapped.nodes
    moves[best] = worth
    return Finding("engine", worth, (best,), found.line, moves, nodes=nodes, stopped=stopped)


def _compared(found: Thought, mapped: Thought) -> dict[Move, Evaluation]:
    """What the moves are worth beside the best one.

    To score all alike takes a shallower search. What counts of it is how far a move falls short of
    the best, whose own score the deeper search knows better.
    """
    if mapped.depth == 0:
        return {}
    base = mapped.moves.get(found.best)
    moves: dict[Move, Evaluation] = {}
    for move, score in mapped.moves.items():
        moves[move] = _judged(mapped, score)
        if abs(score) < WON and base is not None and max(abs(base), abs(found.score)) < WON:
            beside = found.score + min(0, score - base)
            moves[move] = by_engine(found.position.game, beside, mapped.nodes)
    return moves


def _after_the_opening(position: Position, move: Move, limits: Limits) -> Finding:
    """The engine opens in the middle of a large board without thinking: see what that is worth."""
    found = think(position.play_unchecked(move), limits)
    worth = _judged(found, found.score).flipped().later() if found.depth else None
    moves = {} if worth is None else {move: worth}
    return Finding("engine", worth, (move,), (move, *found.line), moves, nodes=found.nodes, stopped=found.stopped)


def _judged(found: Thought, score: int) -> Evaluation:
    """What a score of the engine stands for."""
    return proven_score(score) or by_engine(found.position.game, score, found.nodes)


def _by_tree(position: Position, limits: Limits, seed: int) -> Finding:
    survey = mcts(position, seed=seed, limits=limits.within(memory=TREE_MEMORY))
    game, mark = position.game, position.turn
    favourite = survey.moves[survey.best]
    reading = tree_reading(favourite.value, max(1, favourite.visits))
    moves: dict[Move, Evaluation] = {}
    for move, stats in survey.moves.items():
        if stats.proven is not None:
            moves[move] = proven_result(stats.proven, mark)
        elif stats.visits:
            beside = None if move == survey.best else reading
            moves[move] = by_tree(game, stats.value, stats.visits, best=beside)
    best: tuple[Move, ...] = (survey.best,)
    whole: Evaluation | None
    if survey.known is not None:
        whole = sure = survey.known
        best = tuple(move for move, worth in moves.items() if isinstance(worth, Proven) and worth.value == sure.value)
    else:
        whole = _at_least(moves, survey.best)
    return Finding("mcts", whole, best, survey.line, moves, nodes=survey.simulations, stopped=survey.stopped)


def _at_least(moves: Mapping[Move, Evaluation], best: Move) -> Estimate | None:
    """What a position is worth by its best move, rather than by the mean over all that were tried.

    What is proven of that move is certain, but others may turn out better.
    """
    worth = moves.get(best)
    if not isinstance(worth, Proven):
        return worth
    guesses = [guess for guess in moves.values() if isinstance(guess, Estimate)]
    high = max([worth.score, *(guess.high for guess in guesses)])
    return Estimate(worth.score, worth.score, high, "mcts", sum(guess.samples for guess in guesses))


def _in_a_window(position: Position, window: Window, limits: Limits, *, every: bool, seed: int) -> Finding:
    """Look at the part of a large board where the stones are, as large as the kernel takes."""
    local = estimated(window.position, limits, every=every, seed=seed)
    return Finding(
        local.method,
        _doubted(position.game, local.evaluation),
        tuple(map(window.outside, local.best[:1])),
        tuple(map(window.outside, local.line)),
        {
            window.outside(move): doubted
            for move, worth in local.moves.items()
            if (doubted := _doubted(position.game, worth)) is not None
        },
        nodes=local.nodes,
        stopped=local.stopped,
    )


def _doubted(game: Game, worth: Evaluation | None) -> Estimate | None:
    """A value of the window as an estimate of the whole board's."""
    if isinstance(worth, Proven):
        return by_engine(game, round(worth.score * WON), 0)
    return worth
