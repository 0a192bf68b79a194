"""What the server answers late takes nothing from the hands of somebody who uses the page."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.web.browsing import (
    LONG,
    NEEDS_CHROMIUM,
    Page,
    browser,
    cell,
    expect,
    open_page,
    page,
    until,
)
from tests.web.conftest import wait, wait_solved

__all__ = ["browser", "page"]
pytestmark = NEEDS_CHROMIUM

PRESSED = "[data-key='xplayer 4'] button.make"


class Held:
    """Requests that wait until they are let go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.page, self.pattern, self.is_open = page, pattern, False
        self.routes: list[Any] = []
        page.route(pattern, self.take)

    def take(self, route: Any) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.routes.append(route)

    def let_go(self) -> None:
        """Answer all, and wait until the page has done what it does with the answers."""
        for _ in range(LONG // 10):
            if self.routes:
                break
            self.page.wait_for_timeout(10)
        self.is_open = True
        for route in self.routes:
            with self.page.expect_response(self.pattern) as answered:
                route.continue_()
            answered.value.finished()
        self.page.evaluate("kibitz.refresh()")


def test_values_that_arrive_leave_focus_and_a_click_that_has_begun(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe")
    page.locator(PRESSED).focus()
    page.evaluate("globalThis.mine = document.activeElement")
    page.evaluate("kibitz.refresh()")
    assert page.evaluate("document.activeElement === mine && mine.isConnected")
    page.locator(PRESSED).hover()
    page.mouse.down()
    with page.expect_response("**/position*"):
        page.evaluate("() => { kibitz.refresh().then(() => { globalThis.came = true; }); }")
    assert page.evaluate("globalThis.came") is None  # it waits for the end of the click
    page.mouse.up()
    until(page, "kibitz.line.length === 1")


def test_a_move_that_is_proved_keeps_its_focus_in_its_new_place(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    page.locator("[data-key='oplayer 1'] button.why").focus()
    page.evaluate(
        """() => { const { worth } = kibitz.pos.moves.find((move) => move.number === 1);
           Object.assign(worth, { outcome: "win", goal: 100 }); kibitz.emit("position"); }"""
    )
    expect(page.locator(".win [data-key='oplayer 1']")).to_be_visible()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Why ")
    assert page.evaluate("document.activeElement.closest('.win') !== null")


# In each of four places either of two marks may be made: a click means two moves.
MARKS = """
(role one) (role two) (init (control one)) (mark a) (mark b)
(<= (init (cell ?x ?y empty)) (at ?x) (at ?y)) (at 1) (at 2)
(<= (legal ?r (put ?x ?y ?m)) (true (control ?r)) (true (cell ?x ?y empty)) (mark ?m))
(<= (legal one wait) (true (control two))) (<= (legal two wait) (true (control one)))
(<= (next (cell ?x ?y ?m)) (does ?r (put ?x ?y ?m)))
(<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (does ?r (put ?a ?b ?m)) (distinct ?x ?a))
(<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (does ?r (put ?a ?b ?m)) (distinct ?y ?b))
(<= (next (control two)) (true (control one))) (<= (next (control one)) (true (control two)))
(<= open (true (cell ?x ?y empty))) (<= terminal (not open))
(<= (goal ?r 50) (role ?r))
"""


def test_a_choice_between_two_moves_stays(page: Page, client: httpx.Client) -> None:
    game = client.post("/api/games", json={"text": MARKS, "name": "marks"}).json()["id"]
    wait_solved(client, game)
    open_page(page, f"#view=see&game={game}")
    page.click("#board g[data-cell] >> nth=0")
    choices = page.locator("#choices button")
    expect(choices).to_have_count(2)
    page.evaluate("kibitz.refresh()")
    expect(choices).to_have_count(2)
    choices.last.click()
    until(page, "kibitz.line.length === 1")


def test_what_one_has_chosen_is_played_though_values_arrive_meanwhile(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "roshambo")
    open_page(page, "#view=see&game=roshambo")
    page.locator("#choices button").nth(1).click()
    until(page, "Object.values(kibitz.pending).join() === '1'")
    page.evaluate("kibitz.refresh()")
    assert page.evaluate("Object.values(kibitz.pending)") == [1]
    open_page(page, "#view=play&game=roshambo")
    held = Held(page, "**/reply")
    page.locator("#choices button").nth(2).click()
    until(page, "kibitz.thinking")
    page.evaluate("kibitz.refresh()")
    held.let_go()
    until(page, "kibitz.line.length === 1")
    assert page.evaluate("Math.floor(kibitz.line[0] / 3)") == 2


def test_a_level_that_is_being_typed_outlives_the_solution(page: Page) -> None:
    open_page(page, "#view=play&game=tictactoe")
    page.select_option("#player-oplayer", "level")
    level = page.get_by_label("1 to 8")
    level.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("7")
    page.evaluate("kibitz.solution = null; kibitz.emit('solving')")
    expect(page.locator("#player-xplayer")).to_contain_text("searches for a second")
    expect(level).to_have_value("7")
    expect(level).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#panel")).to_contain_text(re.compile(r"rated \d+ ± \d+ on connectfour"))


def test_a_lesson_is_made_once_and_an_exercise_stays(page: Page, solved: httpx.Client) -> None:
    asked = {"kind": "lesson", "role": "xplayer"}
    job = solved.post("/api/games/tictactoe/jobs", json=asked).json()
    wait(solved, job["id"])
    page.goto("/")
    page.evaluate("localStorage.setItem('learn role tictactoe', '\"xplayer\"')")
    held = Held(page, "**/about")
    jobs: list[str] = []
    page.on("request", lambda one: jobs.append(one.url) if one.url.endswith("/jobs") else None)
    open_page(page, "#view=learn&game=tictactoe")
    page.get_by_role("button", name="Make the lesson").click()
    page.get_by_role("button", name="Begin with the first rule").click()
    held.let_go()  # now the page knows that there is a lesson, and would begin with it
    expect(page.locator("h2.rule")).to_be_visible()
    page.get_by_role("button", name="Now you").click()
    until(page, "kibitz.scene.pos.moves.length > 0")
    page.evaluate("kibitz.refresh()")
    page.evaluate("kibitz.emit('solving')")
    assert page.evaluate("kibitz.scene.pos.moves.length") > 0
    expect(page.get_by_role("button", name="Show me")).to_be_visible()
    assert len(jobs) == 1


def test_puzzles_that_are_found_late_wait_until_they_are_wanted(page: Page) -> None:
    open_page(page, "#view=puzzles&game=tictactoe")
    page.get_by_role("button", name="Find puzzles").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("1.")
    held = Held(page, "**/jobs")
    page.get_by_role("button", name="Others").click()
    page.get_by_label("Puzzle 2").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("2.")
    held.let_go()
    expect(page.locator("#panel .job")).to_contain_text("12 puzzles are found.")
    expect(page.locator("#panel h2").nth(1)).to_contain_text("2.")
    page.get_by_role("button", name="Open them").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("1.")
    held = Held(page, "**/jobs")
    page.get_by_role("button", name="Others").click()
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("button", name="New game").click()
    until(page, "kibitz.line.length === 0")
    held.let_go()
    found = (
        "[kibitz.view, kibitz.lineText, kibitz.players.oplayer.kind, kibitz.players.xplayer.kind]"
    )
    assert page.evaluate(found) == ["play", "", "perfect", "person"]


def test_an_address_that_is_left_before_its_position_comes_shows_nothing(page: Page) -> None:
    open_page(page, "#view=play&game=tictactoe")
    held = Held(page, "**/position?line=4*")
    with page.expect_request("**/position?line=4*"):
        page.evaluate("location.hash = '#view=see&game=tictactoe&line=4'")
    page.evaluate("location.hash = '#view=rules&game=tictactoe'")
    until(page, "kibitz.shown.view === 'rules'")
    held.let_go()
    assert page.evaluate("[kibitz.view, kibitz.lineText]") == ["rules", ""]


def test_a_list_that_is_changed_meanwhile_is_not_replaced(
    page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gate = tmp_path / "go"

    def late(*_: object, **__: object) -> Any:
        while not gate.exists():
            time.sleep(0.01)
        verdict = SimpleNamespace(rules=1, literals=0)
        strategy = SimpleNamespace(text="true => (mark 2 2)\n")
        return SimpleNamespace(
            language="rules about the position",
            strategy=strategy,
            verdict=verdict,
            proved_minimal=False,
            lower_bound=1,
            seconds=0.1,
        )

    monkeypatch.setattr("kibitz.web.session.rule_editing.synthesise", late)
    open_page(page, "#view=strategy&game=tictactoe")
    page.get_by_role("button", name="Complete").click()
    page.locator("summary", has_text="As text").click()
    page.get_by_label("The strategy as text").fill("next wins(me) => any\n")
    gate.write_text("")
    expect(page.locator("#panel .job")).to_contain_text("the list was changed meanwhile")
    assert page.evaluate("kibitz.strategy.text") == "next wins(me) => any\n"
    page.get_by_role("button", name="Take what was found").click()
    expect(page.locator("ol.rules > li .words")).to_have_text("Take the centre if you can.")


def test_what_is_said_of_a_list_stays_with_it_and_on_its_view(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    page.locator("summary", has_text="As text").click()
    page.get_by_label("The strategy as text").fill("true => (mark 2 2)\n")
    rules = page.locator("ol.rules > li")
    expect(rules).to_have_count(1)
    page.get_by_role("button", name="Rule for this position").click()
    expect(page.locator("#panel")).to_contain_text("Added: Take")
    expect(rules).to_have_count(2)
    page.evaluate("globalThis.mine = document.querySelector('ol.rules > li')")
    for _ in range(2):  # when the second has come, the first is shown
        with page.expect_response("**/strategy"):
            page.evaluate("kibitz.refresh()")
    expect(page.locator("#panel")).to_contain_text("Added: Take")
    assert page.evaluate("mine.isConnected")  # so that one who drags it goes on
    held = Held(page, "**/strategy")
    page.evaluate("kibitz.refresh()")
    page.get_by_role("link", name="Play", exact=True).click()
    held.let_go()
    assert page.locator("#board .frames .fires").count() == 0


def test_a_line_that_is_played_out_ends_where_the_visitor_goes_on(page: Page) -> None:
    page.clock.install()
    open_page(page, "#view=see&game=tictactoe&line=4")
    page.get_by_role("button", name="Why take the top edge?").click()
    page.get_by_role("button", name="Play it out").click()
    until(page, "kibitz.line.length > 1")
    page.keyboard.press("Home")
    until(page, "kibitz.line.length === 0")
    page.clock.run_for(20_000)
    cell(page, "0.8")
    assert json.loads(page.evaluate("JSON.stringify(kibitz.line)")) == [8]
