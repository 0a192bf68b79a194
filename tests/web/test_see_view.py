"""The view See: causes before lines, lines by side, and what shades mean."""

from __future__ import annotations

from tests.web.browsing import (
    NEEDS_CHROMIUM,
    Page,
    browser as browser,
    expect,
    open_page,
    page as page,
)

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


def test_a_double_threat_is_named(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=0.7.3")  # corner, corner, middle: no edge now
    page.locator("#panel .loss button.why").first.click()
    expect(page.locator("#panel .cause")).to_contain_text("It lets X make a double threat")
