"""The built page: current types, small files, no strange hosts, and served as it should be."""

import gzip
import json
import re
import struct
import subprocess
import urllib.request
from pathlib import Path

from noughts.games import all_games
from noughts.server.http.app import openapi
from noughts.server.http.website import page_directory
from noughts.server.settings import Settings

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
BUDGET = 150_000
"""Bytes of the first load, compressed, without the 3-D view."""


def built() -> Path:
    folder = page_directory(Settings(database="games.db"))
    assert folder is not None, "the page is not built; make web builds it"
    return folder


def test_the_types_are_those_of_the_api(tmp_path):
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(openapi()))
    made = tmp_path / "schema.ts"
    command = [WEB / "node_modules/.bin/openapi-typescript", document, "-o", made, "--enum-values"]
    subprocess.run(command, cwd=WEB, check=True, capture_output=True)
    assert made.read_text() == (WEB / "src/api/schema.ts").read_text(), "make api writes them anew"


UNTOLD = {
    "bad_origin", "headers_too_large", "invalid_game", "invalid_json", "invalid_request", "key_reused",
    "method_not_allowed", "no_session", "not_found", "too_large", "unknown_field", "unknown_host", "url_too_long",
}  # fmt: skip
"""Codes whose words are the server's: what is wrong with a spec, and what the page never sends."""

OF_GAMES = {code.removeprefix("refusal.") for game in all_games().values() for code in game.catalogues()["en"]}
"""Codes among them that games have words for, which the page gets with the games."""


def test_the_catalogue_has_words_for_the_codes_of_the_server():
    table = (ROOT / "docs/server.md").read_text().partition("| status | codes |")[2]
    codes = {code for row in re.findall(r"^\| \d{3} \|.*$", table, re.M) for code in re.findall("`([a-z_]+)`", row)}
    assert {"occupied", "stale_version", "ai_busy"} <= codes
    catalogue = (WEB / "src/text/en.ts").read_text()
    told = set(re.findall(r"^  ([a-z_]+): \"", catalogue.partition("REFUSALS")[2].partition("\n};")[0], re.M))
    assert codes - told - OF_GAMES - {"state"} == UNTOLD & codes


def test_the_first_load_is_small():
    folder = built()
    page = (folder / "index.html").read_text()
    names = re.findall(r'(?:src|href)="/(assets/[^"]+)"', page)
    assert any(name.endswith(".js") for name in names)
    assert any(name.endswith(".css") for name in names)
    # Everything but the 3-D view, as if every page were opened at once.
    names = [str(path.relative_to(folder)) for path in (folder / "assets").glob("*.*s") if "CubeView" not in path.name]
    size = sum(len(gzip.compress((folder / name).read_bytes())) for name in ["index.html", *names])
    assert size < BUDGET
    text = "".join((folder / name).read_text() for name in names)
    assert "WebGLRenderer" not in text


def test_nothing_is_loaded_from_elsewhere():
    lock = json.loads((WEB / "package-lock.json").read_text())
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    assert "://" not in (WEB / ".npmrc").read_text()
    assert re.findall(r'(?:src|href)="(?:https?:)?//', (built() / "index.html").read_text()) == []


def test_it_can_be_installed(house):
    with urllib.request.urlopen(house.address + "/manifest.webmanifest") as answer:
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = json.load(answer)
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        with urllib.request.urlopen(house.address + icon["src"]) as answer:
            assert answer.headers["content-type"] == icon["type"]
            picture = answer.read()
        if icon["type"] == "image/png":
            assert "x".join(map(str, struct.unpack(">II", picture[16:24]))) == icon["sizes"]


def test_files_come_compressed_and_assets_stay_in_the_cache(house):
    def fetched(path: str, **headers: str):
        request = urllib.request.Request(house.address + path, headers=headers)
        with urllib.request.urlopen(request) as answer:
            return answer.headers, answer.read()

    headers, page = fetched("/", Accept="text/html")
    assert headers["cache-control"] == "no-cache"
    assert "content-encoding" not in headers
    [script] = re.findall(r'src="(/assets/[^"]+)"', page.decode())
    plain_headers, plain = fetched(script)
    assert "immutable" in plain_headers["cache-control"]
    small_headers, small = fetched(script, **{"Accept-Encoding": "gzip, deflate"})
    assert small_headers["content-encoding"] == "gzip"
    assert small_headers["content-type"] == plain_headers["content-type"]
    assert gzip.decompress(small) == plain
    assert fetched(script, **{"Accept-Encoding": "gzip, br"})[0]["content-encoding"] == "br"
    assert fetched("/play/some-id", Accept="text/html")[1] == page
