"""The store: holds the state of one match, applies actions and notifies subscribers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace

from noughts.errors import MatchError
from noughts.match.actions import Action
from noughts.match.reducer import reduce
from noughts.match.state import State

__all__ = ["Store", "Subscriber"]

Subscriber = Callable[[Action, State], None]


class Store:
    """One match and its subscribers.

    Subscribers are called after every accepted action, in order, with the action and the new state.
    If one fails, the others are still called, and the error is raised by ``dispatch``.
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
        """Apply an action, with the current time unless it has one, and notify the subscribers.

        A refused action raises :class:`MatchError`, changes nothing and notifies nobody.
        """
        if not action.at:
            action = replace(action, at=self._clock())
        state = reduce(self._state, action)
        self._state = state
        self._actions.append(action)
        self._pending.append((action, state))
        if not self._notifying:
            self._notify()
        return state

    def _notify(self) -> None:
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
        if errors:
            raise errors[0] if len(errors) == 1 else ExceptionGroup("subscribers failed", errors)
