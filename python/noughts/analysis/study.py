"""The study of one position: what it is worth, which moves are best, what threatens, how it goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from noughts.analysis.calibration import by_engine, by_tree
from noughts.analysis.evaluation import (
    Estimate,
    Evaluation,
    Proven,
    ProvenValue,
    evaluation_from_json,
    evaluation_to_json,
)
from noughts.analysis.threats import Threat, threats
from noughts.core import LARGEST_COMPILED, Move, Position
from noughts.games import game as game_of
from noughts.games.lines import LinesPosition
from noughts.kernel import limited, moment
from noughts.players import Limits
from noughts.sampling import mcts
from noughts.solver import MoveValue, Verdict, solve

__all__ = ["SECONDS", "Analysis", "Method", "analyse"]

Method = Literal["rules", "solver", "engine", "mcts", "none"]

SECONDS = 1.0
"""How long a study takes unless told otherwise."""

PROOF_SHARE = 0.5
"""The part of the time that goes into a proof; without one, the rest is for an estimate."""

ENGINE_MEMORY = 256 << 20
"""Bytes for what the engine remembers."""

ENGINE_WON = 31_000
"""Scores of the engine from here up are proven wins."""

ENGINE_MATE = 32_000
"""The engine's score of a win on the spot; a win n plies away is worth n less."""

