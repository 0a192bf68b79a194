"""axe-core and eyes.js object to nothing: every view, light and dark, wide and narrow."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import httpx
import pytest

pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
from tests.web.browsing import NEEDS_CHROMIUM, Browser, Page, browser, expect, open_page, until
from tests.web.conftest import wait

pytestmark = NEEDS_CHROMIUM
__all__ = ["browser"]

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
EYES = Path(__file__).with_name("eyes.js").read_text("utf-8")
SHOWS = {  # what is there when the answers to a view have come
    "learn": ".verdict", "play": "ol.played li", "see": "ul.moves li", "strategy": ".badge strong",
    "puzzles": "#p-role", "rules": "#panel [role=status] .worth", "report": "#panel button.main",
    "design": "ul.sentences li",
}  # fmt: skip


def violations(page: Page) -> list[str]:
    """Ask axe about the page as it is, and our own eyes for texts that are hard to read."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    seen: list[str] = page.evaluate(EYES)
    return seen + [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 1200),
        pytest.param("dark", 360),
        pytest.param("dark", 1200, marks=pytest.mark.slow),
        pytest.param("light", 360, marks=pytest.mark.slow),
    ],
)
def test_no_view_breaks_a_rule_of_axe(
    browser: Browser, address: str, solved: httpx.Client, scheme: str, width: int
) -> None:
    job = solved.post("/api/games/tictactoe/jobs", json={"kind": "lesson", "role": None}).json()
    assert wait(solved, job["id"])["status"] == "done"
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        base_url=address,
        bypass_csp=True,  # or axe could not be brought in
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto("/")
    expect(page.locator(".gallery li").first).to_be_visible()
    assert violations(page) == []
    for view in SHOWS:
        open_page(page, f"#view={view}&game=tictactoe&line=4")
        expect(page.locator(SHOWS[view]).first).to_be_visible()
        until(page, "!document.querySelector('.job:not([hidden])')")
        assert violations(page) == [], view
    open_page(page, "#view=learn&game=tictactoe&step=1")  # in the middle of a lesson
    page.get_by_role("button", name="Now you").click()
    assert violations(page) == []
    open_page(page, "#view=strategy&game=tictactoe&line=4")
    page.evaluate(
        "kibitz.setStrategy({ text: 'true => (mark 2 2)\\ntrue => (mark 1 1)', role: 'oplayer' })"
    )
    page.reload()
    expect(page.locator("ol.rules > li .number").first).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("?")
    assert violations(page) == []
    context.close()
