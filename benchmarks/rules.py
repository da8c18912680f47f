"""The Python rules: moves, undo, memory, whole random games, import."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable

from benchmarks.table import Table, human, rate, seconds_for
from noughts.games import game
from noughts.match import MakeMove, StartGame, Undo, reduce

BOARDS = ("3x3", "15x15,k=5", "100x100,k=5", "1000x1000,k=5", "1000x1000")


def run() -> list[Table]:
    return [_moves(), _memory(), _games(), _import()]


def _script(spec: str, length: int) -> list[int]:
    """Moves of a random game, stopped before it ends."""
    rng, position, moves = random.Random(1), game(spec).start(), []
    while len(moves) < length:
        move = position.legal_moves.pick(rng)
        after = position.play(move)
        if after.outcome is not None:
            if length <= 6:
                break
            continue
        moves.append(move)
        position = after
    return moves


def _moves() -> Table:
    table = Table(
        "Moves of the Python rules",
        ("board", "play /s", "match move /s", "match undo /s", "cost of play compared with 15x15"),
    )
    plays = {}
    for spec in BOARDS:
        start, moves = game(spec).start(), _script(spec, 6 if spec == "3x3" else 100)
        names = [start.game.move_name(move) for move in moves]

        def play(start=start, moves=moves) -> int:
            position = start
            for move in moves:
                position = position.play(move)
            return len(moves)

        def match_moves(spec=spec, names=names) -> int:
            state = reduce(None, StartGame(game=spec))
            for name in names:
                state = reduce(state, MakeMove(player=state.turn, move=name))
            return len(names)

        state = reduce(None, StartGame(game=spec))
        for name in names:
            state = reduce(state, MakeMove(player=state.turn, move=name))

        def match_undo(state=state, names=names) -> int:
            for _ in names:
                state = reduce(state, Undo())
            return len(names)

        plays[spec] = rate(play)
        compare = f"{plays['15x15,k=5'] / plays[spec]:.2f}" if "15x15,k=5" in plays else ""
        table.add(spec, human(plays[spec]), human(rate(match_moves)), human(rate(match_undo)), compare)
    return table


def _memory() -> Table:
    table = Table("Memory of a match of 1000 moves", ("board", "MB"))
    for spec in ("15x15,k=5", "1000x1000,k=5", "1000x1000"):
        length = 1000 if spec.startswith("1000") else 100
        names = [game(spec).move_name(move) for move in _script(spec, length)]
        game.cache_clear()
        tracemalloc.start()
        state = reduce(None, StartGame(game=spec))
        for name in names:
            state = reduce(state, MakeMove(player=state.turn, move=name))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        table.add(f"{spec}, {state.cursor} moves", f"{peak / 1e6:.1f}")
    return table


def _games() -> Table:
    table = Table("Random games of 3x3, rules in Python", ("rules", "games /s", "noughts is faster by"))
    ours = rate(_our_random_games())
    table.add("noughts", human(ours), "")
    for name, peer in (("OpenSpiel python_tic_tac_toe", _open_spiel), ("PettingZoo tictactoe_v3", _pettingzoo)):
        work = peer()
        if work is None:
            table.add(name, "not installed", "")
        else:
            theirs = rate(work)
            table.add(name, human(theirs), f"{ours / theirs:.1f} times")
    return table


def _our_random_games() -> Callable[[], int]:
    rng, start = random.Random(1), game("3x3").start()

    def play() -> int:
        position = start
        while position.outcome is None:
            position = position.play(rng.choice(position.legal_moves))
        return 1

    return play


def _open_spiel() -> Callable[[], int] | None:
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  (registers the Python game)

    rng, theirs = random.Random(1), pyspiel.load_game("python_tic_tac_toe")

    def play() -> int:
        state = theirs.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        return 1

    return play


def _pettingzoo() -> Callable[[], int] | None:
    if importlib.util.find_spec("pettingzoo") is None:
        return None
    from pettingzoo.classic import tictactoe_v3

    rng, env = random.Random(1), tictactoe_v3.env()

    def play() -> int:
        env.reset(seed=1)
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            legal = [move for move, allowed in enumerate(observation["action_mask"]) if allowed]
            env.step(None if over or cut else rng.choice(legal))
        return 1

    return play


def _import() -> Table:
    table = Table("Import, in a fresh process", ("what", "ms"))

    def fresh(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    bare = seconds_for(fresh("pass"), best_of=7)
    for module in ("noughts", "pyspiel", "pettingzoo.classic"):
        if importlib.util.find_spec(module.partition(".")[0]) is not None:
            took = seconds_for(fresh(f"import {module}"), best_of=7) - bare
            table.add(f"import {module}", f"{1000 * took:.0f}")
    return table
