"""Whole games on every layout, by mouse, by keyboard and by touch."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE

GAMES = {
    "square": ("Tic-tac-toe", (3, 3), [0, 3, 1, 4, 2]),
    "cube": ("3-D", (4, 4), [0, 16, 1, 17, 2, 18, 3]),
    "hex": ("Hex", (7, 7), [24, 25, 31, 32, 17, 18, 10, 11, 3, 4, 38, 39, 45]),
}
"""The card, columns and rows, and the cells of a game that X wins."""


@pytest.mark.parametrize("layout", GAMES)
def test_a_whole_game_by_mouse(visitor, layout):
    card, _, cells = GAMES[layout]
    visitor.start(card)
    expect(visitor.status).to_have_text("X to move")
    visitor.click(*cells)
    expect(visitor.status).to_have_text("X wins")
    expect(visitor.page.locator(".cell.is-winning")).to_have_count((len(cells) + 1) // 2)
    expect(visitor.page.locator(".strokes line")).to_have_count(1)
    expect(visitor.page.locator(".cell.is-legal")).to_have_count(0)
    expect(visitor.page.get_by_role("alert").filter(has_text="X wins")).to_have_count(1)


@pytest.mark.parametrize("layout", GAMES)
def test_a_whole_game_by_keyboard(visitor, layout):
    card, size, cells = GAMES[layout]
    page = visitor.page
    visitor.visit()
    visitor.tab_to(page.get_by_role("radio", name=re.compile("^Tic-tac-toe")))
    for _ in range(10):
        if page.evaluate("document.activeElement.closest('label').innerText").startswith(card):
            break
        page.keyboard.press("ArrowRight")
    visitor.tab_to(page.get_by_role("radio", name="Computer", exact=True))
    page.keyboard.press("ArrowRight")
    visitor.tab_to(visitor.button("Play"))
    page.keyboard.press("Enter")
    grid = page.get_by_role("grid")
    expect(grid).to_be_visible()
    visitor.tab_to(page.locator('[role="gridcell"][tabindex="0"]'))
    for number, cell in enumerate(cells):
        visitor.key_to(cell, *size)
        expect(visitor.cell(cell)).to_be_focused()
        page.keyboard.press("Enter" if number % 2 else " ")
        expect(visitor.moves).to_have_count(number + 1)
        expect(visitor.cell(cell)).to_have_attribute("aria-label", re.compile(", [XO], last move"))
    expect(visitor.status).to_have_text("X wins")


@pytest.mark.parametrize("layout", GAMES)
def test_a_whole_game_by_touch(invite, layout):
    card, _, cells = GAMES[layout]
    visitor = invite(**PHONE)
    visitor.start(card)
    for number, cell in enumerate(cells):
        visitor.cell(cell).tap()
        if visitor.button("Play here").count():
            expect(visitor.moves).to_have_count(number)
            visitor.button("Play here").tap()
        expect(visitor.moves).to_have_count(number + 1)
    expect(visitor.status).to_have_text("X wins")


def test_a_big_board_on_a_phone_is_zoomed_and_asks_before_it_plays(invite):
    visitor = invite(**PHONE)
    visitor.start("Gomoku")
    cell = visitor.cell(112)
    small = cell.bounding_box()["width"]
    assert small >= 23.9, "a finger needs a cell of 24 pixels"
    cell.tap()
    expect(visitor.page.get_by_text("X at H8?")).to_be_visible()
    expect(visitor.moves).to_have_count(0)
    visitor.button("Cancel").focus()
    visitor.page.keyboard.press("Enter")
    expect(cell).to_be_focused()
    visitor.page.keyboard.press("Enter")
    visitor.button("Play here").focus()
    visitor.page.keyboard.press("Enter")
    expect(visitor.moves).to_have_count(1)
    expect(cell).to_be_focused()
    visitor.button("Undo").tap()
    expect(visitor.moves).to_have_count(0)
    visitor.button("Zoom in").tap()
    visitor.button("Zoom in").tap()
    expect(cell).to_be_in_viewport()
    assert cell.bounding_box()["width"] > 1.8 * small
    cell.tap()
    expect(visitor.moves).to_have_count(1)


def test_a_game_against_the_computer_by_keyboard_alone(visitor):
    visitor.visit()
    page = visitor.page
    visitor.tab_to(visitor.button("Play"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("grid")).to_be_visible()
    field = page.get_by_label("Type a move")
    for _ in range(9):
        if not visitor.await_turn():
            break
        played = visitor.moves.count()
        name = page.locator(".cell.is-legal").first.get_attribute("aria-label").split(",")[0]
        visitor.tab_to(field)
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(visitor.moves.nth(played)).to_be_attached()
        expect(page.get_by_role("status").filter(has_text=re.compile("Your turn|plays"))).not_to_have_count(0)
    expect(page.locator(".status.is-over")).to_be_visible()


def test_a_duel_to_the_end_with_options_and_captures(visitor):
    visitor.setup("Duel", "Computer")
    page = visitor.page
    expect(page.get_by_role("radio", name="Peaceful", exact=True)).to_be_checked()
    expect(page.get_by_role("group", name="Opening").get_by_role("radio").first).to_have_value("peaceful")
    expect(page.get_by_text("Peaceful is the fair game")).to_be_visible()
    page.get_by_role("spinbutton", name="Rows").fill("4")
    page.get_by_role("spinbutton", name="Columns").fill("4")
    visitor.begin()
    expect(page.get_by_role("gridcell")).to_have_count(16)
    while visitor.await_turn():
        played = visitor.moves.count()
        legal = page.locator(".cell.is-legal")
        legal.nth(legal.count() // 2).click()
        expect(visitor.moves.nth(played)).to_be_attached()
    counts = [int(text.split()[0]) for text in page.locator(".seat-tiles").all_inner_texts()]
    assert sum(counts) <= 16
    assert page.locator(".move-captures").count() > 0
    expect(page.locator(".status-more")).to_contain_text(f"Red {counts[0]}, Green {counts[1]}")


def test_a_column_is_played_by_pressing_it_anywhere(visitor):
    visitor.start("Connect Four")
    page = visitor.page
    visitor.cell(3).hover()
    expect(page.locator(".cell.is-aimed")).to_have_attribute("data-cell", "38")
    expect(visitor.cell(3)).to_have_attribute("aria-label", "D1, empty, a piece here falls to D6")
    visitor.click(3)
    expect(visitor.cell(38)).to_have_attribute("aria-label", "D6, X, last move")
    expect(page.locator(".cell.is-aimed")).to_have_attribute("data-cell", "31")


def test_a_column_is_played_by_typing_its_letter_or_by_keys(visitor):
    visitor.start("Connect Four")
    page = visitor.page
    field = page.get_by_label("Type a move")
    expect(field).to_have_attribute("placeholder", "e.g. a")
    field.fill("D")
    page.keyboard.press("Enter")
    expect(visitor.cell(38)).to_have_attribute("aria-label", "D6, X, last move")
    visitor.tab_to(page.locator('[role="gridcell"][tabindex="0"]'))
    page.keyboard.press("Home")
    for number in range(3):
        page.keyboard.press("Enter")
        expect(visitor.moves).to_have_count(number + 2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(visitor.moves).to_have_count(5)
    assert [text.split()[-1] for text in visitor.moves.all_inner_texts()] == ["D6", "A6", "A5", "A4", "B6"]


def test_nested_boards_show_where_one_may_play_and_who_has_won_them(visitor):
    visitor.start("Ultimate")
    page = visitor.page
    expect(page.locator(".dividers path")).to_have_count(4)
    expect(page.locator(".plane.is-limited")).to_have_count(0)
    visitor.click(29)
    expect(page.locator(".cell.is-legal")).to_have_count(9)
    expect(page.locator(".plane.is-limited")).to_have_count(1)
    visitor.click(15, 38, 42, 47)
    expect(page.locator(".region .mark-X")).to_be_visible()
    expect(visitor.cell(28)).to_have_attribute("aria-label", "B4, empty, in a board won by X")
    visitor.cell(28).click(force=True)
    expect(page.locator(".refusal")).to_be_visible()
    visitor.forgive("400")


def test_captured_tiles_turn_before_the_eyes(visitor):
    visitor.start("Duel")
    visitor.click(0, 2)
    visitor.cell(1).click()
    expect(visitor.cell(2).locator(".mark-R")).to_be_visible()
    expect(visitor.cell(2)).to_have_class(re.compile("is-turned"))
    expect(visitor.page.locator(".move-captures")).to_have_text("+1")


def test_swap_is_offered_where_it_is_possible(visitor):
    visitor.start("Hex")
    swap = visitor.button("Swap: take over the first stone")
    expect(swap).to_have_count(0)
    visitor.click(8)
    swap.click()
    expect(visitor.moves).to_have_count(2)
    expect(visitor.moves.last).to_contain_text("swap")
    expect(swap).to_have_count(0)


def test_refused_moves_say_why_beside_the_board(visitor):
    visitor.forgive("400")
    visitor.context.add_init_script("""window.tones = [];
        const tone = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () {
            const made = tone.call(this);
            const start = made.start.bind(made);
            made.start = when => {
                window.tones.push(made.frequency.value);
                start(when);
            };
            return made;
        };""")
    visitor.start("Tic-tac-toe")
    visitor.click(4)
    visitor.cell(4).click(force=True)
    visitor.page.wait_for_function("window.tones.join() === '520,160'")
    note = visitor.page.locator(".refusal")
    expect(note).to_contain_text("B2 is already taken by X.")
    expect(visitor.moves).to_have_count(1)
    visitor.page.get_by_label("Type a move").fill("z9")
    visitor.page.keyboard.press("Enter")
    expect(note).to_contain_text("Z9")
    visitor.click(0)
    expect(note).to_have_count(0)


def test_a_tile_away_from_ones_own_is_refused_with_the_reason(visitor):
    visitor.forgive("400")
    visitor.start("Duel")
    visitor.click(0, 35)
    expect(visitor.cell(20)).to_have_attribute("aria-disabled", "true")
    visitor.cell(20).click(force=True)
    expect(visitor.page.locator(".refusal")).to_contain_text("C4 does not touch a tile of Red.")


def test_a_board_of_any_size_and_a_spec_that_cannot_be(visitor):
    visitor.forgive("400")
    visitor.setup("Any size")
    page = visitor.page
    page.get_by_role("spinbutton", name="In a row").fill("9")
    expect(page.locator(".setup .problem")).to_contain_text("a row on")
    expect(visitor.button("Play")).to_be_disabled()
    page.get_by_role("spinbutton", name="In a row").fill("3")
    page.get_by_role("spinbutton", name="Rows").fill("3")
    page.get_by_role("spinbutton", name="Columns").fill("5")
    page.get_by_role("checkbox", name="Misère").check()
    visitor.begin()
    expect(page.get_by_role("gridcell")).to_have_count(15)
    visitor.click(0, 5, 1, 6, 2)
    expect(visitor.status).to_have_text("O wins")
    expect(page.locator(".status-more")).to_contain_text("X completed a row")


def test_a_number_can_be_wiped_out_and_typed_anew(visitor):
    visitor.setup("Any size")
    page = visitor.page
    for name, typed in (("Rows", "5"), ("Columns", "7"), ("In a row", "3")):
        field = page.get_by_role("spinbutton", name=name)
        field.focus()
        page.keyboard.press("End")
        page.keyboard.press("Backspace")
        expect(field).to_have_value("")
        expect(field).to_be_focused()
        expect(page.locator(".setup .problem")).to_have_text("Fill in every number in the options.")
        expect(visitor.button("Play")).to_be_disabled()
        page.keyboard.type(typed)
        expect(visitor.button("Play")).to_be_enabled()
    layers = page.get_by_role("spinbutton", name="Layers", exact=True)
    expect(page.get_by_role("spinbutton", name="Players")).to_have_attribute("max", "8")
    rows = page.get_by_role("spinbutton", name="Rows")
    assert [layers.get_attribute("max"), rows.get_attribute("max")] == ["5", "19"]
    layers.fill("")
    layers.fill("1")
    visitor.begin()
    expect(page.get_by_role("gridcell")).to_have_count(35)


def test_undo_redo_restart_and_the_moments_of_a_game(visitor):
    visitor.start("4×4")
    expect(visitor.button("Undo")).to_be_disabled()
    visitor.click(0, 1, 2)
    said = []
    for left in (2, 1):
        visitor.button("Undo").click()
        expect(visitor.moves).to_have_count(left)
        expect(visitor.heard).to_have_text("A move was taken back.")
        said.append(visitor.heard.evaluate("region => region.textContent"))
    assert said[0] != said[1], "the same text again is not read out again"
    for there in (2, 3):
        visitor.button("Redo").click()
        expect(visitor.moves).to_have_count(there)
    expect(visitor.button("Redo")).to_be_disabled()
    visitor.moves.nth(0).get_by_role("button").click()
    expect(visitor.page.get_by_text("Looking at move 1 of 3")).to_be_visible()
    expect(visitor.page.locator(".cell > .mark")).to_have_count(1)
    expect(visitor.page.locator(".cell.is-legal")).to_have_count(0)
    visitor.button("Back to the game").click()
    expect(visitor.page.locator(".cell > .mark")).to_have_count(3)
    visitor.button("Restart").click()
    expect(visitor.moves).to_have_count(0)


def test_undo_against_the_computer_takes_back_both_moves(visitor):
    visitor.start("4×4", "Computer")
    visitor.cell(5).click()
    expect(visitor.moves).to_have_count(2)
    visitor.await_turn()
    visitor.button("Undo").click()
    expect(visitor.moves).to_have_count(0)
    visitor.await_turn()


def test_resign_asks_first_and_a_rematch_swaps_who_begins(visitor):
    visitor.start("Tic-tac-toe", "Computer")
    visitor.button("Resign").click()
    visitor.button("No").click()
    visitor.button("Resign").click()
    visitor.button("Yes, resign").click()
    expect(visitor.status).to_have_text("You lose")
    expect(visitor.page.locator(".status-more")).to_contain_text("by resignation")
    before = visitor.page.url
    visitor.button("Rematch").click()
    visitor.page.wait_for_url(lambda url: url != before)
    expect(visitor.moves).to_have_count(1)
    expect(visitor.moves.first).to_contain_text("O")


def test_the_focus_goes_on_where_the_pressed_button_has_gone(visitor):
    visitor.forgive("400")
    visitor.start("Tic-tac-toe")
    visitor.click(4, 0)
    page = visitor.page
    visitor.cell(4).click(force=True)
    visitor.tab_to(visitor.button("OK"))
    page.keyboard.press("Enter")
    expect(visitor.cell(4)).to_be_focused()
    visitor.moves.nth(0).get_by_role("button").click()
    visitor.tab_to(visitor.button("Back to the game"))
    page.keyboard.press("Enter")
    expect(visitor.cell(4)).to_be_focused()
    visitor.tab_to(visitor.button("Resign"))
    page.keyboard.press("Enter")
    expect(visitor.button("No")).to_be_focused()
    page.keyboard.press("Enter")
    expect(visitor.button("Resign")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    expect(visitor.button("Yes, resign")).to_be_focused()
    page.keyboard.press("Enter")
    expect(visitor.button("Rematch")).to_be_focused()


def test_the_computer_may_begin_and_says_what_it_does(visitor):
    visitor.setup("4×4", "Computer", "Perfect")
    visitor.page.get_by_role("radio", name="The computer").check()
    visitor.begin()
    expect(visitor.moves).to_have_count(1)
    expect(visitor.page.locator(".status-more")).not_to_have_text("")
    expect(visitor.status).to_have_text("Your turn")


def test_agents_of_the_server_are_offered_where_they_play(visitor):
    robin = {"name": "robin", "summary": "learned by itself", "games": ["3x3"]}
    asked = []

    def also_robin(route):
        route.fulfill(json=[*route.fetch().json(), robin])

    def begun(route):
        asked.append(route.request.post_data_json)
        route.continue_(post_data={**asked[0], "level": "easy"})

    def robin_plays(route):
        board = route.fetch().json()
        route.fulfill(json={**board, "levels": [*board["levels"], *(["robin"] if board["game"] == "3x3" else [])]})

    visitor.page.route("**/levels", also_robin)
    visitor.page.route("**/games/board*", robin_plays)
    visitor.page.route("**/game/start", begun)
    visitor.setup("Tic-tac-toe", "Computer", "robin")
    expect(visitor.page.get_by_text("learned by itself")).to_be_visible()
    visitor.page.get_by_role("radio", name=re.compile("^4×4")).check()
    expect(visitor.page.get_by_role("radio", name="robin")).to_have_count(0)
    expect(visitor.page.get_by_role("radio", name="Medium")).to_be_checked()
    visitor.page.get_by_role("radio", name=re.compile("^Tic-tac-toe")).check()
    expect(visitor.page.get_by_role("radio", name="robin")).to_be_checked()
    visitor.begin()
    assert asked[0]["level"] == "robin"


def test_a_computer_that_fails_to_move_can_be_asked_again(visitor):
    visitor.forgive("500")
    visitor.start("Tic-tac-toe", "Computer")
    error = {"error": "internal", "message": "something went wrong", "statusCode": 500}
    refuse = {"status": 500, "json": error, "headers": {"Retry-After": "600"}}
    visitor.page.route("**/ai/move", lambda route: route.fulfill(**refuse))
    visitor.cell(4).click()
    expect(visitor.page.get_by_text("The computer could not move.")).to_be_visible()
    visitor.page.unroute("**/ai/move")
    visitor.button("Try again").click()
    expect(visitor.moves).to_have_count(2)
    expect(visitor.page.get_by_text("The computer could not move.")).to_have_count(0)


def test_a_move_is_on_the_board_before_the_server_has_answered(visitor):
    visitor.start("Tic-tac-toe")
    held = []
    visitor.page.route("**/game/move", lambda route: held.append(route))
    visitor.cell(4).click()
    expect(visitor.cell(4).locator(".mark-X")).to_be_visible()
    expect(visitor.moves).to_have_count(0)
    expect(visitor.page.locator(".cell.is-legal")).to_have_count(0)
    visitor.page.wait_for_timeout(50)
    held[0].continue_()
    expect(visitor.moves).to_have_count(1)
