"""A level: a name for players of about the same strength, one that suits each game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from noughts.core import LARGEST_COMPILED, Game, Mark, Position
from noughts.hooks import LARGEST_EXACT
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Integer, option

__all__ = ["LARGEST_EXACT_TILES", "LevelPlayer"]

LARGEST_EXACT_TILES = 20
"""Cells up to which a level plays exactly where the margin of tiles is to be proven."""


@dataclass(frozen=True, kw_only=True)
class LevelPlayer(Player):
    """Plays any game at a level.

    A game's own player for the level (:meth:`~noughts.core.Game.levels`) comes first, then the one for its size.
    """

    rank: ClassVar[int | None]
    """Levels are listed from the lowest rank up; ``None`` is for one that is no step between easy and perfect."""
    exact: ClassVar[str]
    """The player for small boards between two."""
    tree: ClassVar[str]
    """For boards that the kernel searches."""
    plain: ClassVar[str]
    """For games that the kernel does not know, with a limit of time."""
    huge: ClassVar[str]
    """For boards that no search covers."""

    seed: int | None = option(Integer(0, 2**63), "the same seed errs in the same way", default=None)

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Whether the level can play a game."""
        return True

    @classmethod
    def spec_for(cls, game: Game) -> str:
        """The player that the level stands for in a game."""
        own = (game.levels() or {}).get(cls.name)
        if own is not None:
            return own
        cells = game.grid.cells
        if cells > LARGEST_COMPILED:
            return cls.huge
        if game.kernel is None:
            return cls.plain
        small = cells <= (LARGEST_EXACT_TILES if game.counts_tiles else LARGEST_EXACT)
        return cls.exact if small and len(game.marks) == 2 else cls.tree

    @classmethod
    def player_for(cls, game: Game, *, mark: Mark | None = None, seed: int | None = None) -> Player:
        """Make the player that the level stands for; the same seed errs in the same way."""
        from noughts.players import player, seeded

        made = player(cls.spec_for(game), mark=mark)
        return made if seed is None else seeded(made, seed)

    @cached_property
    def _players(self) -> dict[Game, Player]:
        return {}

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Ask the player that the level stands for."""
        game = position.game
        if game not in self._players:
            self._players[game] = self.player_for(game, seed=self.seed)
        return self._players[game].decide(position, limits)

    def close(self) -> None:
        """Release what its players hold."""
        for chooser in self._players.values():
            chooser.close()
