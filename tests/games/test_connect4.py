"""Connect Four: pieces fall, columns are moves."""

import random

import pytest

from noughts.compute.solver import solve
from noughts.errors import InvalidGame, InvalidNotation
from noughts.games import game
from noughts.match import MakeMove, StartGame, Store
from noughts.players import player
from noughts.players.levels import level_spec


def dropped(columns, spec="connect4"):
    """The position after a piece in each of these columns."""
    position = game(spec).start()
    for column in columns:
        position = position.play(column)
    return position


def test_the_board_is_six_rows_of_seven():
    made = game("connect4")
    assert (made.grid.rows, made.grid.cols, made.k) == (6, 7, 4)
    assert made.spec == "connect4"
    assert game("connect4,size=6x7,k=4") == made
    assert game("connect4,size=4x5").spec == "connect4,size=4x5"
    assert game("connect4,size=3").k == 3
    assert len(set(made.winning_sets())) == 69
    assert made.layout_facts["gravity"] is True
    with pytest.raises(InvalidGame, match="a row on 4x5 has from 2 to 5 cells"):
        game("connect4,size=4x5,k=6")


def test_pieces_fall():
    position = dropped("ddd")
    assert position.text == "7/7/7/3X3/3O3/3X3 O"
    assert " ".join(map(position.game.move_name, position.legal_moves)) == "d3 a6 b6 c6 e6 f6 g6"
    assert dropped(["d6", "d5", "d4"]) == position
    assert dropped(["D", " d ", "d"]) == position


def test_refusals_say_where_a_piece_would_go():
    position = dropped("dddddd")
    full = position.why_not("d")
    assert (full.code, str(full)) == ("column_full", "column d is full")
    floating = position.why_not("a1")
    assert (floating.code, str(floating)) == ("not_open", "a1 is not open yet; a piece in that column falls to a6")
    assert position.why_not("d1").code == "occupied"
    assert position.why_not("h").code == "invalid_notation"
    assert position.why_not("h6").code == "out_of_bounds"
    assert position.why_not("pass").code == "pass_not_allowed"
    assert "d" not in position.legal_moves
    assert "c" in position.legal_moves


def test_a_piece_in_the_air_is_refused():
    with pytest.raises(InvalidNotation, match="d5 is taken, but d6 below it is empty"):
        game("connect4").position("7/7/7/7/3X3/7 O")
    with pytest.raises(InvalidNotation, match="both O and X have completed a row"):
        game("connect4").position("7/7/7/7/OOOO3/XXXX3 X")


def test_a_match_records_the_cell():
    store = Store()
    store.dispatch(StartGame(game="connect4", id="fall", at=1.0))
    store.dispatch(MakeMove(player="X", move="d", at=2.0))
    assert store.state.position.text == "7/7/7/7/7/3X3 O"
    assert store.state.game.move_name(store.state.position.last) == "d6"


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        ("abababa", ("a3", "a4", "a5", "a6")),
        ("aabbccd", ("a6", "b6", "c6", "d6")),
        ("abbccdcddgd", ("d3", "c4", "b5", "a6")),
        ("gffeedeeddbd", None),
    ],
)
def test_four_in_a_row_in_every_direction(columns, cells):
    outcome = dropped(columns).outcome
    if cells is None:
        assert outcome is None
    else:
        assert outcome.winner == "X"
        assert tuple(map(game("connect4").move_name, outcome.cells)) == cells


def test_only_left_and_right_are_alike():
    start = game("connect4").start()
    assert len(start.game.symmetries) == 2
    assert start.play("a").canonical_key() == start.play("g").canonical_key()
    assert start.play("a").canonical_key() != start.play("b").canonical_key()


@pytest.mark.parametrize(
    ("columns", "value", "distance"),
    [
        # Test sets of Pons, "Solving Connect 4", columns as letters.
        ("bbebegfbecdfbbddaaaefccfecdcfgaceadda", "loss", 4),
        ("cbaacgceaadebceabbgbgggaecfebfgc", "win", 5),
        ("bcafcdafabdgfgbbcaeddfgdgabgbdafgeefcc", "draw", None),
        ("dcgdedafdgbgce", "loss", 4),
        ("dbgfcabfdgba", "win", 11),
    ],
)
def test_positions_with_published_scores(columns, value, distance):
    verdict = solve(dropped(columns))
    assert (verdict.value, verdict.distance) == (value, distance)


def test_threats_wait_for_their_cell():
    assert dropped("ab").threats() == ()
    # X has a row of three two cells above the open one.
    waiting = game("connect4").position("7/7/7/XXX4/OOX4/OXO4 O").seen_by("X")
    kinds = {threat.kind: [waiting.game.move_name(cell) for cell in threat.cells] for threat in waiting.threats()}
    assert kinds["waiting"] == ["d4"]
    assert waiting.game.say("threat", waiting.threats()[0].note(waiting)) == "X wins at d4 as soon as it opens"


def test_a_fork_is_seen():
    position = dropped("dgeg")
    kinds = {threat.kind: [position.game.move_name(cell) for cell in threat.cells] for threat in position.threats()}
    assert kinds == {"fork": ["c6"]}


@pytest.mark.parametrize(
    ("columns", "move", "code"),
    [("agagag", "a3", "completes"), ("gagag", "g3", "blocks"), ("agagb", "g4", "safe")],
)
def test_rules_of_thumb(columns, move, code):
    position = dropped(columns)
    advice = position.advise(random.Random(1))
    assert advice.note.code == code
    assert code == "safe" or position.game.move_name(advice.move) == move


def test_rules_of_thumb_open_nothing():
    start = game("connect4").start()
    assert start.game.move_name(start.advise(random.Random(1)).move) == "d6"
    # O would win at d4; X keeps away from d5, though it is in the middle.
    position = game("connect4").position("7/7/7/OOO4/XXO4/XOXX3 X")
    advice = position.advise(random.Random(1))
    assert position.game.move_name(advice.move) != "d5"
    assert position.game.say("note", advice.note) == "close to the middle, and opens nothing for O"


def test_levels_are_players():
    for name in ("easy", "medium", "hard", "perfect"):
        spec = level_spec(name, game("connect4"))
        assert player(spec).spec
