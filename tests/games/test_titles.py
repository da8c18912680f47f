"""What every game is called, what one tries to do in it, and the rules that it shows."""

import re

import pytest

from noughts.games import all_games, all_presets, game
from noughts.note import Note
from noughts.words import sentence
from tests.strategies import all_specs

OPTIONS = [
    "3x3,k=2", "6x6,k=4", "15x15,k=5,exact", "19x19,k=5", "4x4,misere", "4x4,misere,exact,corners", "3x3,corners",
    "5x5,k=4,players=3", "3x3,setup=X:b2", "4x4,early_draw", "3x3x3", "4x4x3", "1000x1000,k=5,exact", "1000x1000",
    "16x16x16", "2x2", "hex,size=2", "hex,size=5,swap", "connect4,size=2", "connect4,size=8x9,k=5",
    "connect4,size=20,k=15", "connect4,size=2x7,k=7", "duel,size=2", "duel,size=40", "notakto,boards=3",
    "ultimate,size=2", "ultimate,size=5",
]  # fmt: skip

specs = pytest.mark.parametrize("spec", sorted({*all_specs(), *all_presets(), *all_games(), *OPTIONS}))


@pytest.mark.parametrize(
    ("spec", "title"),
    {
        "tictactoe": "Tic-tac-toe",
        "4x4": "Four in a row on 4×4",
        "6x6,k=4": "Four in a row on 6×6",
        "gomoku": "Gomoku",
        "gomoku,exact": "Gomoku, exactly five",
        "19x19,k=5": "Gomoku on 19×19",
        "13x13,k=5,exact": "Exactly five in a row on 13×13",
        "30x30,k=20": "20 in a row on 30×30",
        "misere": "Avoid three in a row",
        "4x4,misere": "Avoid four in a row on 4×4",
        "qubic": "Four in a row in a cube of 4×4×4",
        "4x4x3": "Three in a row in a box of 4×4×3",
        "5x5,k=4,players=3": "Four in a row on 5×5 for three players",
        "4x4,corners": "Four in a row on 4×4 with corners",
        "3x3,setup=X:b2": "Three in a row on 3×3 with marks set up",
        "hex": "Hex 11×11",
        "hex7": "Hex 7×7",
        "connect4": "Connect Four",
        "connect4,size=5x6": "Connect Four on 5×6",
        "connect4,size=8x9,k=5": "Connect five on 8×9",
        "duel": "Infinity Grid Duel",
        "peaceful": "Infinity Grid Duel, peaceful opening",
        "duel,size=8": "Infinity Grid Duel on 8×8",
        "notakto": "Notakto",
        "notakto,boards=3": "Notakto on three boards",
        "ultimate": "Ultimate tic-tac-toe",
        "ultimate,size=2": "Ultimate tic-tac-toe, 2×2 boards of 2×2",
    }.items(),
)
def test_a_game_is_called_after_its_spec(spec, title):
    assert game(spec).full_title == title


@specs
def test_every_game_has_a_title_a_goal_and_rules(spec):
    made = game(spec)
    assert not made.full_title[0].islower()
    assert re.fullmatch(r"[A-Z].*[^.]\.", made.goal)
    for text in (made.title, made.full_title, made.goal, type(made).summary):
        assert not re.search(r"\bk in a row|[{}]|None|Note\(", text)
    assert made.rules()
    for rule in made.rules():
        text = sentence(made.say("rule", rule.note))
        assert not re.search(r"[{}]|None|Note\(| x |\bk\b", text)


@specs
def test_the_boards_that_show_a_rule_obey_it(spec):
    """Whatever is marked as legal or crossed out is so, and the boards are of this game, no larger than it."""
    made = game(spec)
    for rule in made.rules():
        for scene in rule.scenes:
            position = scene.position
            assert position.game.name == made.name
            assert position.game.grid.cells <= 125
            assert not scene.legal or position.legal_moves
            for cell in scene.refused:
                assert position.why_not(cell).code not in ("occupied", "out_of_bounds", "game_over")


def test_a_game_of_another_rule_says_so():
    assert "avoid" in game("3x3,misere").goal.lower()
    assert "loses" in game("3x3,misere").goal
    assert "exactly five" in game("gomoku,exact").goal
    [row] = [rule for rule in game("gomoku,exact").rules() if rule.note.code == "longer"]
    assert [scene.position.result() for scene in row.scenes] == ["X to move"]
    [row] = [rule for rule in game("misere").rules() if rule.note.code == "row"]
    assert [scene.position.result() for scene in row.scenes] == ["O wins", "O wins"]
    assert "three corners win" in game("4x4,corners").goal
    assert [rule.note.code for rule in game("hex").rules()] == ["turns", "chain", "no_draw"]
    assert [rule.note.code for rule in game("hex7").rules()][-1] == "swap"


def test_a_game_that_says_nothing_of_its_own_is_called_after_its_class():
    kind = all_games()["hex"]
    words = {"rule.first": "take a stone", "rule.second": "put it back"}
    hooks = {name: getattr(kind.__base__, name) for name in ("title_note", "goal_note", "rules")}
    bare = type("Bare", (kind,), {"name": "bare", "title": "Bare", "summary": "One.", "words": words, **hooks})
    made = bare()
    assert (made.full_title, made.goal) == ("Bare", "One.")
    assert [rule.note for rule in made.rules()] == [Note("first"), Note("second")]
