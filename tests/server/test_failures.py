"""What happens when something else fails: the bus, the database, the disk. Nothing that was acknowledged is lost."""

import contextlib
import json
import os
import resource
import subprocess
import threading
import time

import pytest
from websockets.sync.client import connect

from noughts.match import read
from tests.server.servers import is_alive, wait_for


class Watcher(threading.Thread):
    """Follows a game to the end and keeps every version it is told of."""

    def __init__(self, url: str, game: str) -> None:
        super().__init__(daemon=True)
        self._held = contextlib.ExitStack()
        self.stream = self._held.enter_context(connect(f"{url.replace('http', 'ws')}/game/{game}/live"))
        self.versions = [json.loads(self.stream.recv())["version"]]
        self.start()

    def run(self) -> None:
        for text in self.stream:
            message = json.loads(text)
            if message["type"] == "event":
                self.versions.append(message["version"])

    def sees(self, version: int, seconds: float) -> None:
        wait_for(lambda: self.versions[-1] >= version, seconds)

    def close(self) -> None:
        self._held.close()
        self.join(5)


def cells():
    return iter([("XO"[at % 2], *divmod(at, 19)) for at in range(300)])


def test_the_bus_is_lost_and_comes_back(nursery, postgres, nats):
    database = postgres.database()
    one, two = (nursery.serve(database=database, bus=nats.url) for _ in range(2))
    client, other = one.client(), two.client()
    wait_for(lambda: client.get("/readyz")["bus"] == other.get("/readyz")["bus"] == "up")
    game = client.start(game="19x19,k=19")
    watchers = [Watcher(server.url, game["watchId"]) for server in (one, two)]
    moves = cells()

    def play(count):
        for at, (player, row, col) in zip(range(count), moves, strict=False):
            state = (client, other)[at % 2].move(game["id"], player, row, col)
            assert state.status == 200, state
        return state["version"]

    for watcher in watchers:
        watcher.sees(play(4), 5)
    nats.stop()
    wait_for(lambda: client.get("/readyz")["bus"] == other.get("/readyz")["bus"] == "down")
    version = play(6)
    for watcher in watchers:
        watcher.sees(version, 5)
    nats.start()
    version = play(6)
    for watcher in watchers:
        watcher.sees(version, 5)
    wait_for(lambda: client.get("/readyz")["bus"] == other.get("/readyz")["bus"] == "up")
    version = play(4)
    for watcher in watchers:
        watcher.sees(version, 5)
        watcher.close()
        assert watcher.versions == list(range(1, version + 1))
    one.kill()
    two.kill()


def test_the_database_is_stopped_and_comes_back(nursery, postgres):
    server = nursery.serve(database=postgres.database())
    client = server.client()
    game = client.start(game="19x19,k=19")["id"]
    watcher = Watcher(server.url, game)
    moves = cells()
    player, row, col = next(moves)
    assert client.move(game, player, row, col).status == 200
    postgres.stop()
    try:
        player, row, col = next(moves)
        for _ in range(3):
            answer = client.move(game, player, row, col, idempotencyKey="again")
            assert (answer.status, answer.error) == (503, "unavailable")
            assert int(answer.headers["retry-after"]) >= 1
        assert client.get("/readyz").status == 503
        assert client.get("/healthz").status == 200
        assert client.post("/game/start", {"mode": "PvP"}).status == 503
        assert client.post("/session").status == 503
    finally:
        postgres.start()
    wait_for(lambda: client.get("/readyz").status == 200)
    answer = wait_for(lambda: _accepted(client.move(game, player, row, col, idempotencyKey="again")))
    assert answer["version"] == 3
    player, row, col = next(moves)
    assert client.move(game, player, row, col)["version"] == 4
    watcher.sees(4, 5)
    watcher.close()
    assert watcher.versions == [1, 2, 3, 4]
    server.kill()


def _accepted(answer):
    assert answer.status in (200, 503), answer
    return answer if answer.status == 200 else None


