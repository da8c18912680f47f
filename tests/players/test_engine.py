"""The engine: legal moves, limits kept, proofs that are true, and stronger than other players."""

import random
import time

import pytest

from noughts.compute.engine import think
from noughts.compute.solver import solve
from noughts.compute.value import Proven
from noughts.errors import SearchError
from noughts.games import game, position
from noughts.lab.arena import arena
from noughts.note import note
from noughts.players import Limits, player


def played(spec, seed, plies):
    rng, here = random.Random(seed), game(spec).start()
    for _ in range(plies):
        if here.outcome is None:
            here = here.play(here.legal_moves.pick(rng))
    return here if here.outcome is None else None


@pytest.mark.parametrize(
    ("spec", "plies"), [("6x6,k=4", 4), ("5x4,k=4,exact", 9), ("4x4,misere", 10), ("3x3x3", 4), ("4x4,corners", 4)]
)
def test_what_it_calls_proven_is_so(spec, plies):
    claims = 0
    for seed in range(30):
        here = played(spec, seed, plies + seed % 4)
        if here is None:
            continue
        found = think(here, Limits(nodes=20_000))
        assert found.best in here.legal_moves
        if found.proven is not None:
            claims += 1
            truth = solve(here)
            assert found.proven.value == truth.value
            assert truth.distance is not None
            assert found.proven.value == "draw" or found.proven.within >= truth.distance
            after = here.play(found.best)
            assert (after.outcome.winner == here.turn) if after.outcome else solve(after).value != truth.value
    assert claims > 3


@pytest.mark.parametrize(
    ("spec", "plies"), [("duel,size=4", 4), ("duel,size=4,opening=peaceful", 6), ("hex,size=4", 1), ("hex,size=5", 7)]
)
def test_what_it_calls_proven_is_so_in_other_games(spec, plies):
    claims = set()
    for seed in range(20):
        here = played(spec, seed, plies + seed % 4)
        if here is None:
            continue
        found = think(here, Limits(nodes=5000, memory=1 << 20))
        assert found.best in here.legal_moves
        if found.proven is not None:
            claims.add(found.proven.value)
            assert found.proven.value == solve(here).value
    assert {"win", "loss"} <= claims


@pytest.mark.parametrize("spec", ["duel", "duel,opening=peaceful", "hex,size=7", "hex"])
def test_it_repeats_itself_and_obeys_in_other_games(spec):
    here = played(spec, 2, 6)
    one, two = (player("engine,depth=2,seconds=60").choose(here) for _ in range(2))
    assert (one.move, one.score, one.nodes, one.depth) == (two.move, two.score, two.nodes, two.depth)
    assert one.depth == 2
    assert one.note == note("searched", depth=2)
    few = player("engine,seconds=30,threads=1").choose(here, Limits(nodes=300))
    assert few.move in here.legal_moves
    assert few.nodes <= 300
    assert player("engine,seconds=30").choose(here, Limits(stop=lambda: True)).move in here.legal_moves


def test_it_says_that_a_duel_is_drawn():
    drawn = next(
        here
        for seed in range(400)
        if (here := played("duel,size=4,opening=peaceful", seed, 12)) is not None and solve(here).value == "draw"
    )
    choice = player("engine,seconds=10").choose(drawn)
    assert choice.proven
    assert choice.note == Proven("draw").note()


def test_it_wins_with_fours_and_stops_them():
    won = position("15x15,k=5", "15/15/15/15/3XXX9/15/15/3OOO9/15/15/15/15/15/15/15 X")
    choice = player("engine,seconds=1").choose(won)
    assert choice.proven
    assert choice.note == Proven("win", within=3).note()
    assert solve(won.play(choice.move), Limits(seconds=5)).value in ("loss", "unknown")
    must = position("15x15,k=5", "15/15/15/15/2OXXXX8/15/15/3OOO9/15/15/15/15/15/15/15 O")
    assert must.game.move_name(player("engine,seconds=1").choose(must).move) == "h5"


def test_a_depth_makes_it_repeat_itself():
    here = played("15x15,k=5", 3, 6)
    one, two = (player("engine,depth=5,seconds=60").choose(here) for _ in range(2))
    assert (one.move, one.score, one.nodes, one.depth) == (two.move, two.score, two.nodes, two.depth)
    assert one.depth == 5


def test_it_keeps_its_limits():
    here = played("15x15,k=5", 4, 8)
    began = time.monotonic()
    choice = player("engine,seconds=30").choose(here, Limits(seconds=0.2))
    assert choice.move in here.legal_moves
    assert time.monotonic() - began < 5
    assert player("engine,seconds=30").choose(here, Limits(nodes=5000)).nodes < 10_000
    assert player("engine,seconds=30").choose(here, Limits(stop=lambda: True)).move in here.legal_moves
    over = position("duel,size=2", "RR/RR R")
    with pytest.raises(SearchError, match="the game is over"):
        think(over)


@pytest.mark.parametrize("spec", ["21x20,k=5", "1000x1000,k=5", "12x12x12,k=4"])
def test_it_sees_large_boards_through_a_window(spec):
    rules = game(spec)
    opening = player("engine,depth=2").choose(rules.start())
    assert opening.note.code == "window"
    corner = rules.grid.cells - 1
    here = rules.start()
    for step in range(rules.k - 1):
        here = here.play(corner - step).play(corner - 2 * rules.grid.cols - 2 * step)
    choice = player("engine,depth=2").choose(here)
    assert choice.move == corner - rules.k + 1
    assert not choice.proven
    rated = player("engine,depth=2").rate(here, Limits())
    assert max(rated, key=rated.get) == choice.move
    assert set(rated) <= set(here.legal_moves)
    assert player("perfect,seconds=0.5").choose(here).move == choice.move


def test_where_stones_lie_too_far_apart_the_rules_player_takes_over():
    here = game("1000x1000,k=5").start().play("a1").play("alk999").play("b1").play("alk998").play("c1").play("alk997")
    choice = player("engine,depth=2").choose(here.play("d1"))
    assert here.game.move_name(choice.move) == "e1"
    assert player("engine,depth=2,temperature=0.01,seed=1").choose(here).move in here.legal_moves


def test_it_samples_by_temperature():
    here = game("15x15,k=5").start().play("h8").play("i9").play("i8")
    moves = {player(f"engine,depth=2,temperature=2,seed={seed}").choose(here).move for seed in range(12)}
    assert len(moves) > 3
    assert moves <= set(here.legal_moves)
    here = played("hex,size=5", 1, 2)
    moves = {player(f"engine,depth=1,temperature=2,seed={seed}").choose(here).move for seed in range(12)}
    assert len(moves) > 3
    assert moves <= set(here.legal_moves)


def test_it_beats_a_tree_search_and_the_rules_on_gomoku():
    result = arena(["engine,depth=4", "mcts,simulations=2000", "rules"], game("gomoku"), 4, seed=1, workers=1)
    assert result.total(0).wins == 8


@pytest.mark.parametrize("spec", ["duel,opening=peaceful", "hex,size=7"])
def test_it_beats_a_tree_search_in_other_games(spec):
    result = arena(["engine,depth=3", "mcts,simulations=1000"], game(spec), 6, seed=1, workers=1)
    assert result.total(0).points >= 5
