"""deploy/nginx.conf, read by nginx and put in front of a real server.

Debian's nginx may be older than the one in deploy/compose.yaml: it knows no ``resolve`` in an upstream, and the names
of the containers exist only among them. So the test puts the address of its own server there, a port of its own and
fewer connections; all other lines are as they are shipped.
"""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from tests.server.servers import Client, Nursery, free_port, wait_for

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture(scope="module")
def server():
    nursery = Nursery()
    yield nursery.serve(proxies="127.0.0.1", log="info")
    nursery.close()


@pytest.fixture(scope="module")
def balancer(server, tmp_path_factory):
    """The URL of a balancer in front of the server."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    assert program, "install nginx to check deploy/nginx.conf"
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for shipped, here in {
        "    resolver 127.0.0.11 valid=2s;\n": "",
        "server server:8000 resolve;": f"server {urlsplit(server.url).netloc};",
        "listen 80;": f"listen 127.0.0.1:{port};",
        "limit_conn addresses 256;": "limit_conn addresses 8;",
        "/tmp/watched": f"{folder}/watched",
    }.items():
        assert text.count(shipped) == 1, shipped
        text = text.replace(shipped, here)
    temporary = "".join(
        f"    {name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = text.replace("http {\n", f"http {{\n    access_log off;\n{temporary}")
    user = "user root;\n" if os.getuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(f"{user}pid {folder}/pid;\nerror_log {folder}/error.log;\ndaemon off;\n{text}")
    command = [program, "-e", str(folder / "error.log"), "-c", str(config)]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr
    running = subprocess.Popen(command)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: _answers(url))
        yield url
    finally:
        running.terminate()
        running.wait(20)


def _answers(url):
    with contextlib.suppress(OSError):
        return Client(url).get("/healthz").status == 200


def test_a_game_and_its_stream_pass(balancer):
    client = Client(balancer)
    game = client.start(game="3x3")
    with connect(balancer.replace("http", "ws") + f"/game/{game['watchId']}/live") as stream:
        assert json.loads(stream.recv(timeout=20))["type"] == "state"
        assert client.move(game["id"], "X", 1, 1).status == 200
        while json.loads(stream.recv(timeout=20))["type"] != "event":
            pass


def test_long_headers_and_urls_and_the_metrics_end_here(balancer):
    client = Client(balancer)
    assert client.get("/healthz", x_more="y" * 40_000).status == 400
    assert client.get("/" + "y" * 40_000).status == 414
    assert client.get("/metrics").status == 404
    assert client.call("POST", "/game/start", raw=b" " * 20_000).status == 413
    assert client.get("/healthz", x_more="y" * 7_000).status == 200


def test_an_address_has_only_so_many_connections(balancer, server):
    split = urlsplit(balancer)
    game = Client(balancer).start()["watchId"]
    request = f"GET /game/{game}/events HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
    with contextlib.ExitStack() as held:
        statuses = []
        for _ in range(10):
            wire = held.enter_context(socket.create_connection((split.hostname, split.port), 20))
            wire.sendall(request)
            statuses.append(int(wire.recv(12)[9:]))
    assert statuses.count(200) <= 8
    assert set(statuses[8:]) == {429}
    wait_for(lambda: Client(balancer).get("/healthz").status == 200)


def test_a_crowd_that_polls_costs_one_request_a_second(balancer, server):
    client = Client(balancer)
    game = client.start(game="3x3")
    path = f"/game/state/{game['watchId']}"
    answers = [client.get(path) for _ in range(200)]
    assert {answer.status for answer in answers} == {200}
    asked = server.metric(
        "noughts_requests_total", method="GET", route="/game/state/{id}", status="200"
    ) + server.metric("noughts_requests_total", method="GET", route="/game/state/{id}", status="304")
    assert asked < 50, "most came from the cache"
    tag = answers[-1].headers["etag"]
    assert client.get(path, if_none_match=tag).status == 304
    client.move(game["id"], "X", 1, 1)
    wait_for(lambda: client.get(path)["version"] == 2)
    assert client.get(path).headers["etag"] != tag
    # What a player sees is nobody else's.
    assert "x-cache-status" not in client.get(f"/game/state/{game['id']}").headers


def test_the_shipped_limits_are_those_of_the_server():
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    told = dict(re.findall(r"^    (\w+) ([^;]+);", text, re.MULTILINE))
    assert told["large_client_header_buffers"] == "4 8k"
    seconds = [told[name] for name in ("client_header_timeout", "client_body_timeout", "keepalive_timeout")]
    assert seconds == ["10s", "20s", "30s"]
    assert told["limit_conn"] == "addresses 256"
