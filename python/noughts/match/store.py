"""The store: holds the state of one match, takes actions, and tells whoever listens."""

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
    """One match and its listeners.

    Subscribers hear of every accepted action, in order, each with the state it led to. One that
    fails does not keep the others from hearing; its error reaches the caller of ``dispatch``.
    """

    def __init__(self, actions: Iterable[Action] = (), *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._actions: list[Action] = []
        self._state: State | None = None
        self._subscribers: list[Subscriber] = []
        self._untold: deque[tuple[Action, State]] = deque()
        self._telling = False
        for action in actions:
            self._state = reduce(self._state, action)
            self._actions.append(action)

    @property
    def state(self) -> State:
        """The match as it stands."""
        if self._state is None:
            raise MatchError("not_started", "no game has been started", state=None)
        return self._state

    @property
    def actions(self) -> tuple[Action, ...]:
        """All accepted actions: the record of the match."""
        return tuple(self._actions)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Have a function told of every action from now on; call what is returned to stop."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def dispatch(self, action: Action) -> State:
        """Apply an action, stamped with the time unless it has one, and tell the subscribers.

        A refused action raises :class:`MatchError`, changes nothing and is told to nobody.
        """
        if not action.at:
            action = replace(action, at=self._clock())
        state = reduce(self._state, action)
        self._state = state
        self._actions.append(action)
        self._untold.append((action, state))
        if not self._telling:
            self._tell()
        return state

    def _tell(self) -> None:
        errors: list[Exception] = []
        self._telling = True
        while self._untold:
            action, state = self._untold.popleft()
            for subscriber in tuple(self._subscribers):
                try:
                    subscriber(action, state)
                except Exception as error:
                    errors.append(error)
        self._telling = False
        if errors:
            raise errors[0] if len(errors) == 1 else ExceptionGroup("subscribers failed", errors)
