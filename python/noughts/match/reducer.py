"""The only place where a match changes: ``reduce(state, action) -> state``.

A refused action raises :class:`~noughts.errors.MatchError`, which carries the unchanged state.
Reasons are checked in a fixed order: ``not_started``, ``game_over``, ``wrong_turn``,
``out_of_bounds``, ``occupied``, then the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from noughts.core import Mark
from noughts.errors import IllegalMove, InvalidGame, MatchError
from noughts.games import game as game_of
from noughts.match.actions import Action, MakeMove, Redo, ResetGame, Resign, StartGame, Undo
from noughts.match.positions import extended
from noughts.match.state import Ply, State, changed

__all__ = ["reduce"]

Changes = dict[str, Any]
"""The fields of a state that an action changes, with their new values."""


def reduce(state: State | None, action: Action) -> State:
    """The state after an action. A match starts with ``reduce(None, StartGame(game="4x4"))``."""
    if isinstance(action, StartGame):
        return _start(state, action)
    if state is None:
        raise MatchError("not_started", f"{action.name} before start_game: no game has been started", state=None)
    changes = _CHANGES.get(type(action), _unknown)(action, state)
    return changed(state, {**changes, "version": state.version + 1, "updated_at": action.at})


def _start(state: State | None, action: StartGame) -> State:
    try:
        game = game_of(action.game)
        first = game.check_mark(action.first) if action.first is not None else None
        players = {game.check_mark(mark): who for mark, who in action.players.items()}
    except InvalidGame as error:
        raise MatchError(error.code, str(error), state=state) from error
    position = game.start(first)
    return State(
        game=game,
        first=position.turn,
        id=action.id,
        players=players,
        version=state.version + 1 if state else 1,
        started_at=action.at,
        updated_at=action.at,
        positions=(position,),
    )


def _unknown(action: Action, state: State) -> Changes:
    raise MatchError("unknown_action", f"a match knows no action {action!r}", state=state)


def _make_move(action: MakeMove, state: State) -> Changes:
    _refuse_after_resignation(state)
    if not isinstance(action.move, str):
        # A record holds names.
        message = f"a match takes a move by its name, e.g. 'b2', not {action.move!r}"
        raise MatchError("invalid_notation", message, state=state)
    try:
        position = state.position.play(action.move, by=action.player)
    except IllegalMove as error:
        raise MatchError(error.code, str(error), state=state, facts=error.facts) from error
    ply = Ply(action.player, position.last if position.last is not None else -1, action.at, position.captured)
    plies = (*state.history, ply)
    return {"plies": plies, "positions": extended(state.positions, plies, position), "cursor": state.cursor + 1}


def _undo(action: Undo, state: State) -> Changes:
    _refuse_after_resignation(state)
    for cursor in range(state.cursor - 1, -1, -1):
        if _is_stop(state, cursor, action.player):
            return {"cursor": cursor}
    whose = f" of {action.player}" if action.player else ""
    raise MatchError("nothing_to_undo", f"there is no move{whose} to take back", state=state)


def _redo(action: Redo, state: State) -> Changes:
    _refuse_after_resignation(state)
    if state.cursor == len(state.plies):
        raise MatchError("nothing_to_redo", "no move has been taken back", state=state)
    for cursor in range(state.cursor + 1, len(state.plies)):
        if _is_stop(state, cursor, action.player):
            return {"cursor": cursor}
    return {"cursor": len(state.plies)}


def _reset(action: ResetGame, state: State) -> Changes:
    return {"plies": (), "positions": state.positions[:1], "cursor": 0, "resigned": None, "started_at": action.at}


def _resign(action: Resign, state: State) -> Changes:
    if state.is_over:
        raise MatchError("game_over", f"the game is over: {state.status}", state=state)
    if action.player not in state.game.marks:
        raise MatchError("wrong_turn", f"{action.player!r} does not play here", state=state)
    return {"resigned": action.player}


def _refuse_after_resignation(state: State) -> None:
    if state.resigned is not None:
        raise MatchError("game_over", f"the game is over: {state.resigned} resigned", state=state)


def _is_stop(state: State, cursor: int, player: Mark | None) -> bool:
    """Whether undo and redo for a player stop at a ply.

    They stop where the player has a choice: its turn, and not just a forced pass.
    """
    if player is None:
        return True
    position = state.positions[cursor]
    return position.turn == player and any(move >= 0 for move in position.legal_moves)


_CHANGES: Mapping[type[Action], Callable[[Any, State], Changes]] = {
    MakeMove: _make_move,
    Undo: _undo,
    Redo: _redo,
    ResetGame: _reset,
    Resign: _resign,
}
