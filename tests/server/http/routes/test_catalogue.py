"""Boards for those who draw them: every moment of a game, the board of a spec, opening maps, analyses of the past."""

import json
from urllib.parse import quote

import pytest
from websockets.sync.client import connect

from noughts.games import all_games, game
from noughts.server.schema.analysis import AnalysisState, Moments, OpeningMap, ReviewState


def test_every_moment_can_be_drawn_from_the_cells_that_changed(client):
    start = client.start(game="duel,size=3")
    for player, name in [("R", "a1"), ("G", "a2"), ("R", "pass")]:
        last = client.post("/game/move", {"gameId": start["id"], "player": player, "move": name}).json
    moments = client.get(f"/game/{start['id']}/moments").json
    Moments.model_validate(moments)
    assert moments["version"] == last["version"]
    board = moments["board"]
    assert board == start["board"]
    for moment, played in zip(moments["moments"], last["moveHistory"], strict=True):
        assert {key: moment[key] for key in played} == played
        for cell in moment["changed"]:
            board[cell["row"]][cell["col"]] = cell["mark"]
    assert board == last["board"]
    assert len(moments["moments"][1]["changed"]) == 2
    assert client.get(f"/game/{start['watchId']}/moments").json["moments"] == moments["moments"]


def test_a_swap_empties_one_cell_and_fills_another(client):
    start = client.start(game="hex,size=4,swap")
    for player, name in [("X", "b1"), ("O", "swap")]:
        client.post("/game/move", {"gameId": start["id"], "player": player, "move": name})
    changed = client.get(f"/game/{start['id']}/moments").json["moments"][1]["changed"]
    assert {(cell["row"], cell["col"], cell["mark"]) for cell in changed} == {(0, 1, 0), (1, 0, "O")}


def test_a_board_begins_with_its_setup(client):
    start = client.start(game="3x3,setup=X:b2+O:a1")
    assert client.get(f"/game/{start['id']}/moments").json["board"] == [["O", 0, 0], [0, "X", 0], [0, 0, 0]]


def test_the_board_of_a_spec(client):
    board = client.get("/games/board?game=" + quote("lines,size=4x4x3,k=3")).json
    assert board == {
        "game": "4x4x3",
        "name": "lines",
        "title": "k in a row",
        "marks": ["X", "O"],
        "layout": {"kind": "cube", "rows": 4, "cols": 4, "layers": 3},
    }
    assert client.get("/games/board?game=4x4,k=9").error == "invalid_game"
    assert client.get("/games/board?game=99x99").error == "board_too_large"
    assert client.get("/games/board").error == "invalid_request"


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


@pytest.fixture
def finished(client):
    start = client.start(game="3x3")
    for number, name in enumerate(["a1", "b1", "c3", "a2", "c1", "c2", "b2"]):
        client.post("/game/move", {"gameId": start["id"], "player": "XO"[number % 2], "move": name})
    return start["id"]


def test_the_past_can_be_analysed(client, finished):
    early = client.post(f"/game/{finished}/analysis", {"ply": 1}).json
    AnalysisState.model_validate(early)
    assert (early["ply"], early["turn"], early["evaluation"]["value"]) == (1, "O", "draw")
    assert early["best"] == ["b2"]
    assert client.post(f"/game/{finished}/analysis", {}).json["ply"] == 7
    assert client.post(f"/game/{finished}/analysis", {"ply": 8}).error == "invalid_request"
    assert client.post(f"/game/{finished}/review", {"ply": 1}).error == "invalid_request"


def test_a_review_has_the_shape_that_the_document_promises(client, finished):
    review = client.post(f"/game/{finished}/review", {}).json
    ReviewState.model_validate(review)
    assert [move["grade"] for move in review["moves"]][:2] == ["best", "blunder"]


def test_the_ai_says_what_it_is_doing(client):
    start = client.start("PvAI", game="15x15,k=5", level="perfect")
    client.move(start["id"], "X", 7, 7)
    with connect(f"{client.url.replace('http', 'ws')}/game/{start['id']}/live") as stream:
        # Once the state is here, the server knows that somebody listens.
        assert json.loads(stream.recv())["type"] == "state"
        client.post("/ai/move", {"gameId": start["id"]})
        said = []
        for message in map(json.loads, stream):
            if message["type"] == "event":
                break
            if message["type"] == "thinking":
                said.append(message)
    assert {(message["player"], message["level"]) for message in said} == {("O", "perfect")}
    assert any(message["progress"] is not None and message["progress"]["nodes"] > 0 for message in said)
