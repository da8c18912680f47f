"""Templates and facts."""

import json

import pytest

from noughts.games import game
from noughts.note import Note
from noughts.words import COMMON, Words, fill, translations


def test_facts_go_into_templates():
    assert (
        fill("{player} at {cells}: {share}", {"player": "X", "cells": ("a1", "b2"), "share": 0.5}) == "X at a1 b2: 0.5"
    )
    assert fill("plain", {}) == "plain"
    assert fill("{text}", {"text": "{player}"}) == "{player}", "facts are not templates"
    with pytest.raises(KeyError, match="move"):
        fill("{move}", {"player": "X"})


def test_a_case_has_words_of_its_own():
    words = Words({"refusal.late": "too late", "refusal.late.very": "much too late, {player}"})
    assert words.say("refusal", Note("late")) == "too late"
    assert words.say("refusal", Note("late", {"case": "very", "player": "X"})) == "much too late, X"
    assert words.say("refusal", Note("late", {"case": "other"})) == "too late"
    with pytest.raises(KeyError):
        words.say("refusal", Note("early"))


def test_words_are_a_mapping():
    assert dict(Words({"title": "Hex"})) == {"title": "Hex"}
    assert eval(repr(Words({"title": "Hex"}))) == Words({"title": "Hex"})
    assert "refusal.occupied" in COMMON


def test_translations_lie_beside_the_game(tmp_path):
    (tmp_path / "words").mkdir()
    file = tmp_path / "words" / "hex.de.json"
    file.write_text(json.dumps({"title": "Hex", "goal": "Verbinde deine Seiten."}), encoding="utf-8")
    (tmp_path / "words" / "hexagon.fr.json").write_text("{}", encoding="utf-8")
    found = translations(tmp_path / "hex.py", "hex")
    assert {language: words["goal"] for language, words in found.items()} == {"de": "Verbinde deine Seiten."}
    assert translations(tmp_path / "duel.py", "duel") == {}


@pytest.mark.parametrize("text", ['{"title": 5}', "[]", "{"])
def test_a_broken_translation_is_left_out(tmp_path, text):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "hex.de.json").write_text(text, encoding="utf-8")
    with pytest.warns(UserWarning, match=r"the words .*hex\.de\.json"):
        assert translations(tmp_path / "hex.py", "hex") == {}


def test_a_game_without_a_file_has_english_words():
    kind = type(game("hex"))
    typed = type("Typed", (kind,), {"name": "typed", "__module__": "typed_in"})
    assert list(typed.catalogues()) == ["en"]
    assert typed.say("outcome", Note("chain")) == "both sides are joined"
