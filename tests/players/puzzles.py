"""Puzzles in Gomoku: positions won by one four after another, kept in ``tests/players/puzzles.txt``.

``python -m tests.players.puzzles`` makes new ones: weak players play, the plain search below looks for a
win by fours alone, and the exact solver must prove the win without knowing of that search. The
engine has no part in choosing them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from noughts.compute.limits import Limits
from noughts.compute.solver import solve
from noughts.core import Game, Move, Position
from noughts.games import game, position
from noughts.players import player

FILE = Path(__file__).parent / "puzzles.txt"
SPEC = "15x15,k=5"
LONGEST = 15
"""Plies to the win."""
NODES = 500
"""Positions the plain search looks at before it gives up."""
WANTED = {5: 12, 7: 12, 9: 12, 11: 8, 13: 4, 15: 4}
"""How many puzzles of each length."""


@cache
def windows(rules: Game) -> dict[Move, list[range]]:
    """Every five cells in a row, by the cells they cover."""
    through: dict[Move, list[range]] = {cell: [] for cell in range(rules.grid.cells)}
    for line in rules.grid.lines(5):
        for cell in line:
            through[cell].append(line)
    return through


def gaps(here: Position, mark: str, stones: int) -> set[Move]:
    """The empty cells of all windows that hold this many stones of one mark and none of the other."""
    found: set[Move] = set()
    for line in {line for cell, owner in here.cells.items() if owner == mark for line in windows(here.game)[cell]}:
        empty = [cell for cell in line if cell not in here.cells]
        if len(empty) == 5 - stones and sum(here.cells.get(cell) == mark for cell in line) == stones:
            found.update(empty)
    return found


def by_fours(here: Position, plies: int, budget: list[int]) -> list[Move] | None:
    """A win in at most so many plies in which every move but the last makes a four, or ``None``."""
    me, other = here.turn, here.game.after(here.turn)
    budget[0] -= 1
    if budget[0] < 0:
        return None
    if wins := gaps(here, me, 4):
        return [min(wins)]
    if plies < 3:
        return None
    threats = gaps(here, other, 4)
    if len(threats) > 1:
        return None
    for move in sorted(gaps(here, me, 3) & threats if threats else gaps(here, me, 3)):
        if budget[0] < 0:
            return None
        after = here.play(move)
        answer = min(gaps(after, me, 4))
        if gaps(after, other, 4):
            continue
        if rest := by_fours(after.play(answer), plies - 2, budget):
            return [move, answer, *rest]
    return None


def shortest(here: Position) -> int | None:
    """The plies of the shortest win by fours, up to the longest wanted; ``None`` when none is found soon."""
    if not by_fours(here, LONGEST, [NODES]):
        return None
    return next(plies for plies in range(1, LONGEST + 1, 2) if by_fours(here, plies, [100 * NODES]))


def candidates(seed: int) -> Iterator[Iterator[Position]]:
    """Positions from endless games between weak players."""
    rng = random.Random(seed)
    rules = game(SPEC)
    middle = [cell for cell in range(225) if 5 <= cell % 15 <= 9 and 5 <= cell // 15 <= 9]
    while True:
        here = rules.start()
        for cell in rng.sample(middle, 4):
            here = here.play(cell)
        yield _continued(here, rng.getrandbits(30))


def _continued(here: Position, seed: int) -> Iterator[Position]:
    weak = player(f"engine,depth=1,fours=0,temperature=0.08,seed={seed}")
    while here.outcome is None and len(here.cells) < 120:
        if len(here.cells) > 8:
            yield here
        here = here.play(weak.choose(here).move)


def read() -> list[tuple[Position, int]]:
    """The stored puzzles with their lengths."""
    lines = (line.split(" ", 1) for line in FILE.read_text(encoding="utf-8").splitlines())
    return [(position(SPEC, text), int(plies)) for plies, text in lines]


def main() -> None:
    """Look for puzzles until there are enough of every length."""
    left, lines = dict(WANTED), []
    for played in candidates(seed=2):
        found = next(((here, plies) for here in played if left.get(plies := shortest(here) or 0)), None)
        if found is None:
            continue
        here, plies = found
        if solve(here, Limits(seconds=20)).value != "win":
            print(f"the solver does not prove {here.text} in time", flush=True)
            continue
        left[plies] -= 1
        lines.append(f"{plies} {here.text}")
        print(lines[-1], left, flush=True)
        if not any(left.values()):
            break
    FILE.write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
