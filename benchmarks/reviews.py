"""Grades of moves whose worth is known: blunders planted in proven positions, and sound moves beside them.

Each move is graded with both proofs at hand, with either one withheld (what random games say takes its
place, and the review has to find the proof again), and by a plain review that starts from nothing.
Everything is limited by nodes, so that a run repeats on any machine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

from benchmarks.table import Table
from noughts import Limits, mcts, playouts, solve
from noughts.analysis import Analysis, Grade, Proven, review
from noughts.analysis.calibration import by_tree
from noughts.analysis.grades import SHORT, doubt
from noughts.analysis.reviews import EFFORT, grade_move, settled, values
from noughts.analysis.study import study
from noughts.core import Move, Position
from noughts.games import game

MOVES_PER_KIND = 320
"""Half of them blunders."""

TRUTH = 10
"""How many times as many nodes as the review has prove what a move is worth."""

PLAYOUTS, SIMULATIONS = 100, 50
"""The random games of an estimate, and the simulations that choose a move, where a proof is withheld."""

MOST_POSITIONS = 8
"""Positions of one game."""

MOST_TRIED = 8
"""Moves of a position that are tried for a blunder and a sound one."""


@dataclass(frozen=True)
class Kind:
    """A kind of game: its specs, and how many nodes the review has for a position."""

    name: str
    specs: tuple[str, ...]
    nodes: int = 5_000


KINDS = (
    Kind("3x3", ("3x3",)),
    Kind("4x4", ("4x4", "4x4,k=3")),
    Kind("5x5, four in a row", ("5x5,k=4",)),
    Kind("Gomoku", ("gomoku",), nodes=2_000),
    Kind("misère", ("3x3,misere", "4x4,misere", "4x4,k=3,misere")),
    Kind("Qubic", ("qubic",)),
    Kind("Connect Four", ("connect4",)),
    Kind("Hex", ("hex,size=5", "hex,size=6", "hex,size=7")),
    Kind("Duel, peaceful", ("duel,opening=peaceful,size=4", "duel,opening=peaceful,size=5")),
    Kind("Duel, to the letter", ("duel,size=4", "duel,size=5")),
    Kind("Notakto", ("notakto", "notakto,boards=2"), nodes=2_000),
    Kind("ultimate", ("ultimate",), nodes=2_000),
)

Mode = Literal["both proofs", "before withheld", "after withheld", "plain review"]

MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class Known:
    """A move whose worth is proven."""

    position: Position
    move: Move
    before: Proven
    after: Proven

    @property
    def is_blunder(self) -> bool:
        return self.after.score < self.before.score

    @property
    def then(self) -> Position:
        return self.position.play(self.move)


def known_moves(kind: Kind, count: int = MOVES_PER_KIND, seed: int = 1) -> list[Known]:
    """Moves of this kind of game, half of them blunders whose refutation is short, from positions all different."""
    found: dict[bool, dict[tuple[str, str, Move], Known]] = {True: {}, False: {}}
    for number in range(100 * count):
        rng = random.Random(f"{kind.name} {seed} {number}")
        for known in _from_a_game(kind, kind.specs[number % len(kind.specs)], rng):
            chosen = found[known.is_blunder]
            if len(chosen) < count // 2:
                chosen.setdefault((known.position.game.spec, known.position.text, known.move), known)
        if all(len(chosen) == count // 2 for chosen in found.values()):
            break
    return [*found[True].values(), *found[False].values()]


def _from_a_game(kind: Kind, spec: str, rng: random.Random) -> Iterator[Known]:
    """Walk back from the end of a careless game, for some positions or until one cannot be proven."""
    positions, truth = [game(spec).start()], Limits(nodes=TRUTH * kind.nodes)
    care = rng.uniform(0.4, 1.0)
    while positions[-1].outcome is None:
        advice = positions[-1].advise(rng) if rng.random() < care else None
        move = positions[-1].legal_moves.pick(rng) if advice is None else advice.move
        positions.append(positions[-1].play(move))
    choices = [position for position in reversed(positions[:-1]) if len(position.legal_moves) > 1]
    chosen = [position for position in choices if rng.random() < 0.5]
    for position in chosen[:MOST_POSITIONS]:
        before = solve(position, truth).known
        if before is None:
            return
        moves = list(position.legal_moves)
        rng.shuffle(moves)
        wanted = {True, False}
        for move in moves[:MOST_TRIED]:
            then = position.play(move)
            after = solve(then, truth).known if wanted else None
            if after is None:
                continue
            known = Known(position, move, before, (after if then.turn == position.turn else after.flipped()).later())
            if known.is_blunder in wanted and (not known.is_blunder or _is_short(known)):
                wanted.discard(known.is_blunder)
                yield known


def _is_short(known: Known) -> bool:
    """Whether the win thrown away, or the loss walked into, is at most nine plies deep."""
    lost = [worth for worth, value in ((known.before, "win"), (known.after, "loss")) if worth.value == value]
    return any(worth.distance is not None and worth.distance <= SHORT for worth in lost)


def grade(known: Known, mode: Mode, nodes: int) -> Grade:
    """Grade a known move as a review does."""
    position, then = known.position, known.then
    if mode == "plain review":
        return review([position, then], Limits(nodes=nodes)).moves[0].grade
    seen, following = _proven(position, TRUTH * nodes), _proven(then, TRUTH * nodes)
    if mode == "before withheld":
        seen = _withheld(seen)
    if mode == "after withheld":
        seen = replace(seen, moves={move: worth for move, worth in seen.moves.items() if move != known.move})
        following = _withheld(following)
    side = doubt(*values(seen, then, following))
    if side is not None:
        found = settled(seen, following, side, Limits(nodes=EFFORT * nodes))
        if found.proven:
            seen, following = (found, following) if side == "before" else (seen, found)
    return grade_move(1, position, then, seen, following).grade


@lru_cache(maxsize=8)
def _proven(position: Position, nodes: int) -> Analysis:
    return study(position, Limits(nodes=nodes), map_proofs=False, map_estimates=False)


def _withheld(analysis: Analysis) -> Analysis:
    """What a search that proves nothing says: random games for the value, a shallow tree for the move."""
    position = analysis.position
    if position.outcome is not None:
        return analysis
    value = 2 * playouts(position, PLAYOUTS, seed=1).score(position.turn) - 1
    guess, best = by_tree(position.game, value, PLAYOUTS), mcts(position, SIMULATIONS, seed=1).best
    return Analysis(position, guess, (best,), {best: guess}, analysis.threats, (best,), "mcts")


@dataclass
class Score:
    """How the grades of one mode came out."""

    blunders: int = 0
    found: int = 0
    sound: int = 0
    blamed: int = 0

    def count(self, known: Known, graded: Grade) -> bool:
        """Count a grade; whether it was right."""
        wrong = graded in ("mistake", "blunder")
        if known.is_blunder:
            self.blunders += 1
            self.found += graded == "blunder"
            return graded == "blunder"
        self.sound += 1
        self.blamed += wrong
        return not wrong

    @property
    def recall(self) -> str:
        return f"{self.found / max(1, self.blunders):.1%}"

    @property
    def false_alarms(self) -> str:
        return f"{self.blamed / max(1, self.sound):.1%}"


def scores(kind: Kind, moves: list[Known], modes: tuple[Mode, ...] = MODES, *, show: bool = False) -> dict[Mode, Score]:
    """Grade known moves in some modes; with ``show``, print those graded wrong."""
    found = {mode: Score() for mode in modes}
    for known in moves:
        for mode, score in found.items():
            graded = grade(known, mode, kind.nodes)
            if not score.count(known, graded) and show:
                name = known.position.game.move_name(known.move)
                print(f"    {mode}: {known.position!r} {name}: {known.before} → {known.after} graded {graded}")
    return found


def run() -> list[Table]:
    return [grades_of(KINDS)]


def grades_of(kinds: tuple[Kind, ...]) -> Table:
    """The table of recall and false alarms for some kinds of games."""
    table = Table(
        f"Grades of known moves: blunders refuted within {SHORT} plies that were found, sound moves blamed",
        ("game", "moves", "win, draw, loss before", *(f"{mode}: found, blamed" for mode in MODES), "target"),
    )
    for kind in kinds:
        moves = known_moves(kind)
        before = Counter(known.before.value for known in moves)
        found = scores(kind, moves, show=True)
        table.add(
            kind.name,
            len(moves),
            ", ".join(str(before[value]) for value in ("win", "draw", "loss")),
            *(f"{score.recall}, {score.false_alarms}" for score in found.values()),
            "100%, under 2%",
        )
    return table
