"""The page: its files, and its front page for every address that a browser opens."""

import pytest


@pytest.fixture(scope="module")
def site(nursery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html><title>noughts</title>")
    (folder / "assets").mkdir()
    (folder / "assets" / "main-1234.js").write_text("play()")
    (folder.parent / "keys.txt").write_text("hidden words")
    server = nursery.serve(page=folder)
    yield server.client()
    server.kill()


@pytest.mark.parametrize("path", ["/", "/play/g123", "/watch/w-123", "/any/where"])
def test_browsers_get_the_front_page_everywhere(site, path):
    answer = site.get(path, accept="text/html,*/*")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"noughts" in answer.body
    assert answer.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_files_are_served_and_those_named_after_their_contents_kept(site):
    answer = site.get("/assets/main-1234.js")
    assert (answer.status, answer.body) == (200, b"play()")
    assert "immutable" in answer.headers["cache-control"]


def test_programs_get_errors_as_always(site):
    assert site.get("/any/where", accept="application/json").error == "not_found"
    assert site.get("/assets/none.js").error == "not_found"
    assert site.get("/game/state/none", accept="text/html").error == "game_not_found"
    assert site.post("/any/where").error == "method_not_allowed"


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt"]
)
def test_nothing_outside_the_page_is_served(site, path):
    assert b"secret" not in site.get(path).body.replace(path.encode(), b"").replace(b"secret.txt", b"")
