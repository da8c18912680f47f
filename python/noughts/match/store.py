"""The store: holds the state of one match, applies actions and notifies subscribers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace

from noughts.core import PASS
from noughts.errors import MatchError
from noughts.match.actions import Action, MakeMove, Redo, Undo
from noughts.match.passes import forced_pass, whole_step
from noughts.match.reducer import reduce
from noughts.match.state import State

__all__ = ["Store", "Subscriber"]

Subscriber = Callable[[Action, State], None]


class Store:
    """One match and its subscribers.

    Subscribers are called after every accepted action, in order, with the action and the new state.
    If one fails, the others are still called, and the error is raised by ``dispatch``.

    A player who can do nothing but pass is not asked: the store makes the pass, as an action of its own. An undo
    that names nobody takes it back together with the move before it.
    """

    def __init__(self, actions: Iterable[Action] = (), *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._actions: list[Action] = []
        self._state: State | None = None
        self._subscribers: list[Subscriber] = []
        self._pending: deque[tuple[Action, State]] = deque()
        self._notifying = False
        for action in actions:
            self._state = reduce(self._state, action)
            self._actions.append(action)

    @property
    def state(self) -> State:
        """The current state; raises :class:`MatchError` before the first game."""
        if self._state is None:
            raise MatchError("not_started", "no game has been started", state=None)
        return self._state

    @property
    def actions(self) -> tuple[Action, ...]:
        """All accepted actions: the record of the match."""
        return tuple(self._actions)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call a function after every accepted action; the returned function unsubscribes it."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def dispatch(self, action: Action) -> State:
        """Apply an action, with the current time unless it has one, notify the subscribers, and make forced passes.

        A refused action raises :class:`MatchError`, changes nothing and notifies nobody.
        """
        if not action.at:
            action = replace(action, at=self._clock())
        if self._state is not None and isinstance(action, Undo | Redo):
            action = whole_step(self._state, action)
        state = self._apply(action)
        if self._notifying:
            return state
        errors = self._notify()
        # Once around at most: a game in which everybody can only pass is for its rules to end.
        for _ in state.game.marks:
            passing = forced_pass(self.state, at=action.at)
            if passing is None:
                break
            self._apply(passing)
            errors += self._notify()
        if errors:
            raise errors[0] if len(errors) == 1 else ExceptionGroup("subscribers failed", errors)
        return self.state

    def play_line(self, moves: Iterable[str]) -> State:
        """Play moves one after the other, each by who is on turn; the forced passes may be among them or left out."""
        passed = 0
        for move in moves:
            if passed and move == self.state.game.move_name(PASS):
                passed -= 1
                continue
            before = len(self.state.history)
            self.dispatch(MakeMove(player=self.state.turn, move=move))
            passed = len(self.state.history) - before - 1
        return self.state

    def _apply(self, action: Action) -> State:
        state = reduce(self._state, action)
        self._state = state
        self._actions.append(action)
        self._pending.append((action, state))
        return state

    def _notify(self) -> list[Exception]:
        """Call the subscribers for every action that they have not heard of; returns what failed."""
        errors: list[Exception] = []
        self._notifying = True
        while self._pending:
            action, state = self._pending.popleft()
            for subscriber in tuple(self._subscribers):
                try:
                    subscriber(action, state)
                except Exception as error:
                    errors.append(error)
        self._notifying = False
        return errors
