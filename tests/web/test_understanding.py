"""Hints, evaluation, heat maps, reviews and opening maps in the browser."""

import json
import re

from playwright.sync_api import expect

from tests.web.conftest import PHONE


def test_a_hint_is_marked_as_proven_and_shown_on_the_board(visitor):
    visitor.start("Tic-tac-toe")
    visitor.click(0, 3, 1, 4)
    visitor.button("Hint").click()
    line = visitor.page.locator(".hint-line")
    expect(line).to_contain_text("C1 wins at once.")
    expect(line).to_contain_text("proven")
    expect(visitor.cell(2)).to_have_attribute("aria-label", "C1, empty, hint")
    visitor.click(2)
    expect(line).to_have_count(0)
    expect(visitor.button("Hint")).to_be_disabled()


def test_every_legal_move_has_its_worth_and_the_bar_its_side(visitor):
    visitor.start("Tic-tac-toe")
    visitor.click(0, 3, 1, 4)
    visitor.page.get_by_role("switch", name="Value of every move").check()
    visitor.page.get_by_role("switch", name="Evaluation").check()
    expect(visitor.cell(2)).to_have_attribute("aria-label", "C1, empty, win in 1, proven")
    expect(visitor.cell(6)).to_have_attribute("aria-label", "A3, empty, loss in 2, proven")
    expect(visitor.page.locator(".cell.heat")).to_have_count(5)
    expect(visitor.page.get_by_role("img", name="Evaluation bar: X: win in 1, proven")).to_be_visible()
    assert "98" in visitor.page.locator(".eval-bar").evaluate("bar => bar.style.getPropertyValue('--share')")
    visitor.moves.nth(0).get_by_role("button").click()
    expect(visitor.page.locator(".evaluation-line")).to_contain_text("O: draw")


def test_what_is_not_proven_is_called_an_estimate(visitor):
    visitor.start("Gomoku")
    visitor.click(112)
    visitor.page.get_by_role("switch", name="Evaluation").check()
    expect(visitor.page.locator(".evaluation-line")).to_contain_text("estimate")
    expect(visitor.page.locator(".eval-bar.is-proven")).to_have_count(0)


def test_on_a_phone_the_bar_lies_above_a_large_board_which_needs_the_whole_width(invite):
    visitor = invite(**PHONE)
    visitor.start("Gomoku")
    visitor.page.get_by_role("switch", name="Evaluation").check()
    bar, board = visitor.page.locator(".eval-bar"), visitor.page.locator(".board-scroll")
    expect(bar).to_be_visible()
    assert board.evaluate("board => board.scrollWidth <= board.clientWidth")
    lying, below = bar.bounding_box(), board.bounding_box()
    assert lying["width"] > 10 * lying["height"] > 100
    assert lying["y"] + lying["height"] < below["y"]
    fill = visitor.page.locator(".eval-fill").bounding_box()
    assert fill["height"] > 10
    assert 0.1 * lying["width"] < fill["width"] < 0.9 * lying["width"]


