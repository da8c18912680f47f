"""Infinity Grid Duel on the page: where a tile may go, what it would capture, and passes that nobody presses."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE


def letter(visitor, size):
    """Start the Duel by the letter of its rules, both players here."""
    visitor.setup("Duel")
    page = visitor.page
    page.get_by_role("radio", name="Capture", exact=True).check()
    for side in ("Rows", "Columns"):
        page.get_by_role("spinbutton", name=side).fill(str(size))
    visitor.begin()
    expect(page.get_by_role("gridcell")).to_have_count(size * size)


def labels(cells):
    return [cell.get_attribute("data-cell") for cell in cells.all()]


def test_legal_cells_and_captures_are_shown_and_said(visitor):
    visitor.start("Duel")
    page = visitor.page
    expect(page.locator(".plane.is-limited")).to_have_count(0)
    visitor.click(14, 21, 13)
    # Green at d4 may grow to d3, c4, e4 and d5; the first two touch the red tile c3.
    expect(page.locator(".plane.is-limited")).to_have_count(1)
    assert labels(page.locator(".cell.is-legal")) == ["15", "20", "22", "27"]
    expect(visitor.cell(20)).to_have_attribute("aria-label", "C4, empty, captures 1")
    expect(visitor.cell(22)).to_have_attribute("aria-label", "E4, empty")
    assert visitor.cell(20).locator(".captures").get_attribute("data-count") == "+1"
    visitor.cell(22).hover()
    expect(page.locator(".cell.is-taken")).to_have_count(0)
    visitor.cell(20).hover()
    assert labels(page.locator(".cell.is-taken")) == ["14"]
    expect(visitor.cell(14).locator(".taken .mark-G")).to_be_visible()
    expect(visitor.cell(14)).to_have_attribute("aria-label", "C3, Red")
    visitor.click(20)
    expect(visitor.cell(14)).to_have_attribute("aria-label", "C3, Green")
    expect(page.locator(".cell.is-taken")).to_have_count(0)
    expect(visitor.heard).to_contain_text("Green plays C4, captures 1.")


def test_the_preview_follows_the_keys(visitor):
    visitor.start("Duel")
    visitor.click(14, 21, 13)
    visitor.tab_to(visitor.page.locator('.cell[tabindex="0"]'))
    visitor.key_to(20, cols=6, rows=6)
    assert labels(visitor.page.locator(".cell.is-taken")) == ["14"]
    visitor.page.keyboard.press("ArrowLeft")
    expect(visitor.page.locator(".cell.is-taken")).to_have_count(0)


def test_the_openings_are_explained_in_the_setup_and_during_play(visitor):
    visitor.setup("Duel")
    expect(visitor.page.get_by_text(re.compile("Peaceful is the fair game.*second player can take"))).to_be_visible()
    visitor.begin()
    notice = visitor.page.locator(".status-notice")
    expect(notice).to_have_text("Opening: Red may place anywhere. The first two tiles capture nothing.")
    visitor.click(14)
    expect(notice).to_contain_text("Green may place anywhere")
    visitor.click(15)
    expect(notice).to_have_count(0)
    letter(visitor, 4)
    expect(notice).to_contain_text("The answer captures this tile if it touches it.")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_nobody_presses_pass_until_the_end(invite, options):
    visitor = invite(**options)
    letter(visitor, 3)
    page = visitor.page
    visitor.cell(4).tap() if options else visitor.cell(4).click()
    expect(visitor.moves).to_have_count(1)
    expect(page.locator(".status-notice")).to_contain_text("captures the first tile if they touch")
    visitor.cell(1).click()
    # Green has Red's only tile, and Red passes.
    expect(visitor.moves).to_have_count(3)
    expect(page.locator(".status-passed")).to_have_text("Red cannot place a tile and passes.")
    expect(visitor.status).to_contain_text("Green to move")
    expect(visitor.cell(1)).to_have_attribute("aria-label", "B1, Green, last move")
    expect(visitor.heard).to_have_text("Green plays B1, captures 1. Red cannot place a tile and passes. Green to move")
    while visitor.await_turn():
        expect(visitor.button("Pass")).to_have_count(0)
        played = visitor.moves.count()
        page.locator(".cell.is-legal").first.click()
        expect(visitor.moves.nth(played)).to_be_attached()
    expect(page.locator(".status-more")).to_contain_text("Red 0, Green 9")
    expect(visitor.moves).to_have_count(16)
    visitor.button("Undo").click()
    # The last move had no pass after it; the one before goes with its pass.
    expect(visitor.moves).to_have_count(15)
    visitor.button("Undo").click()
    expect(visitor.moves).to_have_count(13)
    visitor.button("Redo").click()
    expect(visitor.moves).to_have_count(15)


def test_you_are_told_that_you_passed_and_the_simple_rules_can_be_played_against(visitor):
    visitor.setup("Duel", "Computer", "Simple rules")
    page = visitor.page
    expect(page.get_by_text("It follows simple rules: capture, block, expand.")).to_be_visible()
    page.get_by_role("radio", name="Capture", exact=True).check()
    for side in ("Rows", "Columns"):
        page.get_by_role("spinbutton", name=side).fill("2")
    expect(page.get_by_role("radio", name="Simple rules")).to_be_checked()
    visitor.begin()
    visitor.cell(0).click()
    # Its best score captures the only tile: it plays to the end while you pass.
    expect(page.locator(".status.is-over")).to_be_visible()
    expect(page.locator(".moves")).to_contain_text("pass")
    expect(page.locator(".seats")).to_contain_text("Computer (Simple rules)")
    visitor.button("Undo").click()
    expect(visitor.moves).to_have_count(0)


def test_you_are_told_that_you_could_not_move(invite):
    red, green = invite(), invite()
    red.setup("Duel", "Friend by link")
    red.page.get_by_role("radio", name="Capture", exact=True).check()
    red.begin()
    link = red.page.get_by_label("Send this link to your friend").input_value()
    green.page.goto(link)
    green.button("Play as Green").click()
    expect(green.page.get_by_role("grid")).to_be_visible()
    red.click(14)
    expect(green.moves).to_have_count(1)
    green.cell(15).click()
    expect(red.moves).to_have_count(3)
    expect(red.page.locator(".status-passed")).to_have_text("You cannot place a tile, so you passed.")
    expect(green.page.locator(".status-passed")).to_have_text("Red cannot place a tile and passes.")
    expect(red.heard).to_contain_text("You cannot place a tile, so you passed. Green to move")


def test_levels_that_do_not_play_a_game_are_not_offered(visitor):
    visitor.setup("Hex", "Computer")
    expect(visitor.page.get_by_role("radio", name="Perfect")).to_be_visible()
    expect(visitor.page.get_by_role("radio", name="Simple rules")).to_have_count(0)
