"""The curves from readings to expected results."""

from itertools import pairwise

import pytest

from noughts.analysis.calibration import ANY, DUEL, HEX, MANY, ROW, TREE_DUEL, by_engine, by_tree
from noughts.games import game

READINGS = [reading / 50 for reading in range(-50, 51)]


@pytest.mark.parametrize("curve", [HEX, DUEL, TREE_DUEL, ROW, MANY, ANY])
def test_a_better_reading_is_never_worth_less(curve):
    points = [curve.at(reading) for reading in READINGS]
    for low, mean, high in points:
        assert -1 <= low < mean < high <= 1
    for one, two in pairwise(points):
        assert all(a <= b + 1e-9 for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("curve", [HEX, DUEL, TREE_DUEL, ROW, ANY])
def test_what_is_good_for_one_is_bad_for_the_other(curve):
    assert curve.at(0.0)[1] == 0
    for reading in READINGS:
        low, mean, high = curve.at(reading)
        assert curve.at(-reading) == pytest.approx((-high, -mean, -low))


def test_games_that_were_not_measured_get_the_widest_curve():
    for reading in READINGS:
        low, _, high = ANY.at(reading)
        for curve in (HEX, TREE_DUEL):
            assert low <= curve.at(reading)[0] + 1e-9
            assert high >= curve.at(reading)[2] - 1e-9


def test_few_games_say_little():
    hex11 = game("hex")
    few, many = by_tree(hex11, 0.4, 10, best=0.5), by_tree(hex11, 0.4, 100_000, best=0.5)
    assert few.low < many.low < many.high < few.high
    assert by_tree(hex11, 0.4, 10).score < by_tree(hex11, 0.4, 100_000).score
    assert by_tree(hex11, 0.9, 3, best=0.2).score == by_tree(hex11, 0.2, 10**9, best=0.2).score


@pytest.mark.parametrize("rules", [game("gomoku"), game("duel")], ids=str)
def test_the_engine_is_never_sure_without_a_proof(rules):
    for score in (-20_000, -1_000, 0, 1_000, 20_000):
        estimate = by_engine(rules, score, 100)
        assert -1 < estimate.score < 1
        assert not estimate.proven