def test_replay_steps_plays_and_exports(visitor):
    visitor.start("Tic-tac-toe")
    visitor.click(0, 3, 1, 4, 2)
    visitor.page.get_by_role("link", name="Review the game").click()
    page = visitor.page
    marks = page.locator(".cell > .mark")
    expect(marks).to_have_count(5)
    visitor.button("Start of the game").click()
    expect(marks).to_have_count(0)
    visitor.button("One move forward").click()
    expect(marks).to_have_count(1)
    visitor.button("One move back").click()
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("region", name="Replay").get_by_role("button", name="Play").click()
    expect(marks).to_have_count(5)
    expect(page.locator(".strokes line")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the game").click()
    lines = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert [line["action"] for line in lines] == ["start_game"] + ["make_move"] * 5


def test_a_review_grades_every_move_and_shows_the_better_one(visitor):
    visitor.start("Tic-tac-toe")
    visitor.click(0, 1, 8, 3, 2, 5, 4)
    visitor.page.get_by_role("link", name="Review the game").click()
    visitor.button("Review every move").click()
    page = visitor.page
    expect(page.locator(".moves .grade")).to_have_count(7)
    visitor.moves.nth(1).get_by_role("button").click()
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("blunder")
    expect(verdict).to_contain_text("proven")
    expect(verdict).to_contain_text("Better: B2")
    expect(verdict).to_contain_text("B1 lets X win in 3 moves.")
    expect(verdict).not_to_contain_text("→")
    page.get_by_text("Details").click()
    expect(verdict).to_contain_text("draw → loss in 6")
    expect(visitor.cell(4)).to_have_attribute("aria-label", "B2, empty, 1: O")
    expect(page.get_by_role("img", name="Value after every move")).to_be_visible()
    page.get_by_role("slider", name="Moves").press("End")
    expect(page.locator(".cell > .mark")).to_have_count(7)


def test_the_opening_map_of_a_solved_game(visitor):
    visitor.visit("/openings?game=3x3%2Cmisere")
    page = visitor.page
    expect(page.get_by_text("With best play: draw for X, who moves first.")).to_be_visible()
    expect(visitor.cell(4)).to_have_attribute("aria-label", "B2, empty, draw, proven")
    expect(visitor.cell(0)).to_have_attribute("aria-label", "A1, empty, loss in 9, proven")
    page.get_by_label("Solved game").select_option("3x3x3")
    expect(visitor.cell(13)).to_have_attribute("aria-label", "B2/2, empty, win in 7, proven")
    page.get_by_label("Solved game").select_option("hex,size=3")
    expect(visitor.cell(4)).to_have_attribute("aria-label", re.compile("win in"))


def test_the_cube_can_be_turned_and_played_in_three_dimensions(visitor):
    visitor.start("3-D")
    canvas = visitor.page.locator(".cube-canvas canvas")
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    before = canvas.screenshot()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.page.mouse.move(*middle)
    visitor.page.mouse.down()
    visitor.page.mouse.move(middle[0] + 90, middle[1] + 20, steps=4)
    visitor.page.mouse.up()
    expect(visitor.moves).to_have_count(0)
    assert canvas.screenshot() != before
    # Somewhere on the lattice there is a cell under the pointer.
    for step in range(400):
        x, y = box["x"] + 40 + 17 * (step % 18), box["y"] + 60 + 17 * (step // 18)
        visitor.page.mouse.move(x, y)
        if canvas.evaluate("canvas => canvas.style.cursor") == "pointer":
            visitor.page.mouse.down()
            visitor.page.mouse.up()
            break
    expect(visitor.moves).to_have_count(1)


def test_the_cube_follows_the_colours_of_the_page(visitor):
    visitor.setup("3-D")
    visitor.page.get_by_text("Options", exact=True).click()
    visitor.page.get_by_role("spinbutton", name="Players").fill("3")
    visitor.begin()
    visitor.click(0, 20, 40)
    expect(visitor.page.locator(".cube-canvas canvas")).to_be_visible()
    # What the scene draws in the frame after a change of colours; the page behind it is not part of it.
    painted = """async theme => {
        document.documentElement.dataset.theme = theme;
        await Promise.resolve();
        await new Promise(requestAnimationFrame);
        return document.querySelector('.cube-canvas canvas').toDataURL();
    }"""
    light, dark, again = (visitor.page.evaluate(painted, theme) for theme in ("light", "dark", "light"))
    assert light == again
    assert light != dark


def test_three_js_is_loaded_only_where_there_is_a_cube(visitor):
    loaded = []
    visitor.page.on("request", lambda request: loaded.append(request.url))
    visitor.start("Tic-tac-toe")
    assert not [url for url in loaded if "CubeView" in url]
    visitor.start("3-D")
    expect(visitor.page.locator(".cube-canvas canvas")).to_be_visible()
    assert [url for url in loaded if "CubeView" in url]
