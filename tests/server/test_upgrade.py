"""Servers of two versions on one database: what a newer one wrote is refused clearly, never dropped or misread."""

import json

import orjson
import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect as open_stream

from noughts.server.errors import InvalidSetting
from noughts.server.storage.database import Entry, connect, migrations
from tests.server.servers import is_alive, wait_for

NEWER = len(migrations("sqlite")) + 1


def pretend_to_be_newer(database: str) -> None:
    """Note a migration that only a newer version has."""
    opened = connect(database)
    if opened.dialect == "sqlite":
        opened._run("INSERT INTO migrations VALUES (?)", (NEWER,))
    else:
        with opened._guarded() as connection:
            connection.execute("INSERT INTO migrations VALUES (%s)", (NEWER,))
    opened.close()


def append(database: str, game: str, version: int, event: dict, snapshot: str | None = None) -> None:
    opened = connect(database)
    body = orjson.dumps(event).decode()
    assert opened.append([Entry(game, version, body, snapshot=snapshot)]) == {(game, version)}
    opened.close()


def test_an_older_server_refuses_a_newer_schema(database):
    opened = connect(database)
    opened.migrate()
    pretend_to_be_newer(database)
    with pytest.raises(InvalidSetting, match=f"schema {NEWER}, made by a newer noughts"):
        opened.migrate()
    opened.close()


def test_a_server_that_runs_goes_on_and_does_not_start_again(nursery, database):
    server = nursery.serve(database=database)
    game = server.client().start(game="3x3")["id"]
    pretend_to_be_newer(database)
    assert server.client().move(game, "X", 0, 0)["version"] == 2
    server.kill()
    arguments = ["serve", "--port", "0", "--database", database]
    pid, output = nursery.command(*arguments)
    wait_for(lambda: not is_alive(pid))
    told = output.read_text()
    assert f"the database has schema {NEWER}, made by a newer noughts" in told
    assert "Traceback" not in told


def read_presence(stream) -> None:
    for text in stream:
        assert json.loads(text)["type"] in ("presence", "heartbeat")


NEW_EVENTS = [
    {"action": "chat", "at": 2.0, "text": "hello"},
    {"action": "undo", "at": 2.0, "reason": "a field that only a newer version knows"},
    {"action": "make_move", "player": "X", "move": "z99", "at": 2.0},
]


@pytest.mark.parametrize("event", NEW_EVENTS, ids=["event", "field", "move"])
def test_a_game_with_an_event_of_a_newer_version_is_refused_and_the_others_go_on(nursery, database, event):
    # Two servers, one of which is about to be replaced: both may write.
    server = nursery.serve(database=database, bus="nats://127.0.0.1:9", workers=2, poll=0.2)
    client = server.client()
    other, game = (client.start(game="3x3") for _ in range(2))
    with open_stream(f"{server.url.replace('http', 'ws')}/game/{game['id']}/live") as stream:
        assert json.loads(stream.recv())["version"] == 1
        append(database, game["id"], 2, event)
        with pytest.raises(ConnectionClosedError) as closed:
            read_presence(stream)
        assert closed.value.rcvd.code == 1012
    for answer in (
        client.get(f"/game/state/{game['id']}"),
        client.get(f"/game/state/{game['watchId']}"),
        client.move(game["id"], "X", 0, 0),
        client.post(f"/game/{game['id']}/undo"),
        client.post(f"/game/{game['id']}/resign"),
    ):
        assert (answer.status, answer.error) == (503, "newer_game")
        assert int(answer.headers["retry-after"]) >= 1
    assert client.move(other["id"], "X", 0, 0)["version"] == 2
    opened = connect(database)
    assert [body for _, body, _ in opened.since(game["id"], 1)] == [orjson.dumps(event).decode()]
    opened.close()
    server.kill()


def test_a_snapshot_of_a_newer_version_is_not_taken_for_less_than_it_says(nursery, database):
    server = nursery.serve(database=database, cached_games=1)
    client = server.client()
    game = client.start(game="3x3")["id"]
    move = {"action": "make_move", "player": "X", "move": "b2", "at": 2.0}
    append(database, game, 2, move, snapshot='{"clocks": [1, 2]}')
    client.start(game="3x3")
    state = client.get(f"/game/state/{game}")
    assert (state["version"], state["lastMove"]["move"]) == (2, "b2")
    server.kill()
