"""The page of a report fits a telephone and a sheet of paper."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.games import load_sheet
from kibitz.present import Explanation, explanation_page
from kibitz.present.report import Report, Wish, make_report
from kibitz.present.report.page import report_page
from kibitz.present.report.text import cell_text

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
A4_PX = round((210 - 2 * 15) / 25.4 * 96)
"""The width of what the page of a report leaves for text on A4."""

WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"
CUT_OFF = """[...document.querySelectorAll("table, pre, figure, .tiles dd")]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth)
  .map(e => e.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this system")
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def report() -> Report:
    return make_report(load_sheet("connect:3,3x3"), Wish(rule_seconds=0.5))


@pytest.fixture(scope="module")
def written(report: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("pages") / "report.html"
    long = replace(report, game="a/very/long/path/to/some_rule_sheet.kif", matches=11_558_576_227)
    path.write_text(report_page([report, long]), "utf-8")
    return path.as_uri()


def test_a_telephone_need_not_scroll_sideways(browser: Browser, written: str) -> None:
    opened = browser.new_page(viewport={"width": 360, "height": 700})
    opened.goto(written)
    wide, shown = opened.evaluate(WIDTHS)
    assert wide <= shown
    assert opened.locator(".tiles dd.long").first.evaluate("e => e.getClientRects().length") == 1
    assert opened.locator(".tiles dd.long").first.evaluate("e => e.clientHeight") < 40
    opened.close()


def test_nothing_is_cut_off_on_paper(browser: Browser, written: str) -> None:
    opened = browser.new_page(viewport={"width": A4_PX, "height": 1000})
    opened.emulate_media(media="print")
    opened.goto(written)
    assert opened.evaluate(CUT_OFF) == []
    opened.close()


def test_rules_that_are_folded_on_a_screen_are_open_on_paper(
    browser: Browser, written: str
) -> None:
    opened = browser.new_page()
    opened.goto(written)
    seen = "e => e.checkVisibility({ contentVisibilityAuto: true }) && e.clientHeight > 20"
    folded = opened.locator("details > pre").first
    assert not folded.evaluate(seen)
    opened.emulate_media(media="print")
    assert folded.evaluate(seen)
    opened.close()


def test_charts_tell_titles_and_not_paths(report: Report) -> None:
    whole = report_page([report, replace(report, game="a/path/to/sheet.kif")])
    assert "a/path/to" not in whole.replace('id="game-a-path', "")


def test_a_huge_mean_is_written_as_a_count() -> None:
    assert cell_text("branching", 1061520150601.0) == "1.1e+12"
    assert cell_text("branching", 23.75) == "23.8"


def test_a_long_name_fits_a_telephone(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "explained.html"
    told = Explanation("g", "chineseCheckers6-simultaneous", ())
    path.write_text(explanation_page(told), "utf-8")
    opened = browser.new_page(viewport={"width": 360, "height": 700})
    opened.goto(path.as_uri())
    wide, shown = opened.evaluate(WIDTHS)
    assert wide <= shown
    opened.close()
