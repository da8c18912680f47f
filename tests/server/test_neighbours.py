"""One bad neighbour hurts nobody: greedy clients get their own share of the AI and no more."""

import contextlib
import http.client
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from tests.server.servers import wait_for


class Greedy:
    """Guests at addresses of their own who ask for analyses without a pause, several at once."""

    def __init__(self, server, guests, at_once=4, seconds=5):
        self.server, self.seconds = server, seconds
        self.statuses = []
        self._leaving = threading.Event()
        self._threads = [
            threading.Thread(target=self._ask, args=(f"127.0.1.{1 + guest}", number), daemon=True)
            for guest in range(guests)
            for number in range(at_once)
        ]

    def _ask(self, address, number):
        client = self.server.client(address=address, timeout=60)
        game = client.start("PvAI", game="gomoku", level="hard")["id"]
        client.move(game, "X", number, int(address.rpartition(".")[2]) % 15)
        while not self._leaving.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                answer = client.post(f"/game/{game}/analysis", {"seconds": self.seconds})
                self.statuses.append(answer.status)
                if answer.status != 200:
                    time.sleep(0.05)

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._leaving.set()
        self.server.kill()
        for thread in self._threads:
            thread.join(30)


def play_easy(server, moves):
    """Let the AI answer so many moves on its easy level; the statuses."""
    client = server.client(timeout=60)
    statuses = []
    while len(statuses) < moves:
        game = client.start("PvAI", game="3x3", level="easy")
        state = client.post("/game/move", {"gameId": game["id"], "player": "X", "move": "b2"})
        while state["winner"] is None and len(statuses) < moves:
            answer = client.post("/ai/move", {"gameId": game["id"]})
            statuses.append(answer.status)
            if answer.status != 200 or answer["state"]["winner"] is not None:
                break
            legal = answer["state"]["legalMoves"][0]["move"]
            state = client.post("/game/move", {"gameId": game["id"], "player": "X", "move": legal})
    return statuses


@pytest.mark.parametrize("guests", [8, pytest.param(64, marks=pytest.mark.slow)])
def test_who_asks_for_analyses_keeps_no_ai_from_moving(nursery, guests):
    server = nursery.serve(ai_threads=1, ai_queue=8, analysis_seconds=5)
    with Greedy(server, guests):
        wait_for(lambda: server.metric("noughts_analyses_waiting") == 8, 60)
        assert play_easy(server, 10 * max(1, guests // 8)) == [200] * 10 * max(1, guests // 8)
        assert server.metric("noughts_analyses_waiting") >= 7, "the guests were at it all the time"


def test_an_analysis_that_nobody_waits_for_is_stopped(nursery):
    server = nursery.serve(analysis_seconds=60)
    client = server.client()
    game = client.start("PvAI", game="gomoku")["id"]
    client.move(game, "X", 7, 7)
    split = urlsplit(server.url)
    body = b'{"seconds": 60}'
    head = f"POST /game/{game}/analysis HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    with socket.create_connection((split.hostname, split.port), 5) as wire:
        wire.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        wait_for(lambda: server.metric("noughts_ai_running") == 1)
    wait_for(lambda: server.metric("noughts_ai_running") == 0, 30)
    assert "Traceback" not in server.log()
    server.kill()


def test_many_who_look_at_one_position_cost_one_analysis(nursery):
    server = nursery.serve(analysis_seconds=2)
    client = server.client()
    game = client.start("PvAI", game="gomoku")["id"]
    client.move(game, "X", 7, 7)
    answers = []

    def look(number):
        answers.append(server.client(address=f"127.0.1.{number}").post(f"/game/{game}/analysis", {"seconds": 2}))

    threads = [threading.Thread(target=look, args=(number,)) for number in range(1, 21)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [answer.status for answer in answers] == [200] * 20
    assert len({answer.body for answer in answers}) == 1
    assert server.metric("noughts_analyses_shared") == 19
    server.kill()
