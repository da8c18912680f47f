"""Properties of every registered game."""

import pickle
import random
from copy import deepcopy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from immutables import Map

import noughts
from noughts.compute.batch import Batch
from noughts.core import PASS, SWAP, Game
from noughts.errors import IllegalMove, InvalidGame, InvalidNotation
from noughts.games import all_games, all_presets, game, position
from tests.strategies import all_specs, games_played, random_game

specs = pytest.mark.parametrize("spec", all_specs())
few = settings(max_examples=25)


def test_games_are_found_by_themselves():
    assert list(all_games())[0] == "lines"
    assert set(all_games()) >= {"lines", "hex", "duel"}
    assert {"tictactoe", "4x4", "gomoku", "qubic"} <= set(all_presets())


@pytest.mark.parametrize("name", all_presets())
def test_presets_make_games(name):
    assert game(name).spec == game(all_presets()[name].spec).spec


@pytest.mark.parametrize("kind", all_games().values())
def test_games_describe_themselves(kind):
    assert kind.title
    assert kind.summary.endswith(".")
    assert kind.facts
    assert kind.presets
    for option in kind.option_fields().values():
        assert option.metadata["help"]
    for fact in kind.facts:
        assert game(fact.spec).name == kind.name
        assert fact.source


@specs
@few
@given(st.data())
def test_play_goes_on_until_there_is_an_outcome(spec, data):
    positions = data.draw(games_played(spec, finished=True))
    for before in positions[:-1]:
        assert before.outcome is None
        assert len(before.legal_moves) == len(list(before.legal_moves)) > 0
    end = positions[-1]
    assert end.outcome is not None
    assert not end.legal_moves
    assert len(end.legal_moves) == 0
    assert list(end.legal_moves) == []
    assert sum(end.outcome.score(mark) for mark in end.game.marks[:2]) == 0 or len(end.game.marks) > 2


@specs
def test_special_moves_are_announced(spec):
    found = set()
    for seed in range(20):
        position = game(spec).start()
        for move in random_game(game(spec), seed):
            found |= {legal for legal in (PASS, SWAP) if legal in position.legal_moves}
            position = position.play(move)
    assert found == set(position.game.specials)
    batch = Batch(position.game.start(), 1)
    assert position.game.specials == tuple(map(batch.move, range(position.game.grid.cells, batch.actions)))


def mirrored(position):
    """The position as the game's mirror shows it, with the two players exchanged."""
    rules, mirror = position.game, position.game.mirror
    # A mark that every player writes says nothing about whose it is.
    shared = rules.layout_facts.get("mark")
    cells = {mirror(cell): shared or rules.after(mark) for cell, mark in position.cells.items()}
    return rules.at(Map(cells), rules.after(position.turn), position.image_extra(mirror))


@pytest.mark.parametrize("spec", [spec for spec in all_specs() if len(game(spec).marks) == 2])
@few
@given(st.data())
def test_in_the_mirror_the_players_are_exchanged(spec, data):
    """What the second player does is what the first would do in the mirror: moves, positions, results."""
    positions = data.draw(games_played(spec))
    rules, mirror = positions[0].game, positions[0].game.mirror
    image = mirrored(positions[0])
    for before, after in pairwise(positions):
        moves = [mirror(move) if move >= 0 else move for move in before.legal_moves]
        assert sorted(image.legal_moves) == sorted(moves)
        image = image.play(mirror(after.last) if after.last >= 0 else after.last)
        assert image == mirrored(after)
        assert (image.outcome is None) == (after.outcome is None)
        if after.outcome is not None:
            scores = [after.outcome.score(rules.after(mark)) for mark in rules.marks]
            assert [image.outcome.score(mark) for mark in rules.marks] == scores


@specs
@few
@given(st.data())
def test_text_round_trips(spec, data):
    end = data.draw(games_played(spec))[-1]
    read = end.game.position(end.text)
    assert read == end
    assert read.text == end.text
    assert hash(read) == hash(end)
    assert read.outcome == end.outcome
    assert list(read.legal_moves) == list(end.legal_moves)
    assert eval(repr(end), {"position": position}) == end


@specs
@few
@given(st.data())
def test_a_symmetric_game_is_the_same_game(spec, data):
    positions = data.draw(games_played(spec))
    end = positions[-1]
    assert end.symmetric()[0] == end
    symmetry = data.draw(st.sampled_from(end.game.symmetries))
    if positions[0].transformed(symmetry) == positions[0]:
        image = positions[0]
        for after in positions[1:]:
            image = image.play(symmetry(after.last) if after.last >= 0 else after.last)
        assert image == end.transformed(symmetry)
    image = end.transformed(symmetry)
    assert image.canonical_key() == end.canonical_key()
    assert (image.outcome and image.outcome.winner) == (end.outcome and end.outcome.winner)
    if end.outcome:
        assert sorted(map(symmetry, end.outcome.cells)) == list(image.outcome.cells) or end.outcome.reason == "chain"


