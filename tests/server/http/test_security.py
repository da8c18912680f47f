"""Who may do what: every endpoint against everybody, and what keeps strangers out."""

import contextlib
import json
import socket
import time
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from noughts.server.http.app import openapi
from noughts.server.sessions import COOKIE

WHO = ("owner", "opponent", "spectator", "stranger", "anonymous")

READ = (200, 200, 200, 200, 200)
PLAYERS = (200, 200, 403, 403, 403)

# For each endpoint: what owner, opponent, spectator, stranger and anonymous get, in a game between two people that
# owner (X) began, both have moved once, and owner is on turn. The spectator knows the watchId, the others the id.
MATRIX = {
    ("GET", "/game/state/{id}"): READ,
    ("DELETE", "/game/{id}"): (204, 403, 403, 403, 403),
    ("GET", "/game/{id}/record"): READ,
    ("GET", "/game/{id}/moments"): READ,
    ("GET", "/game/{id}/events"): READ,
    ("POST", "/game/move"): (200, 403, 403, 403, 403),
    ("POST", "/ai/move"): (400, 400, 403, 403, 403),
    ("POST", "/game/{id}/undo"): PLAYERS,
    ("POST", "/game/{id}/redo"): (409, 409, 403, 403, 403),
    ("POST", "/game/{id}/reset"): PLAYERS,
    ("POST", "/game/{id}/answer"): (409, 409, 403, 403, 403),
    ("POST", "/game/{id}/resign"): PLAYERS,
    ("POST", "/game/{id}/join"): PLAYERS,
    ("POST", "/game/{id}/rematch"): (409, 409, 403, 403, 403),
    ("POST", "/game/{id}/hint"): (403,) * 5,
    ("POST", "/game/{id}/analysis"): (403,) * 5,
    ("POST", "/game/{id}/review"): (403,) * 5,
}

BODIES = {
    "/game/move": {"player": "X", "row": 2, "col": 2},
    "/ai/move": {},
    "/game/{id}/answer": {"accept": True},
}

# What belongs to no game: everybody gets the same.
OPEN = {
    ("POST", "/game/start"), ("GET", "/games"), ("GET", "/levels"), ("POST", "/session"), ("GET", "/session"),
    ("DELETE", "/session"), ("GET", "/healthz"), ("GET", "/readyz"),
    ("GET", "/games/board"), ("GET", "/games/rules"), ("GET", "/openings/list"), ("GET", "/openings/map"),
}  # fmt: skip


@pytest.fixture
def table(client):
    """A game between two people, and everybody else."""
    owner, opponent, stranger = client.session("Ann"), client.session("Bob"), client.session("Eve")
    game = owner.start(game="3x3", opponent="link")
    opponent.post(f"/game/{game['id']}/join")
    owner.move(game["id"], "X", 0, 0)
    opponent.move(game["id"], "O", 1, 1)
    who = {"owner": owner, "opponent": opponent, "spectator": stranger, "stranger": stranger, "anonymous": client}
    return game, who


def test_the_matrix_is_complete():
    there = {(method.upper(), path) for path, methods in openapi()["paths"].items() for method in methods}
    assert there == set(MATRIX) | OPEN


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("method", "path"), MATRIX)
def test_every_endpoint_against_everybody(table, method, path, who):
    game, people = table
    known = game["watchId"] if who == "spectator" else game["id"]
    body = BODIES.get(path, {})
    if "{id}" not in path:
        body = {"gameId": known, **body}
    before = people["owner"].get(f"/game/state/{game['id']}").json
    if path.endswith("/events"):
        answer = first_bytes(people[who], path.replace("{id}", known))
        assert answer.startswith(b"HTTP/1.1 200")
        assert (game["id"].encode() in answer) == (who != "spectator")
        return
    answer = people[who].call(method, path.replace("{id}", known), None if method == "GET" else body)
    assert answer.status == MATRIX[method, path][WHO.index(who)]
    if answer.status >= 400:
        assert answer.error
        assert people["owner"].get(f"/game/state/{game['id']}").json == before
    if who == "spectator":
        assert game["id"].encode() not in answer.body


