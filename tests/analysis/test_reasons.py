"""What speaks for a move and against it, as codes and in the games' words."""

import pytest

import noughts
from noughts.analysis import Estimate, Proven, analyse, reason
from noughts.analysis.reasons import fault
from noughts.players import Limits
from noughts.terminal import words


def said(spec, text, move, nodes=20_000):
    position = noughts.position(spec, text)
    return words.reason(reason(analyse(position, Limits(nodes=nodes)), position.game.parse_move(move)), position.game)


@pytest.mark.parametrize(
    ("spec", "text", "move", "sentence"),
    [
        ("3x3", "XX1/OO1/3 X", "c1", "c1 wins at once"),
        ("3x3", "OO1/1X1/2X X", "c1", "block at c1 or lose next move"),
        ("3x3", "X2/1O1/2X O", "b1", "b1 draws"),
        ("3x3", "3/1X1/3 O", "a1", "a1 draws"),
        ("3x3", "1X1/3/3 O", "b2", "b2 draws"),
        ("3x3", "XO1/3/3 X", "a2", "a2 wins in 3 moves"),
        ("3x3", "XO1/1X1/2O X", "a2", "a2 makes two threats at once"),
        ("3x3", "XOX/1O1/1X1 O", "a2", "a2 draws"),
        ("hex,size=3", "1X1/1X1/O1O X", "b3", "b3 connects top to bottom"),
        ("hex,size=3", "OO1/XX1/3 O", "c1", "c1 connects left to right"),
        ("duel,size=4", "RG2/G3/4/4 R", "b2", "b2 takes two tiles"),
        ("ultimate", "XX7/9/9/9/9/9/9/9/3O5 X", "c1", "c1 takes a board"),
    ],
)
def test_a_move_is_spoken_for_in_the_games_words(spec, text, move, sentence):
    assert said(spec, text, move, 300 if spec == "ultimate" else 20_000) == sentence


def test_the_only_move_that_will_do():
    assert said("3x3", "X2/3/3 O", "b2") == "b2 is the only move that draws"
    assert said("4x4,k=3", "1X2/4/4/O3 X", "b2") == "b2 wins in 3 moves", "others win too"
    assert said("hex,size=2", "2/2 X", "b1") == "b1 wins in 2 moves"
    assert said("hex,size=2", "1X/2 O", "a1") == "every move loses, a1 lasts longest"
    assert said("3x3", "X2/3/3 O", "b1") == "b1 loses"


GUESS = Estimate(0.0, -0.2, 0.2, "engine", 1)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (Proven("win", 1), GUESS, "a1 misses the win at b1"),
        (Proven("win", 5), Proven("draw"), "a1 gives away a win in 3 moves"),
        (Proven("win"), Proven("loss"), "a1 gives the win away"),
        (Proven("win", 9, 4), Proven("draw", 9, 0), "a1 gives the win away"),
        (GUESS, Proven("loss", 2), "a1 lets O win at c1"),
        (Proven("draw"), Proven("loss", 6), "a1 lets O win in 3 moves"),
        (Proven("draw"), Proven("loss"), "a1 gives the draw away"),
        (GUESS, Proven("loss"), "a1 loses"),
        (Proven("win", 1), Proven("win", 3), "a1 wins too, but b1 wins sooner"),
        (Proven("loss", 6), Proven("loss", 2), "a1 loses sooner than b1"),
        (Proven("win", 9, 4), Proven("win", 9, 2), "a1 ends with fewer tiles than b1"),
        (GUESS, Estimate(-0.8, -1.0, -0.6, "engine", 1), "a1 looks weaker than b1"),
    ],
)
def test_what_is_wrong_with_a_move(before, after, sentence):
    start = noughts.position("3x3")
    a1, b1, c1 = map(start.game.parse_move, ("a1", "b1", "c1"))
    assert words.reason(fault(start, a1, before, after, b1, c1), start.game) == sentence
    assert words.reason(fault(start, a1, GUESS, GUESS, None, None), start.game) == "a1 looks weak"
