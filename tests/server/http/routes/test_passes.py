"""Forced passes over HTTP: made by the server, so that a client that knows only rows and columns finishes any game."""

import json
import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from noughts.match import read
from tests.server.http.routes.test_live import live, messages
from tests.server.servers import Client

SMALL = "duel,size=2"


def placements(state):
    return [(move["row"], move["col"]) for move in state["legalMoves"]]


def history(state):
    return " ".join(f"{move['player']}:{move['move']}" for move in state["moveHistory"])


def swept(client, **more):
    """A game in which Green has just taken Red's only tile."""
    game = client.start(game=SMALL, **more)["id"]
    client.move(game, "R", 0, 0)
    return game, client.move(game, "G", 0, 1).json


def test_who_cannot_place_is_not_asked(client):
    game, state = swept(client)
    assert history(state) == "R:a1 G:b1 R:pass"
    assert (state["currentPlayer"], state["version"]) == ("G", 4)
    assert state["lastMove"] == state["moveHistory"][-1]
    assert (state["lastMove"]["player"], state["lastMove"]["row"]) == ("R", None)
    client.move(game, "G", 1, 0)
    state = client.move(game, "G", 1, 1).json
    assert (state["status"], history(state)) == ("g_wins", "R:a1 G:b1 R:pass G:a2 R:pass G:b2")
    record = read(client.get(f"/game/{game}/record").body.decode())
    assert (record.state.version, record.state.status) == (state["version"], "g_wins")
    assert len(client.get(f"/game/{game}/moments")["moments"]) == 6


@pytest.mark.parametrize("spec", ["duel", "duel,opening=peaceful"])
def test_a_client_that_knows_only_rows_and_columns_finishes_every_game(client, spec):
    rng = random.Random(spec)
    passes = 0
    for _ in range(50):
        state = client.start(game=spec)
        while state["winner"] is None:
            row, col = rng.choice(placements(state))
            answer = client.move(state["id"], state["currentPlayer"], row, col, expectedVersion=state["version"])
            assert answer.status == 200, answer
            state = answer.json
        assert not state["legalMoves"]
        passes += sum(move["move"] == "pass" for move in state["moveHistory"])
    assert passes > 0, "otherwise this shows nothing"


def test_a_client_that_still_passes_itself_is_told_how_the_game_stands(client):
    game, state = swept(client)
    for more in (
        {},
        {"expectedVersion": 3},
        {"expectedVersion": 4},
        {"idempotencyKey": "k1"},
        {"idempotencyKey": "k1"},
    ):
        answer = client.post("/game/move", {"gameId": game, "player": "R", "move": "Pass", **more})
        assert (answer.status, answer["version"]) == (200, state["version"]), more
    assert client.post("/game/move", {"gameId": game, "player": "G", "move": "pass"}).error == "pass_not_allowed"
    client.move(game, "G", 1, 0)
    over = client.move(game, "G", 1, 1)
    assert client.post("/game/move", {"gameId": game, "player": "R", "move": "pass"}).error == "game_over"
    assert client.get(f"/game/state/{game}")["version"] == over["version"]


def test_undo_takes_a_move_back_with_its_passes(client):
    game, before = swept(client)
    after = client.move(game, "G", 1, 0).json
    state = client.post(f"/game/{game}/undo").json
    assert (history(state), state["currentPlayer"]) == (history(before), "G")
    assert (state["canRedo"], state["version"]) == (True, after["version"] + 1)
    state = client.post(f"/game/{game}/undo").json
    assert (history(state), state["currentPlayer"]) == ("R:a1", "G")
    client.post(f"/game/{game}/redo")
    state = client.post(f"/game/{game}/redo").json
    assert (history(state), state["canRedo"]) == (history(after), False)


def test_undo_between_people_is_agreed_to_with_its_passes(client):
    red, green = client.session("Ann"), client.session("Ben")
    game = red.start(game=SMALL, opponent="link")["id"]
    green.post(f"/game/{game}/join")
    red.move(game, "R", 0, 0)
    green.move(game, "G", 0, 1)
    assert green.post(f"/game/{game}/undo")["offer"]["player"] == "G"
    state = red.post(f"/game/{game}/answer", {"accept": True}).json
    assert (history(state), state["currentPlayer"]) == ("R:a1", "G")


