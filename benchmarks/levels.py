"""The levels: each against the one below, errors against exact play, against random play, and time for a move."""

from __future__ import annotations

import itertools
import random
import statistics
import time
from collections.abc import Iterator

from benchmarks.table import Table
from noughts import game, solve
from noughts.core import Game, Move, Position
from noughts.lab.arena import Arena, arena
from noughts.lab.rating import Score, Sprt, rate
from noughts.players import Player, player, seeded
from noughts.players.levels import LEVELS, level, level_spec

SMALL = ("3x3", "4x4")
"""Boards on which careful play never loses: levels differ by their errors."""
LARGE = (
    "5x5,k=4",
    "gomoku",
    "hex,size=7",
    "hex",
    "duel",
    "duel,opening=peaceful",
    "qubic",
    "connect4",
    "7x7,k=4,players=3",
    "ultimate",
)
"""Boards on which careful play can still lose: each level is 100 Elo above the one below."""

GAMES_PER_PAIR, GAMES_WITH_PERFECT, GAMES_AGAINST_RANDOM = 200, 60, 200
"""Fewer games where the perfect level plays, as it thinks for longer."""
FEWER_GAMES = {"ultimate": 40}
"""Games a pair where the rules are played in Python."""
PERFECT_SECONDS = 0.3
"""Seconds a move for the perfect level; its default is two, so it is stronger than it looks here."""
ERROR_POSITIONS, ERROR_SEEDS, ERROR_TRIES = 100, 5, 10_000
"""Positions in which a move can change the value, how often each level is asked about each, games to find them."""
TIMED_GAMES = 3


def run() -> list[Table]:
    return [_against_the_one_below(), _errors(), _against_random(), _times()]


def _against_the_one_below() -> Table:
    table = Table(
        f"Levels, each against the one below ({PERFECT_SECONDS} s a move for perfect)",
        ("game", "level", "against", "wins", "draws", "losses", "Elo above", "sequential test", "target"),
    )
    for spec in SMALL + LARGE:
        for lower, upper in itertools.pairwise(LEVELS):
            games = GAMES_WITH_PERFECT if upper == "perfect" and spec not in SMALL else GAMES_PER_PAIR
            games = min(games, FEWER_GAMES.get(spec, games))
            score = _meet(_quick(upper, game(spec)), _quick(lower, game(spec)), game(spec), games)
            one, two = rate({(0, 1): score}, 2)
            above = f"{one.elo - two.elo:+.0f} ± {one.error + two.error:.0f}"
            verdict = Sprt().verdict(score) or "open"
            target = "by errors" if spec in SMALL else "100"
            table.add(spec, upper, lower, score.wins, score.draws, score.losses, above, verdict, target)
    return table


def _errors() -> Table:
    table = Table(
        "Errors: moves that change the value, in 100 positions where that can happen",
        ("game", "positions", *LEVELS, "random", "target"),
    )
    for spec, quiet in itertools.product(SMALL, (False, True)):
        positions = list(itertools.islice(_positions(game(spec), quiet=quiet), ERROR_POSITIONS))
        rates = [_error_rate(_quick(name, game(spec)), positions) for name in LEVELS]
        kind = f"{len(positions)} {'in which nobody can win on the spot' if quiet else 'of any kind'}"
        by_chance = _error_rate("random", positions)
        table.add(spec, kind, *(f"{rate:.1f}" for rate in rates), f"{by_chance:.1f}", "falling")
    return table


def _against_random() -> Table:
    table = Table(
        "Levels against random play",
        ("game", "level", "wins", "draws", "losses", "share of points"),
    )
    for spec in SMALL + LARGE:
        for name in ("easy", "medium"):
            games = FEWER_GAMES.get(spec, GAMES_AGAINST_RANDOM)
            score = _meet(level_spec(name, game(spec)), "random", game(spec), games, opening_plies=0)
            table.add(spec, name, score.wins, score.draws, score.losses, f"{score.points / score.games:.0%}")
    return table


