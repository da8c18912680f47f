"""For everyone: axe on every page in light and dark, small screens, forced colours, reduced motion."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def front(visitor):
    visitor.visit()
    expect(visitor.page.locator(".card").first).to_be_visible()
    visitor.page.locator("summary").click()


def playing(visitor):
    visitor.start("Tic-tac-toe", "Computer")
    visitor.cell(4).click()
    visitor.await_turn()
    visitor.page.get_by_role("switch", name="Value of every move").check()
    visitor.page.get_by_role("switch", name="Evaluation").check()
    visitor.button("Hint").click()
    expect(visitor.page.locator(".hint-line")).to_be_visible()
    expect(visitor.page.locator(".cell.heat").first).to_be_visible()


def duel(visitor):
    visitor.start("Duel")
    visitor.click(0, 14, 1, 15)


def gomoku(visitor):
    visitor.start("Gomoku")
    visitor.click(112, 113)


def connect_four(visitor):
    visitor.start("Connect Four")
    visitor.click(3, 3, 4)


def ultimate(visitor):
    visitor.start("Ultimate")
    visitor.click(29, 15, 38, 42, 47)
    expect(visitor.page.locator(".region")).to_have_count(1)


def hex_over(visitor):
    visitor.start("Hex")
    visitor.click(24, 25, 31, 32, 17, 18, 10, 11, 3, 4, 38, 39, 45)


def cube(visitor):
    visitor.start("3-D")
    visitor.click(0, 20)
    expect(visitor.page.locator(".cube-canvas canvas")).to_be_visible()


def eight(visitor):
    visitor.setup("Any size")
    visitor.page.get_by_role("spinbutton", name="Players").fill("8")
    visitor.begin()
    visitor.click(*range(8))
    visitor.moves.nth(4).get_by_role("button").click()


def invitation(visitor):
    visitor.start("4×4", "Friend by link")
    expect(visitor.page.get_by_label("Send this link to your friend")).to_be_visible()


def watch(visitor):
    visitor.start("4×4")
    visitor.click(0)
    visitor.page.goto(visitor.page.get_by_label("Link for spectators").input_value())
    expect(visitor.page.get_by_text("You are watching")).to_be_visible()


def replay(visitor):
    visitor.start("Tic-tac-toe")
    visitor.click(0, 1, 8, 3, 2, 5, 4)
    visitor.page.get_by_role("link", name="Review the game").click()
    visitor.button("Review every move").click()
    visitor.moves.nth(1).get_by_role("button").click()
    expect(visitor.page.locator(".verdict")).to_be_visible()


def openings(visitor):
    visitor.visit("/openings")
    expect(visitor.page.locator(".cell.heat").first).to_be_visible()


def rules(visitor):
    visitor.visit("/rules?game=peaceful")
    expect(visitor.page.get_by_role("img", name="Board: Red on B2").first).to_be_visible()


def missing(visitor):
    visitor.visit("/no/such/page")
    expect(visitor.page.get_by_role("heading")).to_be_visible()


PAGES = [
    front,
    playing,
    duel,
    gomoku,
    connect_four,
    ultimate,
    hex_over,
    cube,
    eight,
    invitation,
    watch,
    replay,
    openings,
    rules,
    missing,
]


def findings(visitor):
    visitor.page.evaluate(AXE.read_text())
    found = visitor.page.evaluate("tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", TAGS)
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("arrive", PAGES, ids=lambda arrive: arrive.__name__)
def test_axe_finds_nothing_in_light_and_dark_and_320_pixels_are_enough(invite, arrive):
    visitor = invite(reduced_motion="reduce", color_scheme="light")
    arrive(visitor)
    assert findings(visitor) == []
    visitor.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    visitor.page.set_viewport_size({"width": 320, "height": 640})
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert findings(visitor) == []


def test_the_chosen_colours_stay(visitor):
    visitor.visit()
    background = "getComputedStyle(document.body).backgroundColor"
    light = visitor.page.evaluate(background)
    visitor.button("Theme: system").click()
    visitor.button("Theme: light").click()
    dark = visitor.page.evaluate(background)
    assert dark != light
    visitor.page.reload()
    expect(visitor.button("Theme: dark")).to_be_visible()
    assert visitor.page.evaluate(background) == dark


def test_forced_colours_keep_marks_and_cells_visible(invite):
    visitor = invite(forced_colors="active")
    visitor.start("Tic-tac-toe")
    visitor.click(4)
    border = visitor.cell(0).locator(".face").evaluate("face => getComputedStyle(face).borderTopStyle")
    assert border == "solid"
    mark, page = visitor.page.evaluate(
        "[getComputedStyle(document.querySelector('.cell > .mark')).color,"
        " getComputedStyle(document.body).backgroundColor]"
    )
    assert mark != page


def test_reduced_motion_means_none(invite):
    visitor = invite(reduced_motion="reduce")
    visitor.start("Duel")
    visitor.click(0, 2)
    visitor.cell(1).click()
    # A capture, and a pass of who has nothing left.
    expect(visitor.moves).to_have_count(4)
    assert visitor.page.evaluate("document.getAnimations().length") == 0


def test_the_grid_is_one_stop_of_the_tab_key(visitor):
    visitor.start("4×4")
    expect(visitor.page.locator('[role="gridcell"][tabindex="0"]')).to_have_count(1)
    visitor.tab_to(visitor.page.locator('[role="gridcell"][tabindex="0"]'))
    visitor.page.keyboard.press("Control+Home")
    expect(visitor.cell(0)).to_be_focused()
    visitor.page.keyboard.press("End")
    expect(visitor.cell(3)).to_be_focused()
    visitor.page.keyboard.press("Control+End")
    expect(visitor.cell(15)).to_be_focused()
    visitor.page.keyboard.press("Home")
    expect(visitor.cell(12)).to_be_focused()
    visitor.page.keyboard.press("Tab")
    assert visitor.page.locator('[role="gridcell"]:focus').count() == 0


def test_a_part_that_does_not_load_does_not_take_the_page_with_it(visitor):
    visitor.forgive("ERR_FAILED|dynamically imported module|Openings")
    visitor.page.route("**/assets/OpeningsPage*", lambda route: route.abort())
    visitor.visit("/openings")
    expect(visitor.page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    visitor.page.get_by_role("link", name="Play", exact=True).click()
    expect(visitor.page.locator(".card").first).to_be_visible()
    visitor.page.go_back()
    expect(visitor.page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    visitor.page.unroute("**/assets/OpeningsPage*")
    visitor.button("Reload the page").click()
    expect(visitor.page.locator(".cell.heat").first).to_be_visible()


def test_a_cube_can_be_played_without_its_turnable_view(visitor):
    visitor.forgive("ERR_FAILED|dynamically imported module|CubeView")
    visitor.page.route("**/assets/CubeView*.js", lambda route: route.abort())
    visitor.start("3-D")
    expect(visitor.page.get_by_text("The 3-D view could not be loaded.")).to_be_visible()
    visitor.click(0, 20)


def test_a_browser_that_does_not_tell_of_activation_still_plays(visitor):
    visitor.context.add_init_script("Object.defineProperty(navigator, 'userActivation', {value: undefined})")
    visitor.start("Tic-tac-toe")
    visitor.click(0, 3)


def test_links_can_be_copied_without_a_clipboard_of_the_page(visitor):
    # As on a page without TLS.
    visitor.context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    visitor.start("Tic-tac-toe")
    page = visitor.page
    link = page.get_by_label("Link for spectators")
    visitor.button("Copy").focus()
    page.keyboard.press("Enter")
    copied = visitor.button("Copied")
    expect(copied).to_be_focused()
    page.get_by_label("Type a move").focus()
    page.keyboard.press("Control+V")
    expect(page.get_by_label("Type a move")).to_have_value(link.input_value()[:16])
    page.evaluate("document.execCommand = () => false")
    page.locator(".copy-field button").click()
    expect(visitor.button("Selected: press Ctrl+C")).to_be_visible()
    expect(link).to_be_focused()
    assert page.evaluate("getSelection().toString()") == link.input_value()


def test_sound_can_be_switched_off(visitor):
    visitor.visit()
    visitor.button("Sound is on").click()
    expect(visitor.button("Sound is off")).to_have_attribute("aria-pressed", "false")
    visitor.page.reload()
    expect(visitor.button("Sound is off")).to_be_visible()
