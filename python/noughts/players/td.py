"""The player that learned a network of tuples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noughts.core import Move, Position
from noughts.learning import TupleNetwork
from noughts.players.learned import Learned, loaded
from noughts.spec import Integer, option

__all__ = ["TdPlayer"]


@dataclass(frozen=True, kw_only=True)
class TdPlayer(Learned):
    """Plays by the network that ``noughts train td`` made."""

    name = "td"
    what = "the td player"
    summary = "what temporal-difference learning found out, from a checkpoint: td,path=RUN"

    depth: int = option(Integer(1, 8), "plies to look ahead", default=1)

    @property
    def knowledge(self) -> TupleNetwork:
        """The network."""
        return loaded(TupleNetwork.load, self.file)

    def values(self, position: Position) -> Mapping[Move, float]:
        """What the network thinks of every move."""
        return self.knowledge.rate(position, self.depth)