UNLIMITED = 10**12
"""Simulations when only the time counts."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known and thought about a position.

    Everything is seen by the player to move; once the game is over, by whoever moved last.
    """

    position: Position
    evaluation: Evaluation | None
    """Proven, or an estimate, or ``None`` when there was no time for either."""
    best: tuple[Move, ...]
    """Proven: every best move in board order. Estimated: the move that the search prefers."""
    moves: Mapping[Move, Evaluation | None]
    """What each move is worth to the player who makes it, in board order; ``None`` is unknown. All legal moves are
    here, except on boards of more than 400 cells: there, those that were looked at."""
    threats: tuple[Threat, ...]
    line: tuple[Move, ...]
    """How the game goes on, a best move each time, as far as it was looked at."""
    method: Method
    """Who evaluated it: the ``rules`` (the game is over), the ``solver``, the ``engine``, ``mcts`` or nobody."""
    bounds: tuple[ProvenValue, ProvenValue] = ("loss", "win")
    """The worst and the best that the value can still be: proven, also where the evaluation is an estimate."""
    nodes: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)
    stopped: str | None = None
    """The limit that left something open, if one did."""

    @property
    def proven(self) -> bool:
        """Whether the evaluation is certain."""
        return isinstance(self.evaluation, Proven)

    @property
    def value(self) -> ProvenValue | None:
        """``win``, ``draw`` or ``loss`` where it is proven."""
        return self.evaluation.value if isinstance(self.evaluation, Proven) else None

    @property
    def distance(self) -> int | None:
        """Plies to the end under best play, where they are proven."""
        return self.evaluation.distance if isinstance(self.evaluation, Proven) else None

    @property
    def estimate(self) -> Estimate | None:
        """The estimate where there is no proof."""
        return self.evaluation if isinstance(self.evaluation, Estimate) else None

    def __str__(self) -> str:
        """The evaluation in words: ``X: win in 5, proven`` or ``O: about 62 % (55–70 %), estimate``."""
        if self.evaluation is None:
            return f"{self.position.turn}: unknown"
        return f"{self.position.turn}: {self.evaluation}, {'proven' if self.proven else 'estimate'}"

    def to_json(self) -> dict[str, object]:
        """The analysis as a JSON object, moves by name."""
        name = self.position.game.move_name
        return {
            "game": self.position.game.spec,
            "position": self.position.text,
            "turn": self.position.turn,
            "proven": self.proven,
            "evaluation": evaluation_to_json(self.evaluation),
            "best": [name(move) for move in self.best],
            "moves": {name(move): evaluation_to_json(worth) for move, worth in self.moves.items()},
            "threats": [threat.to_json(self.position) for threat in self.threats],
            "line": [name(move) for move in self.line],
            "method": self.method,
            "bounds": list(self.bounds),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "stopped": self.stopped,
            "text": str(self),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Analysis:
        """Read what :meth:`to_json` wrote."""
        position = game_of(str(data["game"])).position(str(data["position"]))
        parse = position.game.parse_move
        return cls(
            position,
            evaluation_from_json(data["evaluation"]),
            tuple(map(parse, data["best"])),
            {parse(name): evaluation_from_json(worth) for name, worth in data["moves"].items()},
            tuple(Threat.from_json(threat, position) for threat in data["threats"]),
            tuple(map(parse, data["line"])),
            data["method"],
            tuple(data["bounds"]),
            data["nodes"],
            data["seconds"],
            data["stopped"],
        )


def analyse(position: Position, limits: Limits | None = None, *, every: bool = True, seed: int = 0) -> Analysis:
    """Evaluate a position: a proof if one fits the limits (a second, unless told), else an estimate.

    With ``every``, each legal move gets its own value, as far as the limits allow.

    >>> import noughts
    >>> analysis = noughts.analyse(noughts.position("3x3", "XO1/3/3 X"))
    >>> analysis.value, analysis.distance, [analysis.position.game.move_name(move) for move in analysis.best]
    ('win', 5, ['a2', 'b2', 'a3'])
    """
    return _Study(position, limits or Limits(seconds=SECONDS), seed).run(every)


class _Study:
    """One analysis in the making."""

    def __init__(self, position: Position, limits: Limits, seed: int) -> None:
        self.position, self.seed = position, seed
        self.limits = limits
        self.seconds = limits.seconds if limits.seconds is not None else SECONDS if limits.nodes is None else None
        self.began = time.perf_counter()
        self.nodes = 0
        self.stopped: str | None = None
        self.evaluation: Evaluation | None = None
        self.method: Method = "none"
        self.best: tuple[Move, ...] = ()
        self.line: tuple[Move, ...] = ()
        self.bounds: tuple[ProvenValue, ProvenValue] = ("loss", "win")
        listed = position.game.grid.cells <= LARGEST_COMPILED
        self.moves: dict[Move, Evaluation | None] = dict.fromkeys(position.legal_moves) if listed else {}

    def run(self, every: bool) -> Analysis:
        position, outcome = self.position, self.position.outcome
        if outcome is not None:
            self.evaluation = Proven.of(outcome, position.turn, tiles=position.game.counts_tiles)
            self.bounds = (self.evaluation.value, self.evaluation.value)
            self.method = "rules"
            return self.report(())
        seen = threats(position)
        self.prove(every)
        if self.evaluation is None or (every and None in self.moves.values()):
            self.estimate(every)
        return self.report(seen)

    def report(self, seen: tuple[Threat, ...]) -> Analysis:
        spent = time.perf_counter() - self.began
        return Analysis(
            self.position,
            self.evaluation,
            self.best,
            self.moves,
            seen,
            self.line,
            self.method,
            self.bounds,
            self.nodes,
            spent,
            self.stopped,
        )

    def left(self, share: float = 1.0) -> float | None:
        """Seconds that a part of the work may take."""
        if self.seconds is None:
            return None
        return max(0.01, share * (self.seconds - (time.perf_counter() - self.began)))

    # -- proofs ---------------------------------------------------------------------------------

    def prove(self, every: bool) -> None:
        """Ask the solver for the value, then for that of every move."""
        if len(self.position.game.marks) != 2 or self.position.game.grid.cells > LARGEST_COMPILED:
            return
        verdict = self.solve(every=False, share=PROOF_SHARE)
        self.bounds = verdict.bounds  # type: ignore[assignment]
        if not verdict.proven:
            return
        self.evaluation = _proven(MoveValue(verdict.value, verdict.distance, verdict.margin))
        self.method, self.best, self.line = "solver", verdict.best, verdict.line
        self.stopped = None
        self.infer(verdict)
        if every:
            mapped = self.solve(every=True, share=1.0)
            for move, worth in (mapped.map or {}).items():
                if worth.value != "unknown":
                    self.moves[move] = _proven(worth)

    def solve(self, *, every: bool, share: float) -> Verdict:
        limits = self.limits
        verdict = solve(
            self.position,
            map=every,
            seconds=self.left(share),
            nodes=limits.nodes,
            progress=limits.tell,
            stop=limits.stop,
        )
        self.nodes += verdict.nodes
        self.stopped = verdict.stopped
        return verdict

    def infer(self, verdict: Verdict) -> None:
        """What the value of the position says about its moves."""
        assert isinstance(self.evaluation, Proven)
        for move in self.moves:
            if move in verdict.best:
                self.moves[move] = self.evaluation
            elif self.evaluation.value == "loss":
                self.moves[move] = Proven("loss", within=verdict.distance if verdict.margin is None else None)
            elif self.evaluation.value == "draw" and verdict.stopped is None:
                self.moves[move] = Proven("loss")

    # -- estimates ------------------------------------------------------------------------------

    def estimate(self, every: bool) -> None:
        """Ask the search that is strongest on this game; it may still find a proof."""
        game = self.position.game
        if isinstance(self.position, LinesPosition) and len(game.marks) == 2 and game.kernel is not None:
            self.by_engine(every)
        elif game.grid.cells <= LARGEST_COMPILED:
            self.by_tree()

    def by_engine(self, every: bool) -> None:
        compiled = self.position.game.kernel
        assert compiled is not None
        limits = self.limits
        for exact in (False, True)[: 2 if every else 1]:
            if not exact and self.evaluation is not None:
                continue
            allowance = limited(
                seconds=self.left(0.5 if every and not exact else 1.0),
                nodes=limits.nodes,
                memory=ENGINE_MEMORY,
                progress=limits.tell,
                stop=limits.stop,
            )
            threads = 1 if limits.nodes is not None else os.cpu_count() or 1
            found = compiled.engine(moment(self.position), allowance, threads=threads, every=exact)
            self.nodes += found["nodes"]
            self.stopped = found["stopped"]
            if not exact:
                self.best, self.line, self.method = (found["best"],), tuple(found["line"]), "engine"
                if found["proven"] is not None:
                    self.evaluation = _mate(found["score"])
                elif found["depth"]:
                    self.evaluation = by_engine(found["score"], found["depth"], found["nodes"])
            if exact and found["depth"]:
                for move, score in found["moves"]:
                    if self.moves.get(move) is None:
                        self.moves[move] = _mate(score) or by_engine(score, found["depth"], found["nodes"])
        for move in self.best:
            if self.moves.get(move) is None or isinstance(self.evaluation, Proven):
                self.moves[move] = self.evaluation

    def by_tree(self) -> None:
        limits = self.limits
        survey = mcts(
            self.position,
            limits.nodes or UNLIMITED,
            seed=self.seed,
            seconds=self.left(),
            progress=limits.tell,
            stop=limits.stop,
        )
        self.nodes += survey.simulations
        self.stopped = survey.stopped
        turn = self.position.turn

        def told(proven: str | None, value: float, visits: int) -> Evaluation | None:
            if proven is not None:
                return Proven("draw" if proven == "draw" else "win" if proven == turn else "loss")
            return by_tree(value, visits) if visits else None

        for move, stats in survey.moves.items():
            if self.moves.get(move) is None:
                self.moves[move] = told(stats.proven, stats.value, stats.visits)
        if self.evaluation is None:
            self.best, self.line, self.method = (survey.best,), survey.line, "mcts"
            self.evaluation = told(survey.proven, survey.value, survey.simulations)


def _proven(worth: MoveValue) -> Proven:
    assert worth.value != "unknown"
    return Proven(worth.value, worth.distance, worth.margin)


def _mate(score: int) -> Proven | None:
    """The forced result that a score of the engine stands for, if it does."""
    if abs(score) < ENGINE_WON:
        return None
    return Proven("win" if score > 0 else "loss", within=ENGINE_MATE - abs(score))
