"""A light load generator: keep-alive HTTP/1.1 on raw asyncio, as little work per request as can be.

Run as ``python -m benchmarks.load URL KIND …``; it prints one JSON object. Kinds: ``noop SECONDS CLIENTS``,
``moves SECONDS CLIENTS``, ``paced SECONDS RATE CLIENTS``, ``watch WATCHERS MOVES``.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import time
from urllib.parse import urlsplit

import uvloop


class Connection:
    """One keep-alive connection."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port

    async def open(self) -> Connection:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        return self

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        at = head.find(b"content-length: ") + 16
        length = int(head[at : head.index(b"\r", at)])
        return int(head[9:12]), await self.reader.readexactly(length)

    async def post(self, path: str, body: dict[str, object]) -> dict[str, object]:
        status, answer = await self.ask(request("POST", path, body))
        assert status == 200, answer
        result: dict[str, object] = json.loads(answer)
        return result


def request(method: str, path: str, body: dict[str, object] | None = None) -> bytes:
    data = b"" if body is None else json.dumps(body).encode()
    kind = b"content-type: application/json\r\n" if data else b""
    head = f"{method} {path} HTTP/1.1\r\nhost: bench\r\ncontent-length: {len(data)}\r\n".encode()
    return head + kind + b"\r\n" + data


CELLS = [(row, col) for row in range(15) for col in range(0, 15)]


