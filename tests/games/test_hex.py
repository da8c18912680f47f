import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.board.grid import HEXAGONAL
from noughts.core import SWAP
from noughts.errors import IllegalMove, InvalidNotation
from noughts.games import game, position
from tests.strategies import games_played


def connected(moment, mark):
    """Flood fill from one side of a player."""
    n = moment.game.size
    first = mark == moment.game.marks[0]
    near = {c for c in range(n * n) if (c // n if first else c % n) == 0}
    reached, queue = set(), [c for c in near if moment.cells.get(c) == mark]
    while queue:
        cell = queue.pop()
        if cell not in reached:
            reached.add(cell)
            queue += [c for c in moment.game.grid.neighbours(cell, HEXAGONAL) if moment.cells.get(c) == mark]
    return any((c // n if first else c % n) == n - 1 for c in reached)


@pytest.mark.parametrize("spec", ["hex,size=2", "hex,size=3,swap", "hex,size=5", "hex,size=7,swap"])
@given(st.data())
def test_the_game_ends_with_the_first_chain(spec, data):
    *before, end = data.draw(games_played(spec, finished=True))
    for moment in before:
        assert not connected(moment, "X")
        assert not connected(moment, "O")
    winner = end.outcome.winner
    assert connected(end, winner)
    assert winner == end.turn
    chain = end.outcome.cells
    assert all(end.cells[cell] == winner for cell in chain)
    for cell in chain:
        thinner = end.game.at(end.cells.delete(cell), end.turn)
        inner = set(chain) - {cell}
        assert thinner.outcome is None or not set(thinner.outcome.cells) <= inner


@given(st.lists(st.booleans(), min_size=25, max_size=25))
def test_a_full_board_has_exactly_one_winner(stones):
    text = "/".join("".join("X" if stones[r * 5 + c] else "O" for c in range(5)) for r in range(5))
    full = position("hex,size=5", f"{text} X")
    assert connected(full, "X") != connected(full, "O")
    assert full.outcome.winner == ("X" if connected(full, "X") else "O")


def test_swapping_takes_the_mirrored_stone():
    start = game("hex,size=5,swap").start()
    assert SWAP not in start.legal_moves
    one = start.play("b4")
    assert list(one.legal_moves)[-1] == SWAP
    assert one.text.endswith("O swap")
    assert one.game.position(one.text) == one
    swapped = one.play("swap")
    assert dict(swapped.cells) == {start.game.parse_move("d2"): "O"}
    assert swapped.turn == "X"
    for refused in (swapped, swapped.play("a1"), one.play("a1"), start):
        with pytest.raises(IllegalMove, match="right after the first stone") as caught:
            refused.play(SWAP)
        assert caught.value.code == "swap_not_allowed"
    assert one.game.after(one.turn) == "X"


def test_a_stone_on_the_long_diagonal_stays_in_place():
    swapped = game("hex,size=3,swap").start().play("b2").play("swap")
    assert dict(swapped.cells) == {4: "O"}
    assert swapped.changed == (4,)


def test_without_the_option_there_is_no_swap():
    with pytest.raises(IllegalMove, match="there is no swap in hex,size=3; the option swap"):
        game("hex,size=3").start().play("a1").play("swap")
    with pytest.raises(InvalidNotation, match="only 'swap' can follow"):
        position("hex,size=3", "X2/3/3 O swap")
    with pytest.raises(InvalidNotation, match="only 'swap' can follow"):
        position("hex,size=3,swap", "X2/3/3 X swap")


def test_the_estimate_counts_missing_stones():
    level = game("hex,size=5").start()
    assert level.estimate("X") == 0
    assert level.play("c3").estimate("X") == 10 == -level.play("c3").estimate("O")
