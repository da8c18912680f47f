"""What can be played: games with their words and cards, the board of a spec, opening maps."""

from urllib.parse import quote

import pytest

from noughts.games import all_games, all_presets, game
from noughts.note import Note
from noughts.server.schema.analysis import OpeningMap
from noughts.words import Words, capital, fill, sentence


def test_the_board_of_a_spec(client):
    board = client.get("/games/board?game=" + quote("lines,size=4x4x3,k=3")).json
    made = game("4x4x3")
    assert board == {
        "game": "4x4x3",
        "name": "lines",
        "title": "Three in a row in a box of 4×4×3",
        "goal": made.goal,
        "about": {"title": made.title_note().to_json(), "goal": made.goal_note().to_json()},
        "marks": ["X", "O"],
        "layout": {
            "kind": "cube",
            "rows": 4,
            "cols": 4,
            "layers": 3,
            "gravity": False,
            "blocks": None,
            "pieces": None,
            "mark": None,
        },
        "levels": ["easy", "medium", "hard", "perfect", "rules"],
    }
    assert client.get("/games/board?game=4x4,k=9").error == "invalid_game"
    assert client.get("/games/board?game=99x99").error == "board_too_large"
    assert client.get("/games/board").error == "invalid_request"


def test_games_come_with_their_words_and_their_place_in_the_menu(client):
    shown = {kind["name"]: kind for kind in client.get("/games").json}
    assert shown.keys() == all_games().keys()
    for name, kind in all_games().items():
        info = shown[name]
        assert info["words"] == {language: dict(words) for language, words in kind.catalogues().items()}
        assert info["words"]["en"]["title"] == info["title"]
        for preset, card in zip(kind.presets, info["presets"], strict=True):
            assert (card["menu"], card["sample"], card["open"]) == (preset.menu, preset.sample, preset.open)
            assert card["title"] == info["words"]["en"][f"preset.{preset.name}.title"]


@pytest.mark.parametrize("spec", all_presets())
def test_a_game_shows_its_layout_and_the_regions_that_are_decided(client, spec):
    made = game(spec)
    state = client.start(game=spec)
    assert state["name"] == made.name
    assert state["layout"] | made.layout_facts == state["layout"]
    assert state["owned"] == [{"cells": list(r.cells), "mark": r.mark} for r in made.start().regions()]


@pytest.mark.parametrize("spec", all_presets())
def test_a_game_says_what_it_is_and_how_it_is_played(client, spec):
    made = game(spec)
    words = Words({kind["name"]: kind["words"]["en"] for kind in client.get("/games").json}[made.name])
    about = {"title": made.title_note().to_json(), "goal": made.goal_note().to_json()}
    state, told = client.start(game=spec), client.get("/games/rules?game=" + quote(spec)).json
    for shown in (state, told):
        assert (shown["title"], shown["goal"], shown["about"]) == (made.full_title, made.goal, about)
    assert capital(words.say("title", Note.from_json(state["about"]["title"]))) == state["title"]
    assert len(told["rules"]) > 1
    for rule in told["rules"]:
        assert sentence(words.say("rule", Note.from_json(rule["note"]))) == rule["text"]
        for scene in rule["scenes"]:
            cells = flat(scene["board"])
            assert len(cells) == scene["layout"]["rows"] * scene["layout"]["cols"] * scene["layout"]["layers"]
            assert all(cells[cell] for cell in scene["winning"])
            assert not any(cells[cell] for cell in (*scene["legal"], *scene["refused"]))
    assert client.get("/games/rules?game=99x99").error == "board_too_large"


def flat(board):
    """The cells of a board, of rows or of layers of rows."""
    return [cell for part in board for cell in (flat(part) if isinstance(part, list) else [part])]


def test_a_refused_move_has_the_facts_that_the_words_tell(client):
    words = {kind["name"]: kind["words"]["en"] for kind in client.get("/games").json}
    start = client.start(game="3x3")
    client.move(start["id"], "X", 1, 1)
    refused = client.move(start["id"], "O", 1, 1)
    assert (refused.error, refused["facts"]) == ("occupied", {"move": "b2", "holder": "X"})
    assert fill(words[start["name"]]["refusal.occupied"], refused["facts"]) == refused["message"]
    assert "facts" not in client.get("/game/state/none").json


def test_presets_come_with_their_board_and_the_value_of_every_option(client):
    for kind in client.get("/games").json:
        for preset in kind["presets"]:
            made = game(preset["spec"])
            assert set(preset["options"]) == set(all_games()[kind["name"]].option_fields())
            assert preset["marks"] == list(made.marks)
            assert (preset["layout"]["rows"], preset["layout"]["kind"]) == (made.grid.rows, made.layout)


def test_opening_maps_tell_the_truth(client):
    listed = {opening["game"]: opening for opening in client.get("/openings/list").json}
    assert {"3x3", "3x3,misere", "4x4", "3x3x3", "hex,size=4", "duel,size=4,opening=peaceful"} <= set(listed)
    found = client.get("/openings/map?game=" + quote("3x3,misere")).json
    OpeningMap.model_validate(found)
    assert found["analysis"]["best"] == ["b2"]
    assert {name for name, worth in found["analysis"]["moves"].items() if worth["value"] == "draw"} == {"b2"}
    assert client.get("/openings/map?game=" + quote("3x3,misere")).json == found
    assert client.get("/openings/map?game=15x15").error == "not_solved"


def test_the_level_rules_is_for_games_that_have_rules_of_thumb(client):
    levels = {level["name"]: level for level in client.get("/levels").json}
    assert levels["hard"]["games"] is None
    assert "duel,opening=peaceful" in levels["rules"]["games"]
    assert not [spec for spec in levels["rules"]["games"] if spec.startswith("hex")]
    duel = client.get("/levels?game=" + quote("duel,size=5")).json
    assert duel[-1]["name"] == "rules"
    assert duel[-1]["summary"] == "follows simple rules: capture, block, expand"
    assert "rules" not in [level["name"] for level in client.get("/levels?game=hex").json]


def test_a_board_tells_who_plays_on_it(client):
    duel = client.get("/games/board?game=" + quote("duel,size=5")).json
    assert duel["levels"] == ["easy", "medium", "hard", "perfect", "rules"]
    assert client.get("/games/board?game=hex").json["levels"] == ["easy", "medium", "hard", "perfect"]


def test_the_rules_of_the_duel_can_be_played_against(client):
    start = client.start("PvAI", game="duel,opening=peaceful", level="rules")
    client.move(start["id"], "R", 2, 2)
    answer = client.post("/ai/move", {"gameId": start["id"]})
    assert answer["note"]["code"] in ("expands", "quiet"), "nothing to capture and nothing to block yet"
    assert answer["state"]["seats"]["G"] == {"kind": "ai", "name": None, "level": "rules"}


def test_the_level_rules_is_refused_where_a_game_has_none(client):
    refused = client.post("/game/start", {"mode": "PvAI", "game": "hex", "level": "rules"})
    assert (refused.status, refused.error) == (400, "level_cannot_play")
    assert refused["message"] == "the level rules cannot play hex; there are: easy, medium, hard, perfect"
