"""The view Puzzles: themes, sets that stay, and a rating that hints cost."""

from __future__ import annotations

import json

import httpx
from tests.web.browsing import (
    NEEDS_CHROMIUM,
    Page,
    address_of,
    browser as browser,
    cell,
    expect,
    open_page,
    page as page,
    settle,
)

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.puzzles import Wanted, choose_puzzles, find_positions, read_skill
from kibitz.strategy import symmetries_of

pytestmark = NEEDS_CHROMIUM

WINS = "next wins(me) => any\n"


def found(client: httpx.Client, **wish: object) -> list[dict[str, object]]:
    asked = {"kind": "puzzles", "role": "xplayer", **wish}
    job = client.post("/api/games/tictactoe/jobs", json=asked).json()["id"]
    with client.stream("GET", f"/api/jobs/{job}/events") as stream:
        views = [json.loads(text[6:]) for text in stream.iter_lines() if text.startswith("data: ")]
    return list(views[-1]["result"]["puzzles"])


def test_puzzles_are_those_of_the_command(solved: httpx.Client) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    wanted = Wanted(8, symmetries=symmetries_of(game), theme="doubleThreat")
    own, other = (read_skill(text, game) for text in ("1", "3"))
    chosen = choose_puzzles(find_positions(game, "xplayer"), 1, own=own, other=other, wanted=wanted)
    views = found(solved, win_in=1, count=8, theme="doubleThreat")
    assert [one["id"] for one in views] == [puzzle.name for puzzle in chosen]
    assert all("doubleThreat" in one["themes"] for one in views)  # type: ignore[operator]


def test_a_theme_is_a_rule_of_a_strategy(solved: httpx.Client) -> None:
    views = found(solved, win_in=0, theme="rule1", rules=WINS)
    assert views
    assert all(one["themes"] == ["win", "rule1"] for one in views)
    asked = {"kind": "puzzles", "role": "xplayer", "theme": "rule2", "rules": WINS}
    refused = solved.post("/api/games/tictactoe/jobs", json=asked)
    assert refused.status_code == 400
    assert "no rule2" in refused.text


def test_a_set_stays_and_first_tries_are_rated(page: Page) -> None:
    open_page(page, "#view=puzzles&game=tictactoe")
    page.select_option("#p-length", "0")
    page.select_option("#p-theme", "win")
    page.get_by_role("button", name="Find puzzles").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("Win at once, as X")
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text("Hint:")).to_have_count(1)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#board g.says")).to_have_count(1)
    settle(page)
    best = page.evaluate(
        """async () => (await (await fetch(`/api/games/${kibitz.game}/hint?step=3&line=${
           kibitz.lineText}`)).json()).cells[0]"""
    )
    cell(page, best)
    expect(page.locator("#panel [role=status]").last).to_contain_text("Your rating: 1")
    expect(page.locator("#panel")).to_contain_text("solved by a win at once")
    expect(page.locator("#board g.says")).to_have_count(0)  # the hint was of the position before
    value = page.evaluate("JSON.parse(localStorage.getItem('puzzle rating')).tictactoe")
    assert value["tries"] == 1
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("2.")
    assert "set=" in address_of(page)
    names = page.evaluate(
        "JSON.parse(localStorage.getItem('puzzle set tictactoe')).set.puzzles.map((p) => p.id)"
    )
    page.reload()  # the link has the set and which puzzle it is
    expect(page.locator("#panel h2").nth(1)).to_contain_text("2.")
    expect(page.locator("#panel")).to_contain_text("1 of")
    page.evaluate("localStorage.clear()")
    page.reload()  # and so it has for another browser, which finds the same set
    expect(page.locator("#panel h2").nth(1)).to_contain_text("2.")
    again = page.evaluate(
        "JSON.parse(localStorage.getItem('puzzle set tictactoe')).set.puzzles.map((p) => p.id)"
    )
    assert again == names
