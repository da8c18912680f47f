"""Live streams: the state first, then every event once and in order, and nothing lost on the way back."""

import asyncio
import contextlib
import json
import socket
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.server.inside import ask, inside, middleware_of
from tests.server.servers import wait_for


def live(client, game, version=None):
    query = "" if version is None else f"?version={version}"
    return connect(f"{client.url.replace('http', 'ws')}/game/{game}/live{query}")


def messages(stream, kind, count):
    """The next messages of a kind."""
    found = []
    while len(found) < count:
        message = json.loads(stream.recv(timeout=10))
        if message["type"] == kind:
            found.append(message)
    return found


def sse(client, path, *headers, room=None):
    """An endless answer, asked for and not read yet; ``room`` is how little fits into the reader's pocket."""
    split = urlsplit(client.url)
    stream = socket.socket()
    stream.settimeout(10)
    if room is not None:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    stream.connect((split.hostname, split.port))
    stream.sendall("\r\n".join([f"GET {path} HTTP/1.1", f"host: {split.netloc}", *headers, "", ""]).encode())
    return stream


def read_events(stream, count):
    """The first events of an answer."""
    found, buffer = [], b""
    while len(found) < count:
        buffer += stream.recv(65536)
        found = [part for part in buffer.replace(b"\r\n", b"\n").split(b"\n\n") if b"data: " in part][:count]
    return found


def without_you(state):
    return {key: value for key, value in state.items() if key != "you"}


def test_the_state_first_then_events(client):
    game = client.start(game="3x3")
    with live(client, game["id"]) as stream:
        first = json.loads(stream.recv())
        assert first["type"] == "state"
        assert first["state"] == without_you(game)
        assert first["you"] == {"role": "holder", "marks": ["X", "O"]}
        states = [client.move(game["id"], "X", 0, 0).json, client.move(game["id"], "O", 1, 1).json]
        states.append(client.post(f"/game/{game['id']}/undo").json)
        events = messages(stream, "event", 3)
    assert [event["version"] for event in events] == [2, 3, 4]
    assert [event["event"]["action"] for event in events] == ["make_move", "make_move", "undo"]
    assert [event["state"] for event in events] == [without_you(state) for state in states]
    assert events[1]["event"]["move"] == "b2"


@pytest.mark.parametrize("seen", range(1, 8))
def test_coming_back_gives_exactly_what_was_missed(client, seen):
    game = client.start(game="3x3")["id"]
    for at in range(6):
        state = client.move(game, "XO"[at % 2], *divmod((0, 4, 8, 2, 6, 3)[at], 3)).json
    with live(client, game, seen) as stream:
        found = []
        while not found or found[-1]["type"] != "resumed":
            found.append(json.loads(stream.recv(timeout=10)))
    events = found[:-1]
    assert [event["version"] for event in events] == list(range(seen + 1, 8))
    assert ["state" in event for event in events] == [version == 7 for version in range(seen + 1, 8)]
    if events:
        assert events[-1]["state"] == without_you(state)
    assert found[-1]["version"] == 7


def test_a_version_from_the_future_gives_the_state(client):
    game = client.start(game="3x3")["id"]
    with live(client, game, 99) as stream:
        assert json.loads(stream.recv())["type"] == "state"


