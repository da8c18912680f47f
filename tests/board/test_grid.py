import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.board.grid import HEXAGONAL, Grid, column_name
from noughts.errors import InvalidNotation

grids = st.builds(Grid, st.integers(2, 30), st.integers(2, 30), st.integers(1, 4))
small = st.builds(Grid, st.integers(2, 7), st.integers(2, 7), st.integers(1, 3))


@given(grids, st.data())
def test_a_name_reads_back_as_its_cell(grid, data):
    cell = data.draw(st.integers(0, grid.cells - 1))
    assert grid.parse(grid.name(cell)) == cell
    layer, row, col = grid.coordinates(cell)
    assert grid.cell(row, col, layer) == cell


def test_names_run_from_the_top_left():
    grid = Grid(1000, 1000)
    assert [grid.name(cell) for cell in (0, 1, 25, 26, 999, 1000, 999_999)] == [
        "a1",
        "b1",
        "z1",
        "aa1",
        "all1",
        "a2",
        "all1000",
    ]
    assert Grid(4, 4, 4).name(5 + 2 * 16) == "b2/3"


@given(st.integers(0, 20_000))
def test_column_names_are_distinct_and_ordered_by_length(col):
    here, after = column_name(col), column_name(col + 1)
    assert (len(here), here) < (len(after), after)


@pytest.mark.parametrize("name", ["", "1a", "a", "1", "a1/1", "a-1", "a1b", "é1", "a١", "a1 b2"])
def test_what_is_not_a_cell_is_said_to_be_none(name):
    with pytest.raises(InvalidNotation, match="is not a cell") as caught:
        Grid(3, 3).parse(name)
    assert caught.value.code == "invalid_notation"


@pytest.mark.parametrize("name", ["d1", "a4", "a0", "zz99", "a999999"])
def test_a_cell_outside_the_board_is_out_of_bounds(name):
    with pytest.raises(InvalidNotation, match="outside the board, which ends at 'c3'") as caught:
        Grid(3, 3).parse(name)
    assert caught.value.code == "out_of_bounds"


def test_a_cube_wants_the_layer():
    with pytest.raises(InvalidNotation, match="is not a cell; write one like 'c3/3'"):
        Grid(3, 3, 3).parse("b2")
    with pytest.raises(InvalidNotation, match="outside"):
        Grid(3, 3, 3).parse("b2/4")


@pytest.mark.parametrize("n", range(2, 9))
def test_an_n_cube_has_3n2_6n_4_lines(n):
    lines = {frozenset(line) for line in Grid(n, n, n).lines(n)}
    assert len(lines) == 3 * n * n + 6 * n + 4
    assert all(len(line) == n for line in lines)


@given(st.integers(2, 12), st.integers(2, 12), st.data())
def test_lines_through_a_cell_are_the_lines_that_hold_it(rows, cols, data):
    grid = Grid(rows, cols)
    k = data.draw(st.integers(2, max(rows, cols)))
    cell = data.draw(st.integers(0, grid.cells - 1))
    through = [tuple(line) for step in grid.directions for line in grid.lines_through(cell, step, k)]
    assert sorted(through) == sorted(tuple(line) for line in grid.lines(k) if cell in line)


def test_the_ends_of_a_line_are_the_cells_beyond_it():
    grid = Grid(5, 5)
    assert grid.ends(range(1, 4)) == (0, 4)
    assert grid.ends(range(3)) == (3,)
    assert grid.ends(range(2, 23, 5)) == ()
    assert grid.ends(range(6, 19, 6)) == (0, 24)
    assert grid.ends(range(8, 17, 4)) == (4, 20)


@given(small)
def test_symmetries_form_a_group_of_permutations(grid):
    tables = [symmetry.table for symmetry in grid.symmetries]
    assert (
        len(tables)
        == {(True, True): 48, (True, False): 8, (False, True): 8, (False, False): 4}[
            grid.rows == grid.cols, grid.layers == grid.rows
        ]
        or grid.layers > 1
    )
    assert tables[0] == tuple(range(grid.cells))
    assert len(set(tables)) == len(tables)
    assert all(sorted(table) == list(range(grid.cells)) for table in tables)
    products = {tuple(one[other[cell]] for cell in range(grid.cells)) for one in tables[:8] for other in tables[:8]}
    assert products <= set(tables)


@pytest.mark.parametrize(
    ("sides", "count"), [((3, 3), 8), ((3, 4), 4), ((3, 3, 3), 48), ((3, 3, 2), 16), ((2, 3, 4), 8)]
)
def test_boxes_have_their_number_of_symmetries(sides, count):
    assert len(Grid(*sides).symmetries) == count


@given(small)
def test_symmetries_map_lines_onto_lines(grid):
    k = min(grid.rows, grid.cols, 3)
    lines = {frozenset(line) for line in grid.lines(k)}
    for symmetry in grid.symmetries[:8]:
        assert {frozenset(map(symmetry, line)) for line in lines} == lines


@given(grids, st.sampled_from([(), (HEXAGONAL,)]), st.data())
def test_neighbours_are_mutual(grid, steps, data):
    cell = data.draw(st.integers(0, grid.cells - 1))
    for near in grid.neighbours(cell, *steps):
        assert near != cell
        assert cell in grid.neighbours(near, *steps)


def test_a_hex_cell_touches_six_others():
    assert Grid(3, 3).neighbours(4, HEXAGONAL) == (1, 2, 3, 5, 6, 7)
    assert Grid(3, 3).neighbours(0, HEXAGONAL) == (1, 3)
