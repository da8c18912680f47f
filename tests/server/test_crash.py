"""kill -9 under load: every acknowledged move is there, no other appears twice, every record replays."""

import http.client
import random
import threading
import time

import pytest

from noughts.match import read
from tests.server.servers import Client, Server, wait_for

SIDE = 19
PLAYERS = 4


class Stubborn(threading.Thread):
    """Plays a game of its own, cell after cell, and asks again with the same key until it is told yes."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server = server
        self.acknowledged = 0
        self.games: list[tuple[str, int]] = []
        """Every game with the moves that were acknowledged in it."""
        self.game = self.begin()
        self.stop = False
        self.failure: BaseException | None = None

    def begin(self) -> str:
        return self.server.client().start(game=f"{SIDE}x{SIDE},k={SIDE}")["id"]

    def run(self) -> None:
        client = self.server.client(timeout=5)
        while not self.stop and self.failure is None:
            try:
                self.play(client)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
            except BaseException as error:
                self.failure = error

    def play(self, client: Client) -> None:
        """Make the next move, or begin the next game once the board is full."""
        at = self.acknowledged
        if at == SIDE * SIDE - 1:
            game = self.begin()
            self.games.append((self.game, at))
            # In this order, for whoever looks at both meanwhile.
            self.acknowledged = 0
            self.game = game
            return
        answer = client.move(self.game, "XO"[at % 2], *divmod(at, SIDE), idempotencyKey=f"{at}")
        if answer.status == 503:
            time.sleep(0.02)
            return
        assert answer.status == 200, answer
        self.acknowledged = at + 1


def crash(nursery, database: str, kills: int) -> int:
    """Kill a server again and again while it is played on; how many moves were acknowledged."""
    rng = random.Random(kills)
    server = nursery.serve(database=database)
    players = [Stubborn(server) for _ in range(PLAYERS)]
    for player in players:
        player.start()
    try:
        for _ in range(kills):
            before = total(players)
            wait_for(lambda before=before: total(players) >= before + 3 or any(player.failure for player in players))
            time.sleep(rng.random() * 0.1)
            server.kill()
            # Nobody is told anything any more: what is acknowledged now must be there afterwards.
            known = [(player.game, player.acknowledged) for player in players]
            server.start()
            client = server.client()
            for game, acknowledged in known:
                made = len(client.get(f"/game/state/{game}")["moveHistory"])
                assert made >= acknowledged
    finally:
        for player in players:
            player.stop = True
        for player in players:
            player.join()
    assert [player.failure for player in players if player.failure] == []
    client = server.client()
    made_in_all = 0
    for player in players:
        for game, acknowledged in [*player.games, (player.game, player.acknowledged)]:
            state = read(client.get(f"/game/{game}/record").body.decode()).state
            made = [(ply.player, ply.move) for ply in state.history]
            assert made == [("XO"[at % 2], at) for at in range(len(made))], "each move once and in order"
            assert acknowledged <= len(made) <= acknowledged + 1
            shown = client.get(f"/game/state/{game}").json
            assert shown["version"] == len(made) + 1 == state.version
            made_in_all += acknowledged
    server.kill()
    assert made_in_all >= kills * 3
    return made_in_all


def total(players: list[Stubborn]) -> int:
    """How many moves were acknowledged."""
    return sum(player.acknowledged + sum(count for _, count in player.games) for player in players)


def test_ten_kills(nursery, database):
    crash(nursery, database, 10)


@pytest.mark.slow
def test_a_hundred_kills(nursery, database):
    crash(nursery, database, 100)
