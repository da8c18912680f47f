import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core import Outcome
from noughts.games import game, position
from tests.strategies import games_played


def play(spec, moves):
    position = game(spec).start()
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.mark.parametrize(
    ("spec", "moves", "winner", "cells"),
    [
        ("3x3", "a1 a2 b1 b2 c1", "X", "a1 b1 c1"),
        ("3x3", "a1 b1 a2 b2 c3 b3", "O", "b1 b2 b3"),
        ("3x3,misere", "a1 a2 b1 b2 c1", "O", "a1 b1 c1"),
        ("4x4", "a1 a2 b2 b1 c3 c1 d4", "X", "a1 b2 c3 d4"),
        ("4x4", "d1 a2 c2 b1 b3 c1 a4", "X", "d1 c2 b3 a4"),
        ("4x4,corners", "a1 b2 d1 b3 a4", "X", "a1 d1 a4"),
        ("5x5,k=4", "b1 a1 c1 a2 d1 a3 e1", "X", "b1 c1 d1 e1"),
        ("7x7,k=4", "a1 a2 b1 b2 c1 c2 e1 e2 d1", "X", "a1 b1 c1 d1 e1"),
        ("3x3x3", "a1/1 a1/2 b2/2 a2/1 c3/3", "X", "a1/1 b2/2 c3/3"),
        ("3x3x3", "b2/1 a1/1 b2/2 a1/2 b2/3", "X", "b2/1 b2/2 b2/3"),
        ("4x4x4", "a1/1 a2/1 b2/2 a3/1 c3/3 a4/3 d4/4", "X", "a1/1 b2/2 c3/3 d4/4"),
        ("4x4,players=3,k=3", "a1 b1 c1 a2 b2 d1 a3", "X", "a1 a2 a3"),
    ],
)
def test_wins(spec, moves, winner, cells):
    end = play(spec, moves)
    order = sorted(end.game.parse_move(name) for name in cells.split())
    assert end.outcome == Outcome(winner, "line", tuple(order))


def test_a_win_on_the_last_cell_is_a_win():
    end = play("3x3", "a1 b1 c1 a2 b2 c2 b3 a3 c3")
    assert end.outcome is not None
    assert end.outcome.winner == "X"
    assert len(end.cells) == 9


def test_two_lines_at_once_are_both_shown():
    end = play("3x3", "a1 b2 c1 b3 a2 c2 c3 a3 b1")
    assert end.outcome.winner == "X"
    assert end.game.position("XXX/X2/X2 X").outcome.cells == (0, 1, 2, 3, 6)


def test_exact_does_not_count_a_longer_row():
    six, exact = "a1 a9 b1 b9 c1 d9 e1 e9 f1 f9 d1", "9x9,k=5,exact"
    assert play("9x9,k=5", six).outcome.cells == (0, 1, 2, 3, 4, 5)
    assert play(exact, six).outcome is None
    assert play(exact, "a1 a9 b1 b9 c1 c9 d1 e9 e1").outcome.winner == "X"
    assert game(exact).position("XXXXXX3/9/9/9/9/9/9/9/9 X").outcome is None


def test_setup_decides_who_is_next():
    assert game("5x5,k=4,setup=X:b2+O:c3").start().turn == "X"
    assert game("5x5,k=4,setup=X:b2").start().turn == "O"
    start = game("3x3,setup=X:a1+X:b1+O:c3+O:a3").start()
    assert start.play("c1").outcome.winner == "X"


def naive_is_dead(position):
    """Every winning set holds two different marks; with exact, sets without free ends do not count either."""
    made, cells = position.game, position.cells
    for line in made.winning_sets():
        owners = {cells[cell] for cell in line if cell in cells}
        if len(owners) > 1:
            continue
        ends = [cells.get(end) for end in made.grid.ends(range(line[0], line[-1] + 1, line[1] - line[0]))]
        if not made.exact or any(owner not in ends for owner in owners or made.marks):
            return False
    return True


@pytest.mark.parametrize("spec", ["3x3", "4x4", "4x4,corners", "5x5,k=4", "6x6,k=5,exact", "4x4,players=3", "3x3x3"])
@given(st.data())
def test_dead_means_that_no_line_can_be_won(spec, data):
    for moment in data.draw(games_played(spec)):
        if moment.outcome is None:
            assert moment.is_dead == naive_is_dead(moment)


@pytest.mark.parametrize("spec", ["3x3", "4x4", "5x5,k=5", "4x4,misere", "6x6,k=5,exact"])
@given(st.data())
def test_early_draw_ends_where_the_game_is_dead(spec, data):
    late = data.draw(games_played(spec, finished=True))
    early = game(f"{spec},early_draw").start()
    for before, after in zip(late, late[1:], strict=False):
        if before.is_dead:
            assert early.outcome == Outcome(None, "dead")
            assert late[-1].outcome.winner is None
            return
        early = early.play(after.last)
    assert early.outcome == late[-1].outcome or (early.outcome.winner is late[-1].outcome.winner is None)


def test_the_default_draw_is_the_full_board():
    dead = position("3x3", "XOX/XOO/OX1 X")
    assert dead.is_dead
    assert dead.outcome is None
    assert dead.play("c3").outcome == Outcome(None, "full")


def test_the_estimate_likes_longer_lines():
    assert position("5x5,k=4", "XX3/5/5/5/O4 X").estimate("X") > 0
    assert position("5x5,k=4", "XX3/5/5/5/OOO2 X").estimate("X") < 0
    assert position("3x3,misere", "XX1/3/3 O").estimate("X") < 0


def test_a_thousand_by_a_thousand():
    start = game("1000x1000,k=5").start()
    assert len(start.legal_moves) == 1_000_000
    for x, o in zip("sn500 so500 sp500 sq500".split(), "a1 b2 all1000 c7".split(), strict=True):
        start = start.play(x).play(o)
    end = start.play("sr500")
    assert end.outcome.winner == "X"
    assert len(end.outcome.cells) == 5
    assert end.game.position(end.text) == end
    assert "of 1000x1000)" in str(end)
    assert game("1000x1000").start().play("a1").outcome is None
