"""Deleting a game: who may, and what is left of it."""

import json

from websockets.sync.client import connect as open_stream


def test_who_started_a_game_may_delete_it_and_nobody_else(client):
    ann, bob, eve = (client.session(name) for name in ("Ann", "Bob", "Eve"))
    game = ann.start(game="3x3", opponent="link")
    bob.post(f"/game/{game['id']}/join")
    for who in (bob, eve, client):
        refused = who.call("DELETE", f"/game/{game['id']}")
        assert (refused.status, refused.error) == (403, "not_your_game")
    for who in (ann, bob, client):
        refused = who.call("DELETE", f"/game/{game['watchId']}")
        assert (refused.status, refused.error) == (403, "watch_only")
    assert ann.move(game["id"], "X", 0, 0).status == 200
    url = client.url.replace("http", "ws")
    with open_stream(f"{url}/game/{game['watchId']}/live") as stream:
        assert json.loads(stream.recv())["version"] == 3
        assert ann.call("DELETE", f"/game/{game['id']}").status == 204
        kinds = {json.loads(text)["type"] for text in stream}
        assert kinds <= {"event", "presence"}
    for who in (ann, bob, client):
        for path in (f"/game/state/{game['id']}", f"/game/state/{game['watchId']}", f"/game/{game['id']}/record"):
            answer = who.get(path)
            assert (answer.status, answer.error) == (404, "game_not_found")
    assert bob.move(game["id"], "O", 1, 1).error == "game_not_found"
    assert ann.call("DELETE", f"/game/{game['id']}").error == "game_not_found"


def test_a_game_without_sessions_belongs_to_whoever_holds_its_id(client):
    game = client.start(game="3x3")
    assert client.call("DELETE", f"/game/{game['id']}").status == 204
    assert client.get(f"/game/state/{game['id']}").error == "game_not_found"
    assert client.call("DELETE", "/game/nobody").error == "game_not_found"


def test_a_client_starts_so_many_games_in_a_day_and_no_more(nursery):
    server = nursery.serve(games_per_day=3)
    client = server.client()
    for _ in range(3):
        client.start(game="3x3")
    refused = client.post("/game/start", {"mode": "PvP"})
    assert (refused.status, refused.error) == (429, "too_many_requests")
    assert int(refused.headers["retry-after"]) > 3600
    server.kill()


def test_a_server_keeps_so_many_games_and_no_more(nursery):
    server = nursery.serve(max_games=2)
    client = server.client()
    first, _ = client.start(game="3x3"), client.start(game="3x3")
    refused = client.post("/game/start", {"mode": "PvP"})
    assert (refused.status, refused.error) == (503, "too_many_games")
    client.move(first["id"], "X", 0, 0)
    server.kill()
