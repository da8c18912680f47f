"""Known facts about the games, checked with the rules and the searches."""

from itertools import takewhile

import pytest

from noughts.compute.counting import count, perft
from noughts.games import all_games, game
from noughts.search import Table, negamax, tile_margin

PLIES_3X3 = [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
PLIES_4X4 = [1, 16, 240, 1680, 10920, 43680, 160160, 400400, 895950, 1433520, 1962576, 1962576, 1543080, 881760]
PLIES_4X4 += [333792, 83440, 8220]

FACTS = [fact for kind in all_games().values() for fact in kind.facts]


def facts(about):
    chosen = [fact for fact in FACTS if fact.about == about]
    return pytest.mark.parametrize("fact", chosen, ids=[fact.spec for fact in chosen])


@pytest.mark.parametrize("backend", ["python", "kernel"])
def test_3x3_counts(backend):
    counted = count(game("3x3"), backend=backend)
    assert counted.positions_by_ply == PLIES_3X3
    assert (counted.positions, counted.canonical) == (5_478, 765)
    assert counted.terminal == {"X": 626, "O": 316, "draw": 16}
    assert counted.games == 255_168
    assert counted.games_by_outcome == {"X": 131_184, "O": 77_904, "draw": 46_080}
    assert counted.games_by_ply == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]


def test_4x4_counts():
    counted = count(game("4x4"))
    assert counted.positions_by_ply == PLIES_4X4
    assert (counted.positions, counted.canonical) == (9_722_011, 1_217_977)
    assert counted.terminal == {"X": 401_096, "O": 252_940, "draw": 5_356}
    assert counted.games == 15_038_733_958_272
    assert counted.games_by_outcome == {
        "X": 3_225_291_101_568,
        "O": 3_106_180_802_304,
        "draw": 8_707_262_054_400,
    }


@facts("perft")
@pytest.mark.parametrize("backend", ["python", "auto"])
def test_perft_facts(fact, backend):
    within_reach = takewhile(lambda nodes: nodes <= 500_000 or backend == "kernel", fact.value)
    for depth, nodes in enumerate(within_reach):
        assert perft(game(fact.spec), depth, backend=backend) == nodes


@facts("lines")
def test_line_facts(fact):
    assert len(set(game(fact.spec).winning_sets())) == fact.value


@pytest.mark.parametrize("spec", ["3x3", "4x4", "connect4,size=4"])
def test_the_facts_of_the_game_file_are_those_of_the_tables(spec):
    counted = count(game(spec))
    known = {fact.about: fact.value for fact in FACTS if fact.spec == spec}
    asked = known.keys() & {"positions", "canonical", "games"}
    assert asked
    assert {about: getattr(counted, about) for about in asked} == {about: known[about] for about in asked}


def value(position, table=None):
    score = negamax(position, table=table).score
    return "win" if score > 0 else "loss" if score < 0 else "draw"


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere", "4x3,k=3", "4x4,k=3", "hex,size=2", "hex,size=3"])
def test_values_by_the_reference(spec):
    expected = [fact.value for fact in FACTS if (fact.spec, fact.about) == (spec, "value")] or ["win"]
    assert [value(game(spec).start())] == expected


def test_every_first_move_on_3x3_draws():
    start = game("3x3").start()
    table = Table()
    assert {value(start.play(move), table) for move in start.legal_moves} == {"draw"}


@pytest.mark.parametrize("spec", ["3x3,misere", "hex,size=2", "hex,size=3"])
def test_openings_by_the_reference(spec):
    [fact] = [fact for fact in FACTS if (fact.spec, fact.about) == (spec, "openings")]
    start, table = game(spec).start(), Table()
    best = "draw" if "misere" in spec else "loss"
    found = [start.game.move_name(m) for m in start.legal_moves if value(start.play(m), table) == best]
    assert tuple(found) == fact.value


@pytest.mark.parametrize("fact", [f for f in FACTS if f.about == "margin" and game(f.spec).grid.cells <= 9])
def test_duel_margins_by_the_reference(fact):
    assert negamax(game(fact.spec).start(), worth=tile_margin).score == fact.value
