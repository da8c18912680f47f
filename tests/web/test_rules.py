"""What a game is called, what its goal is and how it is played, wherever the page says so."""

from playwright.sync_api import expect


def heading(visitor):
    return visitor.page.get_by_role("heading", level=1)


def test_the_setup_panel_says_the_rule_of_the_game_that_is_set_up(visitor):
    visitor.setup("Misère")
    panel = visitor.page.locator(".setup-title")
    expect(panel.get_by_role("heading")).to_have_text("Avoid three in a row")
    expect(panel).to_contain_text("whoever completes such a row loses")
    visitor.setup("Any size")
    expect(panel.get_by_role("heading")).to_have_text("Four in a row on 6×6")
    visitor.page.get_by_role("spinbutton", name="Players").fill("3")
    expect(panel.get_by_role("heading")).to_have_text("Four in a row on 6×6 for three players")
    visitor.page.get_by_role("spinbutton", name="In a row").fill("5")
    visitor.page.get_by_role("checkbox", name="Exact length").check()
    expect(panel.get_by_role("heading")).to_have_text("Exactly five in a row on 6×6 for three players")
    visitor.begin()
    expect(heading(visitor)).to_have_text("Exactly five in a row on 6×6 for three players")


def test_a_game_shows_its_title_and_goal_and_leads_to_its_rules(visitor):
    visitor.start("Misère")
    expect(heading(visitor)).to_have_text("Avoid three in a row")
    expect(visitor.page).to_have_title("Avoid three in a row – noughts")
    expect(visitor.page.locator(".game-heading")).to_contain_text("whoever completes such a row loses")
    expect(visitor.page.get_by_role("grid", name="Board: Avoid three in a row")).to_be_visible()
    with visitor.context.expect_page() as opened:
        visitor.page.get_by_role("link", name="Rules").click()
    rules = opened.value
    expect(rules).to_have_title("Rules of Avoid three in a row – noughts")
    expect(rules.get_by_role("heading", level=1)).to_have_text("Avoid three in a row")
    expect(rules.get_by_role("listitem").nth(1)).to_contain_text("Whoever gets three of their own marks in a row loses")
    expect(rules.get_by_role("img", name="Board: X on A1, B1, C1; O on")).to_be_visible()
    # A picture is no stop of the Tab key and not read cell by cell.
    expect(rules.locator("[role=img] > [inert] [role=grid]")).to_have_count(2)


def test_the_rules_show_what_is_allowed_and_what_is_not(visitor):
    visitor.visit("/rules?game=connect4")
    falls = visitor.page.get_by_role("listitem").nth(1)
    expect(falls.locator(".cell.is-legal")).to_have_count(7)
    expect(falls.locator(".refused-sign")).to_have_count(1)
    expect(visitor.page.locator(".strokes line")).to_have_count(1)
    visitor.visit("/rules?game=ultimate")
    expect(visitor.page.locator(".region").first).to_be_visible()


def test_rules_of_a_game_that_does_not_exist(visitor):
    visitor.forgive("400")
    visitor.visit("/rules?game=nonsense")
    expect(visitor.page.get_by_role("heading", name="That did not work")).to_be_visible()
    expect(visitor.page.get_by_role("paragraph")).to_contain_text("unknown game 'nonsense'")
    expect(visitor.button("Try again")).to_have_count(0)
    visitor.visit("/rules")
    expect(visitor.page.get_by_role("heading", name="Page not found")).to_be_visible()