def test_moves_made_while_somebody_connects_come_once(client):
    game = client.start(game="15x15,k=5")["id"]
    with live(client, game) as one:
        for at in range(30):
            client.move(game, "XO"[at % 2], at // 15, at * 2 % 15)
            if at % 10 == 5:
                with live(client, game, at) as other:
                    assert json.loads(other.recv())["version"] == at + 1
        assert [event["version"] for event in messages(one, "event", 30)] == list(range(2, 32))


def test_presence_counts_players_and_watchers(client):
    ann, bob = client.session("Ann"), client.session("Bob")
    game = ann.start(game="3x3", opponent="link")
    bob.post(f"/game/{game['id']}/join")
    with live(client, game["watchId"]) as watcher:
        assert messages(watcher, "presence", 1)[0] == {"type": "presence", "players": [], "watchers": 1}
        bearer = {"Authorization": f"Bearer {ann.token}"}
        with connect(f"{client.url.replace('http', 'ws')}/game/{game['id']}/live", additional_headers=bearer):
            assert messages(watcher, "presence", 1)[0] == {"type": "presence", "players": ["X"], "watchers": 1}
        assert messages(watcher, "presence", 1)[0]["players"] == []


def test_thinking_pings_and_heartbeats(nursery):
    server = nursery.serve(heartbeat=0.2)
    client = server.client()
    game = client.start("PvAI", game="3x3", level="easy")["id"]
    with live(client, game) as stream:
        assert messages(stream, "heartbeat", 2)[1]["version"] == 1
        stream.send('{"type":"ping"}')
        assert messages(stream, "pong", 1)
        client.move(game, "X", 0, 0)
        client.post("/ai/move", {"gameId": game})
        said = {"type": "thinking", "player": "O", "level": "easy", "progress": None}
        assert messages(stream, "thinking", 1) == [said]
    server.kill()


UPGRADE = ("upgrade: websocket", "connection: upgrade", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==")


@pytest.mark.parametrize("path", ["live", "events"])
def test_a_reader_that_is_too_slow_is_dropped_and_can_come_back(nursery, path):
    server = nursery.serve(connections=1)
    client = server.client()
    game = client.start(game="19x19,k=5")["id"]
    headers = (*UPGRADE, "sec-websocket-version: 13") if path == "live" else ()
    slow = sse(client, f"/game/{game}/{path}", *headers, room=2048)
    assert slow.recv(12) == (b"HTTP/1.1 101" if path == "live" else b"HTTP/1.1 200")
    for _ in range(300):
        assert client.move(game, "X", 9, 9).status == 200
        assert client.post(f"/game/{game}/undo").status == 200

    wait_for(lambda: server.metric("noughts_followers") == 0)

    def back():
        # The place is free again though the old connection still hangs.
        with contextlib.suppress(InvalidStatus):
            return live(client, game, 1)

    with wait_for(back) as stream:
        version = client.get(f"/game/state/{game}")["version"]
        events = messages(stream, "event", version - 1)
    slow.close()
    assert [event["version"] for event in events] == list(range(2, version + 1))
    assert "without completing" not in server.log()
    server.kill()


@pytest.mark.parametrize("workers", [1, 2])
def test_the_end_of_the_server_ends_the_streams(nursery, workers):
    server = nursery.serve(workers=workers)
    client = server.client()
    game = client.start()["id"]
    with live(client, game) as stream, sse(client, f"/game/{game}/events") as other:
        stream.recv()
        read_events(other, 1)
        server.stop()
        with pytest.raises(ConnectionClosed) as closed:
            messages(stream, "never", 1)
        assert closed.value.rcvd.code == 1012
        rest = b""
        while part := other.recv(65536):
            rest += part
        assert rest.endswith(b"0\r\n\r\n"), "the stream was brought to its end, not broken off"
    assert "graceful" not in server.log()


def test_a_server_that_is_closing_says_so_and_takes_no_new_streams(tmp_path):
    async def scenario():
        async with inside(database=str(tmp_path / "games.db")) as app:
            _, begun = await ask(app, "POST", "/game/start", {"mode": "PvP"})
            game = json.loads(begun["body"])["id"]
            assert (await ask(app, "GET", "/readyz"))[0]["status"] == 200
            app.state.service.begin_to_close()
            head, body = await ask(app, "GET", "/readyz")
            assert (head["status"], json.loads(body["body"])["error"]) == (503, "closing")
            *_, last = await ask(app, "GET", f"/game/{game}/events")
            assert last == {"type": "http.response.body", "body": b""}
            *_, last = await ask(app, "WS", f"/game/{game}/live")
            assert last == {"type": "websocket.close", "code": 1012, "reason": "closing"}

    asyncio.run(scenario())


def test_streams_that_are_left_before_they_begin_are_counted_out(tmp_path):
    async def scenario():
        async with inside(database=str(tmp_path / "games.db"), connections=3) as app:
            _, begun = await ask(app, "POST", "/game/start", {"mode": "PvP"})
            game = json.loads(begun["body"])["id"]
            for kind, end in (("GET", "events"), ("WS", "live")):
                for _ in range(5):
                    # Whoever asks here has gone by the time it is answered.
                    first, *_ = await ask(app, kind, f"/game/{game}/{end}")
                    assert first.get("status", 200) == 200
                    assert len(middleware_of(app).streams) == 0
            service = app.state.service
            assert service.registry.followers == 0
            assert service.registry.rooms.pinned == ()

    asyncio.run(scenario())


def test_a_version_that_is_none_is_refused_in_the_one_shape(client):
    game = client.start()["id"]
    for version in ("abc", "-1", "1.5", "", str(2**31)):
        with pytest.raises(InvalidStatus) as refused:
            live(client, game, version)
        answer = refused.value.response
        assert (answer.status_code, json.loads(answer.body)["error"]) == (400, "invalid_request")
        assert client.get(f"/game/{game}/events?version={version}").error == "invalid_request"


def test_server_sent_events(client):
    game = client.start(game="3x3")["id"]
    client.move(game, "X", 0, 0)
    client.move(game, "O", 1, 1)
    with sse(client, f"/game/{game}/events") as stream:
        [first] = read_events(stream, 1)
        assert b"id: 3\n" in first
        assert b'data: {"type":"state","version":3' in first
        client.move(game, "X", 2, 2)
        assert any(b"id: 4\n" in part for part in read_events(stream, 1))
    with sse(client, f"/game/{game}/events", "last-event-id: 2") as stream:
        first, second, third = read_events(stream, 3)
        assert b'id: 3\ndata: {"type":"event","version":3' in first
        assert b'id: 4\ndata: {"type":"event","version":4' in second
        assert b'"type":"resumed","version":4' in third
