"""Move validation: which moves are refused, with which code, in which order, and that nothing changes then."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.board.grid import Grid
from noughts.core import PASS, SWAP
from noughts.errors import IllegalMove, InvalidNotation, MatchError
from noughts.games import game, position
from noughts.match import MakeMove, Resign, StartGame, reduce
from tests.strategies import all_specs

FINISHED = position("4x4", "XXXX/OOO1/4/4 X")
PLAYING = position("4x4", "XXX1/OOO1/4/4 X")
DUEL = position("duel,size=3x4,opening=peaceful", "R3/4/3G R")
CAPTURED = position("duel,size=3").play("a1").play("a2")
"""Green's first tile has turned Red's only one, so Red can place nowhere."""
SWAPPABLE = position("hex,size=4,swap").play("b1")


def code(position, move, *, by=None):
    """The code ``why_not`` gives; ``play`` and ``in legal_moves`` must agree with it."""
    before = (position.text, dict(position.cells), position.turn, position.outcome, position.last)
    refused = position.why_not(move, by=by)
    if refused is None:
        assert position.play(move, by=by).last == (position.game.parse_move(move) if isinstance(move, str) else move)
        assert move in position.legal_moves
    else:
        with pytest.raises(IllegalMove) as raised:
            position.play(move, by=by)
        assert (raised.value.code, str(raised.value)) == (refused.code, str(refused))
        assert refused.position is position
        # The move as it was given, or the number of the cell that was named.
        assert refused.move == move or refused.move == position.game.parse_move(move)
        if by is None:
            assert move not in position.legal_moves
    assert (position.text, dict(position.cells), position.turn, position.outcome, position.last) == before
    return refused and refused.code


ORDER = [
    # whatever else is wrong, a finished game says so first
    (FINISHED, "d2", None, "game_over"),
    (FINISHED, 7, "X", "game_over"),
    (FINISHED, 7, "O", "game_over"),
    (FINISHED, 99, "O", "game_over"),
    (FINISHED, "z99", "Q", "game_over"),
    (FINISHED, "?", "Q", "game_over"),
    (FINISHED, 0, "O", "game_over"),
    (FINISHED, PASS, None, "game_over"),
    (FINISHED, "swap", None, "game_over"),
    # then the turn, whether or not the move could be played
    (PLAYING, 7, "O", "wrong_turn"),
    (PLAYING, "d2", "O", "wrong_turn"),
    (PLAYING, 7, "Q", "wrong_turn"),
    (PLAYING, 7, "x", "wrong_turn"),
    (PLAYING, 7, "", "wrong_turn"),
    (PLAYING, 16, "O", "wrong_turn"),
    (PLAYING, "e1", "O", "wrong_turn"),
    (PLAYING, "?", "O", "wrong_turn"),
    (PLAYING, "a1", "O", "wrong_turn"),
    (PLAYING, PASS, "O", "wrong_turn"),
    (DUEL, "d3", "G", "wrong_turn"),
    (DUEL, "c1", "G", "wrong_turn"),
    (DUEL, "pass", "G", "wrong_turn"),
    # then the board
    (PLAYING, 16, "X", "out_of_bounds"),
    (PLAYING, 10**30, None, "out_of_bounds"),
    (PLAYING, -3, None, "out_of_bounds"),
    (PLAYING, "e1", "X", "out_of_bounds"),
    (PLAYING, "a5", None, "out_of_bounds"),
    (PLAYING, "a0", None, "out_of_bounds"),
    (PLAYING, "zzzzzz999999", None, "out_of_bounds"),
    (PLAYING, "", "X", "invalid_notation"),
    (PLAYING, "1a", None, "invalid_notation"),
    (PLAYING, "a1/1", None, "invalid_notation"),
    (PLAYING, "a1 b2", None, "invalid_notation"),
    (PLAYING, "3", None, "invalid_notation"),
    (DUEL, "a9", "R", "out_of_bounds"),
    (DUEL, -3, "R", "out_of_bounds"),
    # then what stands in the cell, and in the end the game's own rules
    (PLAYING, 0, "X", "occupied"),
    (PLAYING, "a2", None, "occupied"),
    (DUEL, "a1", "R", "occupied"),
    (DUEL, "d3", "R", "occupied"),
    (DUEL, "c2", "R", "not_adjacent"),
    (DUEL, 6, None, "not_adjacent"),
    (DUEL, "pass", "R", "pass_not_allowed"),
    (DUEL, PASS, None, "pass_not_allowed"),
    (DUEL, "swap", "R", "swap_not_allowed"),
    (CAPTURED, "c3", "R", "not_adjacent"),
    (CAPTURED, SWAP, None, "swap_not_allowed"),
    (CAPTURED.play(PASS), "pass", "G", "pass_not_allowed"),
    (PLAYING, PASS, None, "pass_not_allowed"),
    (PLAYING, "PASS", "X", "pass_not_allowed"),
    (PLAYING, SWAP, None, "swap_not_allowed"),
    (PLAYING, " swap ", "X", "swap_not_allowed"),
    (SWAPPABLE, "b1", "O", "occupied"),
    (SWAPPABLE, "pass", "O", "pass_not_allowed"),
    (SWAPPABLE.game.start(), "swap", "X", "swap_not_allowed"),
    (SWAPPABLE.play("b2"), "swap", "X", "swap_not_allowed"),
    (SWAPPABLE.play("swap"), "swap", "X", "swap_not_allowed"),
    (position("hex,size=4").play("b1"), "swap", "O", "swap_not_allowed"),
    # and what is allowed
    (PLAYING, 7, "X", None),
    (PLAYING, " D1 ", "X", None),
    (PLAYING, "d01", None, None),
    (DUEL, "b1", "R", None),
    (DUEL.game.start(), "c2", None, None),
    (CAPTURED, "pass", "R", None),
    (CAPTURED, PASS, None, None),
    (SWAPPABLE, "swap", "O", None),
    (SWAPPABLE, SWAP, None, None),
    (SWAPPABLE, "a1", "O", None),
]


@pytest.mark.parametrize(("position", "move", "by", "expected"), ORDER)
def test_first_reason_that_applies(position, move, by, expected):
    assert code(position, move, by=by) == expected


@pytest.mark.parametrize(("position", "move", "by", "expected"), ORDER)
def test_match_refuses_for_the_same_reason(position, move, by, expected):
    """A match at the same position refuses for the same reason."""
    state = replace(reduce(None, StartGame(game=position.game.spec)), positions=(position,))
    by = position.turn if by is None else by
    name = move if isinstance(move, str) else {PASS: "pass", SWAP: "swap"}.get(move)
    if name is None:
        name = position.game.move_name(move) if move in position.game.grid else "zz99"
    action = MakeMove(player=by, move=name)
    if expected is None:
        after = reduce(state, action)
        assert (after.version, after.history[-1].player) == (state.version + 1, by)
        return
    with pytest.raises(MatchError) as refused:
        reduce(state, action)
    assert refused.value.code == expected
    assert refused.value.state is state
    assert (state.position, state.plies, state.cursor) == (position, (), 0)


def test_match_refuses_before_the_start_and_after_a_resignation():
    move = MakeMove(player="X", move="a1")
    with pytest.raises(MatchError) as refused:
        reduce(None, move)
    assert (refused.value.code, refused.value.state) == ("not_started", None)
    state = reduce(reduce(None, StartGame(game="4x4")), Resign(player="O"))
    with pytest.raises(MatchError) as refused:
        reduce(state, move)
    assert (refused.value.code, refused.value.state) == ("game_over", state)


def test_messages_show_the_value():
    told = {
        str(position.why_not(move, by=by))
        for position, move, by in [
            (FINISHED, "d2", None),
            (PLAYING, "d2", "O"),
            (PLAYING, 16, None),
            (PLAYING, "e1", None),
            (PLAYING, "hello", None),
            (PLAYING, "a2", None),
            (PLAYING, "pass", None),
            (DUEL, "c2", None),
            (DUEL, "pass", None),
            (SWAPPABLE.play("b2"), "swap", None),
            (position("hex,size=4"), "swap", None),
        ]
    }
    assert told == {
        "the game is over: X wins",
        "it is X's turn, not O's",
        "there is no cell 16; cells go from 0 to 15",
        "'e1' is outside the board, which ends at 'd4'",
        "'hello' is not a cell; write one like 'd4'",
        "a2 is already taken by O",
        "there is no pass in 4x4",
        "c2 does not touch a tile of R",
        "R can place a tile, so R may not pass",
        "only the second player may swap, right after the first stone",
        "there is no swap in hex,size=4; the option swap allows it",
    }


def test_things_that_are_no_moves_are_not_legal():
    for nothing in (None, 1.5, (0, 0), b"a1"):
        assert nothing not in PLAYING.legal_moves


@pytest.mark.parametrize("spec", all_specs())
@given(seed=st.integers(0, 2**32), share=st.floats(0, 1))
def test_legal_moves_why_not_and_play_agree(spec, seed, share):
    """In random games the listed moves are those accepted, by number, by name and by player."""
    rng, position = random.Random(seed), game(spec).start()
    cells = position.game.grid.cells
    for _ in range(int(share * cells)):
        after = position.play(position.legal_moves.pick(rng))
        if after.outcome is not None and share < 0.9:
            break
        position = after
        if position.outcome is not None:
            break
    legal = list(position.legal_moves)
    assert len(position.legal_moves) == len(legal) == len(set(legal))
    assert bool(legal) == (position.outcome is None)
    moves = [SWAP - 1, SWAP, PASS, *range(cells + 1)]
    accepted = [move for move in moves if position.why_not(move) is None]
    assert accepted == sorted(legal)
    assert [move for move in moves if move in position.legal_moves] == accepted
    others = [mark for mark in position.game.marks if mark != position.turn]
    for move in rng.sample(moves[1:-1], min(12, cells)):
        name = position.game.move_name(move)
        by_number = code(position, move)
        assert (by_number is None) == (move in legal)
        assert by_number == code(position, name) == code(position, name, by=position.turn)
        assert {code(position, move, by=mark) for mark in others} == {"game_over" if position.outcome else "wrong_turn"}


# The names of cells.


@pytest.mark.parametrize("grid", [Grid(4, 4), Grid(2, 30), Grid(30, 2), Grid(3, 4, 2), Grid(1000, 1000)])
@given(data=st.data())
def test_cell_names_are_read_back(grid, data):
    cell = data.draw(st.integers(0, grid.cells - 1))
    name = grid.name(cell)
    assert grid.parse(name) == grid.parse(f" {name.upper()} ") == cell
    layer, row, col = grid.coordinates(cell)
    assert grid.cell(row, col, layer) == cell
    zeros = f"{name.rstrip('0123456789/')}00{row + 1}" + (f"/00{layer + 1}" if grid.layers > 1 else "")
    assert grid.parse(zeros) == cell


@pytest.mark.parametrize(
    ("grid", "name", "expected"),
    [
        (Grid(4, 4), "e1", "out_of_bounds"),
        (Grid(4, 4), "d5", "out_of_bounds"),
        (Grid(4, 4), "a0", "out_of_bounds"),
        (Grid(4, 4), "a00", "out_of_bounds"),
        (Grid(4, 4), "aa1", "out_of_bounds"),
        (Grid(4, 4), "a1/1", "invalid_notation"),
        (Grid(4, 4), "a", "invalid_notation"),
        (Grid(4, 4), "1", "invalid_notation"),
        (Grid(4, 4), "1a", "invalid_notation"),
        (Grid(4, 4), "a-1", "invalid_notation"),
        (Grid(4, 4), "a1b", "invalid_notation"),
        (Grid(4, 4), "ä1", "invalid_notation"),
        (Grid(4, 4), "a١", "invalid_notation"),
        (Grid(4, 4), "a1000001", "invalid_notation"),
        (Grid(4, 4), "", "invalid_notation"),
        (Grid(3, 3, 3), "a1", "invalid_notation"),
        (Grid(3, 3, 3), "a1/", "invalid_notation"),
        (Grid(3, 3, 3), "a1/4", "out_of_bounds"),
        (Grid(3, 3, 3), "a1/0", "out_of_bounds"),
        (Grid(3, 3, 3), "d1/3", "out_of_bounds"),
    ],
)
def test_names_of_no_cell(grid, name, expected):
    with pytest.raises(InvalidNotation, match=r"is not a cell|is outside the board") as refused:
        grid.parse(name)
    assert refused.value.code == expected
    assert repr(name) in str(refused.value)


@given(st.text(max_size=8) | st.from_regex(r"[a-eA-E]{1,2}[0-9]{1,2}(/[0-9])?", fullmatch=True))
def test_any_text_is_a_cell_or_refused(text):
    """Any text is refused with that error or read as the cell of that name, leading zeros aside."""
    for spec in ("4x4", "3x3x3"):
        start = game(spec).start()
        names = {start.game.move_name(cell): cell for cell in range(start.game.grid.cells)}
        cell = names.get(re.sub(r"(?<![0-9])0+(?=[0-9])", "", text.strip().lower()))
        if cell is None:
            assert code(start, text) in ("invalid_notation", "out_of_bounds", "pass_not_allowed", "swap_not_allowed")
        else:
            assert code(start, text) is None
            assert start.play(text).last == cell
