"""The study of one position: what it is worth, which moves are best, what threatens, how it goes on."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from noughts.analysis.estimates import estimated
from noughts.analysis.evaluation import (
    Estimate,
    Evaluation,
    Proven,
    ProvenValue,
    evaluation_from_json,
    evaluation_to_json,
)
from noughts.analysis.finding import Finding, Method
from noughts.analysis.kernel import analysed
from noughts.analysis.proofs import proved
from noughts.analysis.threats import Threat, threats
from noughts.compute.limits import Limits
from noughts.core import LARGEST_COMPILED, Move, Position
from noughts.games import game as game_of

__all__ = ["DEFAULT_SECONDS", "LEAST_SECONDS", "Analysis", "analyse", "study"]

DEFAULT_SECONDS = 1.0
"""How long a study takes unless the limits say otherwise."""

LEAST_SECONDS = 0.01
"""What each part of a study gets even when the time is up."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known and thought about a position.

    Everything is seen by the player to move; once the game is over, by the player who moved last.
    """

    position: Position
    evaluation: Evaluation | None
    """Proven, or an estimate, or ``None`` when there was no time for either."""
    best: tuple[Move, ...]
    """Proven: every best move in board order, as far as there was time. Estimated: the move that the search prefers,
    or every move that is proven to draw where nothing looks better."""
    moves: Mapping[Move, Evaluation | None]
    """What each move is worth to the player who makes it, in board order; ``None`` is unknown. All legal moves are
    here, except on boards of more than 400 cells: there, those that were looked at. None is worth more than the best
    ones, which are worth what the position is."""
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

    @property
    def best_proven(self) -> bool:
        """Whether the best moves are certain too: a value can be proven before a move for it is found."""
        return self.proven and bool(self.best) and all(isinstance(self.moves.get(move), Proven) for move in self.best)

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
            "best_proven": self.best_proven,
            "moves": {name(move): evaluation_to_json(worth) for move, worth in self.moves.items()},
            "threats": [threat.to_json(self.position) for threat in self.threats],
            "line": [name(move) for move in self.line],
            "method": self.method,
            "bounds": list(self.bounds),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "stopped": self.stopped,
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
    """Evaluate a position: a proof if one fits the limits (by default, a second), else an estimate.

    With ``every``, each legal move gets its own value, as far as the limits allow. A limit of nodes
    alone gives the same answer each time.

    >>> import noughts
    >>> analysis = noughts.analyse(noughts.position("3x3", "XO1/3/3 X"))
    >>> analysis.value, analysis.distance, [analysis.position.game.move_name(move) for move in analysis.best]
    ('win', 5, ['a2', 'b2', 'a3'])
    """
    return study(position, limits, map_proofs=every, map_estimates=every, seed=seed)


def study(
    position: Position, limits: Limits | None, *, map_proofs: bool, map_estimates: bool, seed: int = 0
) -> Analysis:
    """Evaluate a position like :func:`analyse`, its moves too where it is proven or where it is estimated."""
    began = time.perf_counter()
    if position.outcome is not None:
        value = Proven.of(position.outcome, position.turn, tiles=position.game.counts_tiles)
        return Analysis(position, value, (), {}, (), (), "rules", (value.value, value.value))
    limits = limits or Limits()
    if limits.seconds is None and limits.nodes is None:
        limits = replace(limits, seconds=DEFAULT_SECONDS)
    seen = threats(position)
    left = limits.since(began, least=LEAST_SECONDS)
    if position.game.kernel is not None:
        finding = analysed(position, left, map_proofs=map_proofs, map_estimates=map_estimates, seed=seed)
    else:
        finding = proved(position, seen, left, every=map_proofs)
        if finding.evaluation is None or (map_proofs and finding.bounds != ("loss", "loss")):
            left = limits.since(began, least=LEAST_SECONDS)
            finding = _joined(finding, position, left, every=map_estimates, seed=seed)
    moves: Mapping[Move, Evaluation | None] = dict(sorted(finding.moves.items()))
    if position.game.grid.cells <= LARGEST_COMPILED:
        moves = {move: finding.moves.get(move) for move in position.legal_moves}
    return Analysis(
        position,
        finding.evaluation,
        finding.best,
        moves,
        seen,
        finding.line,
        finding.method,
        finding.bounds,
        finding.nodes,
        time.perf_counter() - began,
        finding.stopped,
    )


def _joined(proof: Finding, position: Position, limits: Limits, *, every: bool, seed: int) -> Finding:
    """Add estimates of what a proof leaves open: of the whole position, or of single moves."""
    if len(proof.moves) == len(position.legal_moves):
        return proof
    further = estimated(position, limits, every=every, seed=seed)
    nodes = proof.nodes + further.nodes
    if proof.evaluation is None:
        return replace(further, nodes=nodes, bounds=proof.bounds)
    return replace(proof, nodes=nodes, moves={**further.moves, **proof.moves})
