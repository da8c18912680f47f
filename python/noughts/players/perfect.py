"""The player that knows: a proven best move wherever a proof fits its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from noughts.compute.kernel import MEMORY
from noughts.compute.sampling import playouts
from noughts.compute.solver import MoveValue, Verdict, solve
from noughts.core import LARGEST_COMPILED, Move, Position
from noughts.errors import SearchError
from noughts.games.lines import Lines
from noughts.players.engine import EnginePlayer
from noughts.players.fallible import Fallible
from noughts.players.mcts import MctsPlayer
from noughts.players.player import Choice, Limits
from noughts.players.rules import RulesPlayer
from noughts.search import check_searchable
from noughts.spec import Flag, Number, option

__all__ = ["PerfectPlayer"]

PROOF_SHARE = 0.7
"""The part of its time that goes into a proof; the rest is left for a search without one."""

WIDE = 64
"""With more empty cells than this a proof is unlikely, and gets a tenth of the time."""


TRIALS = 20_000
"""Random games in all to tell equally good moves apart."""


@dataclass(frozen=True, kw_only=True)
class PerfectPlayer(Fallible):
    """Solves the position; where that takes too long, searches and says so."""

    name = "perfect"
    what = "the perfect player"
    summary = "the exact solver's move wherever a proof fits its time, else the engine's; it says which"

    seconds: float = option(Number(0.001, 3600), "take at most so long", default=2.0)
    cunning: bool = option(Flag(), "of equally good moves, take the one random play copes with worst", default=False)

    def best(self, position: Position, limits: Limits) -> Choice:
        """A best move if it can be proven, the first in board order unless cunning; else what a search prefers."""
        verdict = self._verdict(position, limits, every_move=False)
        if verdict is not None and verdict.proven and verdict.best:
            known = MoveValue(verdict.value, verdict.distance, verdict.margin)
            return Choice(
                self._trickiest(position, verdict.best, limits) if self.cunning else verdict.best[0],
                str(known),
                score=_rating(known, position),
                proven=True,
                nodes=verdict.nodes,
                depth=verdict.distance or 0,
            )
        choice = self._stand_in(position, limits, verdict).best(position, limits)
        return choice if choice.proven else replace(choice, note=f"no proof in time; {choice.note}")

    def rate(self, position: Position, limits: Limits) -> Mapping[Move, float]:
        """The exact value of every move, or what a search thinks of them."""
        verdict = self._verdict(position, limits, every_move=True)
        if verdict is not None and verdict.map and all(worth.value != "unknown" for worth in verdict.map.values()):
            return {move: _rating(worth, position) for move, worth in verdict.map.items()}
        return self._stand_in(position, limits, verdict).rate(position, limits)

    def _seconds(self, limits: Limits) -> float:
        return self.seconds if limits.seconds is None else min(self.seconds, limits.seconds)

    def _verdict(self, position: Position, limits: Limits, *, every_move: bool) -> Verdict | None:
        if len(position.game.marks) != 2 or position.game.grid.cells > LARGEST_COMPILED:
            return None
        check_searchable(position, name="the solver")
        share = PROOF_SHARE if position.game.grid.cells - len(position.cells) <= WIDE else 0.1
        seconds = share * self._seconds(limits)
        try:
            return solve(
                position,
                map=every_move,
                seconds=seconds,
                nodes=limits.nodes,
                memory=limits.bytes(MEMORY),
                progress=limits.tell,
                stop=limits.stop,
            )
        except SearchError as error:
            if error.code != "out_of_memory":
                raise
            return None

    def _stand_in(self, position: Position, limits: Limits, verdict: Verdict | None) -> Fallible:
        """The strongest player without a proof, for the time that is left."""
        seed = self.rng.getrandbits(62)
        game = position.game
        seconds = max(self._seconds(limits) - (verdict.seconds if verdict else 0.0), 0.01)
        if len(game.marks) == 2 and (game.kernel is not None or isinstance(game, Lines)):
            return EnginePlayer(seconds=seconds, seed=seed)
        if game.grid.cells > LARGEST_COMPILED:
            return RulesPlayer(seed=seed)
        return MctsPlayer(seconds=seconds, seed=seed)

    def _trickiest(self, position: Position, moves: Sequence[Move], limits: Limits) -> Move:
        """The move after which random games go best for the player on turn; the first of equals."""
        if len(moves) == 1:
            return moves[0]
        games = TRIALS // len(moves)
        # The kernel plays them at once; games without one have but the time.
        seconds = (1 - PROOF_SHARE) * self._seconds(limits) / len(moves)

        def promise(move: Move) -> float:
            after = position.play_unchecked(move)
            return playouts(after, games, seed=0, seconds=seconds, stop=limits.stop).score(position.turn)

        return max(moves, key=promise)


def _rating(worth: MoveValue, position: Position) -> float:
    """A value as a number from −1 to 1: the sooner a win and the later a loss, the better."""
    if worth.margin is not None:
        return worth.margin / position.game.grid.cells
    sign = {"win": 1, "draw": 0, "loss": -1, "unknown": 0}[worth.value]
    return sign * (1 - (worth.distance or 0) / 1000)