@pytest.fixture
def small_disk(tmp_path):
    """A disk that can be filled and emptied: a small tmpfs where one can be mounted, else a limit on file sizes."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)], capture_output=True, check=False
    )
    filler = tmp_path / "filler"

    def fill(pid):
        if mounted.returncode == 0:
            file = os.open(filler, os.O_WRONLY | os.O_CREAT)
            with contextlib.suppress(OSError):
                while True:
                    os.write(file, b"x" * 4096)
            os.close(file)
        else:
            largest = max(file.stat().st_size for file in tmp_path.iterdir())
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))

    def empty(pid):
        if mounted.returncode == 0:
            filler.unlink()
        else:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    yield tmp_path, fill, empty
    if mounted.returncode == 0:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_the_disk_is_full_and_has_room_again(nursery, small_disk):
    folder, fill, empty = small_disk
    server = nursery.serve(database=str(folder / "games.db"))
    client = server.client()
    game = client.start(game="19x19,k=19")["id"]
    moves, acknowledged = list(cells()), 0

    def play():
        nonlocal acknowledged
        answer = client.move(game, *moves[acknowledged])
        acknowledged += answer.status == 200
        return answer

    for _ in range(5):
        assert play().status == 200
    fill(server.pid)
    # What still fits into the log is acknowledged; then nothing is.
    wait_for(lambda: play().status == 503)
    for _ in range(5):
        answer = play()
        assert (answer.status, answer.error) == (503, "unavailable")
    assert len(client.get(f"/game/state/{game}")["moveHistory"]) == acknowledged
    empty(server.pid)
    wait_for(lambda: play().status == 200)
    for _ in range(5):
        assert play().status == 200
    server.kill()
    server.start()
    state = read(server.client().get(f"/game/{game}/record").body.decode()).state
    assert [(ply.player, *divmod(ply.move, 19)) for ply in state.history] == moves[:acknowledged]
    server.kill()


def test_a_second_server_on_the_same_file_is_refused(nursery):
    server = nursery.serve()
    pid, output = nursery.command("serve", "--port", "0", "--database", server.database)
    wait_for(lambda: "another noughts serve uses" in output.read_text() if output.exists() else False)
    assert pid
    server.kill()
    server.start()
    server.kill()


def test_a_worker_process_that_dies_is_replaced(nursery):
    server = nursery.serve(workers=2)
    client = server.client(timeout=10)
    game = client.start(game="3x3")["id"]
    client.move(game, "X", 0, 0)
    children = [int(pid) for pid in _children(server.pid)]
    os.kill(children[-1], 9)
    time.sleep(0.2)

    def answers():
        try:
            return server.client(timeout=10).get(f"/game/state/{game}")["version"] == 2
        except OSError:
            return False

    for _ in range(10):
        wait_for(answers)
    wait_for(lambda: len(_children(server.pid)) >= len(children))
    server.kill()


def _gauge(text, name):
    [line] = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(line.split()[1])


def test_metrics_are_of_all_processes_that_live(nursery):
    server = nursery.serve(workers=2)
    game = server.client().start(game="3x3")["watchId"]

    def shown(name, value):
        # They are there once the processes are.
        with contextlib.suppress(OSError, ValueError):
            return _gauge(server.metrics(), name) == value

    wait_for(lambda: shown("noughts_bus_up", 2))
    with contextlib.ExitStack() as watching:
        for _ in range(8):
            watching.enter_context(connect(f"{server.url.replace('http', 'ws')}/game/{game}/live"))
        for _ in range(5):
            wait_for(lambda: shown("noughts_followers", 8))
        # With the processes go their streams, and what they showed of them.
        for pid in _children(server.pid):
            os.kill(int(pid), 9)
    wait_for(lambda: shown("noughts_followers", 0))
    server.kill()


def _children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return file.read().split()


def test_the_database_hangs_and_goes_on(nursery, postgres):
    """Stopped in its tracks it keeps its connections and never answers: everybody hears so in time."""
    server = nursery.serve(database=postgres.database(), database_seconds=1)
    client = server.client()
    game = client.start(game="19x19,k=19")["id"]
    moves = cells()
    assert client.move(game, *next(moves)).status == 200
    move = next(moves)
    asked = [lambda each: each.move(game, *move, idempotencyKey="one")] * 8
    asked += [lambda each: each.get(f"/game/state/{game}")] * 8
    asked += [lambda each: each.get("/readyz"), lambda each: each.post("/session")] * 4
    answers = []
    with postgres.frozen():
        for _ in range(2):
            threads = [
                threading.Thread(target=lambda ask=ask: answers.append(ask(server.client(timeout=25)))) for ask in asked
            ]
            for thread in threads:
                thread.start()
            assert client.get("/healthz").status == 200
            for thread in threads:
                thread.join(30)
        assert len(answers) == 2 * len(asked)
        assert {(answer.status, answer.error) for answer in answers} == {(503, "unavailable")}
    wait_for(lambda: client.get("/readyz").status == 200)
    answer = wait_for(lambda: _accepted(client.move(game, *move, idempotencyKey="one")))
    assert answer["version"] == 3
    server.kill()


def test_a_server_ends_though_its_database_hangs(nursery, postgres):
    server = nursery.serve(database=postgres.database(), database_seconds=1)
    client = server.client()
    game = client.start(game="3x3")["id"]
    with postgres.frozen():
        threads = [threading.Thread(target=_try, args=(server, game)) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        began = time.monotonic()
        server.stop()
        took = time.monotonic() - began
        for thread in threads:
            thread.join(30)
    # Its grace of five seconds, and twice the deadline; without one it never ended.
    assert not is_alive(server.pid), took


def _try(server, game):
    with contextlib.suppress(OSError):
        server.client(timeout=20).move(game, "X", 0, 0)


@pytest.mark.parametrize("gone", ["", "-wal"])
@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_no_move_is_acknowledged_into_a_file_that_is_gone(nursery, gone, how):
    server = nursery.serve()
    client = server.client()
    game = client.start(game="19x19,k=19")["id"]
    moves = cells()
    assert client.move(game, *next(moves)).status == 200
    assert client.get("/readyz").status == 200
    path = server.database + gone
    os.rename(path, path + ".moved")
    if how == "replaced":
        with open(path, "wb"):
            pass
    move = next(moves)
    for _ in range(3):
        answer = client.move(game, *move, idempotencyKey="one")
        assert (answer.status, answer.error) == (503, "unavailable")
    wait_for(lambda: client.get("/readyz").status == 503)
    assert client.get("/healthz").status == 200
    # It was only moved away for a moment.
    os.rename(path + ".moved", path)
    wait_for(lambda: client.get("/readyz").status == 200)
    assert wait_for(lambda: _accepted(client.move(game, *move, idempotencyKey="one")))["version"] == 3
    server.kill()
    server.start()
    assert len(server.client().get(f"/game/state/{game}")["moveHistory"]) == 2
    server.kill()


def test_a_full_disk_is_not_ready(nursery, small_disk):
    folder, fill, empty = small_disk
    server = nursery.serve(database=str(folder / "games.db"))
    client = server.client()
    client.start(game="3x3")
    assert client.get("/readyz").status == 200
    fill(server.pid)
    wait_for(lambda: client.get("/readyz").status == 503)
    assert client.get("/readyz").error == "unavailable"
    empty(server.pid)
    wait_for(lambda: client.get("/readyz").status == 200)
    server.kill()
