"""What games say about themselves: words, menu, rules of thumb, threats, for every game there is."""

import random
import re

import pytest

from noughts.analysis import threats
from noughts.games import all_games, all_presets, game, position
from noughts.hooks import LARGEST_COMPILED, Preset
from noughts.note import CODES
from noughts.players import player
from noughts.players.levels import LEVELS, level_spec
from noughts.spec import Choice
from tests.strategies import all_specs

specs = pytest.mark.parametrize("spec", all_specs())
kinds = pytest.mark.parametrize("kind", all_games().values(), ids=all_games())


def played(spec, seed=1):
    """The positions of a random game; of a huge one, the first forty."""
    here, rng = game(spec).start(), random.Random(f"{spec} {seed}")
    found = [here]
    while here.outcome is None and len(found) < 40:
        here = here.play(here.legal_moves.pick(rng))
        found.append(here)
    return found


@kinds
def test_words_are_about_what_there_is(kind):
    english = kind.catalogues()["en"]
    assert (english["title"], english["goal"]) == (kind.title, kind.summary)
    options, presets = kind.option_fields(), {preset.name for preset in kind.presets}
    marks = {mark for preset in kind.presets for mark in game(preset.spec).marks}
    for code in kind.words:
        group, *names = code.split(".")
        own = {"title", "goal", "rule", "part", "mark", "option"}
        assert group in {*own, "refusal", "move", "outcome", "note", "reason", "threat", "notice", "level"}, code
        if group == "mark":
            assert names[0] in marks
        if group == "option":
            declared = options[names[0]].metadata["kind"]
            choices = declared.words if isinstance(declared, Choice) else ()
            assert names[1:] in ([], ["help"], *([choice] for choice in choices))
        if group == "note":
            assert names[0] not in CODES, "the code is a player's"
    assert presets == {code.split(".")[1] for code in english if code.startswith("preset.")}
    for template in english.values():
        assert re.fullmatch(r"([^{}]|\{\w+\})*", template)


@kinds
def test_options_have_labels_and_cards_have_samples(kind):
    for name, declared in kind.option_fields().items():
        assert declared.metadata["hidden"] or declared.metadata["label"], name
    for preset in kind.presets:
        made = game(preset.spec)
        if preset.menu is None:
            continue
        assert preset.title
        rows = preset.sample.split("/")
        assert len({len(row) for row in rows}) == 1
        assert set("".join(rows)) <= {".", *made.marks}
        assert len(rows) <= made.grid.rows * made.grid.layers
        assert len(rows[0]) <= made.grid.cols


def test_every_card_has_its_own_place():
    places = [preset.menu for preset in all_presets().values() if preset.menu is not None]
    assert len(places) == len(set(places)) > 7


@specs
def test_every_refusal_is_said(spec):
    for here in played(spec)[:12]:
        for move in (*range(min(here.game.grid.cells, 50)), -1, -2, 10**7, "zz99", "?", "z"):
            refused = here.why_not(move)
            if refused is not None:
                assert f"refusal.{refused.code}" in here.game.catalogues()["en"]
                assert str(refused)
                assert not re.search(r"[{}]", str(refused))
                assert all(isinstance(fact, str | int | tuple | None) for fact in refused.facts.values())
    wrong = game(spec).start().why_not(0, by=game(spec).marks[1])
    assert (wrong.code, dict(wrong.facts)) == (
        "wrong_turn",
        {"turn": game(spec).marks[0], "player": game(spec).marks[1]},
    )


@specs
def test_every_end_is_said(spec):
    english = game(spec).catalogues()["en"]
    for seed in range(5):
        end = played(spec, seed)[-1]
        if end.outcome is not None:
            assert f"outcome.{end.outcome.reason}" in english


@specs
def test_threats_are_said_and_are_on_the_board(spec):
    for here in played(spec)[::3]:
        for threat in threats(here):
            told = here.game.say("threat", threat.note(here))
            assert threat.mark in told
            assert all(here.game.move_name(cell) in told for cell in threat.cells)
            assert not set(threat.cells) & set(here.cells)


@specs
def test_rules_of_thumb_give_legal_moves_and_reasons(spec):
    for here in played(spec)[::3]:
        if here.outcome is not None:
            continue
        advice = here.advise(random.Random(1))
        if advice is not None:
            assert advice.move in here.legal_moves
            assert here.game.say("note", advice.note)
            assert here.advise(random.Random(1)) == advice


@specs
def test_levels_are_players(spec):
    for name in LEVELS:
        made = player(level_spec(name, game(spec)))
        made.check_game(game(spec))
    own = game(spec).levels()
    assert own is None or set(own) <= set(LEVELS)


@specs
def test_whose_turn_it_is_changes_nothing_on_the_board(spec):
    for here in played(spec)[::4]:
        if here.outcome is None:
            assert here.seen_by(here.turn) == here
            for mark in here.game.marks:
                seen = here.seen_by(mark)
                assert seen is None or (seen.cells, seen.turn, seen.outcome) == (here.cells, mark, None)


@specs
def test_regions_are_parts_of_the_board(spec):
    for here in played(spec):
        for region in here.regions():
            assert set(region.cells) <= set(range(here.game.grid.cells))
            assert region.mark in (None, *here.game.marks)


@pytest.mark.parametrize("spec", ["30x30,k=5", "1000x1000,k=5,exact", "16x16x16,k=4"])
def test_a_window_is_a_position_that_the_kernel_takes(spec):
    here = game(spec).start()
    for move in here.game.grid.centre()[:1]:
        here = here.play(move).play(move + 1)
    window = here.window()
    assert window.position.game.grid.cells <= LARGEST_COMPILED
    assert window.position.game.kernel is not None
    assert window.position.turn == here.turn
    assert {window.outside(cell): mark for cell, mark in window.position.cells.items()} == dict(here.cells)
    assert window.size == "x".join(map(str, window.position.game.size))
    apart = game("1000x1000,k=5").start().play("a1").play("alk1000")
    assert apart.window() is None


def test_the_reason_of_a_refusal_has_cases():
    start = game("hex,size=3").start()
    assert str(start.why_not("swap")) == "there is no swap in hex,size=3; the option swap allows it"
    late = game("hex,size=3,swap").start()
    assert str(late.why_not("swap")) == "only the second player may swap, right after the first stone"
    assert str(position("3x3", "XO1/XO1/X2 O").why_not("c1")) == "the game is over: X wins"
    assert str(position("3x3", "XOX/XOX/OXO O").why_not("c1")) == "the game is over: draw"


def test_a_game_without_presets_is_its_own_preset():
    kind = type(game("hex"))
    bare = type("Bare", (kind,), {"name": "bare", "title": "Bare", "summary": "One.", "presets": ()})
    assert bare.presets == (Preset("bare", "bare", "One.", title="Bare"),)
    assert bare.presets[0].menu is not None


@specs
def test_captures_and_notices_are_about_the_position(spec):
    for here in played(spec)[::3]:
        if here.outcome is not None:
            continue
        for move in here.legal_moves:
            taken, after = here.captures(move), here.play_unchecked(move)
            assert len(taken) == after.captured
            assert all(here.cells[cell] != here.turn and after.cells[cell] == here.turn for cell in taken)
        notice = here.notice()
        assert notice is None or here.game.say("notice", notice)
