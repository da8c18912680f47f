"""How long a request holds the event loop, which keeps everybody else waiting.

The application runs in this process, on an event loop that measures every step it takes: the processor time of its own
thread, so that other threads and programs do not count. Each kind of request is made on the largest game it can be made
on. Run as ``python -m benchmarks.holds`` it prints the table; the group ``server`` has it too.
"""

from __future__ import annotations

import asyncio
import gc
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from benchmarks.table import Table
from noughts.server.http.app import make_app
from noughts.server.settings import Settings

ROUNDS = 200
LIMIT = 0.005
"""Seconds that no request may hold the loop for, 999 times of 1,000."""

EVENTS = 2000
UNDO_PLIES = 300


class Monitor:
    """Measures every step of an event loop while it is on, by the name of what is going on."""

    def __init__(self) -> None:
        self.steps: dict[str, list[float]] = defaultdict(list)
        self.kind = ""

    def __enter__(self) -> Monitor:
        self._run = run = asyncio.Handle._run

        def measured(handle: asyncio.Handle) -> None:
            began = time.thread_time()
            run(handle)
            if self.kind:
                self.steps[self.kind].append(time.thread_time() - began)

        asyncio.Handle._run = measured  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.Handle._run = self._run  # type: ignore[method-assign]


@asynccontextmanager
async def running(folder: str, **settings: Any) -> AsyncIterator[FastAPI]:
    """The application, without a server around it."""
    database = str(Path(folder, "games.db"))
    app = make_app(Settings(database=database, log="warning", hosts="*", rate=0, **settings))
    async with app.router.lifespan_context(app):
        yield app


async def answer(app: FastAPI, method: str, path: str, body: object = None) -> bytes:
    """What the application answers, in a task of its own: its steps are none of ours."""
    data = b"" if body is None else json.dumps(body).encode()
    waiting = iter([{"type": "http.request", "body": data, "more_body": False}])
    status, said = 0, b""

    async def receive() -> dict[str, Any]:
        for message in waiting:
            return message
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status, said
        status = message.get("status", status)
        said += message.get("body", b"")

    path, _, query = path.partition("?")
    scope = {"type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": method}
    scope |= {
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
    }
    scope |= {"headers": [(b"host", b"localhost"), (b"content-type", b"application/json")], "client": ("192.0.2.1", 1)}
    await asyncio.get_running_loop().create_task(app({**scope, "state": {}}, receive, send))
    assert status == 200, said
    return said


async def ask(app: FastAPI, method: str, path: str, body: object = None) -> Any:
    """The JSON that the application answers with."""
    return json.loads(await answer(app, method, path, body))


async def full_duel(app: FastAPI, plies: int = 361) -> str:
    """The id of a duel on 19x19 with so many plies."""
    state = await ask(app, "POST", "/game/start", {"mode": "PvP", "game": "duel,size=19,opening=peaceful"})
    while len(state["moveHistory"]) < plies and state["winner"] is None:
        move = state["legalMoves"][len(state["legalMoves"]) // 2]["move"]
        body = {"gameId": state["id"], "player": state["currentPlayer"], "move": move}
        state = await ask(app, "POST", "/game/move", body)
    return str(state["id"])


async def long_game(app: FastAPI) -> str:
    """The id of a game with many events."""
    state = await ask(app, "POST", "/game/start", {"mode": "PvP", "game": "gomoku"})
    while state["version"] < EVENTS:
        body = {"gameId": state["id"], "player": state["currentPlayer"], "move": "h8"}
        await ask(app, "POST", "/game/move", body)
        state = await ask(app, "POST", f"/game/{state['id']}/undo", {})
    return str(state["id"])


async def measure(rounds: int = ROUNDS) -> dict[str, list[float]]:
    """The seconds of every step, by kind of request."""
    with Monitor() as monitor, tempfile.TemporaryDirectory() as folder:
        async with running(folder) as app:
            full, undone, long = await full_duel(app), await full_duel(app, UNDO_PLIES), await long_game(app)
            other = await full_duel(app, 20)
        kinds = {
            "moments of a full duel on 19x19": ("GET", f"/game/{full}/moments", None),
            "the state of a full duel on 19x19": ("GET", f"/game/state/{full}", None),
            f"the record of {EVENTS:,} events": ("GET", f"/game/{long}/record", None),
            f"undo at {UNDO_PLIES} plies": ("POST", f"/game/{undone}/undo", {}),
            f"redo at {UNDO_PLIES} plies": ("POST", f"/game/{undone}/redo", {}),
            "the list of games": ("GET", "/games", None),
            "the levels": ("GET", "/levels?game=gomoku", None),
            "the solved games": ("GET", "/openings/list", None),
            "the OpenAPI document": ("GET", "/openapi.json", None),
            "the documentation": ("GET", "/docs", None),
        }
        # Nothing is in memory at first, and later only what is asked for.
        async with running(folder, cached_games=1) as app:
            gc.freeze()
            for at in range(rounds):
                for kind, (method, path, body) in kinds.items():
                    if not kind.startswith(("undo", "redo")) or at == 0:
                        await ask(app, "GET", f"/game/state/{other}")
                    monitor.kind = kind
                    await answer(app, method, path, body)
                    monitor.kind = ""
        return monitor.steps


def table(rounds: int = ROUNDS) -> Table:
    """How long the steps of each kind of request hold the loop."""
    made = Table(
        "What holds the event loop, in processor time", ("request", "longest step", "99.9 % of requests", "target")
    )
    for kind, steps in asyncio.run(measure(rounds)).items():
        # A request takes several steps; the longest ones are one of each.
        longest = sorted(steps)[-rounds:]
        mostly = longest[min(len(longest) - 1, int(len(longest) * 0.999))]
        made.add(kind, f"{longest[-1] * 1000:.1f} ms", f"{mostly * 1000:.1f} ms", f"under {LIMIT * 1000:.0f} ms")
    return made


def main() -> None:
    """Print the table."""
    print(table().markdown())


if __name__ == "__main__":
    main()
