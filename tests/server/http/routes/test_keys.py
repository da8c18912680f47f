"""Idempotency keys: what is sent twice with one key happens once, over any server."""

import uuid

import pytest


@pytest.fixture
def clients(nursery, database):
    """Clients of two processes on each database."""
    server = nursery.serve(database=database, workers=2)
    yield [server.client() for _ in range(6)]
    server.kill()


def test_a_start_that_is_sent_again_starts_one_game(clients):
    key = str(uuid.uuid4())
    body = {"mode": "PvAI", "game": "4x4", "level": "easy", "idempotencyKey": key}
    games = [client.post("/game/start", body).json for client in clients]
    assert len({game["id"] for game in games}) == len({game["watchId"] for game in games}) == 1
    clients[0].move(games[0]["id"], "X", 0, 0)
    assert clients[1].post("/game/start", body)["version"] == 2
    other = clients[2].post("/game/start", {**body, "level": "hard"})
    assert (other.status, other.error) == (409, "key_reused")
    assert clients[3].post("/game/start", {**body, "idempotencyKey": str(uuid.uuid4())})["id"] != games[0]["id"]
    short = clients[4].post("/game/start", {**body, "idempotencyKey": "1"})
    assert (short.status, short.error) == (400, "invalid_request")


def test_a_key_of_one_session_is_nothing_to_another(clients):
    body = {"mode": "PvP", "game": "3x3", "opponent": "link", "idempotencyKey": "k" * 16}
    ann, bob = clients[0].session("Ann"), clients[1].session("Bob")
    first, again, other = ann.post("/game/start", body), ann.post("/game/start", body), bob.post("/game/start", body)
    assert first["id"] == again["id"] != other["id"]
    ann.post("/session", {"name": "Anna"})
    assert ann.post("/game/start", body)["id"] == first["id"]


@pytest.mark.parametrize("change", ["undo", "redo", "reset"])
def test_a_change_that_is_sent_again_happens_once(clients, change):
    game = clients[0].start(game="4x4")["id"]
    for at in range(3):
        clients[0].move(game, "XO"[at % 2], 0, at)
    if change == "redo":
        for _ in range(3):
            clients[0].post(f"/game/{game}/undo")
    before = clients[0].get(f"/game/state/{game}").json
    body = {"idempotencyKey": "once"}
    versions = {client.post(f"/game/{game}/{change}", body)["version"] for client in clients}
    assert versions == {before["version"] + 1}
    other = clients[1].post(f"/game/{game}/resign", body)
    assert (other.status, other.error) == (409, "key_reused")
    assert clients[2].post(f"/game/{game}/{change}", {"idempotencyKey": "again"}).status in (200, 409)


def test_offers_and_resignations_that_are_sent_again_happen_once(clients):
    ann, bob = clients[0].session("Ann"), clients[1].session("Bob")
    game = ann.start(game="3x3", opponent="link")["id"]
    bob.post(f"/game/{game}/join")
    ann.move(game, "X", 0, 0)
    offers = [ann.post(f"/game/{game}/undo", {"idempotencyKey": "offer"}) for _ in range(2)]
    assert [offer["version"] for offer in offers] == [4, 4]
    resigned = [bob.post(f"/game/{game}/resign", {"idempotencyKey": "enough"}) for _ in range(3)]
    assert [(answer.status, answer["resigned"], answer["version"]) for answer in resigned] == [(200, "O", 5)] * 3
    assert bob.post(f"/game/{game}/resign").error == "game_over"
    rematches = [who.post(f"/game/{game}/rematch", {"idempotencyKey": f"{who.token[:8]}"}) for who in (ann, bob, ann)]
    assert len({answer["id"] for answer in rematches}) == 1
    assert ann.get(f"/game/state/{game}")["version"] == 6
