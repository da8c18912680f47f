"""The environments compared with each other, PettingZoo's and pgx's: random moves of 3x3 and Hex."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable

import numpy as np
from gymnasium.vector import SyncVectorEnv

from benchmarks.table import Table, human, rate
from noughts.lab.environments import GameEnv, VectorGameEnv, env

GAMES = 1024


def run() -> list[Table]:
    return [_many(), _one()]


def _many() -> Table:
    table = Table(
        f"Environments, {GAMES} games at once, moves /s with observations and masks",
        ("game", "noughts, on the kernel", "the same, one by one", "faster by", "pgx", "faster by"),
    )
    for spec, theirs in (("3x3", "tic_tac_toe"), ("hex", "hex")):
        fast = rate(_vector(VectorGameEnv(GAMES, spec, opponent=None)))
        slow = rate(_vector(SyncVectorEnv([lambda spec=spec: GameEnv(spec, opponent=None)] * GAMES)))
        row = [spec, human(fast), human(slow), f"{fast / slow:.0f} times"]
        peer = _pgx(theirs)
        if peer is None:
            table.add(*row, "not installed", "")
        else:
            found = rate(peer)
            table.add(*row, human(found), f"{fast / found:.1f} times")
    return table


def _vector(envs: VectorGameEnv | SyncVectorEnv) -> Callable[[], int]:
    """Random legal moves, chosen with the mask as a learner would."""
    rng = np.random.default_rng(1)
    infos = envs.reset(seed=1)[1]

    def step() -> int:
        nonlocal infos
        mask = infos["action_mask"]
        noise = rng.random(mask.shape, dtype=np.float32)
        infos = envs.step((noise + mask).argmax(axis=1))[-1]
        return GAMES

    return step


def _pgx(name: str) -> Callable[[], int] | None:
    """The same with pgx: each step is one compiled call that plays, restarts finished games and returns the boards."""
    if importlib.util.find_spec("pgx") is None:
        return None
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    made = pgx.make(name)
    play = jax.vmap(auto_reset(made.step, made.init))

    @jax.jit
    def step(state, key):
        key, moves, resets = jax.random.split(key, 3)
        noise = jax.random.uniform(moves, state.legal_action_mask.shape)
        actions = jnp.argmax(jnp.where(state.legal_action_mask, noise, -1.0), axis=-1)
        return play(state, actions, jax.random.split(resets, GAMES)), key

    state = jax.jit(jax.vmap(made.init))(jax.random.split(jax.random.PRNGKey(1), GAMES))
    key = jax.random.PRNGKey(2)

    def work() -> int:
        nonlocal state, key
        state, key = step(state, key)
        np.asarray(state.observation)
        np.asarray(state.legal_action_mask)
        return GAMES

    work()
    return work


def _one() -> Table:
    table = Table(
        "Environments, one game of 3x3 at a time",
        ("environment", "moves /s", "noughts' agents are faster by"),
    )
    ours = rate(_agents(env("3x3")))
    table.add("noughts, an agent in each seat", human(ours), "")
    table.add("noughts, one learner for both seats", human(rate(_alone(GameEnv("3x3", opponent=None)))), "")
    if importlib.util.find_spec("pygame") is None:
        table.add("PettingZoo tictactoe_v3", "not installed", "")
    else:
        from pettingzoo.classic import tictactoe_v3

        theirs = rate(_agents(tictactoe_v3.env()))
        table.add("PettingZoo tictactoe_v3", human(theirs), f"{ours / theirs:.1f} times")
    return table


def _agents(made) -> Callable[[], int]:
    rng = random.Random(1)

    def play() -> int:
        made.reset()
        moves = 0
        for _ in made.agent_iter():
            observation, _, over, cut, info = made.last()
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            made.step(None if over or cut else rng.choice(np.flatnonzero(mask).tolist()))
            moves += 1
        return moves

    return play


def _alone(made: GameEnv) -> Callable[[], int]:
    rng = random.Random(1)

    def play() -> int:
        _, info = made.reset()
        over, moves = False, 0
        while not over:
            _, _, over, _, info = made.step(rng.choice(np.flatnonzero(info["action_mask"]).tolist()))
            moves += 1
        return moves

    return play
