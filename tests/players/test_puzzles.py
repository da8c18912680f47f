"""Forced wins: the stored puzzles are correct, and the engine solves all of them."""

from collections import Counter

import pytest

from noughts.compute.engine import think
from noughts.compute.limits import Limits
from noughts.compute.solver import solve
from noughts.games import game
from noughts.lab.arena import arena
from tests.players import puzzles

KEPT = puzzles.read()


def test_there_are_puzzles_of_every_length():
    assert Counter(plies for _, plies in KEPT) == puzzles.WANTED
    assert len({here.text for here, _ in KEPT}) == len(KEPT) >= 50


@pytest.mark.parametrize(("here", "plies"), KEPT, ids=lambda value: getattr(value, "text", value))
def test_the_engine_finds_the_forced_win(here, plies):
    found = think(here, Limits(nodes=2_000_000))
    assert found.proven is not None
    assert found.proven.value == "win"
    while here.outcome is None:
        me = here.turn
        found = think(here, Limits(nodes=2_000_000))
        here = here.play(found.best)
        if here.outcome is None:
            here = here.play(answer(here, me))
    assert here.outcome.winner == me


def answer(here, attacker):
    """The defence: make five, else stop a five, else the engine's move."""
    for mark in (here.turn, attacker):
        if cells := puzzles.gaps(here, mark, 4):
            return min(cells)
    return think(here, Limits(nodes=100_000)).best


@pytest.mark.slow
@pytest.mark.parametrize(("here", "plies"), KEPT, ids=lambda value: getattr(value, "text", value))
def test_the_solver_and_a_plain_search_agree_that_it_is_won(here, plies):
    assert puzzles.shortest(here) == plies
    verdict = solve(here, Limits(seconds=60))
    assert verdict.value == "win"
    assert verdict.distance is None or verdict.distance <= plies


@pytest.mark.slow
@pytest.mark.parametrize(("other", "wins"), [("rules", 100), ("mcts,seconds=1", 95)])
def test_the_engine_beats_the_others_on_gomoku(other, wins):
    met = arena(["engine,seconds=1,threads=1", other], game("gomoku"), 100, seed=1)
    assert met.total(0).wins >= wins, met.to_json()
