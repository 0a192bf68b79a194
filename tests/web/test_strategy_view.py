"""The view Strategy: rules made by choosing concepts, and two lists side by side."""

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

from kibitz.engine import make_game
from kibitz.games import load_sheet
from kibitz.strategy import read_strategy

pytestmark = NEEDS_CHROMIUM


def test_every_concept_makes_a_rule_that_is_read(solved: httpx.Client) -> None:
    game = make_game(load_sheet("tictactoe"))
    found = solved.get("/api/games/tictactoe/concepts", params={"role": "xplayer"}).json()
    assert {one["is_wish"] for one in found} == {True, False}
    assert "it wins at once" in [one["words"] for one in found]
    assert any("corner" in one["words"] for one in found)
    for one in found:
        formula = one["formula"]
        rule = f"true => any also {formula}" if one["is_wish"] else f"({formula}) => any"
        assert read_strategy(rule, game).rules_for("xplayer")
    wrong = solved.get("/api/games/tictactoe/concepts", params={"role": "nobody"})
    assert wrong.status_code == 400


def test_a_rule_is_made_by_choosing_and_lists_stand_side_by_side(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    page.get_by_role("button", name="Choose concepts").click()
    expect(page.get_by_role("button", name="Add rule")).to_be_disabled()
    page.get_by_label("it wins at once").check()
    expect(page.locator("#panel")).to_contain_text("Play a move if it wins at once.")
    page.get_by_role("button", name="Add rule").click()
    expect(page.locator("ol.rules > li .number")).to_have_count(1)
    expect(page.locator("ol.rules > li .words")).to_contain_text("Win at once")
    assert page.evaluate("kibitz.strategy.text") == "(next wins(me)) => any\n"
    page.get_by_text("Compare, and strategies").click()
    page.get_by_label("Another strategy").fill(
        "(next wins(me)) => any\ntrue => any also does(mark(2,2))\n"
    )
    page.get_by_role("button", name="Compare with mine").click()
    columns = page.locator(".beside ol")
    expect(columns).to_have_count(2)
    expect(columns.first.locator("li")).to_have_count(1)
    expect(columns.last.locator("li.only")).to_have_count(1)
    expect(page.locator("#panel")).to_contain_text("They differ in")
