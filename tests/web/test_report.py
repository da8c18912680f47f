"""Reports of training runs in a browser: they fit a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from noughts.lab.config import Config
from noughts.lab.report import checked, write_report
from noughts.lab.training import train
from noughts.lab.workers import workers


@pytest.fixture(scope="module", params=["q 3x3", "td hex,size=4"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a short run."""
    learner, game = request.param.split()
    folder = tmp_path_factory.mktemp("runs") / "a-run-with-a-name-that-does-not-fit-into-one-line-of-a-phone"
    train(Config.make(learner, game, games=40, evaluations=2, matches=2, probes=2, threads=1), folder)
    return write_report(checked([folder]), folder / "report.html", workers("local", 1)).page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_report_needs_no_sideways_scrolling(browser: Browser, report: Path, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.goto(report.as_uri())
    for summary in page.query_selector_all("summary"):
        summary.click()
    widths = "[document.documentElement.scrollWidth, document.body.scrollWidth]"
    boxes = "[...document.querySelectorAll('#board, #text, pre, table, img, select')]"
    for button in ("#start", "#next", "#end"):
        page.click(button)
        assert max(page.evaluate(widths)) <= width
        assert page.evaluate(f"{boxes}.every((box) => box.getBoundingClientRect().right <= innerWidth)")
        assert page.evaluate(f"{boxes}.every((box) => box.scrollWidth <= box.clientWidth + 1 || !box.clientWidth)")
    assert page.inner_text("#count").split(" / ")[0] == page.inner_text("#count").split(" / ")[1]
    assert failures == []
    context.close()
