"""Many clients in the same games, with duplicates, reorderings and stale versions: each version exactly once."""

import itertools
import random
import threading
import time

import pytest

from noughts.match import read
from tests.server.history import Seen, faults

RECORD = ["start", "a", "b", "c"]
GOOD = [Seen(0, 1, 2, "a", 1), Seen(0.5, 3, 3, "b"), Seen(2, 4, 2), Seen(3.5, 5, 4, "c", 3), Seen(6, 7, 4)]


def test_a_history_that_can_be_explained_has_no_faults():
    assert faults(GOOD, RECORD) == []


@pytest.mark.parametrize(
    ("planted", "record", "complaint"),
    [
        (Seen(0, 9, 3, "x"), RECORD, "was given to"),
        (Seen(5, 9, 5, "x"), RECORD, "not in the record"),
        (Seen(8, 9, 3), RECORD, "was known before"),
        (Seen(8, 9, 4, "c"), RECORD, "was known before"),
        (Seen(0, 9, 4, "d"), ["start", "a", "b", "d"], "which is d"),
        (Seen(0, 9, 4), ["start", "a", "b", "c", "a"], "twice"),
        (Seen(0, 9, 5, "d", 2), [*RECORD, "d"], "expected version 2"),
        (Seen(0, 9, 4), ["start", "b", "a", "c"], "which is"),
    ],
)
def test_the_checker_finds_planted_faults(planted, record, complaint):
    assert any(complaint in fault for fault in faults([*GOOD, planted], record))


def play_at_random(urls, games, seed, seconds, found, failures):
    """One client: looks, moves, moves again with the same key, moves on what it saw long ago."""
    try:
        rng = random.Random(seed)
        clients = [url.client() for url in urls]
        states = {}
        numbers = itertools.count()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            client, game = rng.choice(clients), rng.choice(games)
            began = time.monotonic()
            if game not in states or rng.random() < 0.3:
                answer = client.get(f"/game/state/{game}")
                assert answer.status == 200, answer
                fresh = answer.json
                found.append((game, Seen(began, time.monotonic(), fresh["version"])))
                if game not in states or rng.random() < 0.7:
                    # Otherwise play on from what was seen earlier.
                    states[game] = fresh
                continue
            state = states[game]
            if not state["legalMoves"]:
                return
            move = rng.choice(state["legalMoves"])["move"]
            body = {"gameId": game, "player": state["currentPlayer"], "move": move}
            if rng.random() < 0.7:
                body["expectedVersion"] = state["version"]
            if rng.random() < 0.5:
                body["idempotencyKey"] = f"{seed}-{next(numbers)}"
            answer = client.post("/game/move", body)
            ended = time.monotonic()
            if answer.status == 200:
                states[game] = answer.json
                name = f"{body['player']} {move}"
                found.append((game, Seen(began, ended, answer["version"], name, body.get("expectedVersion"))))
                if "idempotencyKey" in body and rng.random() < 0.5:
                    again = rng.choice(clients).post("/game/move", body)
                    assert again.status == 200, again
                    found.append((game, Seen(ended, time.monotonic(), again["version"])))
            else:
                assert answer.error in ("stale_version", "wrong_turn", "occupied", "game_over", "too_busy"), answer
                if answer.error == "stale_version":
                    states[game] = answer["state"]
                    found.append((game, Seen(began, ended, answer["state"]["version"])))
    except BaseException as error:
        failures.append(error)
        raise


def race(servers, seconds=4.0, players=6, count=3):
    """Let clients race and check what they saw against the records."""
    client = servers[0].client()
    games = [client.start(game="19x19,k=19")["id"] for _ in range(count)]
    found, failures = [], []
    threads = [
        threading.Thread(target=play_at_random, args=(servers, games, seed, seconds, found, failures))
        for seed in range(players)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    for game in games:
        record = read(servers[-1].client().get(f"/game/{game}/record").body.decode())
        name = record.state.game.move_name
        moves = ["start", *(f"{ply.player} {name(ply.move)}" for ply in record.state.history)]
        seen = [each for where, each in found if where == game]
        assert len(moves) > 10
        assert sum(1 for each in seen if each.move) > 10
        assert faults(seen, moves) == []


def test_one_process(nursery):
    server = nursery.serve()
    race([server])
    server.kill()


def test_several_processes_on_one_file(nursery):
    server = nursery.serve(workers=2)
    race([server], seconds=6)
    server.kill()


def test_two_servers_on_postgresql_and_nats(nursery, postgres, nats):
    database = postgres.database()
    servers = [nursery.serve(database=database, bus=nats.url) for _ in range(2)]
    race(servers)
    for server in servers:
        server.kill()