def test_every_version_is_sent_once_and_the_state_with_the_pass(client):
    game = client.start(game=SMALL)["id"]
    client.move(game, "R", 0, 0)
    with live(client, game) as stream:
        assert json.loads(stream.recv(timeout=10))["version"] == 2
        client.move(game, "G", 0, 1)
        placed, passed = messages(stream, "event", 2)
    assert (placed["version"], placed["event"]["move"], "state" in placed) == (3, "b1", False)
    assert (passed["version"], passed["event"]["move"], passed["event"]["player"]) == (4, "pass", "R")
    assert history(passed["state"]) == "R:a1 G:b1 R:pass"
    with live(client, game, version=2) as stream:
        assert [message["version"] for message in messages(stream, "event", 2)] == [3, 4]


def test_the_ai_is_not_asked_to_pass_and_people_pass_after_its_moves(client):
    game = client.start("PvAI", game="duel,size=4", level="perfect")["id"]
    client.move(game, "R", 1, 1)
    for _ in range(14):
        answer = client.post("/ai/move", {"gameId": game}).json
        assert answer["player"] == "G"
        assert answer["row"] is not None
    # Green has taken Red's tile, and then every cell while Red could only pass.
    client.post("/ai/move", {"gameId": game})
    state = client.get(f"/game/state/{game}").json
    assert (state["winner"], state["tiles"]) == ("G", {"R": 0, "G": 16})
    assert history(state).count("R:pass") == 14
    again = client.post(f"/game/{game}/rematch").json
    assert (again["moveHistory"], again["currentPlayer"]) == ([], "G")


def test_two_who_ask_the_ai_at_once_get_the_same_move_though_a_pass_follows(client):
    game = client.start("PvAI", game="duel,size=4", level="perfect")["id"]
    client.move(game, "R", 1, 1)
    others = [Client(client.url) for _ in range(4)]
    with ThreadPoolExecutor(len(others)) as pool:
        answers = list(pool.map(lambda other: other.post("/ai/move", {"gameId": game, "expectedVersion": 2}), others))
    # Who comes late is told so; nobody is told that the pass is somebody else's move.
    assert {answer.error for answer in answers if answer.status != 200} <= {"stale_version"}
    [move] = {answer["move"] for answer in answers if answer.status == 200}
    assert history(client.get(f"/game/state/{game}").json) == f"R:b2 G:{move} R:pass"


def test_undo_against_the_ai_goes_back_to_the_persons_own_choice(client):
    game = client.start("PvAI", game=SMALL, level="perfect")["id"]
    client.move(game, "R", 0, 0)
    state = client.post("/ai/move", {"gameId": game})["state"]
    assert state["currentPlayer"] == "G"
    state = client.post(f"/game/{game}/undo").json
    assert (history(state), state["currentPlayer"]) == ("", "R")


def test_resigning_ends_it_without_another_pass(client):
    game, state = swept(client)
    over = client.post(f"/game/{game}/resign", {"player": "G"}).json
    assert (over["winner"], len(over["moveHistory"])) == ("R", len(state["moveHistory"]))


def test_a_game_that_was_left_before_a_pass_goes_on(nursery, tmp_path):
    """An older release, or a crash at the wrong moment, leaves a game where somebody has to pass."""
    database = tmp_path / "games.db"
    server = nursery.serve(database=str(database))
    client = server.client()
    game = client.start(game=SMALL)["id"]
    client.move(game, "R", 0, 0)
    server.kill()
    event = json.dumps({"action": "make_move", "player": "G", "move": "b1", "at": 1.0})
    with sqlite3.connect(database) as connection:
        connection.execute("INSERT INTO events (game, version, body) VALUES (?, 3, ?)", (game, event))
    connection.close()
    server.start()
    client = server.client()
    left = client.get(f"/game/state/{game}").json
    assert (history(left), left["legalMoves"][0]["move"]) == ("R:a1 G:b1", "pass"), "looking changes nothing"
    after = client.move(game, "G", 1, 0).json
    assert history(after) == "R:a1 G:b1 R:pass G:a2 R:pass"
    server.kill()
