"""Figures that the design for boards of any size gives, checked."""

from noughts import game, position
from noughts.search import alphabeta, board_order, negamax


def rows_through(spec, cell):
    chosen = game(spec)
    return sum(len(list(chosen.grid.lines_through(cell, step, chosen.k))) for step in chosen.grid.directions)


def test_cells_lie_on_two_to_four_lines():
    assert [rows_through("3x3", cell) for cell in range(9)] == [3, 2, 3, 2, 4, 2, 3, 2, 3]
    # Without a middle, no cell lies on both diagonals.
    assert {rows_through("4x4", cell) for cell in range(16)} == {2, 3}


def test_sixteen_rows_meet_in_a_cell_of_ten_by_ten():
    assert max(rows_through("10x10,k=4", cell) for cell in range(100)) == 16


def test_the_work_of_the_searches_on_3x3():
    start = position("3x3")
    assert (alphabeta(start).nodes, negamax(start).nodes) == (8_752, 5_472)
    assert alphabeta(start, order=board_order).nodes == 20_865
