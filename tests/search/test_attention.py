"""Looking ahead with gaps, in Python: what is certain, what is said, and errors that repeat."""

import pytest

from noughts.games import game
from noughts.search import minimax
from noughts.search.attention import Level, attend, considered, safe, wins_now

SHARP = Level(depth=9, careful=True)
BLIND = Level(depth=2, lapses=1.0, noise=5.0, careful=True)


@pytest.mark.parametrize("text", ["X2/1O1/2X O", "XOX/1O1/3 X"])
def test_without_lapses_it_plays_as_well_as_minimax(text):
    here = game("3x3").position(text)
    after = here.play(attend(here, SHARP).move)
    assert _sign(-minimax(after).score) == _sign(minimax(here).score)


def _sign(score):
    return (score > 0) - (score < 0)


def test_a_block_is_said_only_where_a_win_is_stopped():
    here = game("3x3").position("OO1/1X1/3 X")
    assert (attend(here, BLIND).move, attend(here, BLIND).saw) == (2, "block")
    # Every move but one completes the last row, which loses: nothing is blocked.
    here = game("notakto").position("XX1/1XX/3 O")
    assert safe(here, considered(here), careful=False) == [6]
    assert (attend(here, BLIND).move, attend(here, BLIND).saw) == (6, "only_move")


@pytest.mark.parametrize("spec", ["ultimate", "notakto,boards=2", "3x3"])
def test_the_same_seed_errs_in_the_same_way_and_others_differently(spec):
    here = game(spec).start().play(0)

    def chosen(seed):
        return attend(here, Level(depth=2, lapses=0.3, noise=2.0, seed=seed), nodes=300).move

    moves = [chosen(seed) for seed in range(12)]
    assert moves == [chosen(seed) for seed in range(12)]
    assert len(set(moves)) > 1


def test_a_limit_of_nodes_leaves_what_is_certain():
    here = game("3x3").position("XX1/OO1/3 O")
    assert attend(here, BLIND, nodes=0).move == wins_now(here)[0] == 5
    assert attend(here.seen_by("X"), BLIND, nodes=0).saw == "win"


def test_on_a_huge_board_it_looks_near_the_marks():
    here = game("40x40,k=5").start().play("t20")
    assert len(considered(here)) == 8
    assert considered(game("40x40,k=5").start())
