"""The kernel compared with OpenSpiel's C++ and pgx: random games, tree search, solving, counting. One thread."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable

import noughts
from benchmarks.table import Table, human, rate, seconds_for
from noughts.compute.batch import Batch

OPEN_SPIEL = {
    "3x3": "tic_tac_toe",
    "4x4": "gomoku(size=4,connect=4)",
    "4x4x4": "gomoku(size=4,connect=4,dims=3)",
    "15x15,k=5": "gomoku(size=15,connect=5)",
    "hex": "hex(board_size=11)",
}
"""Our specs and OpenSpiel's fastest version of each game."""


def run() -> list[Table]:
    return [_playouts(), _threads(), _mcts(), _solving(), _beyond()]


def _playouts() -> Table:
    table = Table(
        "Random games, one thread",
        ("game", "noughts games /s", "peer", "peer games /s", "noughts is faster by", "target"),
    )
    for spec, theirs in OPEN_SPIEL.items():
        ours = rate(_our_playouts(spec))
        target = "10 times" if spec != "3x3" else ""
        peer = _spiel_rollouts(theirs)
        if peer is not None:
            found = rate(peer)
            table.add(spec, human(ours), f"OpenSpiel C++ {theirs}", human(found), f"{ours / found:.1f} times", target)
        if spec == "3x3":
            batch = rate(_our_batch())
            pgx = _pgx_games()
            if pgx is not None:
                found = rate(pgx)
                table.add(spec, human(ours), "pgx, batch 4096", human(found), f"{ours / found:.1f} times", "3 times")
                table.add(
                    "3x3, batch of 4096",
                    human(batch),
                    "pgx, batch 4096",
                    human(found),
                    f"{batch / found:.1f} times",
                    "",
                )
    return table


def _our_playouts(spec: str) -> Callable[[], int]:
    start = noughts.position(spec)
    games = 200_000 if start.game.grid.cells <= 16 else 10_000

    def play() -> int:
        return noughts.playouts(start, games, seed=1).games

    return play


def _our_batch() -> Callable[[], int]:
    batch = Batch(noughts.position("3x3"), 4096, seed=1)

    def play() -> int:
        before = batch.finished
        batch.step_random(100)
        return batch.finished - before

    return play


def _spiel_rollouts(name: str) -> Callable[[], int] | None:
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel

    theirs = pyspiel.load_game(name)
    state = theirs.new_initial_state()
    rollouts = 20_000 if "15" not in name and "11" not in name else 1_000
    bot = pyspiel.MCTSBot(theirs, pyspiel.RandomRolloutEvaluator(rollouts, 1), 2.0, 1, 100, False, 1, False)

    def play() -> int:
        bot.mcts_search(state)
        return rollouts

    return play


def _pgx_games() -> Callable[[], int] | None:
    if importlib.util.find_spec("pgx") is None:
        return None
    import jax
    import jax.numpy as jnp
    import pgx

    env, size = pgx.make("tic_tac_toe"), 4096
    init, step = jax.vmap(env.init), jax.vmap(env.step)

    def body(_: int, carry):
        state, key = carry
        key, sub = jax.random.split(key)
        noise = jax.random.uniform(sub, state.legal_action_mask.shape)
        action = jnp.argmax(jnp.where(state.legal_action_mask, noise, -1.0), axis=-1)
        return step(state, action), key

    @jax.jit
    def games(key):
        state = init(jax.random.split(key, size))
        state, _ = jax.lax.fori_loop(0, 9, body, (state, key))
        return state.terminated.all()

    key = jax.random.PRNGKey(1)
    games(key).block_until_ready()

    def play() -> int:
        assert games(key).block_until_ready()
        return size

    return play


def _threads() -> Table:
    table = Table("Random games, two threads compared with one", ("game", "one", "two", "speed-up", "target"))
    for spec in ("4x4", "15x15,k=5"):
        start = noughts.position(spec)
        games = 4_000_000 if spec == "4x4" else 100_000
        one = seconds_for(
            lambda start=start, games=games: noughts.playouts(start, games, limits=noughts.Limits(threads=1))
        )
        two = seconds_for(
            lambda start=start, games=games: noughts.playouts(start, games, limits=noughts.Limits(threads=2))
        )
        table.add(spec, human(games / one), human(games / two), f"{one / two:.2f} times", "1.8 times")
    return table


