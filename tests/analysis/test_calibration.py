"""The curves from a search's score to the expected result."""

from itertools import pairwise

import pytest

from noughts.analysis.calibration import ENGINE, MANY, TREE, by_engine, by_tree, curve_of
from noughts.games import all_games, game

READINGS = [reading / 50 for reading in range(-50, 51)]


OWN = {f"{name} {method}": curve for name, kind in all_games().items() for method, curve in kind().calibration.items()}
"""The curves of the games that were measured."""

CURVES = {**OWN, "any engine": ENGINE, "any mcts": TREE, "many mcts": MANY}


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_a_better_reading_is_never_worth_less(curve):
    points = [curve.at(reading) for reading in READINGS]
    for low, mean, high in points:
        assert -1 <= low < mean < high <= 1
    for one, two in pairwise(points):
        assert all(a <= b + 1e-9 for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("curve", [curve for curve in CURVES.values() if curve.mirrored])
def test_what_is_good_for_one_is_bad_for_the_other(curve):
    assert curve.at(0.0)[1] == 0
    for reading in READINGS:
        low, mean, high = curve.at(reading)
        assert curve.at(-reading) == pytest.approx((-high, -mean, -low))


def test_games_that_were_not_measured_get_the_widest_curve():
    assert len(OWN) >= 4
    for label, curve in OWN.items():
        widest = ENGINE if label.endswith("engine") else TREE
        for reading in READINGS:
            low, _, high = widest.at(reading)
            assert low <= curve.at(reading)[0] + 1e-9
            assert high >= curve.at(reading)[2] - 1e-9


def test_a_game_says_what_its_searches_are_worth():
    assert curve_of(game("hex"), "engine") is game("hex").calibration["engine"]
    assert curve_of(game("hex"), "mcts") is TREE
    assert curve_of(game("4x4"), "mcts") is TREE
    assert curve_of(game("5x5,k=4,players=3"), "mcts") is MANY


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
