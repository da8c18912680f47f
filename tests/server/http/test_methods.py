"""HEAD wherever GET is, and Allow wherever a method is refused."""

import pytest

from noughts.server.http.app import openapi

PATHS = openapi()["paths"]


def filled(path, game):
    return path.replace("{id}", game["id"]) + {"/games/board": "?game=3x3", "/openings/map": "?game=3x3"}.get(path, "")


@pytest.fixture(scope="module")
def game(server):
    return server.client().start(game="3x3")


@pytest.mark.parametrize("path", [path for path in PATHS if "get" in PATHS[path] and path != "/game/{id}/events"])
def test_head_is_get_without_a_body(client, game, path):
    asked = filled(path, game)
    got, head = client.get(asked), client.call("HEAD", asked)
    assert (head.status, head.body) == (got.status, b"")
    assert {**head.headers, "date": ""} == {**got.headers, "date": ""}


def test_head_of_what_has_no_end_ends(client, game):
    head = client.call("HEAD", f"/game/{game['watchId']}/events")
    assert (head.status, head.body, head.headers["content-type"]) == (200, b"", "text/event-stream; charset=utf-8")
    assert client.get("/healthz").status == 200
    assert client.call("HEAD", "/nothing").status == 404
    assert client.call("HEAD", "/docs").status == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
def test_allow_says_what_a_path_is_for(client, game, path, method):
    there = {each.upper() for each in PATHS[path]}
    there |= {"HEAD"} if "GET" in there else set()
    if method in there:
        return
    answer = client.call(method, filled(path, game), headers_accept="text/html")
    assert answer.status == 405
    assert method == "HEAD" or answer.error == "method_not_allowed"
    assert set(answer.headers["allow"].split(", ")) == there


def test_the_page_is_for_get(client):
    answer = client.post("/play/abc")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")
