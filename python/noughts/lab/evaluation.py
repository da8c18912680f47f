"""Evaluation: how good a learner is after some games, measured against rules and against the truth."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from noughts.compute.limits import Stop
from noughts.compute.solver import solve
from noughts.core import Game, Mark, Move, Position
from noughts.errors import PlayerError
from noughts.lab import words
from noughts.lab.config import Config
from noughts.lab.episode import Episode, play_episode
from noughts.lab.grading import Grade, Probe, consistency, grade, probes
from noughts.learning import Learner
from noughts.note import note
from noughts.players import Choice, Limits, Player, player
from noughts.players.learned import best_of

__all__ = ["Evaluation", "Evaluator", "LearnerPlayer", "Solver", "Stopped"]

MAX_SOLVER_NODES = 30_000
"""A game whose start takes the solver more positions than this has no exact opponent here."""

MAX_SOLVER_NODES_IN_PYTHON = 3_000
"""The same for a game without kernel tables, whose solver is a hundred times slower."""

CONSISTENCY_EVALUATIONS = 5
"""Evaluations that the consistency of choices is taken over."""


@dataclass(frozen=True, kw_only=True)
class LearnerPlayer(Player):
    """A learner as it is now, playing what it thinks best."""

    name = "learner"
    what = "the learner"
    summary = "a learner in training"

    learner: Learner = field(compare=False)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """The move of the highest value."""
        return best_of(self.learner.rate(position), note("in_training"))


@dataclass(frozen=True, kw_only=True)
class Solver(Player):
    """Plays any best move, each as likely as the others; only for games that can be solved quickly."""

    name = "solver"
    what = "the solver"
    summary = "exact play"

    rng: random.Random = field(compare=False)

    def decide(self, position: Position, limits: Limits) -> Choice:
        """One of the best moves."""
        best = _best(position)
        if not best:
            raise PlayerError("not_proven", f"{position.text} is too hard to solve in passing")
        return Choice(self.rng.choice(best), proven=True)


@lru_cache(maxsize=20_000)
def _best(position: Position) -> tuple[Move, ...]:
    """The best moves, or none where finding them takes too long."""
    verdict = solve(position, Limits(nodes=_solvable(position.game)))
    return verdict.best if verdict.proven and verdict.stopped is None else ()


def _solvable(game: Game) -> int:
    return MAX_SOLVER_NODES if game.kernel is not None else MAX_SOLVER_NODES_IN_PYTHON


@dataclass(frozen=True)
class Evaluation:
    """One line of metrics, and the games behind it."""

    metrics: Mapping[str, Any]
    timing: Mapping[str, float]
    games: tuple[Episode, ...]
    choices: tuple[Move, ...]
    """What it chose in each probe."""

    @property
    def text(self) -> str:
        """The grade in a few words."""
        parts = []
        if self.metrics["graded"]["positions"]:
            parts.append(words.optimal(self.metrics["graded"]))
        for name in ("rules", "perfect"):
            if (score := self.metrics[name]) is not None:
                parts.append(f"{name} {words.score(score)}")
        return ", ".join(parts)


class Stopped(Exception):
    """An evaluation was told to stop, and has nothing to tell."""


class Evaluator:
    """Measures one learner again and again, always in the same way."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.game: Game = config.rules()
        self.probes = probes(self.game, config.probes, config.seed)
        self.solvable = self._is_solvable()

    def _is_solvable(self) -> bool:
        """Whether the start and some positions soon after it can all be solved in passing."""
        rng, position = random.Random(0), self.game.start()
        for _ in range(min(6, self.game.grid.cells // 3)):
            if position.outcome is not None:
                break
            if not _best(position):
                return False
            position = position.play_unchecked(position.legal_moves.pick(rng))
        return True

    def measure(self, learner: Learner, before: list[tuple[Move, ...]], *, stop: Stop | None = None) -> Evaluation:
        """Grade a learner; ``before`` has its choices in the evaluations before this one.

        Raises :class:`Stopped` if ``stop`` ends it early.
        """
        began = time.perf_counter()
        mine = LearnerPlayer(learner=learner)
        choices = tuple(mine.choose(probe.position).move for probe in self.probes)
        chosen = dict(zip((probe.position for probe in self.probes), choices, strict=True))
        # A table is graded on every position there is, a network on the probes.
        every = learner.grade()
        graded = Grade(*every) if every is not None else grade(chosen.__getitem__, self.probes)
        sure = graded.interval if every is None else (graded.optimal, graded.optimal)
        recent = [row for row in [*before, choices][-CONSISTENCY_EVALUATIONS:] if len(row) == len(choices)]
        metrics: dict[str, Any] = {
            "graded": {
                **graded.to_json(),
                "chosen": "random_games" if every is None else "all",
                "interval": [round(end, 6) for end in sure],
            },
            "consistency": round(consistency(recent), 6),
        }
        played: list[Episode] = []
        thought: list[float] = []
        for name in ("rules", "perfect"):
            if name == "perfect" and not self.solvable:
                metrics[name] = None
                continue
            games: list[tuple[Episode, Mark]] = []
            for number in range(self.config.matches):
                if stop is not None and stop():
                    raise Stopped
                games.append(self._match(mine, name, number, learner.games))
                if games[-1][0].failures:
                    break
            if games and games[-1][0].failures:
                # The solver met a position that is too hard for it: there is no exact opponent here.
                metrics[name] = None
                continue
            score = {"wins": 0, "draws": 0, "losses": 0}
            for episode, mark in games:
                winner = episode.store.state.winner
                score["draws" if winner == "draw" else "wins" if winner == mark else "losses"] += 1
                played.append(episode)
                thought += episode.thought[mark]
            metrics[name] = score
        timing = {
            "decision_seconds": sum(thought) / len(thought) if thought else 0.0,
            "evaluation_seconds": time.perf_counter() - began,
        }
        return Evaluation(metrics, timing, tuple(played), choices)

    def _match(self, mine: LearnerPlayer, opponent: str, number: int, games: int) -> tuple[Episode, Mark]:
        """Game number ``number`` against an opponent: seats and starters take turns, openings vary."""
        marks = self.game.marks
        rng = random.Random(f"evaluation {self.config.seed} {opponent} {number // 2}")
        opening = self._opening(rng, number)
        mark, other = (marks[0], marks[1]) if number % 2 == 0 else (marks[1], marks[0])
        first = marks[number // 2 % 2]
        against = Solver(rng=rng) if opponent == "perfect" else player(f"{opponent},seed={rng.getrandbits(32)}")
        names = {mark: f"{self.config.learner} after {games:,} games", other: opponent}
        played = play_episode(
            self.game,
            {mark: mine, other: against},
            first=first,
            opening=opening,
            names=names,
            name=f"{opponent}-{number + 1:03}",
        )
        return played, mark

    def _opening(self, rng: random.Random, number: int) -> tuple[Move, ...]:
        """No moves in the first games, then one or two random ones; where that can be told, none that spoils it."""
        position, moves = self.game.start(self.game.marks[number // 2 % 2]), list[Move]()
        for _ in range(min(number // 4, 2)):
            known = Probe.of(position, _solvable(self.game)) if self.solvable else None
            fair = [move for move in position.legal_moves if known is None or known.grade(move).lost == 0]
            after = position.play_unchecked(move := rng.choice(fair))
            if after.outcome is not None:
                break
            position = after
            moves.append(move)
        return tuple(moves)
