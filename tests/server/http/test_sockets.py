"""Sockets counted in and out, per client and in all; what is cut off is logged once."""

import pytest

from noughts.server.http.sockets import EPISODE_SECONDS, RESERVED_DESCRIPTORS, Sockets, log
from noughts.server.metrics import Metrics
from noughts.server.settings import Settings


def made(descriptors=10_000, clock=lambda: 0.0, **settings):
    return Sockets(Settings(**settings), Metrics(), descriptors, clock)


def test_sockets_are_counted_in_and_out():
    sockets = made(sockets=3, client_sockets=2)
    assert [sockets.enter("a") for _ in range(3)] == [None, None, "too_many_sockets"]
    assert [sockets.enter("b") for _ in range(2)] == [None, "server_full"]
    sockets.leave("a")
    assert (sockets.enter("b"), sockets.open) == (None, 3)
    for client in "abb":
        sockets.leave(client)
    assert sockets.open == 0
    assert [sockets.enter("c") for _ in range(3)] == [None, None, "too_many_sockets"]


def test_there_are_never_more_than_descriptors():
    assert made(descriptors=1024).limit == 1024 - RESERVED_DESCRIPTORS
    assert made(descriptors=1024, sockets=5000).limit == 1024 - RESERVED_DESCRIPTORS
    assert made(descriptors=1024, sockets=50).limit == 50
    assert made(descriptors=None, sockets=50).limit == 50


@pytest.mark.parametrize(
    ("proxies", "client", "exempt"),
    [
        ("", "192.0.2.1", False),
        ("*", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.0/24, 10.0.0.1", "192.0.2.77", True),
        ("192.0.2.1", "2001:db8::/64", False),
        ("2001:db8::5", "2001:db8::/64", True),
        ("/run/proxy.sock", "192.0.2.1", False),
        ("192.0.2.1", "local", False),
    ],
)
def test_a_proxy_brings_many(proxies, client, exempt):
    sockets = made(client_sockets=1, proxies=proxies)
    sockets.enter(client)
    assert sockets.enter(client) == (None if exempt else "too_many_sockets")


def test_a_reason_is_logged_once_until_a_minute_is_quiet(monkeypatch):
    now, clients = [0.0], []
    sockets = made(clock=lambda: now[0])
    monkeypatch.setattr(log, "warning", lambda message, extra: clients.append(extra["fields"]["client"]))
    for at in range(10):
        now[0] = at * EPISODE_SECONDS * 0.9
        sockets.cut("slow_header", "192.0.2.1")
    assert len(clients) == 1
    sockets.cut("slow_body", "192.0.2.1")
    assert len(clients) == 2
    now[0] += EPISODE_SECONDS
    sockets.cut("slow_header", "192.0.2.2")
    sockets.cut("idle", "192.0.2.2")
    sockets.cut("silent", "192.0.2.2")
    assert clients == ["192.0.2.1", "192.0.2.1", "192.0.2.2"]
