"""Metrics on a port of their own."""

import socket
from urllib.parse import urlsplit

import pytest

from noughts.server.errors import InvalidSetting
from noughts.server.http.metricsport import serving_metrics
from noughts.server.settings import Settings
from tests.server.servers import Client


@pytest.fixture
def port():
    found = [b"noughts_x 1\n"]
    with serving_metrics(("127.0.0.1", 0), lambda: found[0]) as url:
        yield Client(url.removesuffix("/metrics")), found


def test_there_is_one_page_with_what_was_counted(port):
    client, found = port
    answer = client.get("/metrics")
    assert (answer.status, answer.body) == (200, b"noughts_x 1\n")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert (client.call("HEAD", "/metrics").status, client.call("HEAD", "/metrics").body) == (200, b"")
    assert client.get("/games").status == 404
    assert client.call("POST", "/metrics").status == 501
    found[0] = None
    assert client.get("/metrics").status == 503


def test_a_silent_client_keeps_nobody_waiting(port):
    client, _ = port
    split = urlsplit(client.url)
    with socket.create_connection((split.hostname, split.port)):
        assert client.get("/metrics").status == 200


def test_a_port_that_is_taken_is_named():
    with serving_metrics(("127.0.0.1", 0), lambda: b"") as url:
        taken = urlsplit(url).port
        with pytest.raises(InvalidSetting, match=f"--metrics 127.0.0.1:{taken}: "):
            serving_metrics(("127.0.0.1", taken), lambda: b"").__enter__()


@pytest.mark.parametrize("wrong", ["9400", "localhost", "localhost:x", ":9400", "localhost:70000"])
def test_an_address_has_a_host_and_a_port(wrong):
    with pytest.raises(InvalidSetting, match="must be an address and a port"):
        Settings.read({"metrics": wrong})


def test_without_the_setting_nobody_serves_them():
    assert Settings().metrics_address is None
    assert Settings(metrics="0.0.0.0:9400").metrics_address == ("0.0.0.0", 9400)
