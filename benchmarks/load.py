"""A load generator: keep-alive HTTP/1.1 on raw asyncio, with as little work per request as possible.

Run as ``python -m benchmarks.load URL KIND …``; it prints one JSON object. Kinds: ``turns ROUNDS CLIENTS``,
``paced SECONDS RATE CLIENTS``, ``watch WATCHERS MOVES``, ``idle GAMES MOVES``,
``loads SHORT LONG ROUNDS``, ``greedy GUESTS MOVES``.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import itertools
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

import uvloop


class Connection:
    """One keep-alive connection."""

    def __init__(self, host: str, port: int, address: str | None = None) -> None:
        self.host, self.port = host, port
        self.address = None if address is None else (address, 0)
        """Which of this machine's addresses it comes from."""

    async def open(self) -> Connection:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, local_addr=self.address)
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
    head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(data)}\r\n".encode()
    return head + kind + b"\r\n" + data


ORDER = [
    ("X", 0, 0), ("O", 1, 1), ("X", 2, 2), ("O", 0, 2), ("X", 2, 0), ("O", 1, 0), ("X", 1, 2), ("O", 2, 1), ("X", 0, 1),
]  # fmt: skip
"""The moves of a draw on 3x3."""


TURN_SECONDS = 0.5
"""Seconds of empty requests, and then of moves."""

GAMES_PER_TURN = 6
"""Games each client has ready for a turn; with 64 clients enough for 6,900 moves a second."""


async def start_game(connection: Connection, spec: str) -> str:
    """The id of a new game."""
    return str((await connection.post("/game/start", {"mode": "PvP", "game": spec}))["id"])


def round_trip(game: str) -> list[bytes]:
    """Requests that can be repeated: the moves of a game, then a reset, which does not count as a move."""
    moves = [{"gameId": game, "player": player, "row": row, "col": col} for player, row, col in ORDER]
    return [*(request("POST", "/game/move", move) for move in moves), request("POST", f"/game/{game}/reset", {})]


CELLS = [(row, col) for row in range(15) for col in range(15)]
PATTERN = [[cell for cell in CELLS if ((cell[1] + 2 * cell[0]) % 4 < 2) == first] for first in (True, False)]
"""The cells of X and of O on a full Gomoku board where nobody has more than two in a row."""