class Game:
    """A game of five in a row that fills the board in an order that nobody wins."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.made = 0

    def next(self) -> bytes:
        # Two rows apart for the second player, pairs of columns for the first: no five in a row.
        row, col = divmod(self.made, 15)
        player = "XO"[self.made % 2]
        self.made += 1
        shifted = (col * 2 + (row // 2) % 2 * 1) % 15
        return request("POST", "/game/move", {"gameId": self.id, "player": player, "row": row, "col": shifted})


async def noop(host: str, port: int, seconds: float, clients: int) -> dict[str, object]:
    """Requests per second on an endpoint that does nothing."""
    ask = request("GET", "/healthz")
    until, count = time.perf_counter() + seconds, 0

    async def run() -> None:
        nonlocal count
        connection = await Connection(host, port).open()
        while time.perf_counter() < until:
            status, _ = await connection.ask(ask)
            assert status == 200
            count += 1

    began = time.perf_counter()
    await asyncio.gather(*(run() for _ in range(clients)))
    return {"rate": count / (time.perf_counter() - began)}


async def moves(host: str, port: int, seconds: float, clients: int, spec: str = "duel") -> dict[str, object]:
    """Moves per second, each acknowledged after it was stored; every client plays games of its own."""
    until, count, times = 0.0, 0, []

    async def run(ready: asyncio.Event) -> None:
        nonlocal count
        connection = await Connection(host, port).open()
        state = await connection.post("/game/start", {"mode": "PvP", "game": "3x3"})
        game, at = str(state["id"]), 0
        order = [("X", 0, 0), ("O", 1, 1), ("X", 2, 2), ("O", 0, 2), ("X", 2, 0), ("O", 1, 0), ("X", 1, 2)]
        wire = [
            request("POST", "/game/move", {"gameId": game, "player": player, "row": row, "col": col})
            for player, row, col in order
        ]
        reset = request("POST", f"/game/{game}/reset", {})
        await ready.wait()
        while time.perf_counter() < until:
            began = time.perf_counter()
            status, answer = await connection.ask(wire[at] if at < len(wire) else reset)
            assert status == 200, answer
            times.append(time.perf_counter() - began)
            count += 1
            at = (at + 1) % (len(wire) + 1)

    ready = asyncio.Event()
    tasks = [asyncio.create_task(run(ready)) for _ in range(clients)]
    await asyncio.sleep(1)
    began = time.perf_counter()
    until = began + seconds
    ready.set()
    await asyncio.gather(*tasks)
    times.sort()
    return {"rate": count / (time.perf_counter() - began), "p50": times[len(times) // 2], "p99": times[-len(times) // 100]}


async def paced(host: str, port: int, seconds: float, rate: float, clients: int) -> dict[str, object]:
    """How long moves take that come at a steady rate, waiting in line included."""
    order = [("X", 0, 0), ("O", 1, 1), ("X", 2, 2), ("O", 0, 2), ("X", 2, 0), ("O", 1, 0), ("X", 1, 2)]
    times: list[float] = []

    async def run(number: int, begin: float) -> None:
        connection = await Connection(host, port).open()
        game = str((await connection.post("/game/start", {"mode": "PvP", "game": "3x3"}))["id"])
        wire = [
            request("POST", "/game/move", {"gameId": game, "player": player, "row": row, "col": col})
            for player, row, col in order
        ] + [request("POST", f"/game/{game}/reset", {})]
        turn = 0
        while (due := begin + (turn * clients + number) / rate) < begin + seconds:
            await asyncio.sleep(max(0, due - time.perf_counter()))
            status, answer = await connection.ask(wire[turn % len(wire)])
            assert status == 200, answer
            times.append(time.perf_counter() - due)
            turn += 1

    begin = time.perf_counter() + 2
    await asyncio.gather(*(run(number, begin) for number in range(clients)))
    times.sort()
    return {
        "moves": len(times),
        "rate": len(times) / seconds,
        "p50": times[len(times) // 2],
        "p99": times[-len(times) // 100],
        "max": times[-1],
    }


async def watch(host: str, port: int, watchers: int, moves: int) -> dict[str, object]:
    """How long it takes until every watcher has a move, from when it was sent."""
    connection = await Connection(host, port).open()
    state = await connection.post("/game/start", {"mode": "PvP", "game": "15x15,k=5"})
    loop = asyncio.get_running_loop()
    arrived: list[float] = []
    everybody = asyncio.Event()

    class Watcher(asyncio.Protocol):
        def __init__(self, opened: asyncio.Future[None]) -> None:
            self.opened, self.buffer = opened, b""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            key = base64.b64encode(os.urandom(16)).decode()
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(
                f"GET /game/{state['watchId']}/live HTTP/1.1\r\nhost: bench\r\nupgrade: websocket\r\n"
                f"connection: upgrade\r\nsec-websocket-key: {key}\r\nsec-websocket-version: 13\r\n\r\n".encode()
            )

        def data_received(self, data: bytes) -> None:
            self.buffer += data
            if not self.opened.done():
                if b'{"type":"state"' in self.buffer:
                    self.opened.set_result(None)
                    self.buffer = b""
                return
            # The state is the last part of an event, and "you" is in no event: its end is the end of the frame.
            while True:
                frame = take_frame(self.buffer)
                if frame is None:
                    return
                payload, self.buffer = frame
                if payload.startswith(b'{"type":"event"'):
                    arrived.append(time.perf_counter())
                    if len(arrived) == watchers:
                        everybody.set()

    opened = []
    for at in range(0, watchers, 100):
        some = [loop.create_future() for _ in range(min(100, watchers - at))]
        for future in some:
            await loop.create_connection(lambda future=future: Watcher(future), host, port)
        await asyncio.gather(*some)
        opened += some
    await asyncio.sleep(3)
    game, delays = Game(str(state["id"])), []
    for _ in range(moves):
        arrived.clear()
        everybody.clear()
        began = time.perf_counter()
        status, answer = await connection.ask(game.next())
        assert status == 200, answer
        await asyncio.wait_for(everybody.wait(), 60)
        delays += [at - began for at in arrived]
        await asyncio.sleep(0.5)
    delays.sort()
    return {"p50": delays[len(delays) // 2], "p99": delays[-len(delays) // 100], "max": delays[-1]}


def take_frame(data: bytes) -> tuple[bytes, bytes] | None:
    """The payload of the first frame of a server and what follows, or ``None`` if it is not complete."""
    if len(data) < 2:
        return None
    length, at = data[1] & 127, 2
    if length == 126:
        length, at = int.from_bytes(data[2:4]), 4
    elif length == 127:
        length, at = int.from_bytes(data[2:10]), 10
    if len(data) < at + length:
        return None
    return data[at : at + length], data[at + length :]


KINDS = {"noop": noop, "moves": moves, "paced": paced, "watch": watch}


def main() -> None:
    """Run one kind of load."""
    split = urlsplit(sys.argv[1])
    numbers = [int(text) for text in sys.argv[3:]]
    result = uvloop.run(KINDS[sys.argv[2]](split.hostname, split.port, *numbers))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
