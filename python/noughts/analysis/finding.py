"""A finding: what a proof or a search came to about a position, for the player to move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from noughts.analysis.evaluation import Evaluation, ProvenValue
from noughts.core import Move

__all__ = ["Finding", "Method"]

Method = Literal["rules", "solver", "engine", "mcts", "none"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What somebody came to; by default, nothing."""

    method: Method = "none"
    evaluation: Evaluation | None = None
    best: tuple[Move, ...] = ()
    line: tuple[Move, ...] = ()
    moves: Mapping[Move, Evaluation] = field(default_factory=dict)
    """Single moves, as far as something is known of them."""
    bounds: tuple[ProvenValue, ProvenValue] = ("loss", "win")
    nodes: int = 0
    stopped: str | None = None