def first_bytes(client, path):
    """The beginning of an endless answer."""
    split = urlsplit(client.url)
    with socket.create_connection((split.hostname, split.port), 5) as stream:
        token = f"authorization: Bearer {client.token}\r\n" if client.token else ""
        stream.sendall(f"GET {path} HTTP/1.1\r\nhost: {split.netloc}\r\n{token}\r\n".encode())
        answer = b""
        while b'"presence"' not in answer:
            answer += stream.recv(65536)
        return answer


@pytest.mark.parametrize("who", WHO)
def test_live_streams_show_the_id_to_none_who_only_watch(table, who):
    game, people = table
    known = game["watchId"] if who == "spectator" else game["id"]
    client = people[who]
    headers = {"Authorization": f"Bearer {client.token}"} if client.token else {}
    with connect(client.url.replace("http", "ws") + f"/game/{known}/live", additional_headers=headers) as stream:
        first = json.loads(stream.recv())
        people["owner"].move(game["id"], "X", 2, 2)
        event = json.loads(stream.recv())
        while event["type"] != "event":
            event = json.loads(stream.recv())
    assert first["you"]["marks"] == {"owner": ["X"], "opponent": ["O"]}.get(who, [])
    assert event["version"] == first["version"] + 1
    if who == "spectator":
        assert game["id"] not in json.dumps([first, event])


def test_a_watch_id_never_moves_even_for_its_players(table):
    game, people = table
    answer = people["owner"].move(game["watchId"], "X", 2, 2)
    assert (answer.status, answer.error) == (403, "watch_only")


def test_ids_cannot_be_guessed(client):
    ids = {client.start()[key] for _ in range(50) for key in ("id", "watchId")}
    assert len(ids) == 100
    assert all(len(each) >= 23 for each in ids)


def test_help_comes_when_the_game_is_over(table):
    game, people = table
    people["owner"].post(f"/game/{game['id']}/resign")
    for who in WHO:
        known = game["watchId"] if who == "spectator" else game["id"]
        assert people[who].post(f"/game/{known}/analysis", {"seconds": 0.2}).status == 200
        assert people[who].post(f"/game/{known}/review", {"seconds": 0.2}).status == 200


def test_a_session_that_was_ended_is_nobody(table):
    game, people = table
    owner = people["owner"]
    assert owner.call("DELETE", "/session").status == 204
    assert owner.move(game["id"], "X", 2, 2).status == 403
    assert owner.get("/session").error == "no_session"


def test_a_token_must_be_exact(client):
    token = client.session().token
    for wrong in (token[:-1], token + "x", token.swapcase(), "", "x" * 5000, "ü"):
        answer = client.get("/session", authorization=f"Bearer {wrong}".encode().decode("latin-1"))
        assert answer.error == "no_session"
    assert client.get("/session", authorization=f"Basic {token}").error == "no_session"


def test_the_cookie_of_a_page(client):
    answer = client.post("/session", {"name": "Ann", "cookie": True})
    cookie = answer.headers["set-cookie"]
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert answer["token"] is None
    value = cookie.split(";")[0]
    assert value.startswith(COOKIE)
    game = client.post("/game/start", {"mode": "PvP", "game": "3x3"}, cookie=value).json
    assert game["seats"]["X"] == {"kind": "person", "name": "Ann", "level": None}
    move = {"gameId": game["id"], "player": "X", "row": 0, "col": 0}
    assert client.post("/game/move", move).status == 403
    assert client.post("/game/move", move, cookie=value, origin="http://evil.example").error == "bad_origin"
    assert client.post("/game/move", move, cookie=value, sec_fetch_site="cross-site").error == "bad_origin"
    assert client.post("/game/move", move, cookie=value, origin="null").error == "bad_origin"
    assert client.post("/game/move", move, cookie=value, origin=client.url).status == 200
    assert client.post("/session", {"name": "Eve"}, cookie=value)["name"] == "Eve"
    assert client.post("/session", {}, cookie=value)["name"] == "Eve"
    assert client.post("/session", {"name": ""}, cookie=value)["name"] == ""
    assert client.get("/session", cookie=value)["name"] == ""


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "x" * 5000])
def test_an_origin_that_is_none_is_foreign(client, origin):
    answer = client.post("/game/start", {"mode": "PvP"}, origin=origin)
    assert (answer.status, answer.error) == (403, "bad_origin")
    game = client.start()["watchId"]
    with pytest.raises(InvalidStatus) as refused:
        connect(client.url.replace("http", "ws") + f"/game/{game}/live", origin=origin)
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body)["error"] == "bad_origin"


