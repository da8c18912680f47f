"""Understanding a game: every moment of it, analyses of the past, reviews, what the AI says it does."""

import json

import pytest
from websockets.sync.client import connect

from noughts.compute.limits import STAGES
from noughts.server.schema.analysis import AnalysisState, Moments, ReviewState


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


@pytest.mark.parametrize("game", ["hex", "hex,size=7", "qubic", "gomoku", "peaceful", "3x3"])
def test_a_hint_says_what_the_analysis_says(client, game):
    """Whichever is asked for first, and although both are limited by time."""
    for kinds in (("hint", "analysis"), ("analysis", "hint")):
        start = client.start("PvAI", game=game)
        answers = {kind: client.post(f"/game/{start['id']}/{kind}", {"seconds": 0.3}).json for kind in kinds}
        analysis, hint = answers["analysis"], answers["hint"]
        AnalysisState.model_validate(analysis)
        assert hint["move"] == analysis["best"][0]
        worth = analysis["evaluation"]
        assert worth == analysis["moves"][hint["move"]]
        assert hint["proven"] == analysis["best_proven"] == worth["proven"]
        facts = hint["note"]["facts"]
        assert facts == {name: worth[name] for name in facts}


def test_a_review_has_the_shape_that_the_document_promises(client, finished):
    review = client.post(f"/game/{finished}/review", {}).json
    ReviewState.model_validate(review)
    assert [move["grade"] for move in review["moves"]][:2] == ["best", "blunder"]


def test_the_ai_says_what_it_is_doing(nursery):
    # Searches report several times a second, so this one gets a few.
    server = nursery.serve(ai_seconds=2)
    client = server.client()
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
    assert said[0]["progress"] is None
    assert said[1:]
    assert {message["progress"]["stage"] for message in said[1:]} <= set(STAGES)
    server.kill()
