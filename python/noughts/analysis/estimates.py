"""What a search says of a position that no proof fits: the engine in a row and in the duel, else a tree search.

Either may come upon a proof all the same, of the position or of single moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from noughts.analysis.calibration import by_engine, by_tree, tree_reading
from noughts.analysis.evaluation import Estimate, Evaluation, Proven
from noughts.analysis.finding import Finding
from noughts.compute.kernel import cores, limited, moment
from noughts.compute.sampling import mcts
from noughts.core import Game, Mark, Move, Position
from noughts.games.hex import Hex
from noughts.games.lines import LinesPosition
from noughts.players import Limits

if TYPE_CHECKING:
    from noughts._kernel import _Engine

__all__ = ["estimated"]

ENGINE_MEMORY = 256 << 20
"""Bytes for what the engine remembers."""

TREE_MEMORY = 256 << 20
"""Bytes for a tree."""

WON = 31_000
"""Scores of the engine from here up are proven wins."""

MATE = 32_000
"""The engine's score of a win on the spot; a win n plies away is worth n less."""

UNLIMITED = 10**12
"""Simulations when only the time counts."""

MOST_CHOICES = 2_000
"""With more legal moves than this a tree in Python would hardly look at each once."""


def estimated(position: Position, limits: Limits, *, every: bool, seed: int) -> Finding:
    """Ask the search that tells most about this game; with ``every``, about each move too."""
    game = position.game
    if isinstance(position, LinesPosition) and game.kernel is None:
        return _in_a_window(position, limits, every=every, seed=seed)
    # In Hex the engine plays well, but its score tells less about who will win than random games do.
    if game.kernel is not None and len(game.marks) == 2 and not isinstance(game, Hex):
        return _by_engine(position, limits, every=every)
    if game.kernel is None and len(position.legal_moves) > MOST_CHOICES:
        return Finding()
    return _by_tree(position, limits, seed)


def _by_engine(position: Position, limits: Limits, *, every: bool) -> Finding:
    """Search for the best move, then, for the other half of the time, all of them alike."""
    found = _think(position, _part(limits, 0.5 if every else 1.0), every=False)
    best, line, stopped = found["best"], tuple(found["line"]), found["stopped"]
    if found["depth"] == 0 and found["proven"] is None:
        return Finding(best=(best,), stopped=stopped) if stopped else _after_the_opening(position, best, limits)
    thought, nodes = _judged(position.game, found["score"], found), found["nodes"]
    moves: dict[Move, Evaluation] = {}
    if every:
        mapped = _think(position, _part(limits, 0.5), every=True)
        moves, nodes = _compared(position.game, found, mapped), nodes + mapped["nodes"]
    moves[best] = thought
    return Finding("engine", thought, (best,), line, moves, nodes=nodes, stopped=stopped)


def _compared(game: Game, found: _Engine, mapped: _Engine) -> dict[Move, Evaluation]:
    """What the moves are worth beside the best one.

    To score all alike takes a shallower search. What counts of it is how far a move falls short of
    the best, whose own score the deeper search knows better.
    """
    if mapped["depth"] == 0:
        return {}
    scores = dict(mapped["moves"])
    base = scores.get(found["best"])
    moves: dict[Move, Evaluation] = {}
    for move, score in scores.items():
        moves[move] = _judged(game, score, mapped)
        if abs(score) < WON and base is not None and max(abs(base), abs(found["score"])) < WON:
            beside = found["score"] + min(0, score - base)
            moves[move] = by_engine(game, beside, mapped["nodes"])
    return moves


def _after_the_opening(position: Position, move: Move, limits: Limits) -> Finding:
    """The engine opens in the middle of a large board without thinking: see what that is worth."""
    found = _think(position.play_unchecked(move), limits, every=False)
    thought = _judged(position.game, found["score"], found).flipped().later() if found["depth"] else None
    moves = {} if thought is None else {move: thought}
    line, stopped = (move, *found["line"]), found["stopped"]
    return Finding("engine", thought, (move,), line, moves, nodes=found["nodes"], stopped=stopped)


def _part(limits: Limits, share: float) -> Limits:
    return limits if limits.seconds is None else replace(limits, seconds=limits.seconds * share)


def _think(position: Position, limits: Limits, *, every: bool) -> _Engine:
    compiled = position.game.kernel
    assert compiled is not None
    allowance = limited(
        seconds=limits.seconds,
        nodes=limits.nodes,
        memory=limits.bytes(ENGINE_MEMORY),
        progress=limits.tell,
        stop=limits.stop,
    )
    # Several threads answer differently each time: not what a limit of nodes is for.
    threads = 1 if limits.nodes is not None else cores()
    return compiled.engine(moment(position), allowance, threads=threads, every=every)


def _judged(game: Game, score: int, found: _Engine) -> Evaluation:
    """What a score of the engine stands for."""
    if abs(score) >= WON:
        return Proven("win" if score > 0 else "loss", within=MATE - abs(score))
    return by_engine(game, score, found["nodes"])


def _by_tree(position: Position, limits: Limits, seed: int) -> Finding:
    survey = mcts(
        position,
        limits.nodes or UNLIMITED,
        seed=seed,
        seconds=limits.seconds,
        memory=limits.bytes(TREE_MEMORY),
        progress=limits.tell,
        stop=limits.stop,
    )
    game, mark = position.game, position.turn
    favourite = survey.moves[survey.best]
    reading = tree_reading(favourite.value, max(1, favourite.visits))
    moves: dict[Move, Evaluation] = {}
    for move, stats in survey.moves.items():
        if stats.proven is not None:
            moves[move] = _told(stats.proven, mark)
        elif stats.visits:
            beside = None if move == survey.best else reading
            moves[move] = by_tree(game, stats.value, stats.visits, best=beside)
    best: tuple[Move, ...] = (survey.best,)
    whole: Evaluation | None
    if survey.proven is not None:
        whole = sure = _told(survey.proven, mark)
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


def _told(proven: Mark | str, mark: Mark) -> Proven:
    """A proven outcome of the tree as ``mark`` sees it."""
    return Proven("draw" if proven == "draw" else "win" if proven == mark else "loss")


def _in_a_window(position: LinesPosition, limits: Limits, *, every: bool, seed: int) -> Finding:
    """Look at the part of a large board where the stones are, as large as the kernel takes."""
    window = position.window()
    if window is None:
        return Finding()
    local = estimated(window.position, limits, every=every, seed=seed)
    return Finding(
        local.method,
        _doubted(position.game, local.evaluation),
        tuple(map(window.outside, local.best[:1])),
        tuple(map(window.outside, local.line)),
        {
            window.outside(move): told
            for move, worth in local.moves.items()
            if (told := _doubted(position.game, worth)) is not None
        },
        nodes=local.nodes,
        stopped=local.stopped,
    )


def _doubted(game: Game, worth: Evaluation | None) -> Estimate | None:
    """A value of the window as an estimate of the whole board's."""
    if isinstance(worth, Proven):
        return by_engine(game, round(worth.score * WON), 0)
    return worth
