"""Sparring: training games between a learner and any player, in Python.

A learner plays some opponents by itself (:attr:`Learner.opponents`); everybody else plays here. The learner
may also be made *blind*: it is not told which moves are legal, tries, hears the rules' own refusal,
and remembers it for that position.
"""

from __future__ import annotations

import json
import random
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noughts.compute.limits import Stop
from noughts.core import PASS, SWAP, Mark, Move, Position
from noughts.errors import IllegalMove
from noughts.lab.config import ITSELF, Config
from noughts.learning import Learner, Settings
from noughts.learning.checkpoint import Array
from noughts.match import StartGame, Store
from noughts.note import note
from noughts.players import Choice, Limits, Player, player

__all__ = ["ExploringPlayer", "Sparring"]


@dataclass(frozen=True, kw_only=True)
class ExploringPlayer(Player):
    """A learner that explores: now and then a random move, else what it thinks best."""

    name = "explorer"
    what = "the exploring learner"
    summary = "a learner that explores"
    tries = 10**6

    learner: Learner = field(compare=False)
    epsilon: float
    rng: random.Random = field(compare=False)
    blind: bool = False
    memory: dict[str, set[Move]] = field(default_factory=dict, compare=False)
    """The moves that were refused, by the text of the position."""
    explored: Counter[str] = field(default_factory=Counter, compare=False)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Explore or take the best of the moves it does not know to be refused."""
        values = dict(self.learner.rate(position))
        if self.blind:
            # An untried move looks like any other that nothing is known about.
            known = self.memory.get(position.text, set())
            cells = range(position.game.grid.cells)
            values = {move: values.get(move, 0.0) for move in (*cells, PASS, SWAP) if move not in known}
        if self.rng.random() < self.epsilon:
            self.explored["moves"] += 1
            return Choice(self.rng.choice(list(values)), note("explores"))
        return Choice(max(values, key=values.__getitem__), note("in_training"))

    def refused(self, error: IllegalMove) -> None:
        """Remember what was refused."""
        move = error.move
        self.memory.setdefault(error.position.text, set()).add(move if isinstance(move, int) else PASS)


class Sparring:
    """Plays a learner's training games against a player and lets it learn from both sides of each."""

    def __init__(self, config: Config, learner: Learner, *, remembered: int = 0) -> None:
        self.config, self.learner = config, learner
        self.memory: dict[str, set[Move]] = {}
        self._games = deque[tuple[int, int, int, list[Move]]](maxlen=remembered)
        """The last games: which of the run it was, who began, the learner's seat, the moves."""

    def arrays(self) -> dict[str, Array]:
        """What was refused, for a checkpoint."""
        if not self.config.blind:
            return {}
        text = json.dumps({position: sorted(moves) for position, moves in self.memory.items()})
        return {"refused": np.frombuffer(text.encode(), dtype="|u1")}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Take up what was refused before."""
        if self.config.blind:
            told = json.loads(arrays["refused"].tobytes())
            self.memory = {position: set(map(int, moves)) for position, moves in told.items()}

    def records(self) -> Iterator[Store]:
        """The last games, to be stepped through."""
        game = self.config.rules()
        for number, root, seat, moves in self._games:
            names = dict.fromkeys(game.marks, self.config.learner)
            if self.config.against != ITSELF:
                names[game.marks[1 - seat]] = self.config.against
            store = Store()
            started = StartGame(game=game.spec, first=game.marks[root], id=f"training-{number:012}", players=names)
            store.dispatch(started)
            store.play_line(map(game.move_name, moves))
            yield store

    def train(self, games: int, settings: Settings, stop: Stop) -> dict[str, Any]:
        """Play and learn from so many games, or until told to stop."""
        found: dict[str, Any] = {"games": 0, "wins": [0, 0], "draws": 0, "plies": 0, "explored": 0, "invalid": 0}
        errors = 0.0
        while found["games"] < games and not (found["games"] and stop()):
            errors += self._play(settings, found)
        return {**found, "error": errors / max(found["games"], 1), "updates": found["games"]}

    def _play(self, settings: Settings, found: dict[str, Any]) -> float:
        """One game: starters and seats take turns, as in the kernel's games."""
        config, marks = self.config, self.config.rules().marks
        number = self.learner.games
        rng = random.Random(f"sparring {config.seed} {number}")
        root = number % 2
        seat = number // 2 % 2
        explorer = ExploringPlayer(
            learner=self.learner,
            epsilon=settings.epsilon.at(number, settings.total),
            rng=rng,
            blind=config.blind,
            memory=self.memory,
        )
        minds: dict[Mark, Player] = {marks[seat]: explorer, marks[1 - seat]: self._opponent(explorer, rng)}
        position, moves, attempts = config.rules().start(marks[root]), list[Move](), Counter[str]()
        for _ in range(rng.randint(0, settings.random_plies) if settings.random_plies else 0):
            after = position.play_unchecked(move := position.legal_moves.pick(rng))
            if after.outcome is not None:
                break
            position = after
            moves.append(move)
        opening = len(moves)
        while position.outcome is None:
            moves.append(minds[position.turn].choose_legal(position, attempts=attempts).move)
            position = position.play_unchecked(moves[-1])
        error = self.learner.learn(
            root, moves, settings, opening=opening, seat=None if config.against == ITSELF else seat
        )
        self._games.append((number + 1, root, seat, moves))
        found["games"] += 1
        found["plies"] += len(moves)
        found["explored"] += explorer.explored["moves"]
        found["invalid"] += sum(attempts.values())
        if position.outcome.winner is None:
            found["draws"] += 1
        else:
            found["wins"][marks.index(position.outcome.winner)] += 1
        return error

    def _opponent(self, explorer: ExploringPlayer, rng: random.Random) -> Player:
        if self.config.against == ITSELF:
            return explorer
        made = player(self.config.against)
        if getattr(made, "seed", 0) is None:
            made = player(f"{self.config.against},seed={rng.getrandbits(48)}")
        return made
