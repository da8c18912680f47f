"""People who play each other: by link, with spectators, through reloads and restarts of the server."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.house import House


def invited(invite, host):
    """A second person who has opened the host's link and taken the seat."""
    link = host.page.get_by_label("Send this link to your friend").input_value()
    guest = invite()
    guest.page.goto(link)
    guest.button("Play as O").click()
    expect(guest.status).to_have_text("X to move")
    expect(host.status).to_have_text("Your turn")
    return guest


@pytest.fixture
def host(visitor):
    visitor.start("Tic-tac-toe", "Friend by link")
    expect(visitor.status).to_have_text("Waiting for your friend")
    return visitor


def test_two_people_play_by_link_while_a_third_watches(invite, host):
    guest = invited(invite, host)
    watcher = invite()
    watcher.page.goto(host.page.get_by_label("Link for spectators").input_value())
    expect(watcher.page.get_by_text("You are watching")).to_be_visible()
    expect(host.page.get_by_text("1 spectator")).to_be_visible()
    expect(host.page.get_by_text("There are no hints while people play each other")).to_be_visible()
    for number, (player, cell) in enumerate([(host, 0), (guest, 3), (host, 1), (guest, 4), (host, 2)]):
        expect(player.status).to_have_text("Your turn")
        player.cell(cell).click()
        for each in (host, guest, watcher):
            expect(each.moves).to_have_count(number + 1)
    expect(host.status).to_have_text("You win!")
    expect(guest.status).to_have_text("You lose")
    expect(watcher.status).to_have_text("X wins")
    assert watcher.page.locator(".cell.is-legal").count() == 0
    expect(watcher.button("Undo")).to_have_count(0)


def test_an_invitation_says_who_invites_and_to_which_game(invite, visitor):
    visitor.setup("Hex", "Friend by link")
    visitor.page.get_by_label("Your name").fill("Ann")
    visitor.begin()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Hex 7×7")
    guest = invite()
    guest.page.goto(visitor.page.get_by_label("Send this link to your friend").input_value())
    expect(guest.page.locator(".invitation h2")).to_have_text("Ann invites you to Hex 7×7")
    expect(guest.page).to_have_title("Hex 7×7 – noughts")
    guest.page.goto(visitor.page.get_by_label("Link for spectators").input_value())
    expect(guest.page).to_have_title("Watch Hex 7×7 – noughts")


def test_an_invitation_without_a_name(invite, host):
    guest = invite()
    guest.page.goto(host.page.get_by_label("Send this link to your friend").input_value())
    expect(guest.page.locator(".invitation h2")).to_have_text("You are invited to Tic-tac-toe")


def test_who_is_not_on_turn_cannot_move(invite, host):
    guest = invited(invite, host)
    guest.forgive("400")
    assert guest.page.locator(".cell.is-legal").count() == 0
    guest.cell(4).click(force=True)
    expect(guest.page.locator(".refusal")).to_contain_text("X's turn")
    host.cell(0).click()
    expect(guest.status).to_have_text("Your turn")


def test_undo_between_people_is_asked_for(invite, host):
    guest = invited(invite, host)
    host.cell(0).click()
    expect(guest.moves).to_have_count(1)
    host.button("Undo").click()
    expect(host.page.locator(".offer")).to_contain_text("You asked to take back a move")
    expect(guest.page.locator(".offer")).to_contain_text("X would like to take back a move")
    expect(guest.heard).to_have_text("X would like to take back a move.")
    guest.button("Decline").click()
    expect(host.page.locator(".offer")).to_have_count(0)
    expect(host.heard).to_have_text("The request was declined.")
    host.button("Undo").click()
    guest.button("Agree").click()
    for each in (host, guest):
        expect(each.moves).to_have_count(0)


def test_among_three_everybody_has_to_agree(invite, visitor):
    visitor.setup("Any size", "Friend by link")
    visitor.page.get_by_role("spinbutton", name="Players").fill("3")
    visitor.begin()
    link = visitor.page.get_by_label("Send this link to your friend").input_value()
    guests = [invite(), invite()]
    for guest, mark in zip(guests, "OA", strict=True):
        guest.page.goto(link)
        guest.button(f"Play as {mark}").click()
    expect(visitor.status).to_have_text("Your turn")
    visitor.cell(0).click()
    visitor.button("Undo").click()
    guests[0].button("Agree").click()
    expect(guests[0].page.locator(".offer")).to_contain_text("You agreed that X may take back a move.")
    expect(guests[0].button("Agree")).to_have_count(0)
    expect(visitor.moves).to_have_count(1)
    guests[1].button("Agree").click()
    expect(visitor.moves).to_have_count(0)


