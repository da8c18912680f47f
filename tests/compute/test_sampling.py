"""Random games and tree searches: the kernel compared with the rules; seeds, threads and limits."""

import itertools

import pytest

from noughts.compute.limits import Limits
from noughts.compute.sampling import mcts, playouts
from noughts.errors import PlayerError
from noughts.games import game, position
from tests.strategies import SMALL_SPECS, all_specs


@pytest.mark.parametrize("spec", [s for s in all_specs() if game(s).kernel is not None])
def test_tallies_add_up_and_do_not_depend_on_threads(spec):
    start = game(spec).start()
    one = playouts(start, 3000, seed=7)
    assert one.games == 3000 == sum(one.wins.values()) + one.draws == sum(one.lengths)
    assert one.plies == sum(n * length for length, n in enumerate(one.lengths))
    two = playouts(start, 3000, seed=7, limits=Limits(threads=2))
    assert (one.wins, one.draws, one.lengths) == (two.wins, two.draws, two.lengths)
    other = playouts(start, 3000, seed=8)
    assert (one.wins, one.lengths) != (other.wins, other.lengths)


@pytest.mark.parametrize("spec", SMALL_SPECS)
def test_the_kernel_plays_like_the_rules(spec):
    """Shares of wins and mean lengths agree within five standard errors."""
    start = game(spec).start()
    fast, slow = playouts(start, 200_000, seed=1, backend="kernel"), playouts(start, 2000, seed=1, backend="python")
    for mark in start.game.marks:
        share = fast.wins[mark] / fast.games
        error = max((share * (1 - share) / slow.games) ** 0.5, 1e-3)
        assert abs(share - slow.wins[mark] / slow.games) < 5 * error
    spread = sum(n * (length - fast.mean_length) ** 2 for length, n in enumerate(fast.lengths)) / fast.games
    assert abs(fast.mean_length - slow.mean_length) < 5 * max((spread / slow.games) ** 0.5, 1e-6)


def test_3x3_shares_are_the_exact_ones():
    """Every game of n plies is played with probability 1/9 · 1/8 · …; the sums are known."""
    tally = playouts(game("3x3").start(), 2_000_000, seed=3)
    assert abs(tally.wins["X"] / tally.games - 737 / 1260) < 0.002
    assert abs(tally.wins["O"] / tally.games - 121 / 420) < 0.002
    assert abs(tally.draws / tally.games - 8 / 63) < 0.002


def test_limits_of_playouts():
    start = game("15x15,k=5").start()
    assert playouts(start, 10**12, limits=Limits(seconds=0.1)).stopped == "deadline"
    assert playouts(start, 10**12, limits=Limits(stop=lambda: True, threads=2)).stopped == "cancelled"
    assert playouts(start, 10**6, limits=Limits(seconds=0.05), backend="python").stopped == "deadline"
    assert playouts(start, 10**6, limits=Limits(stop=lambda: True), backend="python").stopped == "cancelled"
    assert playouts(start, 0).games == 0
    with pytest.raises(ValueError, match="-1 games"):
        playouts(start, -1)
    assert playouts(game("3x3").start(), 100).score("X") > 0.5


def test_mcts_proves_3x3_and_stops():
    found = mcts(game("3x3").start(), 10**9, seed=1)
    assert (found.proven, found.value) == ("draw", 0)
    assert found.simulations < 10**6
    assert {stats.proven for stats in found.moves.values()} <= {"draw", "O", None}


@pytest.mark.parametrize(
    ("spec", "backend"),
    [*itertools.product(SMALL_SPECS, ["kernel", "python"]), ("15x15,k=5", "kernel"), ("hex", "kernel")],
)
def test_mcts_is_reproducible_and_legal(spec, backend):
    start = game(spec).start()
    found, again = (mcts(start, 300, seed=5, backend=backend) for _ in range(2))
    assert (found.best, found.moves, found.value) == (again.best, again.moves, again.value)
    assert found.best in start.legal_moves
    assert set(found.moves) <= set(start.legal_moves)
    assert found.line[0] == found.best
    assert -1 <= found.value <= 1


def test_mcts_finds_and_proves_wins_and_losses():
    assert mcts(position("3x3", "XX1/OO1/3 X"), 2000).best == 2
    assert mcts(position("3x3", "XX1/OO1/3 X"), 2000).proven == "X"
    lost = mcts(position("3x3", "X1X/3/X1O O"), 5000)
    assert (lost.proven, lost.value) == ("X", -1)
    assert mcts(position("3x3,players=3", "XX1/OO1/3 A"), 20_000).best == 2
    assert mcts(game("hex,size=3").start(), 200_000).proven == "X"


def test_limits_of_mcts():
    start = game("15x15,k=5").start()
    assert mcts(start, 10**9, limits=Limits(seconds=0.1)).stopped == "deadline"
    assert mcts(start, 10**9, limits=Limits(stop=lambda: True)).stopped == "cancelled"
    small = mcts(start, 20_000, limits=Limits(memory=200_000))
    assert small.full
    assert small.simulations == 20_000
    with pytest.raises(PlayerError, match="the game is over"):
        mcts(position("3x3", "XXX/OO1/3 X"))
