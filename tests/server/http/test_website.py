"""The page: its files, and its front page for every address that a browser opens."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "python" / "noughts" / "server" / "page"


@pytest.fixture(scope="module")
def site(nursery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html><title>noughts</title>")
    (folder / "assets").mkdir()
    (folder / "assets" / "main-1234.js").write_text("play()")
    (folder.parent / "keys.txt").write_text("hidden words")
    (folder / "assets" / "link.txt").symlink_to(folder.parent / "keys.txt")
    server = nursery.serve(page=folder)
    yield server.client()
    server.kill()


@pytest.fixture(scope="module")
def outside(site, tmp_path_factory):
    """A file that is there, but not in the page."""
    [keys] = tmp_path_factory.getbasetemp().glob("keys.txt")
    assert keys.read_text() == "hidden words"
    return keys


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
    "path",
    ["/../keys.txt", "/assets/../../keys.txt", "/%2e%2e/keys.txt", "/..%2fkeys.txt", "/assets/link.txt", "/{outside}"],
)
def test_nothing_outside_the_page_is_served(site, outside, path):
    answer = site.get(path.replace("{outside}", str(outside)))
    assert (answer.status, answer.error) == (404, "not_found")
    assert b"hidden words" not in answer.body


def test_a_server_without_a_page_says_how_to_build_one(nursery, tmp_path):
    server = nursery.serve(page=tmp_path)
    client = server.client()
    for path in ("/", "/play/g123"):
        answer = client.get(path, accept="text/html")
        assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert b"make web" in answer.body
        assert b'href="/docs"' in answer.body
    assert client.get("/", accept="application/json").error == "not_found"
    assert client.get("/game/state/none", accept="text/html").error == "game_not_found"
    assert client.get("/game/start", accept="text/html").error == "method_not_allowed"
    assert client.get("/healthz").status == 200
    server.kill()


def test_the_page_goes_into_the_wheel():
    include = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["maturin"]["include"]
    packed = {file for rule in include if "wheel" in rule["format"] for file in ROOT.glob(rule["path"])}
    built = {file for file in PAGE.rglob("*") if file.is_file()}
    assert PAGE / "index.html" in built, "the page is not built: make web"
    assert built <= packed
    # Nothing but the Makefile makes sure that it is built first.
    assert re.search(r"^wheel:.* web\b", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.slow
def test_a_wheel_that_was_made_holds_the_page(tmp_path):
    command = ["-m", "maturin", "build", "--release", "--locked", "--out", str(tmp_path)]
    subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=ROOT)
    [wheel] = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    built = {file.relative_to(ROOT / "python").as_posix() for file in PAGE.rglob("*") if file.is_file()}
    assert built
    assert built <= held
