import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.core import PASS
from noughts.errors import IllegalMove
from noughts.games import game, position
from noughts.match import MakeMove, StartGame, reduce
from tests.strategies import games_played


def naive_play(board, mark, row, col, capture=True):
    """The rules in short: place, then turn every orthogonal neighbour at once."""
    board = [list(line) for line in board]
    board[row][col] = mark
    turned = 0
    for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        if 0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c] not in (".", mark) and capture:
            board[r][c] = mark
            turned += 1
    return ["".join(line) for line in board], turned


def rows(moment):
    grid = moment.game.grid
    return ["".join(moment.cells.get(r * grid.cols + c, ".") for c in range(grid.cols)) for r in range(grid.rows)]


def can_place(board, mark):
    for r, line in enumerate(board):
        for c, cell in enumerate(line):
            near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            near = [(a, b) for a, b in near if 0 <= a < len(board) and 0 <= b < len(line)]
            if cell == "." and any(board[a][b] == mark for a, b in near):
                yield r * len(line) + c


@pytest.mark.parametrize("spec", ["duel", "duel,size=3", "duel,size=3x4,opening=peaceful", "peaceful"])
@given(st.data())
def test_play_follows_the_plain_rules(spec, data):
    positions = data.draw(games_played(spec, finished=True))
    peaceful = "peaceful" in positions[0].game.spec
    for ply, (before, after) in enumerate(zip(positions, positions[1:], strict=False)):
        board = rows(before)
        legal = (
            sorted(can_place(board, before.turn))
            if ply >= 2
            else [c for c in range(before.game.grid.cells) if c not in before.cells]
        )
        assert list(before.legal_moves) == (legal or [PASS])
        if after.last == PASS:
            assert rows(after) == board
            assert after.captured == 0
            continue
        expected, turned = naive_play(
            board, before.turn, *divmod(after.last, before.game.grid.cols), not (peaceful and ply < 2)
        )
        assert rows(after) == expected
        assert after.captured == turned
    end = positions[-1]
    board = rows(end)
    assert not list(can_place(board, "R"))
    assert not list(can_place(board, "G"))
    tiles = {mark: "".join(board).count(mark) for mark in "RG"}
    assert dict(end.outcome.tiles) == tiles
    assert end.outcome.winner == ("R" if tiles["R"] > tiles["G"] else "G" if tiles["G"] > tiles["R"] else None)
    assert end.outcome.margin("R") == tiles["R"] - tiles["G"] == -end.outcome.margin("G")


def test_a_placement_turns_all_its_neighbours_at_once():
    before = position("duel,size=3", "1G1/G1G/1R1 R")
    after = before.play("b2")
    assert rows(after) == [".R.", "RRR", ".R."]
    assert after.captured == 3


def test_diagonals_do_not_touch():
    before = position("duel,size=3", "R2/3/2G R")
    with pytest.raises(IllegalMove, match="b2 does not touch a tile of R") as caught:
        before.play("b2")
    assert caught.value.code == "not_adjacent"


def test_a_wiped_out_player_passes_to_the_end():
    moment = game("duel,size=2").start().play("a1").play("b1")
    assert rows(moment) == ["GG", ".."]
    assert list(moment.legal_moves) == [PASS]
    moment = moment.play("pass").play("a2").play(PASS).play("b2")
    assert moment.outcome.winner == "G"
    assert dict(moment.outcome.tiles) == {"R": 0, "G": 4}


def test_passing_is_only_for_who_cannot_place():
    with pytest.raises(IllegalMove, match="R can place a tile") as caught:
        game("duel").start().play("pass")
    assert caught.value.code == "pass_not_allowed"


def test_the_peaceful_opening_captures_nothing():
    moment = game("peaceful").start().play("c3").play("c4")
    assert sorted(moment.cells.values()) == ["G", "R"]
    assert moment.play("d3").captured == 0
    assert moment.play("d3").play("d4").captured == 1


def test_the_match_records_captures():
    state = reduce(None, StartGame(game="duel"))
    state = reduce(state, MakeMove(player="R", move="a1"))
    state = reduce(state, MakeMove(player="G", move="a2"))
    assert [ply.captured_count for ply in state.history] == [0, 1]


def test_green_may_begin():
    assert game("duel").start("G").play("a1").turn == "R"


@pytest.mark.parametrize("opening", ["capture", "peaceful"])
def test_the_opening_says_what_it_does(opening):
    here = game(f"duel,opening={opening}").start()
    for expected in ("first", "second"):
        notice = here.notice()
        assert (notice.code, notice.facts["player"], notice.facts["case"]) == (expected, here.turn, opening)
        said = here.game.say("notice", notice)
        assert ("capture nothing" in said) == (opening == "peaceful")
        here = here.play(here.legal_moves[-1])
    assert here.notice() is None
