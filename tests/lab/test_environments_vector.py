"""Many games at once behave like one environment each."""

import pickle
from copy import deepcopy

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.errors import IllegalMove
from noughts.lab.environments import GameEnv, VectorGameEnv
from tests.strategies import SMALL_SPECS

MODES = list(AutoresetMode)


def assert_alike(ours, theirs, where=""):
    """Check that infos and observations are equal, including their types."""
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), where
        for key, value in theirs.items():
            assert_alike(ours[key], value, f"{where}/{key}")
    elif theirs.dtype == object:
        assert ours.dtype == object, where
        for one, other in zip(ours, theirs, strict=True):
            assert (one is None) == (other is None), where
            assert np.array_equal(one, other), where
    else:
        assert ours.dtype == theirs.dtype, where
        assert np.array_equal(ours, theirs), where


@pytest.mark.parametrize("mode", MODES, ids=[mode.value for mode in MODES])
@pytest.mark.parametrize(
    ("spec", "options"),
    [
        *((spec, {"opponent": None}) for spec in SMALL_SPECS),
        ("3x3", {"opponent": None, "illegal": "lose"}),
        ("3x3", {"opponent": "perfect"}),
        ("3x3,misere", {"opponent": "perfect", "seat": 1}),
        ("duel,size=3", {"opponent": "perfect", "seat": 1}),
        ("duel,size=3x4,opening=peaceful", {"opponent": "perfect", "illegal": "lose"}),
        ("hex,size=3,swap", {"opponent": "perfect", "seat": 1}),
        ("5x5,k=4,players=3", {"opponent": "rules", "seat": 2}),
        ("21x20,k=5", {"opponent": None}),
    ],
)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32 - 1))
def test_it_is_as_if_each_game_had_an_environment(spec, options, mode, seed):
    rng = np.random.default_rng(seed)
    ours = VectorGameEnv(4, spec, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: GameEnv(spec, **options)] * 4, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    (seen, infos), (seen_there, infos_there) = ours.reset(seed=seed % 1000), theirs.reset(seed=seed % 1000)
    over = np.zeros(4, dtype=bool)
    for _ in range(25):
        assert_alike(seen, seen_there)
        assert_alike(infos, infos_there)
        assert seen in ours.observation_space
        if mode is AutoresetMode.DISABLED and over.any():
            (seen, infos), (seen_there, infos_there) = (
                made.reset(options={"reset_mask": over.copy()}) for made in (ours, theirs)
            )
            # Gymnasium's infos are only about the games that were reset.
            for key in ("action_mask", "seat"):
                assert np.array_equal(infos[key][over], infos_there[key][over])
            infos_there = infos
            over = np.zeros(4, dtype=bool)
            continue
        actions = np.array([int(rng.choice(np.flatnonzero(row))) if row.any() else 0 for row in infos["action_mask"]])
        if "illegal" in options and rng.random() < 0.2:
            actions[rng.integers(4)] = rng.integers(ours.single_action_space.n)
        results = ours.step(actions), theirs.step(actions)
        for one, other in zip(*results, strict=True):
            assert_alike(one, other)
        (seen, _, over, _, infos), (seen_there, *_, infos_there) = results


def test_random_opponents_play_in_the_kernel():
    envs = VectorGameEnv(2000, "3x3", seat="any", autoreset_mode="SameStep")
    _, infos = envs.reset(seed=5)
    assert 900 < (infos["seat"] == 1).sum() < 1100
    assert (infos["action_mask"].sum(axis=1) == 9 - infos["seat"]).all()
    results = {0: [], 1: []}
    for _ in range(20):
        seats = infos["seat"]
        _, rewards, over, cut, infos = envs.step(envs.action_space.sample())
        assert not cut.any()
        assert not rewards[~over].any()
        for number in np.flatnonzero(over):
            results[seats[number]].append(rewards[number])
            own, other, empty, seat = np.moveaxis(infos["final_obs"][number], -1, 0)
            assert (seat == seats[number]).all()
            assert ((own + other + empty) == 1).all()
            assert rewards[number] == has_line(own) - has_line(other)
    # Random games of 3x3: X wins 58.5%, O 28.8%.
    for seat, won, lost in ((0, 0.585, 0.288), (1, 0.288, 0.585)):
        found = np.array(results[seat])
        assert abs((found == 1).mean() - won) < 0.03
        assert abs((found == -1).mean() - lost) < 0.03


def has_line(plane):
    lines = [*plane, *plane.T, plane.diagonal(), plane[::-1].diagonal()]
    return int(any(line.all() for line in lines))


def test_a_seed_fixes_seats_opponents_and_samples():
    def told(envs, seed):
        envs.reset(seed=seed)
        return [envs.step(envs.action_space.sample())[:2] for _ in range(12)]

    one, two = (VectorGameEnv(50, "4x4", seat="any") for _ in range(2))
    first = told(one, 1)
    for again in (told(one, 1), told(two, 1)):
        assert all((a == b).all() and (c == d).all() for (a, c), (b, d) in zip(first, again, strict=True))
    other = told(two, 2)
    assert any((a != b).any() for (a, _), (b, _) in zip(first, other, strict=True))


