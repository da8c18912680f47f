"""The player behind the levels: it sees what a person sees, and overlooks what a person overlooks."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from noughts.compute.levels import Level, LevelChoice, choose_by_level
from noughts.core import Position
from noughts.note import Note, note
from noughts.players.player import Choice, Limits, Player
from noughts.spec import Flag, Integer, Number, option

__all__ = ["CasualPlayer"]


@dataclass(frozen=True, kw_only=True)
class CasualPlayer(Player):
    """Looks a few moves ahead and overlooks some of them; it never misses a win on the spot."""

    name = "casual"
    what = "the casual player"
    summary = "looks a few moves ahead and overlooks what people overlook; never misses a win on the spot"

    depth: int = option(Integer(1, 50), "plies to look ahead at most", default=3)
    width: int = option(Integer(1, 400), "moves of a position to consider at most", default=400)
    lapses: float = option(Number(0, 1), "how easily it overlooks a move: 0 never", default=0.0)
    noise: float = option(Number(0, 100), "how far off its judgement is: 0 not at all", default=0.0)
    careful: bool = option(Flag(), "never leave the next player a win on the spot", default=False)
    nodes: int = option(Integer(1, 10**9), "positions to look at, at most", default=20_000)
    seconds: float = option(Number(0.001, 3600), "seconds at most, in games that the kernel does not know", default=1.0)
    seed: int | None = option(Integer(0, 2**63), "the same seed errs in the same way", default=None)

    @cached_property
    def level(self) -> Level:
        """How well it plays."""
        seed = random.getrandbits(62) if self.seed is None else self.seed
        return Level(
            depth=self.depth,
            width=self.width,
            lapses=self.lapses,
            noise=self.noise,
            careful=self.careful,
            seed=seed,
        )

    def decide(self, position: Position, limits: Limits) -> Choice:
        """Choose by the nodes alone where the kernel can; elsewhere the time counts too."""
        limits = limits.within(nodes=self.nodes)
        if position.game.kernel is None:
            limits = limits.within(seconds=self.seconds)
        found = choose_by_level(position, self.level, limits)
        return Choice(found.move, _note(found), score=found.score, nodes=found.nodes, depth=found.depth)


def _note(found: LevelChoice) -> Note:
    match found.saw:
        case "win":
            said = note("win_now")
        case "block":
            said = note("block_now")
        case "only_move":
            said = note("only_move")
        case _:
            said = note("looked", depth=found.depth) if found.depth else note("guess")
    return said if found.window is None else note("window", size=found.window, found=said)