def test_a_rematch_leads_both_to_the_same_game(invite, host):
    guest = invited(invite, host)
    guest.button("Resign").click()
    guest.button("Yes, resign").click()
    expect(host.status).to_have_text("You win!")
    for each in (host, guest):
        before = each.page.url
        each.button("Rematch").click()
        each.page.wait_for_url(lambda url, before=before: url != before)
    assert host.page.url == guest.page.url
    expect(guest.status).to_have_text("Your turn")


def test_the_focus_stays_with_whoever_answers_by_keyboard(invite, host):
    guest = invited(invite, host)
    host.cell(0).click()
    expect(guest.moves).to_have_count(1)
    host.button("Undo").click()
    guest.tab_to(guest.button("Agree"))
    guest.page.keyboard.press("Enter")
    expect(guest.moves).to_have_count(0)
    expect(guest.page.locator(".actions :focus")).to_have_count(1)


def test_two_people_by_keyboard_alone(invite, host):
    guest = invite()
    guest.page.goto(host.page.get_by_label("Send this link to your friend").input_value())
    guest.tab_to(guest.button("Play as O"))
    guest.page.keyboard.press("Enter")
    expect(guest.page.get_by_role("gridcell").and_(guest.page.locator(":focus"))).to_have_count(1)
    for number, (player, cell) in enumerate([(host, 0), (guest, 3), (host, 1), (guest, 4), (host, 2)]):
        expect(player.status).to_have_text("Your turn")
        player.tab_to(player.page.locator('[role="gridcell"][tabindex="0"]'))
        player.key_to(cell, 3, 3)
        player.page.keyboard.press("Enter")
        expect(player.moves).to_have_count(number + 1)
    expect(guest.status).to_have_text("You lose")
    expect(guest.page.get_by_role("alert").filter(has_text="You lose")).to_have_count(1)


def test_a_reload_loses_nothing(visitor):
    visitor.start("4×4")
    visitor.click(0, 5, 3)
    visitor.page.reload()
    expect(visitor.moves).to_have_count(3)
    expect(visitor.cell(3)).to_have_attribute("aria-label", "D1, X, last move")
    visitor.click(6)


def test_a_restart_of_the_server_in_mid_game_loses_nothing(invite, tmp_path):
    house = House(tmp_path)
    try:
        visitor = invite(house)
        visitor.forgive("WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource")
        visitor.start("4×4")
        visitor.click(0, 5, 3)
        house.close()
        banner = visitor.page.get_by_text("Connection lost")
        expect(banner).to_be_visible()
        # A move made in the meantime is sent again until it is there.
        visitor.cell(6).click()
        expect(visitor.cell(6).locator("> .mark")).to_be_visible()
        house.open()
        expect(visitor.moves).to_have_count(4)
        expect(banner).to_have_count(0)
        visitor.click(9)
        labels = visitor.page.get_by_role("gridcell").evaluate_all(
            "cells => cells.map(cell => cell.getAttribute('aria-label'))"
        )
        assert sum(bool(re.search(", [XO]", label)) for label in labels) == 5
    finally:
        house.close()


def test_a_busy_server_is_asked_again(visitor):
    visitor.forgive("503")
    visitor.start("Tic-tac-toe")
    visitor.click(0)
    game = visitor.page.url.rsplit("/", 1)[1]
    error = {"error": "unavailable", "message": "the database does not answer", "statusCode": 503}
    answer = {"status": 503, "json": error, "headers": {"Retry-After": "600"}}
    asked = re.compile("/openings/list|/game/state/")
    for path in (f"/play/{game}", f"/replay/{game}", "/openings"):
        visitor.page.route(asked, lambda route: route.fulfill(**answer))
        visitor.visit(path)
        expect(visitor.page.get_by_role("main")).to_contain_text("The server is busy.")
        expect(visitor.page.get_by_text("Page not found")).to_have_count(0)
        visitor.page.unroute(asked)
        visitor.button("Try again").click()
        expect(visitor.cell(0)).to_be_visible()


def test_an_opening_map_that_failed_is_asked_for_again(visitor):
    visitor.forgive("503")
    error = {"error": "ai_busy", "message": "too many AI tasks wait", "statusCode": 503}
    pattern = re.compile("/openings/map")
    visitor.page.route(pattern, lambda route: route.fulfill(status=503, json=error))
    visitor.visit("/openings?game=3x3")
    expect(visitor.page.get_by_role("main")).to_contain_text("The server is busy.")
    visitor.page.unroute(pattern)
    expect(visitor.cell(0)).to_be_visible()


def test_a_link_that_leads_nowhere_says_so(visitor):
    visitor.forgive("404")
    for path in ("/play/nothing", "/watch/nothing", "/replay/nothing", "/no/such/page", "/play/100%"):
        visitor.visit(path)
        expect(visitor.page.get_by_role("heading", name="Page not found")).to_be_visible()
    visitor.page.get_by_role("link", name="All games").click()
    expect(visitor.page.get_by_role("heading", name="Choose a game")).to_be_visible()
