"""The page in a browser: a game designed from nothing and judged, and the report on a game."""

from __future__ import annotations

import re
import time

import pytest
from tests.web.browsing import NEEDS_CHROMIUM, Page, browser, expect, open_page, page, until

from kibitz.games import load_sheet
from kibitz.present import make_report, report_rows
from kibitz.rulebook import TEMPLATES, parts_of, read_sentences, sentences_to_add, write_template

__all__ = ["browser", "page"]
pytestmark = NEEDS_CHROMIUM

RULES = "textarea[aria-label='Rules in sentences']"


class Designer:
    """Somebody at the page, whose actions are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.actions = page, 0

    def click(self, name: str) -> None:
        self.actions += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def choose(self, label: str, option: str) -> None:
        self.actions += 2  # one opens the list
        self.page.get_by_label(label, exact=True).select_option(option)

    def write(self, label: str, text: str) -> None:
        self.actions += 1
        self.page.get_by_label(label, exact=True).fill(text)


def test_a_game_is_made_from_nothing_in_under_twenty_actions_and_judged(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Design your own").click()
    designer = Designer(page)
    expect(page.locator("#board g[data-cell]")).to_have_count(9)
    designer.choose("Kind of game", "race")
    expect(page.locator("#board g[data-cell]")).to_have_count(16)
    designer.write("Name", "Dash")
    designer.write("Columns, or counters", "3")
    designer.write("Rows", "3")
    expect(page.locator("#board g[data-cell]")).to_have_count(9)
    expect(page.locator(RULES)).to_have_value(re.compile("Name: Dash.\nSize: 3 by 3"))
    designer.choose("Add a sentence: Moves", "On your turn, pass.")
    expect(page.locator("ul.sentences").nth(2)).to_contain_text("pass")
    designer.click("Take out: On your turn, pass")
    expect(page.locator("ul.sentences").nth(2)).not_to_contain_text("pass")
    designer.click("Is it fair?")
    # Hexapawn: whoever moves second wins, as Gardner published it in 1962.
    expect(page.locator(".fairness .verdict")).to_have_text(
        re.compile("Not fair with best play: (Black|black) wins in 3 moves")
    )
    expect(page.locator(".skills dt").first).to_contain_text("random")
    designer.click("Play it")
    until(page, "kibitz.view === 'play' && kibitz.info?.name === 'Dash'")
    assert designer.actions < 20


def test_problems_of_a_design_are_found_while_it_is_written_and_drafts_stay(page: Page) -> None:
    page.goto("/#view=design")
    expect(page.locator("#board g[data-cell]")).to_have_count(9)
    text = page.locator(RULES)
    good = text.input_value()
    text.fill(good.replace("three in a line", "three in a lime"))
    expect(page.locator(".findings button").first).to_contain_text("lime")
    expect(page.get_by_role("button", name="Is it fair?")).to_be_disabled()
    text.fill(good.replace("have three", "have four"))
    expect(page.locator(".findings button").first).to_contain_text("never")
    page.reload()
    expect(page.locator(RULES)).to_have_value(re.compile("have four in a line"))
    link = page.evaluate("location.href")
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(link)  # the link alone has the rules
    expect(page.locator(RULES)).to_have_value(re.compile("have four in a line"))


def test_a_report_is_cancelled(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object, **__: object) -> None:
        time.sleep(3600)

    monkeypatch.setattr("kibitz.web.session.reports.make_report", endless)
    open_page(page, "#view=report&game=tictactoe")
    page.get_by_role("button", name="Make the report").click()
    page.locator("#panel .job").get_by_role("button", name="Cancel").click()
    expect(page.locator("#panel .job")).to_have_text("Cancelled.")


def test_a_report_says_what_the_command_does(page: Page) -> None:
    open_page(page, "#view=report&game=nim:1,2")
    page.get_by_role("button", name="Make the report").click()
    expect(page.locator(".fairness .verdict")).to_contain_text(
        "Not fair with best play: Player 1 wins in 2 moves"
    )
    rows = dict(report_rows(make_report(load_sheet("nim:1,2"))))
    for name in ("size", "random play", "decisions", "rules"):
        expect(page.locator("section.card > .rows")).to_contain_text(rows[name])
    rules = page.locator("details .rows")  # what is of the text of the rules is folded
    expect(rules).to_be_hidden()
    expect(rules).to_contain_text(rows["dead rule"])
    expect(page.locator(".openings .win")).to_have_count(1)
    expect(page.locator(".openings .win")).to_contain_text("reduce heap b to 1")
    expect(page.locator(".hardest svg").first).to_be_visible()


def test_every_sentence_that_is_offered_is_read_and_stands_in_its_part() -> None:
    for part, sentences in sentences_to_add().items():
        for sentence in sentences:
            read_sentences(sentence)
            assert [one.part for one in parts_of(sentence)] == [part], sentence
    for kind in TEMPLATES:
        parts = [str(one.part) for one in parts_of(write_template(kind))]
        assert parts == sorted(parts, key=["board", "pieces", "moves", "end"].index)
