"""Boards as text."""

from noughts.board.drawing import draw
from noughts.board.grid import Grid


def drawn(rows, cols, **more):
    return draw(Grid(rows, cols), "square", lambda cell: "·XO"[cell % 3], **more).splitlines()


def test_nested_boards_have_lines_between_them():
    lines = drawn(9, 9, blocks=(3, 3))
    assert lines[0] == "   a b c   d e f   g h i"
    assert lines[1] == "1  · X O │ · X O │ · X O"
    assert lines[4] == "  ───────┼───────┼──────"
    assert len(lines) == 12


def test_small_nested_boards_have_heavy_lines_in_their_box():
    assert drawn(4, 4, blocks=(2, 2)) == [
        "   a   b   c   d",
        "1  · │ X ┃ O │ ·",
        "  ───┼───╂───┼───",
        "2  X │ O ┃ · │ X",
        "  ━━━┿━━━╋━━━┿━━━",
        "3  O │ · ┃ X │ O",
        "  ───┼───╂───┼───",
        "4  · │ X ┃ O │ ·",
    ]


def test_other_boards_have_the_same_lines_everywhere():
    assert drawn(3, 3)[2] == "  ───┼───┼───"
    assert "│" not in "".join(drawn(9, 9))
    assert len(drawn(9, 9)) == 10