def test_sampled_actions_are_legal_and_even():
    envs = VectorGameEnv(9000, "3x3", opponent=None)
    envs.reset(seed=1)
    envs.step(np.full(9000, 4))
    counts = np.bincount(envs.action_space.sample(), minlength=9)
    assert counts[4] == 0
    assert (np.abs(counts[counts > 0] - 1125) < 150).all()
    assert len(counts[counts > 0]) == 8
    only = tuple(np.eye(9, dtype=np.int8)[[7] * 9000])
    assert set(envs.action_space.sample(mask=only)) == {7}


def test_gymnasium_makes_it():
    envs = gymnasium.make_vec("noughts/TicTacToe-v0", num_envs=8, opponent="perfect", render_mode="ansi")
    assert isinstance(envs, VectorGameEnv)
    assert isinstance(envs, VectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    envs.reset(seed=1)
    envs.step(np.arange(8))
    assert len(envs.render()) == 8
    assert all("X to move" in board for board in envs.render())
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    counted.reset(seed=1)
    for _ in range(6):
        counted.step(counted.action_space.sample())
    assert counted.episode_count >= 8
    sync = gymnasium.make_vec("noughts/TicTacToe-v0", num_envs=2, vectorization_mode="sync")
    assert isinstance(sync, SyncVectorEnv)
    pictures = VectorGameEnv(2, "hex,size=3", render_mode="rgb_array")
    pictures.reset()
    assert pictures.render()[1].shape[2] == 3


def test_an_illegal_action_is_refused_and_nothing_is_played():
    envs = VectorGameEnv(3, "3x3", opponent=None)
    envs.reset()
    envs.step(np.array([0, 1, 2]))
    before = envs.action_space.legal.tolist()
    with pytest.raises(IllegalMove, match="in game 1: b1 is already taken by X") as caught:
        envs.step(np.array([3, 1, 2]))
    assert caught.value.code == "occupied"
    assert caught.value.position.text == "1X1/3/3 O"
    observations, *_ = envs.step(np.array([1, 2, 3]))
    assert observations[:, :, :, :2].sum(axis=(1, 2, 3)).tolist() == [2, 2, 2]
    assert before == [[0, *[1] * 8], [1, 0, *[1] * 7], [1, 1, 0, *[1] * 6]]


def test_wrong_input_is_told():
    envs = VectorGameEnv(3, "3x3", autoreset_mode="Disabled", opponent=None)
    with pytest.raises(gymnasium.error.ResetNeeded, match="before the first step"):
        envs.step(np.zeros(3, dtype=int))
    with pytest.raises(gymnasium.error.ResetNeeded, match="a first or a seeded reset is of all games"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset()
    for wrong in (np.zeros(2, dtype=int), np.zeros(3), np.zeros((3, 1), dtype=int)):
        with pytest.raises(ValueError, match="a step takes 3 whole numbers"):
            envs.step(wrong)
    for wrong in (-1, 9):
        with pytest.raises(ValueError, match=f"actions of 3x3 go from 0 to 8, not {wrong}"):
            envs.step(np.array([0, wrong, 2]))
    for wrong in (np.array([True]), np.array([1, 0, 0]), np.zeros(3, dtype=bool)):
        with pytest.raises(ValueError, match="reset_mask takes 3 booleans, at least one of them true"):
            envs.reset(options={"reset_mask": wrong})
    for action in (0, 3, 1, 4, 2):
        envs.step(np.full(3, action))
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"these games are over: \[0, 1, 2\]; reset them"):
        envs.step(np.full(3, 8))
    with pytest.warns(UserWarning, match="make the environment with a render_mode"):
        assert envs.render() is None
    for options, told in (
        ({"num_envs": 0}, "num_envs=0: there is at least one game"),
        ({"seat": 3}, "seat 3: 3x3 has the seats 0 to 1"),
        ({"render_mode": "human"}, "render_mode='human': there are ansi, rgb_array"),
        ({"autoreset_mode": "Never"}, "'Never' is not a valid AutoresetMode"),
    ):
        with pytest.raises(ValueError, match=told):
            VectorGameEnv(**options)


def test_a_copy_keeps_the_boards_and_a_pickle_is_refused():
    envs = VectorGameEnv(20, "4x4", seat="any")
    envs.reset(seed=1)
    for _ in range(3):
        seen, *_ = envs.step(envs.action_space.sample())
    twin = deepcopy(envs)
    for _ in range(8):
        one, two = (made.step(made.action_space.sample()) for made in (envs, twin))
        assert (one[0] == two[0]).all()
        assert (one[1] == two[1]).all()
    assert (one[0] != seen).any()
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(envs)