def test_other_origins_open_no_stream(table):
    game, people = table
    url = people["owner"].url.replace("http", "ws") + f"/game/{game['watchId']}/live"
    with pytest.raises(InvalidStatus) as refused:
        connect(url, origin="http://evil.example")
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body)["error"] == "bad_origin"
    with connect(url, origin=people["owner"].url) as stream:
        assert json.loads(stream.recv())["type"] == "state"
    with pytest.raises(InvalidStatus) as missing:
        connect(url.replace(game["watchId"], "w-nobody"))
    assert missing.value.response.status_code == 404


FRIEND = "https://blog.example"


@pytest.fixture(scope="module")
def friendly(nursery):
    """A server behind a proxy with TLS, whose operator lets the pages of another origin in."""
    server = nursery.serve(
        origins=f"{FRIEND}, https://play.example", proxies="127.0.0.1", secure_cookies=True, rate=0.001, burst=100
    )
    yield server.client()
    server.kill()


def test_pages_of_an_origin_that_was_named_may_use_the_server(friendly):
    asked = {"origin": FRIEND, "access_control_request_method": "POST"}
    first = friendly.call(
        "OPTIONS", "/game/move", access_control_request_headers="content-type, authorization", **asked
    )
    assert first.status == 200
    assert first.headers["access-control-allow-origin"] == FRIEND
    assert "POST" in first.headers["access-control-allow-methods"]
    assert {"authorization", "content-type"} <= set(first.headers["access-control-allow-headers"].split(", "))
    game = friendly.post("/game/start", {"mode": "PvP"}, origin=FRIEND, sec_fetch_site="cross-site")
    wrong = friendly.post("/game/start", {"mode": "?"}, origin=FRIEND)
    assert (game.status, wrong.status) == (200, 400)
    long = friendly.call("POST", "/game/start", raw=b" " * 20_000, origin=FRIEND)
    assert long.error == "too_large", "a refusal can be read too"
    for answer in (first, game, wrong, long, friendly.get("/nothing", origin=FRIEND)):
        assert answer.headers["access-control-allow-origin"] == FRIEND
        assert answer.headers["access-control-allow-credentials"] == "true"
        assert "origin" in answer.headers["vary"].lower()
        assert answer is first or "default-src 'none'" in answer.headers["content-security-policy"]
    url = friendly.url.replace("http", "ws") + f"/game/{game['watchId']}/live"
    with connect(url, origin=FRIEND) as stream:
        assert json.loads(stream.recv())["type"] == "state"


@pytest.mark.parametrize("origin", ["https://evil.example", f"{FRIEND}.evil.example", FRIEND.upper(), "null", None])
def test_pages_of_other_origins_may_not(friendly, origin):
    more = {} if origin is None else {"origin": origin}
    asked = friendly.call("OPTIONS", "/game/move", access_control_request_method="POST", **more)
    assert asked.status == (405 if origin is None else 400)
    for answer in (asked, friendly.get("/games", **more)):
        assert "access-control-allow-origin" not in answer.headers
    if origin is not None:
        assert friendly.post("/game/start", {"mode": "PvP"}, **more).error == "bad_origin"


def test_without_named_origins_there_is_no_cors(client):
    asked = client.call("OPTIONS", "/game/move", origin=FRIEND, access_control_request_method="POST")
    assert (asked.status, asked.error) == (405, "method_not_allowed")
    assert not any(name.startswith("access-control") for name in asked.headers)