def _mcts() -> Table:
    table = Table(
        "Tree search simulations, one thread",
        ("game", "noughts simulations /s", "OpenSpiel C++ MCTSBot /s", "noughts is faster by", "target"),
    )
    for spec, theirs in OPEN_SPIEL.items():
        simulations = 200_000 if spec in ("3x3", "4x4") else 10_000
        compiled, here = noughts.game(spec).kernel, noughts.compute.kernel.moment(noughts.position(spec))
        assert compiled is not None

        def ours(compiled=compiled, here=here, simulations=simulations) -> int:
            limits = noughts.compute.kernel.limited(memory=1 << 30)
            return compiled.mcts(here, limits, simulations=simulations, seed=1, solver=False)["simulations"]

        peer = _spiel_mcts(theirs, simulations)
        fast = rate(ours)
        if peer is not None:
            slow = rate(peer)
            table.add(spec, human(fast), human(slow), f"{fast / slow:.1f} times", "5 times" if spec != "4x4x4" else "")
    return table


def _spiel_mcts(name: str, simulations: int) -> Callable[[], int] | None:
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel

    theirs = pyspiel.load_game(name)
    state = theirs.new_initial_state()
    bot = pyspiel.MCTSBot(theirs, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, 1000, False, 1, False)

    def play() -> int:
        bot.mcts_search(state)
        return simulations

    return play


SOLVE = """
import json, sys, time
import noughts
spec, ask, seconds, memory = json.loads(sys.argv[1])
start = noughts.position(spec)
start.game.kernel
if ask == "count":
    began = time.perf_counter()
    found = noughts.count(start.game)
    print(json.dumps([f"{found.positions:,} positions", None, time.perf_counter() - began, 0, None]))
else:
    found = noughts.solve(start, noughts.Limits(seconds=seconds, memory=memory), map=ask == "map")
    margin = "" if found.margin is None else f" by {abs(found.margin)} tiles"
    best = sum(1 for worth in (found.map or {}).values() if worth and worth.value == found.value)
    result = found.value + margin + (f", {best} first moves" if ask == "map" else "")
    print(json.dumps([result, found.distance, found.seconds, found.nodes, found.stopped]))
"""


def fresh(spec: str, ask: str = "solve", seconds: float | None = None, memory: int | None = None) -> list[object]:
    """Solve in a fresh process, so that nothing is cached."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, json.dumps([spec, ask, seconds, memory])],
        capture_output=True,
        text=True,
        check=True,
    )
    answer: list[object] = json.loads(done.stdout)
    return answer


def _solving() -> Table:
    table = Table("Solving, each in a fresh process", ("position", "answer", "distance", "seconds", "nodes", "target"))
    for spec, ask, target in (
        ("3x3", "solve", "1 ms"),
        ("3x3,misere", "solve", ""),
        ("4x4", "map", "100 ms"),
        ("5x5,k=4", "solve", "1 s"),
        ("6x5,k=4", "solve", "1 s"),
        ("6x6,k=4", "solve", "1 s"),
        ("5x5", "solve", "2 s"),
        ("duel,size=4", "solve", "1 s"),
        ("duel,size=4,opening=peaceful", "solve", "1 s"),
        ("hex,size=5", "map", "3 s"),
        ("4x4", "count", "3 s"),
    ):
        result, distance, seconds, nodes, stopped = min((fresh(spec, ask) for _ in range(3)), key=lambda row: row[2])
        assert stopped is None
        table.add(spec, result, distance or "", f"{seconds:.4f}", human(nodes) if nodes else "", target)
    return table


def _beyond() -> Table:
    table = Table(
        "Beyond: at most two minutes and 1 GB each",
        ("position", "answer", "distance", "seconds", "nodes", "stopped by"),
    )
    for spec in ("6x6,k=5", "7x7,k=5", "3x3x3,misere", "4x4x4"):
        began = time.perf_counter()
        result, distance, _, nodes, stopped = fresh(spec, "solve", 120.0, 1 << 30)
        table.add(spec, result, distance or "", f"{time.perf_counter() - began:.1f}", human(nodes), stopped or "")
    return table