@specs
@few
@given(st.data())
def test_playing_leaves_the_past_alone(spec, data):
    positions = data.draw(games_played(spec))
    texts = [position.text for position in positions]
    replayed = [positions[0]]
    for after in positions[1:]:
        replayed.append(replayed[-1].play(after.last))
    assert replayed == positions
    assert [position.text for position in positions] == texts
    for before, after in zip(positions, positions[1:], strict=False):
        changed = {c for c in range(before.game.grid.cells) if before.cells.get(c) != after.cells.get(c)}
        assert changed == set(after.changed)


@specs
@few
@given(st.data())
def test_copies_are_equal(spec, data):
    end = data.draw(games_played(spec))[-1]
    assert deepcopy(end) == end
    restored = pickle.loads(pickle.dumps(end))
    assert restored == end
    assert restored.outcome == end.outcome
    assert restored.text == end.text


@specs
@few
@given(st.data())
def test_ints_show_the_first_mark_as_1_and_the_second_as_minus_1(spec, data):
    end = data.draw(games_played(spec))[-1]
    ints = end.ints()
    assert len(ints) == end.game.grid.cells
    for cell, number in enumerate(ints):
        mark = end.cells.get(cell)
        assert number == (0 if mark is None else (1, -1, 2)[end.game.marks.index(mark)])


@specs
@few
@given(st.data())
def test_drawings_show_every_mark(spec, data):
    end = data.draw(games_played(spec))[-1]
    drawn = str(end)
    board = drawn.translate({ord(c): None for c in "abcdefghijklmnopqrstuvwxyz"})
    for mark in end.game.marks:
        assert board.count(mark) == list(end.cells.values()).count(mark)
    assert board.count("·") == end.game.grid.cells - len(end.cells)
    decided = end.outcome is not None and end.outcome.tiles is None
    assert ("*" in drawn) == bool(decided and end.outcome.cells)


@specs
def test_legal_moves_are_a_real_collection(spec):
    start = game(spec).start()
    moves = start.legal_moves
    assert list(moves) == sorted(moves)
    assert moves[0] in moves
    assert start.game.move_name(moves[-1]) in moves
    assert moves[1:3] == tuple(moves)[1:3]
    assert "nowhere" not in moves
    assert None not in moves
    assert repr(moves).startswith(f"<LegalMoves {len(moves)}: {start.game.move_name(moves[0])}")


@specs
def test_picking_is_fair(spec):
    start = game(spec).start()
    rng = random.Random(1)
    picked = [start.legal_moves.pick(rng) for _ in range(20 * len(start.legal_moves))]
    if len(start.legal_moves) < 50:
        assert set(picked) == set(start.legal_moves)
    assert all(move in start.legal_moves for move in picked[:200])


@specs
def test_random_games_end(spec):
    made = game(spec)
    for seed in range(5):
        assert random_game(made, seed)


@specs
def test_anybody_can_begin(spec):
    made = game(spec)
    for mark in made.marks:
        start = made.start(mark.lower())
        assert start.turn == mark
        assert made.position(start.text) == start
        after = start.play(start.legal_moves[0])
        assert after.turn == (made.after(mark) if after.outcome is None else mark)
    with pytest.raises(InvalidGame, match="has no player 'Q'"):
        made.start("Q")


@specs
@pytest.mark.parametrize("text", ["", "nonsense", "3x3", "/ X", "X/Y/Z X", "999999999999 X", "X" * 50 + " X"])
def test_bad_text_is_refused(spec, text):
    with pytest.raises(InvalidNotation):
        game(spec).position(text)


def test_bad_text_names_the_place():
    made = game("3x3")
    for text, message in {
        "3/3/3": "whose turn it is: X or O",
        "3/3/3 Z": "whose turn it is: X or O",
        "3/3 X": "has 2 rows, the board 3",
        "3/4/3 X": "row 2 '4' has 4 cells, the board 3",
        "3/3/X2Z X": "row 3 'X2Z': 'Z' is not one of X, O",
        "XXX/OOO/3 X": "both O and X have completed a row",
        "3/3/3 X more": "'more': nothing follows the turn",
    }.items():
        with pytest.raises(InvalidNotation, match=message):
            made.position(text)
    with pytest.raises(InvalidNotation, match="has 1 layers, the board 3"):
        game("3x3x3").position("3/3/3 X")


