"""The names a server goes by."""

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from noughts.server.http.hosts import Hosts
from noughts.server.settings import Settings


@pytest.mark.parametrize(
    ("settings", "allowed", "refused"),
    [
        (
            {},
            ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:1", "[::1]:8000", "[::1]", "localhost."],
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:8000", "", "[::2]"],
        ),
        ({"host": "::1"}, ["[::1]:8000"], ["evil.example"]),
        ({"host": "127.0.0.5"}, ["127.0.0.5:8000", "localhost"], ["evil.example"]),
        ({"host": "0.0.0.0"}, ["anything.example", "192.0.2.1:8000"], []),
        ({"host": "play.example"}, ["anything.example"], []),
        ({"proxies": "127.0.0.1"}, ["play.example"], []),
        ({"hosts": "*"}, ["anything.example", ""], []),
        (
            {"host": "0.0.0.0", "hosts": "Play.example, *.games.example"},
            ["play.example:443", "a.games.example", "a.b.games.example", "127.0.0.1:8000"],
            ["games.example", "evilgames.example", "x.play.example", "192.0.2.1"],
        ),
    ],
)
def test_hosts(settings, allowed, refused):
    hosts = Hosts(Settings(**settings))
    for _ in range(2):
        assert [name for name in allowed if not hosts.allows(name.encode())] == []
        assert [name for name in refused if hosts.allows(name.encode())] == []
    assert hosts.allows(None) == hosts.anything


def test_other_hosts_are_refused(client):
    for path in ("/healthz", "/games", "/nothing"):
        answer = client.get(path, host="evil.example")
        assert (answer.status, answer.error) == (421, "unknown_host")
    assert client.post("/game/start", {"mode": "PvP"}, host="evil.example").status == 421
    assert client.get("/games", host="localhost:1").status == 200
    game = client.start()["watchId"]
    with pytest.raises(InvalidStatus) as refused:
        connect(
            client.url.replace("http", "ws").replace("127.0.0.1", "localhost") + f"/game/{game}/live",
            additional_headers={"Host": "evil.example"},
        )
    assert refused.value.response.status_code in (400, 421)
