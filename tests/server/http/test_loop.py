"""What takes long is not done on the event loop, and costs more."""

import asyncio
import json
import threading

import pytest

from noughts.games.lines import LinesPosition
from noughts.server.rooms import commands
from tests.server.inside import ask, inside

PLIES = 200


async def long_game(app, events=0):
    """The id of a game with many moves, and if asked for with many events."""

    async def post(path, body):
        return json.loads((await ask(app, "POST", path, body))[1]["body"])

    state = await post("/game/start", {"mode": "PvP", "game": "19x19,k=19"})
    for at in range(PLIES):
        move = {"gameId": state["id"], "player": "XO"[at % 2], "row": at // 19, "col": at % 19}
        assert (await post("/game/move", move))["version"] == at + 2
    return state["id"]


@pytest.fixture
def by_thread(monkeypatch):
    """What was done by which thread: moves that were played, lines that were written."""
    done = {"play": [], "write": []}

    def noting(kind, call):
        def noted(*arguments):
            done[kind].append(threading.current_thread().name)
            return call(*arguments)

        return noted

    monkeypatch.setattr(LinesPosition, "play_unchecked", noting("play", LinesPosition.play_unchecked))
    monkeypatch.setattr(commands, "record_line", noting("write", commands.record_line))
    return done


def run(scenario, tmp_path):
    async def main():
        database = str(tmp_path / "games.db")
        async with inside(database=database, rate=0) as app:
            game = await long_game(app)
        # Nothing of it is in memory here.
        async with inside(database=database, rate=0) as app:
            await scenario(app, game)

    asyncio.run(main())


def test_moments_and_records_are_written_aside(tmp_path, by_thread):
    async def scenario(app, game):
        for done in by_thread.values():
            done.clear()
        moments = await ask(app, "GET", f"/game/{game}/moments")
        assert len(json.loads(moments[1]["body"])["moments"]) == PLIES
        record = await ask(app, "GET", f"/game/{game}/record")
        assert record[1]["body"].count(b"\n") == PLIES + 1

    run(scenario, tmp_path)
    assert len(by_thread["play"]) >= PLIES
    assert len(by_thread["write"]) == PLIES + 1
    assert "MainThread" not in by_thread["play"] + by_thread["write"]


def test_a_move_taken_back_late_replays_little_on_the_loop(tmp_path, by_thread):
    async def scenario(app, game):
        for at in range(5):
            by_thread["play"].clear()
            answer = json.loads((await ask(app, "POST", f"/game/{game}/undo", {}))[1]["body"])
            assert len(answer["moveHistory"]) == PLIES - 1 - at
            assert by_thread["play"].count("MainThread") < 64

    run(scenario, tmp_path)


def test_what_never_changes_is_written_once(tmp_path, monkeypatch):
    async def scenario(app, game):
        for path in ("/games", "/openings/list", "/openapi.json", "/docs"):
            first, again = [await ask(app, "GET", path) for _ in range(2)]
            assert first[1]["body"] is again[1]["body"], path

    run(scenario, tmp_path)


def test_long_games_cost_more(nursery):
    server = nursery.serve(rate=0.001, burst=5 + PLIES + 100)
    client = server.client()
    game = client.start(game="19x19,k=19")["id"]
    for at in range(PLIES):
        assert client.move(game, "XO"[at % 2], at // 19, at % 19).status == 200
    # 100 are left: 1 and a twentieth of the moves, or a hundredth of the events, for each.
    assert [client.get(f"/game/{game}/moments").status for _ in range(5)] == [200] * 5
    left = 100 - 5 * 11
    assert [client.get(f"/game/{game}/record").status for _ in range(10)] == [200] * 10
    left -= 10 * (1 + (PLIES + 1) / 100)
    assert 11 < left < 22
    assert client.get(f"/game/{game}/moments").status == 200
    refused = client.get(f"/game/{game}/moments")
    assert (refused.status, refused.error) == (429, "too_many_requests")
    assert int(refused.headers["retry-after"]) >= 1
    server.kill()


def test_thinking_longer_costs_more(nursery):
    server = nursery.serve(rate=0.001, burst=5 + 5 + 20 + 5, analysis_seconds=5)
    client = server.client()
    game = client.start("PvAI", game="3x3")["id"]
    assert client.post(f"/game/{game}/analysis", {"seconds": 4}).status == 200
    assert client.post(f"/game/{game}/analysis", {"seconds": 4}).error == "too_many_requests"
    server.kill()
