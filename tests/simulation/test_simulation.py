"""The simulation: no promise is broken, a seed replays exactly, and planted bugs are found."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys

import pytest

from noughts.server.storage.database import Entry, connect
from tests.simulation.faults import Faults
from tests.simulation.planted import BUGS
from tests.simulation.simulation import run
from tests.simulation.store import SimulatedDatabase, Store
from tests.simulation.world import World

SEEDS, SOAK_SEEDS, AT_ONCE = 200, 10_000, 50


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_every_promise_is_kept(first):
    broken = {seed: found for seed in range(first, first + AT_ONCE) if (found := run(seed).broken)}
    assert broken == {}, "python -m tests.simulation SEED replays one"


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SEEDS, SOAK_SEEDS, 10 * AT_ONCE))
def test_every_promise_is_kept_for_long(first):
    last = min(first + 10 * AT_ONCE, SOAK_SEEDS)
    broken = {seed: found for seed in range(first, last) if (found := run(seed).broken)}
    assert broken == {}, "python -m tests.simulation SEED replays one"


def test_runs_do_much_and_differ():
    results = [run(seed) for seed in range(5)]
    assert len({result.trace_hash for result in results}) == 5
    assert sum(result.acknowledged for result in results) > 100


@pytest.mark.parametrize("seed", [3, 8])
def test_the_same_seed_gives_the_same_trace(seed):
    first, again = run(seed, keep_trace=True), run(seed, keep_trace=True)
    assert first.lines == again.lines
    assert first.trace_hash == again.trace_hash == run(seed).trace_hash


def test_the_command_replays_a_seed_in_any_process():
    told = set()
    for hash_seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-m", "tests.simulation", "5"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told.add(done.stdout)
    assert told == {
        f"seed 5: every promise kept ({run(5).steps} steps, {run(5).acknowledged} changes acknowledged, "
        f"trace {run(5).trace_hash})\n"
    }


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found_within_a_hundred_seeds(name, monkeypatch):
    BUGS[name](monkeypatch)
    seed = next((seed for seed in range(100) if run(seed).broken), None)
    assert seed is not None
    assert run(seed).trace_hash == run(seed).trace_hash


def test_the_simulated_store_does_what_a_database_does(tmp_path):
    rng = random.Random(1)
    faults = Faults(World(1))
    faults.stop()
    real, simulated = connect(str(tmp_path / "games.db")), SimulatedDatabase(Store(), faults, "p")
    real.migrate()
    heads = dict.fromkeys("abc", 0)
    for number in range(300):
        game = rng.choice("abc")
        version = max(1, heads[game] + rng.choice((1, 1, 1, 0)))
        first = f"w-{game}" if version == 1 and not heads[game] else None
        snapshot = f"snapshot {version}" if rng.random() < 0.1 else None
        entry = Entry(game, version, f"body {number}", rng.choice((None, "k1", f"key {number % 40}")), first, snapshot)
        inside = real.append([entry])
        assert simulated.append([entry]) == inside
        heads[game] += len(inside)
        for whole in (False, True):
            assert _plain(simulated.load(game, whole=whole)) == _plain(real.load(game, whole=whole))
        assert simulated.heads(["a", "b", "none"]) == real.heads(["a", "b", "none"])
        assert simulated.keyed(game, "k1") == real.keyed(game, "k1")
        assert simulated.since(game, version - 2) == real.since(game, version - 2)
        assert simulated.watched("w-a") == real.watched("w-a")
    assert min(heads.values()) > 30
    real.close()


def _plain(loaded):
    return loaded and (loaded.watch_id, loaded.snapshot, list(loaded.events))


def test_nothing_of_a_simulation_is_left_behind():
    run(1)
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
