"""Reasons: what speaks for a move, or against it, as a code and its facts.

They are made of what an analysis found: threats, what the moves are worth, what a move captures. The
words are templates of the game, ``reason.<code>``; those that all games share are in
:data:`noughts.words.COMMON`. A game gets reasons for its own kinds of threats by having words for them:
``reason.<kind>`` for a move that carries one out, ``reason.stops_<kind>`` for one that takes it away.
"""

from __future__ import annotations

from noughts.analysis.evaluation import Evaluation, Proven
from noughts.analysis.study import Analysis
from noughts.core import Move, Position
from noughts.note import Fact, Note

__all__ = ["fault", "merit", "reason"]


def reason(analysis: Analysis, move: Move) -> Note:
    """Why to play a move: what it does at once, or else what it is worth.

    >>> import noughts
    >>> position = noughts.position("3x3", "XX1/OO1/3 X")
    >>> reason(noughts.analyse(position), position.game.parse_move("c1")).code
    'win'
    """
    return merit(analysis, move) or _worth(analysis, move)


def merit(analysis: Analysis, move: Move, *, played: bool = False) -> Note | None:
    """What a player would notice about a move: it wins, blocks, forks, captures, or is the only one that will do.

    With ``played`` it is said of a move that was made, not of one to make.
    """
    position, mark = analysis.position, analysis.position.turn
    words = position.game.catalogues()["en"]
    if _hits(analysis, move, "win", mine=True):
        return _note(position, move, "win", case=mark)
    lost = _is(analysis.evaluation, "loss")
    if _hits(analysis, move, "win", mine=False) and not lost:
        return _note(position, move, "stopped_win" if played else "stops_win")
    only = _only(analysis, move)
    if only is not None:
        return _note(position, move, only)
    captured = len(position.captures(move))
    if captured and "reason.capture" in words:
        return _note(position, move, "capture", count=captured, case=str(captured))
    for mine, prefix in ((True, ""), (False, "stops_")):
        for threat in analysis.threats:
            known = f"reason.{prefix}{threat.kind}" in words and threat.kind not in ("win", "lose", "capture")
            if known and not lost and (threat.mark == mark) == mine and move in threat.cells:
                return _note(position, move, f"{prefix}{threat.kind}")
    return None


def fault(
    position: Position,
    move: Move,
    before: Evaluation | None,
    after: Evaluation | None,
    better: Move | None,
    reply: Move | None,
) -> Note:
    """What is wrong with a move: what it missed, allowed or gave away; ``reply`` is the best answer to it."""
    name = position.game.move_name
    cells = () if better is None else (name(better),)
    if isinstance(before, Proven) and before.value == "win" and not _is(after, "win"):
        plies = _plies(before)
        if plies == 1 and cells:
            return _note(position, move, "missed_win", cells=cells)
        if plies is None or before.margin is not None:
            return _note(position, move, "threw_win")
        return _note(position, move, "threw_win_in", moves=(plies + 1) // 2)
    if isinstance(after, Proven) and after.value == "loss" and not _is(before, "loss"):
        plies = _plies(after)
        if plies == 2 and reply is not None and len(position.game.marks) == 2:
            return _note(position, move, "allows_win", cells=(name(reply),))
        if plies == 2:
            return _note(position, move, "allows_win_next")
        if plies is None or after.margin is not None:
            return _note(position, move, "threw_draw" if _is(before, "draw") else "loses")
        return _note(position, move, "allows_win_in", moves=plies // 2)
    if not cells:
        return _note(position, move, "weak")
    if isinstance(before, Proven) and isinstance(after, Proven):
        if before.margin is not None:
            return _note(position, move, "fewer_tiles", cells=cells)
        return _note(position, move, "slower_win" if after.value == "win" else "faster_loss", cells=cells)
    return _note(position, move, "weaker", cells=cells)


def _worth(analysis: Analysis, move: Move) -> Note:
    """What a move is worth, in moves rather than plies."""
    position, worth = analysis.position, analysis.moves.get(move)
    if not isinstance(worth, Proven):
        return _note(position, move, "guess" if worth is None else "likely")
    if worth.value == "draw":
        return _note(position, move, "draws")
    if worth.value == "loss":
        lasts = move in analysis.best and _is(analysis.evaluation, "loss")
        return _note(position, move, "lasts" if lasts else "loses")
    if worth.margin:
        return _note(position, move, "wins_by", count=worth.margin, case=str(worth.margin))
    plies = _plies(worth)
    if plies is None:
        return _note(position, move, "wins")
    return _note(position, move, "wins_in", moves=(plies + 1) // 2) if plies > 1 else _note(position, move, "win")


def _only(analysis: Analysis, move: Move) -> str | None:
    """Whether a move is the only one that wins, or that draws: all others are proven to be worth less."""
    worth = analysis.moves.get(move)
    others = [value for other, value in analysis.moves.items() if other != move]
    if not isinstance(worth, Proven) or worth.value == "loss" or not others:
        return None
    if not all(isinstance(other, Proven) and other.score < worth.score for other in others):
        return None
    return f"only_{worth.value}"


def _hits(analysis: Analysis, move: Move, kind: str, *, mine: bool) -> bool:
    """Whether a move is one of a threat: the player's own, or one of somebody else."""
    mark = analysis.position.turn
    return any(
        threat.kind == kind and (threat.mark == mark) == mine and move in threat.cells for threat in analysis.threats
    )


def _is(worth: Evaluation | None, value: str) -> bool:
    return isinstance(worth, Proven) and worth.value == value


def _plies(worth: Proven) -> int | None:
    return worth.distance if worth.distance is not None else worth.within


def _note(position: Position, move: Move, code: str, **facts: Fact) -> Note:
    game, mark = position.game, position.turn
    return Note(code, {"move": game.move_name(move), "player": mark, "rival": game.after(mark), **facts})
