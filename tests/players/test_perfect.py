"""The perfect player: it never loses a position that is not lost, and says what is proven."""

import random

import pytest

from noughts.compute.solver import solve
from noughts.compute.value import Proven
from noughts.games import game, position
from noughts.note import note
from noughts.players import Limits, player

PERFECT = player("perfect,seconds=20")


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere"])
@pytest.mark.parametrize("seat", [0, 1])
def test_it_never_loses_3x3_whatever_the_replies(spec, seat):
    """Both games are draws, so against every reply it must draw or win."""
    mark = game(spec).marks[seat]
    choices = {}

    def explore(here):
        if here.outcome is not None:
            assert here.outcome.score(mark) >= 0
        elif here.turn == mark:
            if here not in choices:
                choices[here] = PERFECT.choose(here).move
            explore(here.play(choices[here]))
        else:
            for move in here.legal_moves:
                explore(here.play(move))

    explore(game(spec).start())
    assert len(choices) > 20


@pytest.mark.parametrize(("spec", "games"), [("4x4", 2000), ("5x5,k=4", 60)])
def test_it_never_loses_against_random_lines(spec, games):
    rng = random.Random(spec)
    for number in range(games):
        here = game(spec).start()
        mark = here.game.marks[number % 2]
        while here.outcome is None:
            move = PERFECT.choose(here).move if here.turn == mark else here.legal_moves.pick(rng)
            here = here.play(move)
        assert here.outcome.score(mark) >= 0


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["4x4", "5x5,k=4"])
def test_it_never_loses_against_thousands_of_random_lines(spec):
    test_it_never_loses_against_random_lines(spec, 3000)


@pytest.mark.parametrize("spec", ["6x5,k=4", "6x6,k=4", "hex,size=4", "3x3x3", "4x4,k=3"])
def test_it_wins_what_is_won(spec):
    rng = random.Random(spec)
    for _ in range(3):
        here = game(spec).start()
        while here.outcome is None:
            if here.turn == "X":
                choice = PERFECT.choose(here)
                assert choice.proven
                here = here.play(choice.move)
            else:
                here = here.play(here.legal_moves.pick(rng))
        assert here.outcome.winner == "X"


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere", "4x4", "5x5,k=4", "6x6,k=4", "hex,size=5", "duel,size=4"])
def test_its_usual_time_is_enough_for_a_proof(spec):
    choice = player("perfect").choose(game(spec).start())
    assert choice.proven
    assert choice.move in solve(game(spec).start()).best


def test_it_keeps_every_tile_of_the_duel():
    here, truth = game("duel,size=4").start(), -16
    while here.outcome is None:
        choice = PERFECT.choose(here)
        assert choice.proven
        here = here.play(choice.move)
    assert here.outcome.margin("R") == truth


@pytest.mark.parametrize("seed", range(10))
def test_it_plays_a_best_move_and_says_it_is_proven(seed):
    rng, here = random.Random(seed), game("4x4").start()
    for _ in range(rng.randrange(12)):
        if here.outcome is None:
            here = here.play(here.legal_moves.pick(rng))
    if here.outcome is None:
        choice = PERFECT.choose(here)
        assert choice.proven
        assert choice.move == solve(here).best[0]


def test_it_says_when_there_is_no_proof():
    choice = player("perfect,seconds=0.2").choose(game("15x15,k=5").start())
    assert not choice.proven
    assert choice.note == note("no_proof", found=note("opening"))
    assert choice.move in game("15x15,k=5").start().legal_moves
    assert player("perfect").choose(position("3x3", "XO1/3/3 X")).note == Proven("win", 5).note()
    assert player("perfect").choose(position("5x5,k=3,players=3", "XX3/OO3/5/5/5 X")).move == 2
    rushed = player("perfect").choose(game("9x9,k=5").start(), Limits(nodes=50))
    assert not rushed.proven
    assert player("perfect,seconds=0.05").choose(game("30x30,k=5").start(), Limits(nodes=3)).note


def test_little_memory_is_no_reason_to_give_up():
    here = game("gomoku").start().play("h8").play("i9").play("i8")
    for spec in ("perfect,seconds=0.2", "engine,seconds=0.2", "mcts,seconds=0.2"):
        assert player(spec).choose(here, Limits(memory=4 << 20)).move in here.legal_moves


def test_epsilon_and_temperature_make_it_err_and_the_seed_repeats_it():
    start = position("3x3", "XX1/OO1/3 X")

    def moves(spec):
        who = player(spec)
        return [who.choose(start).move for _ in range(60)]

    assert set(moves("perfect")) == {2}
    for weak in (
        "perfect,epsilon=0.5,seed=1",
        "perfect,temperature=1,seed=1",
        "mcts,simulations=50,temperature=1,seed=1",
    ):
        assert moves(weak) == moves(weak)
        assert len(set(moves(weak))) > 1
        assert max(set(moves(weak)), key=moves(weak).count) == 2
    assert set(moves("perfect,epsilon=1,seed=2")) == set(start.legal_moves)
    assert set(moves("perfect,temperature=0.01,seed=3")) == {2}
    assert player("perfect,temperature=0.5,seconds=0.1").choose(game("15x15,k=5").start()).note == note(
        "sampled", temperature=0.5
    )
