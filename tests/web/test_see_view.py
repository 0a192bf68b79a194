"""The view See: causes before lines, lines by side, and what shades mean."""

from __future__ import annotations

import httpx
from tests.web.browsing import (
    NEEDS_CHROMIUM,
    Page,
    browser as browser,
    expect,
    open_page,
    page as page,
)
from tests.web.conftest import wait_solved

pytestmark = NEEDS_CHROMIUM


def test_a_cause_comes_before_the_line_that_shows_it(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=0.3.0")  # o must mark 1 3
    expect(page.locator("#panel .legend")).to_contain_text("L: the mover loses")
    page.locator("#panel .loss button.why").first.click()
    card = page.locator("#panel section.card", has=page.locator(".cause"))
    expect(card.locator("p").first).to_contain_text("It lets X win at once")
    line = card.locator("button.line")
    expect(line).to_have_count(2)
    expect(line.first).to_contain_text("4. ")
    assert [line.nth(i).get_attribute("data-side") for i in (0, 1)] == ["oplayer", "xplayer"]
    assert "side1" in (line.first.get_attribute("class") or "")
    line.nth(1).hover()
    expect(page.locator("#board .frames .shows")).to_have_count(1)


def test_the_rule_of_the_lesson_is_named_that_a_mistake_breaks(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "nim:1,2,4,5")
    open_page(page, "#view=learn&game=nim:1,2,4,5")
    expect(page.get_by_role("button", name="Begin with the first rule")).to_be_visible()
    open_page(page, "#view=see&game=nim:1,2,4,5")
    page.locator("#panel .loss button.why").first.click()
    expect(page.locator("#panel")).to_contain_text("Rule 1 of the lesson says: ")


def test_a_rule_that_is_wrong_in_a_position_is_no_advice_there(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "tictactoe")
    open_page(page, "#view=see&game=tictactoe&line=3.2")  # a corner wins, the centre only draws
    page.evaluate("kibitz.setStrategy({ text: '(cell 2 2 b) => (mark 2 2)\\n', role: 'xplayer' })")
    page.locator("#panel .loss button.why").first.click()
    advice = page.locator("#panel section.card", has_text="Why not")
    expect(advice).to_contain_text("A rule for this: ")
    expect(advice).not_to_contain_text("your strategy")


def test_a_puzzle_for_one_speaks_of_no_opponent(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "hanoi")
    open_page(page, "#view=see&game=hanoi")
    expect(page.locator("#panel h2").first).to_have_text("Moves")
    expect(page.locator("#panel h3").first).to_contain_text("Good: ")
    expect(page.locator("#panel .legend")).to_have_text("W: solveda number: moves until the end")
    open_page(page, "#view=puzzles&game=hanoi")
    expect(page.get_by_label("Length")).to_be_visible()
    assert page.get_by_label("Against").count() == page.get_by_label("You play").count() == 0
    open_page(page, "#view=learn&game=hanoi")
    expect(page.locator(".verdict")).to_contain_text("the puzzle is solved after 7 moves.")
    expect(page.locator("#panel")).to_contain_text("Learn to solve it")
    expect(page.locator("#panel")).not_to_contain_text("against random play")


def test_a_double_threat_is_named(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=0.7.3")  # corner, corner, middle: no edge now
    page.locator("#panel .loss button.why").first.click()
    expect(page.locator("#panel .cause")).to_contain_text("It lets X make a double threat")


def test_of_many_moves_the_first_are_listed_and_the_others_when_asked(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "nim:30,1")
    open_page(page, "#view=see&game=nim:30,1")
    losing = page.locator("#panel .loss ul.moves li")
    expect(losing).to_have_count(24)
    page.get_by_role("button", name="Show all 30").click()
    expect(losing).to_have_count(30)
    page.evaluate("kibitz.refresh()")
    expect(losing).to_have_count(30)
