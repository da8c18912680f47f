"""Notakto: one mark for both, boards that die, and who loses."""

import random

import pytest

from noughts.compute.solver import solve
from noughts.errors import InvalidNotation
from noughts.games import game
from noughts.hooks import Region

ONE, TWO = game("notakto"), game("notakto,boards=2")


def test_whoever_completes_the_last_row_loses():
    end = ONE.start().play("b2").play("a1").play("c3")
    assert (end.outcome.winner, end.outcome.reason, end.outcome.cells) == ("O", "line", (0, 4, 8))
    assert (set(end.cells.values()), end.turn) == ({"X"}, "X")


def test_everybody_writes_the_mark_of_the_layout():
    for kind in (ONE, TWO):
        assert set(kind.start().play("b2").play("a1").cells.values()) == {kind.layout_facts["mark"]}


def test_a_row_kills_its_board_and_the_game_goes_on():
    position = TWO.start().play("a1").play("b2").play("c3")
    assert (position.outcome, position.turn) == (None, "O")
    assert position.regions() == (Region(TWO.board_cells[0], None),)
    assert [TWO.move_name(move) for move in position.legal_moves] == "d1 e1 f1 d2 e2 f2 d3 e3 f3".split()
    assert str(position.why_not("c1")) == "c1 is on a board that has a row already"
    end = position.play("d1").play("d2").play("d3")
    assert end.outcome.winner == "X"
    # No row goes from one board to the next.
    assert TWO.start().play("b1").play("c1").play("d1").dead == frozenset()


def test_only_the_middle_wins_and_then_a_knights_move_does():
    verdict = solve(ONE.start(), map=True)
    assert (verdict.value, [ONE.move_name(move) for move in verdict.best]) == ("win", ["b2"])
    rng, position = random.Random(1), ONE.start()
    while position.outcome is None:
        advice = position.advise(rng)
        if position.turn == "X":
            assert solve(position).value == "win"
            position = position.play(advice.move)
        else:
            position = position.play(position.legal_moves.pick(rng))
    assert position.outcome.winner == "X"


def test_text_with_two_marks_is_refused():
    with pytest.raises(InvalidNotation, match="both players write X"):
        ONE.position("XO1/3/3 X")
