"""Ultimate tic-tac-toe: where one may play, how boards are decided, and what the rules of thumb see."""

import random

import pytest

from noughts.errors import IllegalMove, InvalidNotation
from noughts.games import game
from noughts.hooks import Region
from noughts.players import player
from noughts.players.levels import LEVELS, level_spec

ULTIMATE = game("ultimate")


def played(*moves):
    position = ULTIMATE.start()
    for move in moves:
        position = position.play(move)
    return position


def test_a_cell_says_in_which_board_the_other_must_play():
    assert len(ULTIMATE.start().legal_moves) == 81
    position = played("e5")
    assert position.extra == "b2"
    assert [ULTIMATE.move_name(move) for move in position.legal_moves] == "d4 e4 f4 d5 f5 d6 e6 f6".split()
    position = position.play("f6")
    assert position.extra == "c3"
    with pytest.raises(IllegalMove, match="a1 is not in board c3, where X must play") as caught:
        position.play("a1")
    assert caught.value.code == "other_board"


def test_a_decided_board_frees_the_choice_and_nobody_plays_there():
    # X takes the left column of board a1, then O is sent there.
    position = ULTIMATE.position("X8/X8/9/9/9/9/9/9/9 X a1").play("a3")
    assert position.regions() == (Region(ULTIMATE.boards[0], "X"),)
    assert position.extra == "a3"
    free = position.play("a7")
    assert free.extra == ""
    assert (len(free.legal_moves), str(free.why_not("b2"))) == (81 - 9 - 1, "b2 is in a board that is decided")


def test_three_boards_in_a_row_win():
    position = ULTIMATE.position("XXXXXXXX1/9/9/9/OO7/9/9/9/9 X")
    end = position.play("i1")
    assert (end.outcome.winner, end.outcome.reason) == ("X", "boards")
    assert set(end.outcome.cells) == set(range(9))
    assert end.result() == "X wins"


def test_every_board_decided_without_a_row_is_a_draw():
    full = "XOX/XOO/OXX"
    rows = full.split("/")
    board = [row * 3 for row in rows] * 3
    position = ULTIMATE.position("/".join(board) + " X")
    assert (position.outcome.winner, position.outcome.reason) == (None, "full")
    assert all(region.mark is None for region in position.regions())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XXX6/OOO6/9/9/9/9/9/9/9 X", "both O and X|both X and O have a row in board a1"),
        ("XXXXXXXXX/9/9/OOOOOOOOO/9/9/9/9/9 X", "both X and O have a row of boards"),
        ("XXX6/9/9/9/9/9/9/9/9 O a1", "nobody can play in that board"),
        ("9/9/9/9/9/9/9/9/9 O d1", "outside the board"),
    ],
)
def test_positions_that_cannot_be_are_refused(text, message):
    with pytest.raises(InvalidNotation, match=message):
        ULTIMATE.position(text)


def test_the_board_to_play_in_turns_with_the_board():
    position = played("e5", "d4")
    assert {image.extra for image in position.symmetric()} == {"a1", "c1", "a3", "c3"}
    assert len({image.canonical_key() for image in position.symmetric()}) == 1
    assert position.canonical_key() != played("e5", "e4").canonical_key()


def test_rules_of_thumb():
    rng = random.Random(1)
    win = ULTIMATE.position("XXXXXXXX1/9/9/9/OO7/9/9/9/9 X").advise(rng)
    assert (ULTIMATE.move_name(win.move), win.note.code) == ("i1", "wins")
    take = ULTIMATE.position("XX7/9/9/9/9/9/9/9/9 X a1").advise(rng)
    assert (ULTIMATE.move_name(take.move), take.note.code) == ("c1", "takes_board")
    block = ULTIMATE.position("OO7/9/9/9/9/9/9/9/9 X a1").advise(rng)
    assert (ULTIMATE.move_name(block.move), block.note.code) == ("c1", "blocks_board")
    threats = ULTIMATE.position("XX7/9/9/9/9/9/9/9/9 X a1").threats()
    assert [(threat.kind, threat.cells) for threat in threats] == [("board", (2,))]


def test_estimates_are_opposite_and_see_boards():
    position = ULTIMATE.position("XXX6/9/9/OO7/9/9/9/9/9 X")
    assert position.estimate("X") == -position.estimate("O") > 0
    assert ULTIMATE.start().estimate("X") == 0


def test_levels_have_a_limit_in_time():
    for name, most in (("hard", 1.0), ("perfect", 2.0)):
        assert player(level_spec(name, ULTIMATE)).seconds <= most
    assert set(ULTIMATE.levels()) <= set(LEVELS)
