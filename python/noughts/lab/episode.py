"""One game between two players, with everything there is to know about it afterwards.

A player that may try illegal moves is told exactly why a move was refused and tries again; its
attempts are counted. A player whose patience is at an end has lost.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from noughts.core import Game, Mark, Move
from noughts.errors import NoughtsError
from noughts.match import MakeMove, Metrics, Resign, StartGame, Store, measure
from noughts.players import Player

__all__ = ["Episode", "play_episode"]


@dataclass
class Episode:
    """A game that was played."""

    store: Store
    attempts: dict[Mark, Counter[str]]
    """The refused attempts of each player, by the code of the refusal."""
    thought: dict[Mark, list[float]] = field(default_factory=dict)
    """How long each player took for each of its moves."""
    failures: dict[Mark, str] = field(default_factory=dict)
    """Why a player forfeited, if one did."""

    @property
    def metrics(self) -> Metrics:
        """The measures of the match."""
        return measure(self.store.state)

    @property
    def moves(self) -> list[Move]:
        """The moves, as numbers."""
        return [ply.move for ply in self.store.state.history]

    @property
    def invalid(self) -> int:
        """Refused attempts of both players together."""
        return sum(sum(codes.values()) for codes in self.attempts.values())


def play_episode(
    game: Game,
    players: Mapping[Mark, Player],
    *,
    first: Mark | None = None,
    opening: tuple[Move, ...] = (),
    names: Mapping[Mark, str] | None = None,
    name: str = "",
) -> Episode:
    """Play a game to its end."""
    store = Store()
    store.dispatch(
        StartGame(game=game.spec, first=first, id=name, players=names or {m: p.spec for m, p in players.items()})
    )
    store.play_line(map(game.move_name, opening))
    episode = Episode(store, {mark: Counter() for mark in players}, {mark: [] for mark in players})
    while not store.state.is_over:
        mark = store.state.turn
        began = time.perf_counter()
        try:
            move = players[mark].choose_legal(store.state.position, attempts=episode.attempts[mark]).move
        except (NoughtsError, OSError) as error:
            episode.failures[mark] = str(error)
            store.dispatch(Resign(player=mark))
            continue
        episode.thought[mark].append(time.perf_counter() - began)
        store.dispatch(MakeMove(player=mark, move=game.move_name(move)))
    return episode
