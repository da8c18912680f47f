"""The browser, the server and the visitors of the web tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from noughts.server.http.website import page_directory
from noughts.server.settings import Settings
from tests.web.house import ARGUMENTS, CHROMIUM, House, Visitor

DESKTOP = {"viewport": {"width": 1280, "height": 860}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    if not Path(CHROMIUM).exists():
        pytest.fail(f"there is no browser at {CHROMIUM}; make chromium installs it, NOUGHTS_CHROMIUM names another")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for all tests of this worker."""
    if page_directory(Settings(database="games.db")) is None:
        pytest.fail("the page is not built; make web builds it")
    house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.close()


Invite = Callable[..., Visitor]


@pytest.fixture
def invite(browser: Browser, house: House) -> Iterator[Invite]:
    """Visitors, each with a browser profile of its own; none may leave an error on the console."""
    visitors: list[Visitor] = []
    contexts: list[BrowserContext] = []

    def invite(where: House = house, **options: Any) -> Visitor:
        context = browser.new_context(**{**DESKTOP, **options})
        contexts.append(context)
        visitors.append(Visitor(where, context))
        return visitors[-1]

    yield invite
    errors = [error for visitor in visitors for error in visitor.unforgiven]
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def visitor(invite: Invite) -> Visitor:
    """Somebody at a desk."""
    return invite()