def test_behind_a_proxy_limits_count_clients_and_cookies_are_for_tls(friendly, client):
    def spend(address):
        answers = [friendly.post("/session", x_forwarded_for=address) for _ in range(12)]
        return [answer.status for answer in answers].count(200)

    assert spend("192.0.2.1") == spend("192.0.2.2") == 10
    assert spend("192.0.2.1") == 0
    assert spend("2001:db8::1") == 10
    assert spend("2001:db8::2") == 0, "a household has one limit, however many addresses"
    assert spend("2001:db8:0:1::1") == 10
    cookie = friendly.post("/session", {"cookie": True}, x_forwarded_for="192.0.2.3").headers["set-cookie"]
    assert "; secure" in cookie.lower()
    # Nobody said that there is a proxy here, so what it says does not count.
    plain = client.post("/session", {"cookie": True}, x_forwarded_for="192.0.2.3", x_forwarded_proto="https")
    assert "secure" not in plain.headers["set-cookie"].lower()


def test_headers_keep_browsers_from_mischief(client):
    for answer in (client.get("/healthz"), client.get("/nothing"), client.post("/game/start", {}), client.get("/docs")):
        headers = answer.headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers


def test_requests_are_limited_per_client(nursery):
    server = nursery.serve(rate=5, burst=20)
    client = server.client()
    answers = [client.get("/games") for _ in range(40)]
    refused = [answer for answer in answers if answer.status == 429]
    assert 15 <= len(answers) - len(refused) < 40
    assert refused[0].error == "too_many_requests"
    assert int(refused[0].headers["retry-after"]) >= 1
    assert client.get("/healthz").status == 200
    with pytest.raises(InvalidStatus) as stream:
        connect(server.url.replace("http", "ws") + "/game/w-x/live")
    assert stream.value.response.status_code == 429
    server.kill()


def closing_code(stream):
    """Read until the server closes the stream; why it did."""
    try:
        while True:
            stream.recv(timeout=10)
    except ConnectionClosed as closed:
        return closed.rcvd.code


def test_streams_are_limited_in_number_frames_and_size(nursery):
    server = nursery.serve(connections=2)
    game = server.client().start()
    url = server.url.replace("http", "ws") + f"/game/{game['watchId']}/live"
    with connect(url) as first, connect(url):
        with pytest.raises(InvalidStatus) as third:
            connect(url)
        assert third.value.response.status_code == 429
        assert server.client().get(f"/game/{game['id']}/events").error == "too_many_streams"
        with contextlib.suppress(ConnectionClosed):
            for _ in range(200):
                first.send('{"type":"ping"}')
        assert closing_code(first) == 1008
    until = time.monotonic() + 10
    while True:
        with contextlib.suppress(InvalidStatus), connect(url) as again:
            again.send("x" * 10_000)
            assert closing_code(again) == 1009
            break
        assert time.monotonic() < until
    server.kill()


def test_logs_tell_no_secrets(nursery):
    server = nursery.serve(log="debug")
    client = server.client()
    owner = client.session("Ann")
    cookie = client.post("/session", {"cookie": True}).headers["set-cookie"].split(";")[0]
    game = owner.start("PvAI", game="3x3", level="easy")
    owner.move(game["id"], "X", 0, 0)
    owner.post("/ai/move", {"gameId": game["id"]})
    client.move(game["id"], "X", 1, 1)
    client.get(f"/game/{game['id']}/nothing")
    client.get(f"/game/state/{game['id']}x", cookie=cookie)
    headers = {"Authorization": f"Bearer {owner.token}"}
    with connect(f"{server.url.replace('http', 'ws')}/game/{game['id']}/live", additional_headers=headers) as stream:
        stream.recv()
    with pytest.raises(InvalidStatus):
        connect(f"{server.url.replace('http', 'ws')}/game/{game['id']}x/live", additional_headers=headers)
    server.stop()
    log = server.log()
    assert '"route": "/game/move"' in log
    for secret in (game["id"], owner.token, cookie.partition("=")[2]):
        assert secret not in log
