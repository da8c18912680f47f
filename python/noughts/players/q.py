"""The player that learned a table of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noughts.core import Move, Position
from noughts.learning import QTable
from noughts.players.learned import Learned, loaded

__all__ = ["QPlayer"]


@dataclass(frozen=True, kw_only=True)
class QPlayer(Learned):
    """Plays from the table that ``noughts train q`` made."""

    name = "q"
    what = "the q player"
    summary = "what tabular Q-learning found out, from a checkpoint: q,path=RUN"

    @property
    def knowledge(self) -> QTable:
        """The table."""
        return loaded(QTable.load, self.file)

    def values(self, position: Position) -> Mapping[Move, float]:
        """The table's value of every move."""
        return self.knowledge.rate(position)
