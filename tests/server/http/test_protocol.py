"""What a socket may send, and how long it may take: everything else is refused, counted and logged once."""

import contextlib
import json
import resource
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from noughts.server.http.sockets import MAX_HEAD_BYTES
from tests.server.servers import wait_for

GET = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"


@pytest.fixture(scope="module")
def hasty(nursery):
    """A server that waits for nobody."""
    server = nursery.serve(header_seconds=0.3, body_seconds=0.3, idle_seconds=0.3, reader_seconds=0.5)
    yield server
    server.kill()


@contextlib.contextmanager
def dialled(server):
    split = urlsplit(server.url)
    with socket.create_connection((split.hostname, split.port), 20) as wire:
        yield wire


def everything(wire):
    """What a server says until it closes."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while more := wire.recv(65536):
            said += more
    return said


def answer(said):
    """The status of the last answer and its error."""
    head, _, body = said.rpartition(b"\r\n\r\n")
    return int(head.rpartition(b"HTTP/1.1 ")[2][:3]), json.loads(body).get("error") if body else None


def flood(wire, piece, most):
    """Send the same piece until the server has had enough; how many bytes went out."""
    sent = 0
    wire.settimeout(5)
    with contextlib.suppress(OSError):
        while sent < most:
            wire.sendall(piece)
            sent += len(piece)
    return sent


def cuts(server, reason):
    return server.metric("noughts_connections_cut_total", reason=reason)


BODY = b"POST %b HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"
TRAILERS = b"POST /game/start HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n0\r\n"
UPGRADE = (
    b"GET /game/w-x/live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
ENDLESS = {
    "headers": (GET, b"x-more: " + b"y" * 1000 + b"\r\n", 431, "headers_too_large"),
    "one header": (GET + b"x-more: ", b"y" * 1000, 431, "headers_too_large"),
    "empty headers": (GET, b"a:\r\n" * 250, 431, "headers_too_large"),
    "url": (b"GET /", b"y" * 1000, 414, "url_too_long"),
    "trailers": (TRAILERS, b"x-more: " + b"y" * 1000 + b"\r\n", 431, "headers_too_large"),
    "one trailer": (TRAILERS + b"x-more: ", b"y" * 1000, 431, "headers_too_large"),
    "the extension of a chunk": (TRAILERS[:-3] + b"5;x=", b"y" * 1000, 431, "headers_too_large"),
    "the headers of a stream": (UPGRADE, b"x-more: " + b"y" * 1000 + b"\r\n", 431, "headers_too_large"),
}


def memory(server):
    """Bytes that a server has in memory."""
    return int(Path(f"/proc/{server.pid}/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_is_not_a_body_has_an_end(server, kind):
    begin, more, status, code = ENDLESS[kind]
    before, counted = memory(server), cuts(server, code)
    with dialled(server) as wire:
        wire.sendall(begin)
        sent = flood(wire, more, 40_000_000)
    assert sent < 10_000_000, "it did not read on"
    assert memory(server) - before < 20_000_000
    assert cuts(server, code) == counted + 1
    # One that is only a little too long can read why.
    with dialled(server) as wire:
        wire.sendall(begin + more * (MAX_HEAD_BYTES // len(more) + 5))
        assert answer(everything(wire)) == (status, code)
    assert server.client().get("/healthz").status == 200


@pytest.mark.slow
@pytest.mark.parametrize("kind", ENDLESS)
def test_many_who_send_without_an_end(nursery, kind):
    server = nursery.serve()
    begin, more, *_ = ENDLESS[kind]
    before = memory(server)
    for _ in range(300):
        with dialled(server) as wire:
            wire.sendall(begin)
            flood(wire, more * 64, 400_000)
            assert server.client().get("/healthz").status == 200
    assert memory(server) - before < 50_000_000
    server.kill()


def test_a_head_may_be_as_long_as_it_says(server):
    with dialled(server) as wire:
        wire.sendall(GET + b"x-more: " + b"y" * (MAX_HEAD_BYTES - 200) + b"\r\nconnection: close\r\n\r\n")
        assert answer(everything(wire))[0] == 200
    with dialled(server) as wire:
        wire.sendall(GET + b"x-more: " + b"y" * MAX_HEAD_BYTES + b"\r\nconnection: close\r\n\r\n")
        assert answer(everything(wire)) == (431, "headers_too_large")
    # In one go, one after the other: each is counted for itself.
    with dialled(server) as wire:
        one = GET + b"x-more: " + b"y" * 2000 + b"\r\n"
        wire.sendall((one + b"\r\n") * 40 + one + b"connection: close\r\n\r\n")
        assert everything(wire).count(b"HTTP/1.1 200") == 41


def test_a_trailer_is_no_header(server):
    body = b'{"mode": "PvP"}'
    with dialled(server) as wire:
        head = TRAILERS[:-5] + b"content-type: application/json\r\nconnection: close\r\n\r\n"
        wire.sendall(head + b"%x\r\n%b\r\n0\r\norigin: https://evil.example\r\n\r\n" % (len(body), body))
        assert answer(everything(wire))[0] == 200


@pytest.mark.parametrize("more", [b"x: " + b"y" * 9000 + b"\r\n", b"x: y\r\n" * 150])
def test_a_stream_with_more_headers_than_its_library_reads_is_refused(nursery, more):
    server = nursery.serve()
    with dialled(server) as wire:
        wire.sendall(UPGRADE + more + b"\r\n")
        assert answer(everything(wire)) == (431, "headers_too_large")
    assert "Traceback" not in server.log()
    server.kill()


def test_what_is_not_http_gets_one_answer_and_one_line_in_the_log(nursery):
    server = nursery.serve()
    for _ in range(5):
        with dialled(server) as wire:
            wire.sendall(b"\x16\x03\x01 hello\r\n\r\n")
            assert answer(everything(wire)) == (400, "invalid_request")
    assert cuts(server, "invalid_request") == 5
    assert server.log().count('"level"') == server.log().count('"reason": "invalid_request"') == 1
    server.kill()


def test_other_upgrades_are_answered_without(server):
    with dialled(server) as wire:
        wire.sendall(GET + b"connection: upgrade, http2-settings\r\nupgrade: h2c\r\n\r\n")
        assert answer(everything(wire))[0] == 200


def test_one_socket_queues_only_so_many_requests(server):
    with dialled(server) as wire:
        flood(wire, (b"GET /games HTTP/1.1\r\nhost: localhost\r\n\r\n") * 2000, 4_000_000)
        assert everything(wire).count(b"HTTP/1.1 200") < 2000
    assert server.client().get("/healthz").status == 200


SLOW = {
    "silent": (b"", None),
    "slow_header": (GET, (408, "request_timeout")),
    "slow_body": (BODY % b"/game/start", (408, "request_timeout")),
    "idle": (GET + b"\r\n", (200, None)),
}


@pytest.mark.parametrize("reason", SLOW)
def test_who_keeps_the_server_waiting_is_closed(hasty, reason):
    counted, (sent, expected) = cuts(hasty, reason), SLOW[reason]
    with dialled(hasty) as wire:
        wire.sendall(sent)
        said = everything(wire)
    assert said == b"" if expected is None else answer(said) == expected
    wait_for(lambda: cuts(hasty, reason) > counted)
    logged = hasty.log().count(f'"reason": "{reason}"')
    assert logged == (0 if reason in ("silent", "idle") else 1)
    with dialled(hasty) as wire:
        wire.sendall(sent)
        everything(wire)
    assert hasty.log().count(f'"reason": "{reason}"') == logged
    assert "Traceback" not in hasty.log()


@pytest.mark.parametrize("begin", [b"\r\n", GET + b"x: ", SLOW["slow_body"][0], GET + b"\r\n\r\n"])
def test_bytes_that_trickle_in_put_nothing_off(hasty, begin):
    drop = b"\r\n" if begin.endswith(b"\r\n") else b"y"
    with dialled(hasty) as wire:
        wire.sendall(begin)
        wire.settimeout(0.05)
        until = time.monotonic() + 15
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < until:
                wire.sendall(drop)
                with contextlib.suppress(TimeoutError):
                    if not wire.recv(65536):
                        break
        assert time.monotonic() < until


def test_who_does_not_read_is_cut_off(hasty):
    split, counted = urlsplit(hasty.url), cuts(hasty, "slow_reader")

    def leave_unread():
        with socket.socket() as wire:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            wire.connect((split.hostname, split.port))
            with contextlib.suppress(OSError):
                for _ in range(100):
                    wire.sendall(b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
                    time.sleep(0.01)
            time.sleep(1)
        return cuts(hasty, "slow_reader") > counted

    wait_for(leave_unread)


def test_slow_answers_and_streams_are_not_slow_clients(hasty):
    game = hasty.client().start("PvAI", game="gomoku", level="perfect")
    hasty.client().move(game["id"], "X", 7, 7)
    with connect(hasty.url.replace("http", "ws") + f"/game/{game['watchId']}/live") as stream:
        json.loads(stream.recv())
        assert hasty.client().post(f"/game/{game['id']}/analysis", {"seconds": 5}).status == 200
        time.sleep(0.7)
        assert hasty.client().post("/ai/move", {"gameId": game["id"]}).status == 200
        while json.loads(stream.recv(timeout=10))["type"] != "event":
            pass


def test_a_client_has_only_so_many_sockets(nursery):
    server = nursery.serve(client_sockets=5, idle_seconds=0.5)
    game = server.client().start()["watchId"]
    wait_for(lambda: server.metric("noughts_sockets") == 0)
    with contextlib.ExitStack() as held:
        for _ in range(3):
            held.enter_context(dialled(server))
        held.enter_context(connect(server.url.replace("http", "ws") + f"/game/{game}/live"))
        held.enter_context(dialled(server))
        for _ in range(3):
            with dialled(server) as wire:
                wire.sendall(GET + b"\r\n")
                assert answer(everything(wire)) == (429, "too_many_sockets")
    wait_for(lambda: _is_free(server))
    assert cuts(server, "too_many_sockets") >= 3
    assert server.log().count('"reason": "too_many_sockets"') == 1
    wait_for(lambda: server.metric("noughts_sockets") == 0)
    server.kill()


def _is_free(server):
    return server.client().get("/healthz").status == 200


def test_all_clients_together_have_only_so_many_sockets(nursery):
    server = nursery.serve(sockets=5)
    with contextlib.ExitStack() as held:
        for _ in range(5):
            held.enter_context(dialled(server))
        # Whoever refuses them has descriptors left, however many come.
        for _ in range(100):
            held.enter_context(dialled(server))
        with dialled(server) as wire:
            wire.sendall(GET + b"\r\n")
            said = everything(wire)
            assert not said or answer(said) == (503, "server_full")
    wait_for(lambda: _is_free(server))
    assert cuts(server, "server_full") >= 100
    assert server.log().count('"reason": "server_full"') == 1
    server.kill()


def test_idle_sockets_lock_nobody_out(nursery):
    """As many as a process may have descriptors, and more, from one address: they go, and a line says so."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    server = nursery.serve(client_sockets=256, header_seconds=2, log="info")
    assert f'"message": "descriptors", "limit": {min(most, 1 << 20)}' in server.log()
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (1024, most))
    with contextlib.ExitStack() as held:
        for _ in range(300):
            held.enter_context(dialled(server))
        wait_for(lambda: '"reason": "too_many_sockets"' in server.log())
        wait_for(lambda: _is_free(server))
        wait_for(lambda: cuts(server, "silent") == 256)
    server.kill()


@pytest.mark.parametrize("path", [b"/game/move", b"/game/start", b"/ai/move"])
def test_a_client_that_leaves_in_the_middle_is_no_error(nursery, path):
    server = nursery.serve(log="info")
    with dialled(server) as wire:
        wire.sendall(BODY % path)
        time.sleep(0.1)
    wait_for(lambda: f'"route": "{path.decode()}", "status"' in server.log())
    [line] = [json.loads(line) for line in server.log().splitlines() if f'"{path.decode()}"' in line]
    assert line["status"] in (400, 499)
    assert "Traceback" not in server.log()
    assert '"level": "error"' not in server.log()
    server.kill()
