"""Errors at the edge: every code that the server can raise has a status, and the documentation says the same."""

import ast
import importlib
import pkgutil
import re
from pathlib import Path
from typing import get_args

import pytest

import noughts.server
from noughts.errors import IllegalMove, NoughtsError, SearchError
from noughts.games import game
from noughts.server.errors import ForbiddenCode, RefusalCode, Refused, RoomError
from noughts.server.http.errors import RETRY_AFTER, STATUS, Rejected, body_of, error_headers, status_of

ROOT = Path(__file__).parents[3]
SERVER = ROOT / "python/noughts/server"

NEVER_ANSWERED = {
    "invalid_player": "players come from the settings",
    "invalid_setting": "read before the server starts",
    "invalid_record": "the server reads no records",
    "invalid_checkpoint": "agents turn it into agent_failed",
    "error": "the base class",
}


def every_error():
    """Every kind of error that the server can meet: those of the package, and its own."""
    for module in pkgutil.walk_packages(noughts.server.__path__, "noughts.server."):
        if not module.name.startswith("noughts.server.page"):
            importlib.import_module(module.name)
    found = [NoughtsError]
    for kind in found:
        found.extend(kind.__subclasses__())
    return [kind for kind in found if kind.__module__ == "noughts.errors" or "noughts.server." in kind.__module__]


def test_every_code_of_the_domain_has_a_status():
    codes = {*get_args(RefusalCode), *get_args(ForbiddenCode)}
    codes |= {kind.code for kind in every_error() if isinstance(kind.__dict__.get("code"), str)}
    assert "unavailable" in codes
    assert sorted(codes - set(STATUS) - set(NEVER_ANSWERED)) == []


def test_what_is_forbidden_is_403_and_nothing_else_of_the_domain_is():
    assert {STATUS[code] for code in get_args(ForbiddenCode)} == {403}
    assert 403 not in {STATUS[code] for code in get_args(RefusalCode)}


def test_every_declared_code_is_raised_somewhere():
    raised = set()
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Call(func=ast.Name("Refused" | "Forbidden"), args=[ast.Constant(code), *_]):
                    raised.add(code)
    assert {*get_args(RefusalCode), *get_args(ForbiddenCode)} - raised == set()


def test_domain_code_knows_no_status():
    for package in ("rooms", "storage", "ai", "bus"):
        for file in (SERVER / package).rglob("*.py"):
            numbers = {
                node.value
                for node in ast.walk(ast.parse(file.read_text()))
                if isinstance(node, ast.Constant) and isinstance(node.value, int)
            }
            assert not numbers & (set(STATUS.values()) - {500}), file


def test_the_documentation_has_the_same_table():
    rows = (ROOT / "docs/server.md").read_text().partition("| status | codes |")[2]
    told = {
        code: int(status)
        for status, row in re.findall(r"^\| (\d{3}) \|(.*)$", rows, re.M)
        for code in re.findall("`([a-z_]+)`", row)
        if code != "state"
    }
    assert {code: status for code, status in told.items() if code in STATUS} == dict(STATUS)
    assert {told[code] for code in told.keys() - STATUS.keys()} == {400}


def test_codes_of_games_are_bad_requests_and_what_is_unknown_is_internal():
    position = game("3x3").start()
    assert status_of(IllegalMove("not_adjacent", "no", position=position, move="a1")) == 400
    assert status_of(RoomError("not_adjacent", "no")) == 400
    assert status_of(SearchError("no")) == 400
    assert status_of(NoughtsError("secret")) == 500
    assert b"secret" not in body_of(NoughtsError("secret"))


@pytest.mark.parametrize("code", RETRY_AFTER)
def test_retry_after_is_for_what_passes(code):
    assert STATUS[code] in (429, 503)


def test_headers_say_when_to_try_again():
    assert error_headers(Rejected("too_many_requests", "wait", wait=1.2)) == {"Retry-After": "2"}
    assert error_headers(Refused("ai_busy", "busy")) == {"Retry-After": "2"}
    assert error_headers(Refused("game_not_found", "no")) == {}
