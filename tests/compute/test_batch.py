"""Batches compared with single positions."""

import pickle
from copy import copy, deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.compute.batch import Batch
from noughts.errors import SearchError
from noughts.games import game, position
from tests.strategies import SMALL_SPECS


def row_of(here):
    marks = here.game.marks
    turn = marks.index(here.turn)
    codes = {mark: 1 if seat == turn else -((seat - turn) % len(marks)) for seat, mark in enumerate(marks)}
    return [codes[here.cells[cell]] if cell in here.cells else 0 for cell in range(here.game.grid.cells)]


backends = pytest.mark.parametrize("backend", ["kernel", "python"])


@backends
@pytest.mark.parametrize("spec", [*SMALL_SPECS, "15x15,k=5"])
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_batch_is_many_positions(spec, backend, seed):
    start, rng = game(spec).start(), np.random.default_rng(seed)
    batch, here, finished = Batch(start, 5, seed=seed, backend=backend), [start] * 5, 0
    for _ in range(30):
        legal = batch.legal
        assert batch.observations.tolist() == [row_of(moment) for moment in here]
        assert batch.turns.tolist() == [start.game.marks.index(moment.turn) for moment in here]
        for row, moment in zip(legal, here, strict=True):
            assert {batch.move(int(action)) for action in np.flatnonzero(row)} == set(moment.legal_moves)
        actions = [int(rng.choice(np.flatnonzero(row))) for row in legal]
        batch.step(actions)
        after = [moment.play(batch.move(action)) for moment, action in zip(here, actions, strict=True)]
        assert batch.done.tolist() == [moment.outcome is not None for moment in after]
        for rewards, moment in zip(batch.rewards.tolist(), after, strict=True):
            assert rewards == [moment.outcome.score(mark) if moment.outcome else 0 for mark in start.game.marks]
        finished += sum(moment.outcome is not None for moment in after)
        here = [start if moment.outcome is not None else moment for moment in after]
    assert batch.finished == finished
    batch.reset()
    assert batch.observations.tolist() == [row_of(start)] * 5


@backends
def test_an_illegal_action_plays_nothing(backend):
    batch = Batch(game("3x3").start(), 3, backend=backend)
    batch.step([0, 1, 2])
    before = batch.observations
    with pytest.raises(SearchError, match="illegal move in game 2: 2") as caught:
        batch.step([3, 3, 2])
    assert caught.value.code == "illegal_move"
    assert (batch.observations == before).all()
    for wrong in ([1, 2], [0.5, 1.0, 2.0], [[1, 2, 3]]):
        with pytest.raises(ValueError, match="a step takes 3 whole numbers"):
            batch.step(wrong)
    for wrong in ([0, 1, 9], [-1, 3, 4], [70_000, 3, 4]):
        with pytest.raises(ValueError, match="actions go from 0 to 8"):
            batch.step(wrong)


@backends
def test_random_steps_follow_the_seed(backend):
    one, two, other = (Batch(game("4x4").start(), 50, seed=seed, backend=backend) for seed in (1, 1, 2))
    for batch in (one, two, other):
        batch.step_random(40)
    assert (one.observations == two.observations).all()
    assert (one.observations != other.observations).any()
    assert one.finished > 50
    assert len(one) == 50


@backends
def test_what_a_batch_cannot_do(backend):
    with pytest.raises(SearchError, match="cannot start from a finished game"):
        Batch(position("3x3", "XXX/OO1/3 X"), 2, backend=backend)
    with pytest.raises(SearchError, match="out of memory") as caught:
        Batch(game("3x3").start(), 10**16, backend=backend)
    assert caught.value.code == "out_of_memory"
    assert len(Batch(game("3x3").start(), 0, backend=backend)) == 0
    with pytest.raises(SearchError, match="no tables for 30x30"):
        Batch(game("30x30").start(), 2, backend="kernel")


def test_a_game_without_tables_has_a_batch_too():
    batch = Batch(game("200x200,k=5").start(), 2)
    batch.step([39_999, 0])
    assert [moment.last for moment in batch.positions([0, 1])] == [39_999, 0]


@backends
@pytest.mark.parametrize("spec", SMALL_SPECS)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_held_batch_stays_until_told(spec, backend, seed):
    start, rng = game(spec).start(), np.random.default_rng(seed)
    marks = start.game.marks
    batch, here = Batch(start, 4, seed=seed, held=True, backend=backend), [start] * 4
    for _ in range(20):
        moving = np.array([moment.outcome is None and rng.random() < 0.7 for moment in here])
        actions = [int(rng.choice(np.flatnonzero(row))) if row.any() else 0 for row in batch.legal]
        batch.step(actions, where=moving)
        played = zip(here, actions, moving, strict=True)
        here = [moment.play(batch.move(action)) if moves else moment for moment, action, moves in played]
        assert batch.positions(range(4)) == here
        assert [moment.outcome for moment in batch.positions(range(4))] == [moment.outcome for moment in here]
        assert batch.done.tolist() == [moment.outcome is not None for moment in here]
        seats = rng.integers(len(marks), size=4)
        for planes, moment, seat in zip(batch.planes(seats), here, seats, strict=True):
            for plane in range(len(marks)):
                owned = {cell for cell, mark in moment.cells.items() if mark == marks[(seat + plane) % len(marks)]}
                assert set(np.flatnonzero(planes[:, plane])) == owned
            assert set(np.flatnonzero(planes[:, -2])) == set(range(start.game.grid.cells)) - set(moment.cells)
            assert set(planes[:, -1]) == {seat}
            assert set(np.unique(planes[:, :-1])) <= {0, 1}
        again = rng.random(4) < 0.1
        batch.reset(again)
        here = [start if flag else moment for moment, flag in zip(here, again, strict=True)]
    assert batch.positions([2, 0]) == [here[2], here[0]]


@backends
def test_random_moves_lead_to_a_seat(backend):
    batch = Batch(game("duel,size=3").start(), 300, seed=3, held=True, backend=backend)
    seats = np.arange(300) % 2
    for _ in range(12):
        batch.random_until(seats)
        assert (batch.done | (batch.turns == seats)).all()
        batch.step(batch.legal.argmax(axis=1), where=~batch.done)
    assert batch.done.all()
    assert batch.finished == 300
    assert not batch.legal.any()


@backends
def test_a_copied_batch_goes_its_own_way_from_the_same_games(backend):
    batch = Batch(game("4x4").start(), 20, seed=1, backend=backend)
    batch.step_random(5)
    copies = copy(batch), deepcopy(batch)
    before = batch.observations
    batch.step_random(3)
    for copied in copies:
        assert (copied.observations == before).all()
        copied.step_random(3)
        assert (copied.observations == batch.observations).all()
    if backend == "kernel":
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(batch)


@backends
def test_where_and_seats_must_fit_the_batch(backend):
    batch = Batch(game("3x3").start(), 3, held=True, backend=backend)
    for wrong in (np.array([True, False]), np.array([1, 0, 1])):
        with pytest.raises(ValueError, match="where takes 3 booleans"):
            batch.step([0, 1, 2], where=wrong)
        with pytest.raises(ValueError, match="where takes 3 booleans"):
            batch.reset(wrong)
    with pytest.raises(ValueError, match="could not be broadcast"):
        batch.planes([0, 1])
    with pytest.raises(SearchError, match="there is no seat 2"):
        batch.planes(2)
    batch.step([-5, 3, 99], where=np.array([False, True, False]))
    assert batch.turns.tolist() == [0, 1, 0]
