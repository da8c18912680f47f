"""Live streams: the state first, then every event once and in order, and nothing lost on the way back."""

import json
import socket
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

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
        said = {"type": "thinking", "player": "O", "level": "easy", "words": ""}
        assert messages(stream, "thinking", 1) == [said]
    server.kill()


def test_a_reader_that_is_too_slow_is_dropped_and_can_come_back(client):
    game = client.start(game="19x19,k=5")["id"]
    split = urlsplit(client.url)
    slow = socket.socket()
    # Next to nothing fits into its pocket.
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.connect((split.hostname, split.port))
    slow.sendall(
        f"GET /game/{game}/live HTTP/1.1\r\nhost: {split.netloc}\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n".encode()
    )
    assert slow.recv(12) == b"HTTP/1.1 101"
    metric = "noughts_followers"
    for _ in range(300):
        assert client.move(game, "X", 9, 9).status == 200
        assert client.post(f"/game/{game}/undo").status == 200

    def followers():
        [line] = [line for line in client.get("/metrics").body.decode().splitlines() if line.startswith(f"{metric} ")]
        return float(line.split()[1])

    wait_for(lambda: followers() == 0)
    slow.close()
    with live(client, game, 1) as stream:
        version = client.get(f"/game/state/{game}")["version"]
        events = messages(stream, "event", version - 1)
    assert [event["version"] for event in events] == list(range(2, version + 1))


def test_the_end_of_the_server_ends_the_streams(nursery):
    server = nursery.serve()
    client = server.client()
    game = client.start()["id"]
    with live(client, game) as stream:
        stream.recv()
        server.stop()
        with pytest.raises(ConnectionClosed):
            messages(stream, "never", 1)


def test_server_sent_events(client):
    game = client.start(game="3x3")["id"]
    client.move(game, "X", 0, 0)
    client.move(game, "O", 1, 1)

    def read(stream, count):
        found, buffer = [], b""
        while len(found) < count:
            buffer += stream.recv(65536)
            found = [part for part in buffer.replace(b"\r\n", b"\n").split(b"\n\n") if b"data: " in part][:count]
        return found

    split = urlsplit(client.url)

    def ask(path, *headers):
        stream = socket.create_connection((split.hostname, split.port), 10)
        stream.sendall("\r\n".join([f"GET {path} HTTP/1.1", f"host: {split.netloc}", *headers, "", ""]).encode())
        return stream

    with ask(f"/game/{game}/events") as stream:
        [first] = read(stream, 1)
        assert b"id: 3\n" in first
        assert b'data: {"type":"state","version":3' in first
        client.move(game, "X", 2, 2)
        assert any(b"id: 4\n" in part for part in read(stream, 1))
    with ask(f"/game/{game}/events", "last-event-id: 2") as stream:
        first, second, third = read(stream, 3)
        assert b'id: 3\ndata: {"type":"event","version":3' in first
        assert b'id: 4\ndata: {"type":"event","version":4' in second
        assert b'"type":"resumed","version":4' in third
