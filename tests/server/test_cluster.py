"""Several servers and AI workers that share PostgreSQL and NATS, none of them special."""

import contextlib
import itertools
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.sync.client import connect

from noughts.match import read
from tests.server.servers import wait_for
from tests.server.test_failures import Watcher


def test_a_match_between_players_on_different_servers(nursery, postgres, nats):
    database = postgres.database()
    one, two = (nursery.serve(database=database, bus=nats.url) for _ in range(2))
    for server in (one, two):
        wait_for(lambda server=server: server.client().get("/readyz")["bus"] == "up")
    ann, bob = one.client().session("Ann"), two.client().session("Bob")
    game = ann.start(game="hex,size=5,swap", opponent="link")
    watchers = [Watcher(server.url, game["watchId"]) for server in (one, two, one, two)]
    bob.post(f"/game/{game['id']}/join")
    turns = {"X": ann, "O": bob}
    state = bob.get(f"/game/state/{game['id']}").json
    while state["winner"] is None:
        player = state["currentPlayer"]
        choice = state["legalMoves"][(7 * state["version"]) % len(state["legalMoves"])]
        answer = turns[player].post(
            "/game/move",
            {"gameId": game["id"], "player": player, "move": choice["move"], "expectedVersion": state["version"]},
        )
        assert answer.status == 200, answer
        # The other server knows at once.
        state = turns["O" if player == "X" else "X"].get(f"/game/state/{game['id']}").json
        assert state["version"] == answer["version"]
    for watcher in watchers:
        watcher.sees(state["version"], 10)
        watcher.close()
        assert watcher.versions == list(range(1, state["version"] + 1))
    assert read(two.client().get(f"/game/{game['id']}/record").body.decode()).state.winner == state["winner"]
    again, same = ann.post(f"/game/{game['id']}/rematch").json, bob.post(f"/game/{game['id']}/rematch").json
    assert again["id"] == same["id"]
    one.kill()
    two.kill()


def test_presence_is_known_on_every_server(nursery, postgres, nats):
    database = postgres.database()
    one, two = (nursery.serve(database=database, bus=nats.url, heartbeat=0.5) for _ in range(2))
    for server in (one, two):
        wait_for(lambda server=server: server.client().get("/readyz")["bus"] == "up")
    game = one.client().start(game="3x3")
    watchers = [Watcher(server.url, game["watchId"]) for server in (one, two, two)]

    def told():
        with connect(f"{one.url.replace('http', 'ws')}/game/{game['watchId']}/live") as stream:
            return json.loads(stream.recv())["presence"]["watchers"] == 4

    wait_for(told)
    for watcher in watchers:
        watcher.close()
    one.kill()
    two.kill()


def test_workers_think_for_servers_that_do_not(nursery, nats):
    server = nursery.serve(bus=nats.url, ai_threads=0)
    client = server.client()
    wait_for(lambda: client.get("/readyz")["bus"] == "up")
    game = client.start("PvAI", game="3x3", level="perfect")["id"]
    client.move(game, "X", 0, 0)
    nobody = client.post("/ai/move", {"gameId": game})
    assert (nobody.status, nobody.error) == (503, "no_ai_worker")
    workers = [nursery.command("worker", "--bus", nats.url, "--threads", "1") for _ in range(2)]
    for _, output in workers:
        wait_for(lambda output=output: output.exists() and "noughts works for" in output.read_text())
    answer = client.post("/ai/move", {"gameId": game})
    assert (answer.status, answer["player"], answer["move"]) == (200, "O", "b2")
    assert client.post(f"/game/{game}/analysis", {"seconds": 0.5})["evaluation"]["value"] == "draw"
    for row, col in itertools.product(range(8), repeat=2):
        # Another position each time, or the answer would be known. NATS picks a worker at random.
        if all("task done" in output.read_text() for _, output in workers):
            break
        other = client.start(game="8x8,k=4")["id"]
        client.move(other, "X", row, col)
        assert client.post(f"/game/{other}/hint", {"seconds": 0.05}).status == 200
    assert all("task done" in output.read_text() for _, output in workers), "the group shares the work"
    for pid, output in workers:
        os.kill(pid, signal.SIGTERM)
        wait_for(lambda pid=pid: not _alive(pid))
        assert "Traceback" not in output.read_text()
    server.kill()


@pytest.fixture
def thinkless(nursery, nats):
    """A server that leaves all thinking to workers, how to start one, and how to ask for much at once."""
    server = nursery.serve(bus=nats.url, ai_threads=0, analysis_seconds=1)
    client = server.client()
    wait_for(lambda: client.get("/readyz")["bus"] == "up")
    started = []

    def working():
        pid, output = nursery.command("worker", "--bus", nats.url, "--threads", "1")
        wait_for(lambda: output.exists() and "noughts works for" in output.read_text())
        started.append(pid)
        return pid, output

    def analysed(pool, seconds, at=0):
        # Each at a position of its own, as nobody thinks twice about the same.
        game = client.start(game="15x15,k=5")["id"]
        client.move(game, "X", at, at)
        return pool.submit(lambda: server.client().post(f"/game/{game}/analysis", {"seconds": seconds}))

    yield working, analysed
    server.kill()
    for pid in started:
        if _alive(pid):
            os.kill(pid, signal.SIGKILL)
            wait_for(lambda pid=pid: not _alive(pid))


def test_a_busy_worker_is_no_reason_to_refuse(thinkless):
    working, analysed = thinkless
    outputs = [working()[1] for _ in range(2)]
    with ThreadPoolExecutor(6) as pool:
        asked = [analysed(pool, 0.3, at) for at in range(6)]
        assert [answer.result().status for answer in asked] == [200] * 6
    assert sum(output.read_text().count("task done") for output in outputs) == 6


def test_a_worker_that_is_stopped_finishes_what_it_began(thinkless):
    working, analysed = thinkless
    pid, output = working()
    with ThreadPoolExecutor(1) as pool:
        asked = analysed(pool, 1)
        wait_for(lambda: "task started" in output.read_text())
        os.kill(pid, signal.SIGTERM)
        assert asked.result().status == 200
    wait_for(lambda: not _alive(pid))
    assert "Traceback" not in output.read_text()


def _alive(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False
