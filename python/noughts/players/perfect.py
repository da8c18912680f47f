"""The player that knows: a proven best move wherever a proof fits its time."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from noughts.compute.engine import Engine
from noughts.compute.levels import sound_moves
from noughts.compute.sampling import playouts
from noughts.compute.solver import Verdict, solve
from noughts.compute.value import Proven
from noughts.core import LARGEST_COMPILED, Move, Position
from noughts.errors import SearchError
from noughts.note import note
from noughts.players.engine import EnginePlayer
from noughts.players.fallible import Fallible
from noughts.players.player import Choice, Limits
from noughts.search import check_searchable
from noughts.spec import Flag, Number, option

__all__ = ["PerfectPlayer"]

PROOF_SHARE = 0.7
"""The part of its time that goes into a proof; the rest is left for a search without one."""

MANY_EMPTY_CELLS = 64
"""With more empty cells than this a proof is unlikely, ..."""
UNLIKELY_PROOF_SHARE = 0.1
"""... and gets only this part of the time."""

LEAST_SECONDS = 0.01
"""What a search gets even when the attempt at a proof took all the time."""

TRICK_GAMES = 20_000
"""Random games in all to tell equally good moves apart."""


@dataclass(frozen=True, kw_only=True)
class PerfectPlayer(Fallible):
    """Solves the position; where that takes too long, searches and says so."""

    name = "perfect"
    what = "the perfect player"
    summary = "the exact solver's move wherever a proof fits its time, else the engine's; it says which"

    seconds: float = option(Number(0.001, 3600), "seconds to think at most", default=2.0)
    cunning: bool = option(Flag(), "of equally good moves, take the one random play copes with worst", default=False)

    @cached_property
    def _engine(self) -> Engine:
        """The engine for positions without a proof, which remembers from move to move."""
        return Engine()

    def best(self, position: Position, limits: Limits) -> Choice:
        """A best move if it can be proven, the first in board order unless cunning; else what a search prefers."""
        limits, began = limits.within(seconds=self.seconds), time.perf_counter()
        verdict = self._verdict(position, limits, every_move=False)
        if verdict is not None and verdict.known is not None and verdict.best:
            # Where distances are not worked out, what wins or loses on the spot still comes first.
            sound = sound_moves(position)
            best = [move for move in verdict.best if move in sound] or list(verdict.best)
            return Choice(
                self._trickiest(position, best, limits) if self.cunning else best[0],
                verdict.known.note(),
                score=_rating(verdict.known, position),
                proven=True,
                nodes=verdict.nodes,
                depth=verdict.distance or 0,
            )
        choice = self._stand_in().best(position, self._rest(limits, began))
        sound = sound_moves(position, besides=[choice.move])
        if choice.move not in sound:
            choice = replace(choice, move=self._trickiest(position, sound, limits))
        return choice if choice.proven else replace(choice, note=note("no_proof", found=choice.note))

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """The exact value of every move, or what a search thinks of them."""
        limits, began = limits.within(seconds=self.seconds), time.perf_counter()
        verdict = self._verdict(position, limits, every_move=True)
        moves = (verdict.map if verdict else None) or {}
        known = {move: _rating(worth, position) for move, worth in moves.items() if worth is not None}
        if known and len(known) == len(moves):
            return known
        return self._stand_in().rate(position, self._rest(limits, began))

    def close(self) -> None:
        """Free what the engine remembers."""
        self._engine.clear()

    def _rest(self, limits: Limits, began: float) -> Limits:
        """What a search without a proof may take after the attempt to find one."""
        return replace(limits.since(began, least=LEAST_SECONDS), engine=limits.engine or self._engine)

    def _verdict(self, position: Position, limits: Limits, *, every_move: bool) -> Verdict | None:
        if len(position.game.marks) != 2 or position.game.grid.cells > LARGEST_COMPILED:
            return None
        check_searchable(position, name="the solver")
        empty = position.game.grid.cells - len(position.cells)
        share = PROOF_SHARE if empty <= MANY_EMPTY_CELLS else UNLIKELY_PROOF_SHARE
        try:
            return solve(position, limits.share(share), map=every_move)
        except SearchError as error:
            if error.code != "out_of_memory":
                raise
            return None

    def _stand_in(self) -> EnginePlayer:
        """The strongest player without a proof."""
        return EnginePlayer(seconds=self.seconds, seed=self.rng.getrandbits(62))

    def _trickiest(self, position: Position, moves: Sequence[Move], limits: Limits) -> Move:
        """The move after which random games go best for the player on turn; the first of equals."""
        if len(moves) == 1:
            return moves[0]
        games = TRICK_GAMES // len(moves)
        # The kernel plays them in no time; without one, the time decides.
        part = limits.share((1 - PROOF_SHARE) / len(moves))

        def share_of_points(move: Move) -> float:
            return playouts(position.play_unchecked(move), games, seed=0, limits=part).score(position.turn)

        return max(moves, key=share_of_points)


def _rating(worth: Proven, position: Position) -> float:
    """A value as a number from −1 to 1: the sooner a win and the later a loss, the better."""
    if worth.margin is not None:
        return worth.margin / position.game.grid.cells
    return worth.score * (1 - (worth.distance or 0) / 1000)
