"""A browser for the tests of the page: one for each module, and what they do in it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

__all__ = [
    "LONG",
    "NEEDS_CHROMIUM",
    "Browser",
    "Page",
    "Route",
    "address_of",
    "browser",
    "cell",
    "expect",
    "open_page",
    "page",
    "play_best",
    "settle",
    "until",
]

CHROMIUM = next(
    (p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), None
)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this system")
LONG = int(os.environ.get("KIBITZ_PATIENCE_MS", "120000"))
expect.set_options(timeout=LONG)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        made = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield made
        made.close()


@pytest.fixture
def page(browser: Browser, address: str, solved: httpx.Client) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 800}, base_url=address)
    context.set_default_timeout(LONG)
    made = context.new_page()
    troubles: list[str] = []
    made.on("pageerror", lambda error: troubles.append(str(error)))
    made.on("dialog", lambda dialog: troubles.append(f"dialog {dialog.message}"))
    yield made
    context.close()
    assert not troubles


def open_page(page: Page, where: str = "#view=play&game=tictactoe") -> None:
    """Open a link, and wait until its view is shown, with what is known of a game that is solved.

    Where the page is open already, the browser loads nothing, and what was shown stays for a while.
    """
    page.goto(f"/{where}")
    parts = {name: values[0] for name, values in parse_qs(where.lstrip("#")).items()}
    view = parts.get("view", "learn")
    until(page, f"globalThis.kibitz?.shown?.view === {view!r}")
    if view == "design":
        page.wait_for_selector("#board svg g[data-cell]")
        return
    until(page, f"kibitz.shown.game === {parts['game']!r} && !kibitz.isWatched")
    until(page, f"kibitz.lineText === {parts.get('line', '')!r}")


def address_of(page: Page) -> str:
    """Give the address as the page has it; `page.url` is what Playwright has heard of it."""
    return str(page.evaluate("location.href"))


def until(page: Page, condition: str) -> None:
    """Wait until something is true on the page, whose policy forbids it to evaluate strings."""
    deadline = time.monotonic() + LONG / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(20)


def cell(page: Page, key: str) -> None:
    """Click a cell, and wait until the page has the next position."""
    before = page.evaluate("kibitz.lineText")
    page.click(f"g[data-cell='{key}']")
    until(page, f"kibitz.lineText !== {before!r}")


def settle(page: Page) -> None:
    """Wait until a person may move, or play has ended."""
    until(page, "kibitz.pos.is_terminal || kibitz.mayPlay() && kibitz.pos.chooses.length")


def play_best(page: Page, role: str) -> None:
    """Play a role's best moves by clicking them until the game ends."""
    for _ in range(9):
        settle(page)
        if page.evaluate("kibitz.pos.is_terminal"):
            return
        best = page.evaluate(
            """(role) => kibitz.pos.moves.filter((m) => m.role === role).sort((a, b) =>
               b.worth.goal - a.worth.goal || a.worth.plies - b.worth.plies)[0].cells[0]""",
            role,
        )
        cell(page, best)
