"""More games in use than fit into memory: every stream stays live, and no read goes back in time."""

import asyncio
import json
import random

from fastapi import FastAPI

from tests.server.inside import ask, inside

GAMES, MOVES, STREAMS = 30, 12, 6


class Stream:
    """A live stream that stays open, and the versions it was told."""

    def __init__(self, app: FastAPI, game: str) -> None:
        self.versions: list[int] = []
        self.left = asyncio.Event()
        self.task = asyncio.create_task(ask(app, "WS", f"/game/{game}/live", until=self.left, on_sent=self._on_sent))

    def _on_sent(self, message: dict) -> None:
        if message["type"] == "websocket.send" and '"version"' in message["text"]:
            told = json.loads(message["text"])
            if told["type"] in ("state", "event"):
                self.versions.append(told["version"])


async def called(app: FastAPI, kind: str, path: str, body: object = None) -> dict:
    start, *rest = await ask(app, kind, path, body)
    assert start["status"] == 200, rest
    return json.loads(b"".join(part["body"] for part in rest))


async def play(app: FastAPI, game: str, rng: random.Random, stale: list) -> None:
    """Move, and read after every move, with pauses of any length in between."""
    for at in range(MOVES):
        move = {"gameId": game, "player": "XO"[at % 2], "row": at // 4, "col": at % 4}
        version = (await called(app, "POST", "/game/move", move))["version"]
        assert version == at + 2
        for _ in range(rng.randrange(3)):
            await asyncio.sleep(0)
        read = (await called(app, "GET", f"/game/state/{game}"))["version"]
        if read < version:
            stale.append((game, version, read))


def test_streams_and_reads_hold_with_one_game_in_memory(database):
    async def scenario():
        async with inside(
            database=database, cached_games=1, poll=0.2, rate=0, connections=0, bus="nats://127.0.0.1:9"
        ) as app:
            start = {"mode": "PvP", "game": "4x4,k=4"}
            games = [(await called(app, "POST", "/game/start", start))["id"] for _ in range(GAMES)]
            rng, stale, streams = random.Random(1), [], []
            playing = [asyncio.create_task(play(app, game, rng, stale)) for game in games]
            while not all(task.done() for task in playing):
                streams.append((game := rng.choice(games), Stream(app, game)))
                await asyncio.sleep(rng.random() * 0.01)
                listening = [stream for _, stream in streams if not stream.left.is_set()]
                for stream in listening[:-STREAMS]:
                    stream.left.set()
            await asyncio.gather(*playing)
            last = {}
            for game in games:
                last[game] = (await called(app, "POST", f"/game/{game}/undo"))["version"]
            listening = [(game, stream) for game, stream in streams if not stream.left.is_set()]
            for _ in range(100):
                deaf = [game for game, stream in listening if stream.versions[-1:] != [last[game]]]
                if not deaf:
                    break
                await asyncio.sleep(0.05)
            for _, stream in streams:
                first = stream.versions[0] if stream.versions else 1
                assert stream.versions == list(range(first, first + len(stream.versions)))
                stream.left.set()
                await stream.task
            assert (stale, deaf) == ([], [])
            assert listening
            assert len(app.state.service.registry) <= 1

    asyncio.run(scenario())