def test_moves_have_names():
    made = game("hex,size=3,swap")
    for move, name in ((0, "a1"), (8, "c3"), (PASS, "pass"), (SWAP, "swap")):
        assert made.move_name(move) == name
        assert made.parse_move(name.upper()) == move


def test_a_game_from_elsewhere_is_found(tmp_path, monkeypatch):
    example = Path(__file__).parents[2] / "examples" / "chomp.py"
    (tmp_path / "chomp.py").write_text(example.read_text() + "\nNUMBER = 5\n")
    broken = tmp_path / "broken-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text(
        "[noughts.games]\nbroken = missing_module:Game\nodd = chomp:NUMBER\nagain = noughts.games.hex:Hex\n"
        "chomp = chomp:Chomp\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    all_games.cache_clear()
    try:
        with pytest.warns(UserWarning, match="the game") as warned:
            made = game("chomp,size=4")
        assert [str(w.message).partition(":")[0] for w in warned] == [
            "the game 'broken' (missing_module",
            "the game 'odd' (chomp",
            "the game 'again' (noughts.games.hex",
        ]
        assert isinstance(made, Game)
        assert made.spec == "chomp,size=4"
        start = made.start()
        assert len(start.legal_moves) == 16
        assert start.play("c3").changed == (10, 11, 14, 15)
        assert start.play("a1").result() == "O wins"
        assert all_games()["chomp"].title == "Chomp"
        assert all_presets()["chomp"].menu == 95
    finally:
        all_games.cache_clear()
        game.cache_clear()


def test_the_package_exports_what_it_says():
    for name in noughts.__all__:
        assert getattr(noughts, name) is not None


def test_a_move_can_be_given_by_row_and_column():
    start = game("3x4,k=3").start()
    after = start.play((1, 2))
    assert after == start.play("c2") == start.play(6) == start.play([1, 2]) == start.play((1, 2, 0))
    assert (1, 2) in start.legal_moves
    assert (1, 2) not in after.legal_moves
    assert after.why_not((1, 2)).code == "occupied"
    deep = game("3x3x3").start()
    assert deep.play((0, 1, 2)) == deep.play("b1/3")
    assert game("connect4").start().play((5, 3)) == game("connect4").start().play("d")
    assert start.play(np.int64(6)) == after


@pytest.mark.parametrize(
    ("spec", "move", "code", "message"),
    [
        ("3x3", (3, 0), "out_of_bounds", "(3, 0) is outside the board, which ends at (2, 2)"),
        ("3x3", (0, -1), "out_of_bounds", "(0, -1) is outside the board, which ends at (2, 2)"),
        ("3x3x3", (0, 0, 3), "out_of_bounds", "(0, 0, 3) is outside the board, which ends at (2, 2, 2)"),
        ("3x3x3", (0, 0), "invalid_notation", "(0, 0) is not a cell; write one like (2, 2, 2)"),
        ("3x3", (1,), "invalid_notation", "(1,) is not a cell; write one like (2, 2)"),
        ("3x3", [1, 1, 0, 0], "invalid_notation", "(1, 1, 0, 0) is not a cell; write one like (2, 2)"),
        ("3x3", (True, 1), "invalid_notation", "(True, 1) is not a cell; write one like (2, 2)"),
        ("3x3", (1.0, 1), "invalid_notation", "(1.0, 1) is not a cell; write one like (2, 2)"),
        ("3x3", ("a", 1), "invalid_notation", "('a', 1) is not a cell; write one like (2, 2)"),
        ("3x3", 9, "out_of_bounds", "there is no cell 9; cells go from 0 to 8"),
        ("3x3", "hello", "invalid_notation", "'hello' is not a cell; write one like 'c3'"),
        (
            "3x3",
            None,
            "invalid_notation",
            "None is not a move; write a cell like 'c3', its number, or its row and column",
        ),
        ("3x3", 1.5, "invalid_notation", "1.5 is not a move"),
        ("3x3", True, "invalid_notation", "True is not a move"),
        ("3x3", {1: 2}, "invalid_notation", "{1: 2} is not a move"),
    ],
)
def test_what_is_no_move_is_refused_with_our_error(spec, move, code, message):
    start = game(spec).start()
    refused = start.why_not(move)
    assert (refused.code, str(refused)[: len(message)]) == (code, message)
    assert move not in start.legal_moves
    with pytest.raises(IllegalMove) as raised:
        start.play(move)
    assert raised.value.code == code