def fill(game: str, at: int) -> bytes:
    """The move number ``at`` in a game of Gomoku that nobody wins."""
    row, col = PATTERN[at % 2][at // 2]
    return request("POST", "/game/move", {"gameId": game, "player": "XO"[at % 2], "row": row, "col": col})


def summary(times: list[float]) -> dict[str, float]:
    """The median, the 99th percentile and the maximum."""
    times.sort()
    return {"p50": times[len(times) // 2], "p99": times[int(len(times) * 0.99)], "max": times[-1]}


async def turns(host: str, port: int, rounds: int, clients: int) -> dict[str, object]:
    """Empty requests per second and stored moves per second, measured in short turns.

    The speed of a machine changes from second to second, so the two alternate. Every client plays its own games,
    started before the clock runs, so that only moves are measured.
    """
    empty = request("GET", "/healthz")

    async def prepared() -> tuple[Connection, Iterator[bytes]]:
        connection = await Connection(host, port).open()
        games = [await start_game(connection, "3x3") for _ in range(rounds * GAMES_PER_TURN)]
        return connection, iter([each for game in games for each in round_trip(game)[: len(ORDER)]])

    async def run(connection: Connection, wire: Iterator[bytes], until: float) -> int:
        count = 0
        while time.perf_counter() < until:
            status, answer = await connection.ask(next(wire))
            assert status == 200, answer
            count += 1
        return count

    async def rate(wires: Sequence[tuple[Connection, Iterator[bytes]]]) -> float:
        began = time.perf_counter()
        counts = await asyncio.gather(*(run(*wire, began + TURN_SECONDS) for wire in wires))
        return sum(counts) / (time.perf_counter() - began)

    tables = await asyncio.gather(*(prepared() for _ in range(clients)))
    nothing = [(connection, itertools.repeat(empty)) for connection, _ in tables]
    return {"rates": [(await rate(nothing), await rate(tables)) for _ in range(rounds)]}


async def paced(host: str, port: int, seconds: float, rate: float, clients: int) -> dict[str, object]:
    """The latency of moves sent at a steady rate, including the wait when an answer is late."""
    times: list[float] = []

    async def run(number: int, begin: float) -> None:
        connection = await Connection(host, port).open()
        wire = round_trip(await start_game(connection, "3x3"))
        turn = 0
        while (due := begin + (turn * clients + number) / rate) < begin + seconds:
            await asyncio.sleep(max(0, due - time.perf_counter()))
            status, answer = await connection.ask(wire[turn % len(wire)])
            assert status == 200, answer
            if turn % len(wire) < len(ORDER):
                times.append(time.perf_counter() - due)
            turn += 1

    begin = time.perf_counter() + 2
    await asyncio.gather(*(run(number, begin) for number in range(clients)))
    return {"rate": len(times) / seconds, **summary(times)}


async def idle(host: str, port: int, games: int, moves: int) -> dict[str, object]:
    """Start games, play some moves in each, and leave them."""

    async def run(count: int) -> None:
        connection = await Connection(host, port).open()
        for _ in range(count):
            game = await start_game(connection, "gomoku")
            for at in range(moves):
                status, answer = await connection.ask(fill(game, at))
                assert status == 200, answer

    await asyncio.gather(*(run(games // 20) for _ in range(20)))
    return {"games": games // 20 * 20}


async def loads(host: str, port: int, short: int, long: int, rounds: int) -> dict[str, object]:
    """The time to load a game that is not in memory, with few and with many moves."""
    connection = await Connection(host, port).open()
    asks: dict[str, bytes] = {}
    for name, length in (("short", short), ("long", long)):
        game = await start_game(connection, "gomoku")
        for at in range(length):
            status, answer = await connection.ask(fill(game, at))
            assert status == 200, answer
        asks[name] = request("GET", f"/game/state/{game}")
    times: dict[str, list[float]] = {name: [] for name in asks}
    # Alternating: each load evicts the other game from memory.
    for _ in range(rounds):
        for name, ask in asks.items():
            began = time.perf_counter()
            status, answer = await connection.ask(ask)
            assert status == 200, answer
            times[name].append(time.perf_counter() - began)
    return {name: summary(found)["p50"] for name, found in times.items()}


async def greedy(host: str, port: int, guests: int, moves: int) -> dict[str, object]:
    """The time of an easy AI move alone, then beside guests who ask for analyses, then also for perfect moves.

    Every guest has an address of its own, and asks again as soon as it has an answer.
    """

    async def new_game(connection: Connection, level: str) -> str:
        state = await connection.post("/game/start", {"mode": "PvAI", "game": "gomoku", "level": level})
        return str(state["id"])

    async def ask_for_more(number: int, also_moves: bool) -> None:
        connection = await Connection(host, port, f"127.0.{1 + number // 200}.{1 + number % 200}").open()
        wants_moves = also_moves and number % 2 == 1
        while True:
            game = await new_game(connection, "perfect")
            for at in range(0, 20, 2):
                await connection.ask(fill(game, (at + 2 * number) % 60))
                if wants_moves:
                    await connection.ask(request("POST", "/ai/move", {"gameId": game}))
                    break
                await connection.ask(request("POST", f"/game/{game}/analysis", {"seconds": 5}))

    async def easy() -> list[float]:
        connection = await Connection(host, port).open()
        times: list[float] = []
        while len(times) < moves:
            game = await new_game(connection, "easy")
            for row in range(15):
                move = {"gameId": game, "player": "X", "row": row, "col": 3 * row % 15}
                if (await connection.ask(request("POST", "/game/move", move)))[0] != 200:
                    # The AI has that cell.
                    break
                began = time.perf_counter()
                status, answer = await connection.ask(request("POST", "/ai/move", {"gameId": game}))
                times.append(time.perf_counter() - began)
                assert status == 200, answer
        return times

    found: dict[str, object] = {"alone": summary(await easy())}
    for name, also_moves in (("analyses", False), ("moves", True)):
        crowd = [asyncio.ensure_future(ask_for_more(number, also_moves)) for number in range(guests)]
        await asyncio.sleep(3)
        found[name] = summary(await easy())
        broken = [guest.exception() for guest in crowd if guest.done()]
        assert not broken, broken
        for guest in crowd:
            guest.cancel()
        await asyncio.sleep(3)
    return found


async def watch(host: str, port: int, watchers: int, moves: int) -> dict[str, object]:
    """The time from sending a move until each watcher has it."""
    connection = await Connection(host, port).open()
    state = await connection.post("/game/start", {"mode": "PvP", "game": "gomoku"})
    loop = asyncio.get_running_loop()
    arrived: list[float] = []
    everybody = asyncio.Event()

    class Watcher(asyncio.Protocol):
        def __init__(self, opened: asyncio.Future[None]) -> None:
            self.opened, self.buffer = opened, b""

        def connection_made(self, transport: asyncio.WriteTransport) -> None:  # type: ignore[override]
            key = base64.b64encode(os.urandom(16)).decode()
            transport.write(
                f"GET /game/{state['watchId']}/live HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\n"
                f"connection: upgrade\r\nsec-websocket-key: {key}\r\nsec-websocket-version: 13\r\n\r\n".encode()
            )

        def data_received(self, data: bytes) -> None:
            self.buffer += data
            if not self.opened.done():
                if b'{"type":"state"' in self.buffer:
                    self.opened.set_result(None)
                    self.buffer = b""
                return
            while True:
                frame = take_frame(self.buffer)
                if frame is None:
                    return
                payload, self.buffer = frame
                if payload.startswith(b'{"type":"event"'):
                    arrived.append(time.perf_counter())
                    if len(arrived) == watchers:
                        everybody.set()

    for at in range(0, watchers, 100):
        some = [loop.create_future() for _ in range(min(100, watchers - at))]
        for future in some:
            await loop.create_connection(lambda future=future: Watcher(future), host, port)
        await asyncio.gather(*some)
    await asyncio.sleep(3)
    # A new connection: the server may have closed the first one while the watchers connected.
    connection = await Connection(host, port).open()
    delays: list[float] = []
    for at in range(moves):
        arrived.clear()
        everybody.clear()
        began = time.perf_counter()
        status, answer = await connection.ask(fill(str(state["id"]), at))
        assert status == 200, answer
        await asyncio.wait_for(everybody.wait(), 60)
        delays += [at - began for at in arrived]
        await asyncio.sleep(0.5)
    return {**summary(delays)}


def take_frame(data: bytes) -> tuple[bytes, bytes] | None:
    """The payload of the first frame of a server and what follows, or ``None`` if it is incomplete."""
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


KINDS = {"turns": turns, "paced": paced, "watch": watch, "idle": idle, "loads": loads, "greedy": greedy}


def main() -> None:
    """Run one kind of load."""
    gc.disable()
    split = urlsplit(sys.argv[1])
    numbers = [int(text) for text in sys.argv[3:]]
    result = uvloop.run(KINDS[sys.argv[2]](split.hostname, split.port, *numbers))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