def _times() -> Table:
    table = Table("Milliseconds for a move (median, slowest)", ("game", *LEVELS[:3], "target"))
    for spec in SMALL + LARGE:
        shown = []
        for name in LEVELS[:3]:
            taken = [1000 * seconds for seconds in _seconds(level(name, game(spec), seed=1), game(spec))]
            shown.append(f"{statistics.median(taken):.1f}, {max(taken):.1f}")
        table.add(spec, *shown, "50, 50, 300")
    return table


def _quick(name: str, rules: Game) -> str:
    spec = level_spec(name, rules)
    if name != "perfect":
        return spec
    head, *options = [part for part in spec.split(",") if not part.startswith("seconds=")]
    return ",".join([head, *options, f"seconds={PERFECT_SECONDS}"])


def _meet(upper: str, lower: str, rules: Game, games: int, opening_plies: int = 2) -> Score:
    if len(rules.marks) == 2:
        met: Arena = arena([upper, lower], rules, games, seed=1, opening_plies=opening_plies)
        return met.total(0)
    return _among_many(upper, lower, rules, games)


def _among_many(upper: str, lower: str, rules: Game, games: int) -> Score:
    """One of the upper level among players of the lower one, in every seat in turn.

    A loss is one of all the others together: shared among them, so that equals win as often as they lose.
    """
    rng, seats = random.Random(1), len(rules.marks)
    wins = draws = losses = 0
    for number in range(games):
        here, hero = rules.start(), number % seats
        minds = [seeded(player(upper if seat == hero else lower), rng.getrandbits(48)) for seat in range(seats)]
        while here.outcome is None:
            here = here.play(minds[rules.marks.index(here.turn)].choose(here).move)
        winner = here.outcome.winner
        draws += winner is None
        wins += winner == rules.marks[hero]
        losses += winner not in (None, rules.marks[hero])
    return Score(wins=wins, draws=draws, losses=round(losses / (seats - 1)))


def _positions(rules: Game, *, quiet: bool) -> Iterator[tuple[Position, set[Move]]]:
    """Positions of random games with the moves that keep the value, where some do not; no two the same."""
    rng, seen = random.Random(1), set()
    for _ in range(ERROR_TRIES):
        path = [rules.start()]
        while path[-1].outcome is None:
            path.append(path[-1].play(path[-1].legal_moves.pick(rng)))
        here = rng.choice(path[:-1])
        if here.canonical_key() in seen or (quiet and any(map(_can_win, (here, here.seen_by(_next(here)))))):
            continue
        seen.add(here.canonical_key())
        found = solve(here, map=True)
        assert found.map is not None
        assert found.known is not None
        kept = {move for move, worth in found.map.items() if worth and worth.value == found.known.value}
        if len(kept) < len(found.map):
            yield here, kept


def _next(position: Position) -> str:
    return position.game.after(position.turn)


def _can_win(position: Position | None) -> bool:
    if position is None:
        return False
    outcomes = (position.play(move).outcome for move in position.legal_moves)
    return any(outcome is not None and outcome.winner == position.turn for outcome in outcomes)


def _error_rate(spec: str, positions: list[tuple[Position, set[Move]]]) -> float:
    """Errors in 100 positions."""
    errors = 0
    for seed, (here, kept) in itertools.product(range(ERROR_SEEDS), positions):
        errors += seeded(player(spec), seed).choose(here).move not in kept
    return 100 * errors / (ERROR_SEEDS * len(positions))


def _seconds(who: Player, rules: Game) -> Iterator[float]:
    rng = random.Random(1)
    for _ in range(TIMED_GAMES):
        here = rules.start()
        while here.outcome is None:
            began = time.perf_counter()
            move = who.choose(here).move
            yield time.perf_counter() - began
            # Every other move is random, so that games differ.
            here = here.play(move)
            if here.outcome is None:
                here = here.play(here.legal_moves.pick(rng))
