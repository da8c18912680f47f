"""Winning sets: what completes them, what lacks little, and which are still open."""

import random

from immutables import Map

from noughts.board.detector import CounterDetector
from noughts.board.grid import Grid
from noughts.board.rows import Rows


def boards(grid, count):
    """Random stones of two players on a grid."""
    rng = random.Random(count)
    for _ in range(count):
        stones = rng.sample(range(grid.cells), rng.randrange(grid.cells))
        yield Map((cell, rng.choice("XO")) for cell in stones)


def test_sets_are_the_lines_and_the_extra_ones():
    assert len(list(Rows(Grid(3, 3), 3))) == 8
    rows = Rows(Grid(4, 4), 4, extra=((0, 3, 12),))
    assert len(list(rows)) == 11
    assert rows.shortest == 3
    assert (0, 3, 12) in list(rows.through(12))
    assert all(12 in line for line in rows.through(12))


def test_what_a_stone_completes_is_what_the_counters_see():
    grid = Grid(5, 5)
    for rows in (Rows(grid, 3), Rows(grid, 3, exact=True), Rows(grid, 4, extra=((0, 4, 20),))):
        for cells in boards(grid, 30):
            counters, tally = CounterDetector(grid, rows.k, exact=rows.exact, extra=rows.extra), Map()
            for number, cell in enumerate(cells):
                tally, _ = counters.place(tally, Map(list(cells.items())[: number + 1]), cell)
            for cell in (cell for cell in range(grid.cells) if cell not in cells):
                seen = counters.place(tally, cells.set(cell, "X"), cell)[1]
                assert rows.completed(cells, cell, "X") == seen


def test_gaps_are_the_empty_cells_of_sets_that_lack_so_many():
    grid = Grid(5, 5)
    rows = Rows(grid, 4, extra=((0, 4, 20),))
    for cells in boards(grid, 30):
        for lacking in (1, 2):
            wanted = {
                cell
                for line in rows
                if [cells.get(at) for at in line].count("X") == len(line) - lacking
                for cell in line
                if cell not in cells and all(cells.get(at) != "O" for at in line)
            }
            assert rows.gaps(cells, "X", lacking) == sorted(wanted)


def test_forks_leave_two_ways_to_win():
    grid = Grid(5, 5)
    rows = Rows(grid, 3)
    for cells in boards(grid, 40):
        empty = [cell for cell in range(grid.cells) if cell not in cells]
        opened, joined = rows.forks(cells, "X", empty)
        found = {*joined, *(move for moves in opened.values() for move in moves)}
        for move in empty:
            after = cells.set(move, "X")
            ways = [cell for cell in empty if cell != move and move in rows.completed(after, cell, "X")]
            assert (move in found) == (len(ways) > 1 and not rows.completed(cells, move, "X"))


def test_a_set_stays_open_until_both_players_are_in_it():
    rows = Rows(Grid(3, 3), 3)
    assert rows.first_open(Map(), ("X", "O")) < rows.numbers
    dead = Map(enumerate("XOXXOOOXX"))
    assert rows.first_open(dead, ("X", "O")) == rows.numbers
    for cells in boards(Grid(3, 3), 60):
        is_open = any(len({cells[cell] for cell in line if cell in cells}) < 2 for line in rows)
        assert (rows.first_open(cells, ("X", "O")) < rows.numbers) == is_open
