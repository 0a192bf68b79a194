"""The page in a browser: games, strategies built by pointing, puzzles, keys, small screens."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import wait_solved
from tests.web.test_guard import HOSTILE

from kibitz.games import rule_text

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

CHROMIUM = next(
    (p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), None
)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this system")
LONG = 20_000


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


def open_page(page: Page, where: str = "") -> None:
    page.goto(f"/{where}")
    page.wait_for_selector("#board svg g[data-cell]")
    until(page, "globalThis.kibitz?.solution || globalThis.kibitz?.solving?.error")


def until(page: Page, condition: str, seconds: float = 20) -> None:
    """Wait until something is true on the page, whose policy forbids it to evaluate strings."""
    deadline = time.monotonic() + seconds
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


def test_a_whole_game_against_the_perfect_player_is_drawn(page: Page) -> None:
    open_page(page)
    play_best(page, "xplayer")
    expect(page.locator("#status")).to_contain_text("The end: xplayer 50, oplayer 50")
    expect(page.locator("ol.played li")).to_have_count(9)


def test_a_game_against_a_random_player_is_won_from_the_other_side_too(page: Page) -> None:
    open_page(page)
    page.select_option("#player-xplayer", "random")
    page.select_option("#player-oplayer", "person")
    won = False
    for _ in range(6):
        page.get_by_role("button", name="New game").click()
        until(page, "kibitz.line.length === 1")
        play_best(page, "oplayer")
        if page.evaluate("kibitz.pos.goals.oplayer") == 100:
            won = True
            break
    assert won
    expect(page.locator("#status")).to_contain_text("oplayer wins")


def test_moves_are_taken_back_and_redone_and_a_link_is_a_position(page: Page) -> None:
    open_page(page)
    page.select_option("#player-oplayer", "person")
    for key in ("0.0", "0.4", "0.8"):
        cell(page, key)
    page.keyboard.press("ArrowLeft")
    until(page, "kibitz.line.length === 2")
    cell(page, "0.2")
    assert page.locator("details ul.tree li").count() >= 2
    link = page.url
    assert "line=" in link
    open_page(page, "#" + link.split("#")[1])
    assert page.evaluate("kibitz.pos.played.length") == 3
    page.go_back()
    page.keyboard.press("Home")
    until(page, "kibitz.line.length === 0")


def test_values_are_shown_by_letter_grouped_and_hidden(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    expect(page.locator(".loss h3")).to_contain_text("Losing: 4")
    expect(page.locator(".draw h3")).to_contain_text("Drawn: 4")
    expect(page.locator("#board svg")).to_contain_text("L6")
    assert page.get_by_role("button", name=re.compile(r"play \(mark 1 2\), L6")).count() == 1
    page.keyboard.press("z")
    expect(page.locator("#panel")).to_contain_text("Hidden for practice")
    expect(page.locator("#board svg")).not_to_contain_text("L6")


def test_why_not_plays_the_refutation_on_the_board(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    page.get_by_role("button", name="Why (mark 1 2)?").click()
    why = page.locator("#panel section.card").nth(1)
    expect(why).to_contain_text("It gives up a draw and leaves a loss")
    why.locator("button.mono").last.click()
    expect(page.locator("#status")).to_contain_text("xplayer wins")
    why.get_by_role("button", name="Back to the position").click()
    until(page, "kibitz.line.length === 1")


FIVE: tuple[tuple[str, dict[str, bool]], ...] = (  # moves, and what is said of cells
    ("(mark 2 3)", {"(cell 3 3 o)": True, "(cell 2 1 o)": False}),
    ("(mark 2 1)", {"(cell 2 3 o)": False, "(cell 2 2 x)": True}),
    ("(mark 2 2)", {}),
    ("(mark 1 3)", {"(cell 3 1 x)": True}),
    ("(mark 1 1)", {"(cell 1 2 x)": True}),
)  # fmt: skip


def test_a_strategy_built_by_pointing_turns_strongly_optimal(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    badge = page.locator(".badge")
    for number, (move, said) in enumerate(FIVE, start=1):
        point_at(page, move, said)
        expect(page.locator("ol.rules > li .number")).to_have_count(number)
    expect(badge).to_contain_text("strongly optimal")
    expect(badge).to_contain_text("5 rules, 6 literals")
    # Without its first rule it fails, and the state is one click away.
    page.get_by_role("button", name="Remove rule 1").click()
    expect(badge).to_contain_text("fails")
    page.get_by_role("button", name=re.compile("Show a state")).click()
    until(page, "kibitz.line.length > 0")
    page.get_by_role("button", name="Undo").click()
    expect(badge).to_contain_text("strongly optimal")
    page.get_by_role("button", name="Lock rule 5").click()
    expect(page.get_by_role("button", name="Unlock rule 5")).to_be_visible()
    page.get_by_label("Rule 2;").press("Alt+ArrowUp")
    expect(page.locator("ol.rules > li").first).to_contain_text("not (cell 2 3 o)")


def point_at(page: Page, move: str, said: dict[str, bool]) -> None:
    """Go to a state where what is said can be seen, and make the rule by clicks alone."""
    cells = page.evaluate(
        """([move, said]) => Object.fromEntries(Object.keys(said).map((fluent) =>
           [fluent, Object.entries(kibitz.info.cells)
             .find(([, all]) => all.includes(fluent))[0]]))""",
        [move, said],
    )
    # A state where x is to move, the move is legal, and every cell is as the rule says.
    page.evaluate(
        """async ([move, said]) => {
          const mine = (m) => m.role === "xplayer" && m.text === move;
          const fits = () => kibitz.pos.moves.some(mine) &&
            Object.entries(said).every(([f, holds]) => kibitz.pos.state.includes(f) === holds);
          const search = async (line, depth) => {
            await kibitz.goto(line);
            if (kibitz.pos.chooses[0] === "xplayer" && fits()) return true;
            if (!depth) return false;
            const pos = kibitz.pos;
            const wanted = Object.keys(said).map((f) =>
              f.replace("cell", "mark").replace(/ [xo]\\)/, ")"));
            const moves = pos.moves.filter((m) => m.role === pos.chooses[0] && m.text !== move);
            moves.sort((a, b) => wanted.includes(b.text) - wanted.includes(a.text));
            for (const m of moves.slice(0, 3)) {
              const counts = pos.counts, i = pos.roles.indexOf(m.role);
              const n = i === 0 ? m.number * counts[1] : m.number;
              if (await search([...line, n], depth - 1)) return true;
            }
            return false;
          };
          if (!await search([], 3)) await search([], 2);
        }""",
        [move, said],
    )
    page.get_by_role("button", name="Point at cells").click()
    where = page.evaluate("(move) => kibitz.pos.moves.find((m) => m.text === move).cells[0]", move)
    page.click(f"g[data-cell='{where}']")
    for fluent, holds in said.items():
        wanted = fluent if holds else f"not {fluent}"
        for _ in range(4):
            page.click(f"g[data-cell='{cells[fluent]}']")
            chips = page.locator(".chip").all_inner_texts()
            if any(text.replace("✕", "").strip() == wanted for text in chips):
                break
        else:
            raise AssertionError(f"{wanted} cannot be said: {chips}")
    page.get_by_label("Where in the list").select_option("end")
    page.get_by_role("button", name="Add rule").click()


def test_a_rule_is_suggested_for_a_state_that_fails(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    page.get_by_role("button", name="Rule for this state").click()
    expect(page.locator("ol.rules > li .number")).to_have_count(1)
    expect(page.locator("ol.rules > li.fires")).to_have_count(1)


def test_a_puzzle_is_solved_with_hints_that_stay(page: Page) -> None:
    open_page(page, "#view=puzzles&game=tictactoe")
    page.get_by_role("button", name="Find puzzles").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("xplayer wins in 2 moves")
    assert page.evaluate("kibitz.pos.moves.every((m) => m.worth === null)")
    for count in (1, 2, 3):
        page.get_by_role("button", name="Hint").click()
        expect(page.get_by_text("Hint:")).to_have_count(count)
    for _ in range(2):
        settle(page)
        best = page.evaluate(
            """async () => (await (await fetch(`/api/games/${kibitz.game}/hint?step=3&line=${
               kibitz.lineText}`)).json()).cells[0]"""
        )
        cell(page, best)
    expect(page.locator("#panel")).to_contain_text("Solved")
    expect(page.locator("#panel")).to_contain_text("1 of 12 solved")


def test_a_broken_rule_sheet_is_mended_and_played(page: Page) -> None:
    open_page(page, "#view=rules&game=tictactoe")
    editor = page.get_by_label("Rules in GDL")
    text = rule_text("nim:1,2")
    editor.fill(text.rstrip()[:-1])
    expect(page.locator("#panel")).to_contain_text("1 error")
    expect(page.get_by_role("button", name="Play these rules")).to_be_disabled()
    page.locator("ul.findings button").first.click()
    editor.fill(text)
    expect(page.locator("#panel")).to_contain_text("✔ valid")
    page.get_by_role("button", name="Play these rules").click()
    until(page, "kibitz.game.startsWith('~') && kibitz.solution")
    assert page.evaluate("kibitz.info.roles") == ["player1", "player2"]


def test_a_job_is_cancelled(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    page.get_by_role("button", name="Complete").click()
    page.locator(".job button", has_text="Cancel").last.click()
    expect(page.locator("#panel .job")).to_contain_text("cancelled", timeout=LONG)


def test_two_visitors_do_not_disturb_one_another(browser: Browser, page: Page) -> None:
    open_page(page)
    context = browser.new_context(base_url=page.url.split("#")[0])
    other = context.new_page()
    open_page(other, "#game=nim:1,2")
    cell(page, "0.0")
    until(other, "kibitz.solution")
    assert other.evaluate("[kibitz.game, kibitz.lineText]") == ["nim:1,2", ""]
    assert page.evaluate("kibitz.game") == "tictactoe"
    context.close()


def test_a_game_is_played_with_the_keyboard_alone(page: Page) -> None:
    open_page(page)
    page.locator("#board").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.cell") == "0.0"
    page.keyboard.press("Enter")
    until(page, "kibitz.line.length === 2")
    page.keyboard.press(" ")
    until(page, "kibitz.line.length === 4")
    page.keyboard.press("ArrowLeft")
    until(page, "kibitz.line.length === 3")
    for key, name in (("f", "flip"), ("l", "values")):
        page.keyboard.press(key)
        expect(page.locator(f"[data-do={name}]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    until(page, "kibitz.view === 'strategy'")


@pytest.mark.parametrize("view", ["play", "see", "strategy", "puzzles", "rules"])
def test_nothing_sticks_out_on_a_small_screen(page: Page, view: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    open_page(page, f"#view={view}&game=tictactoe")
    page.wait_for_selector("#panel > *")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_hostile_names_run_nothing(page: Page, client: httpx.Client) -> None:
    game = client.post("/api/games", json={"text": HOSTILE, "name": "hostile"}).json()["id"]
    wait_solved(client, game)
    for view in ("play", "see", "strategy", "puzzles", "rules"):
        open_page(page, f"#view={view}&game={game}")
        page.wait_for_selector("#panel > *")
        assert page.locator("#board script, #board img, #panel script, #panel img").count() == 0
    page.goto("about:blank")


def test_dragging_and_two_clicks_move_a_man(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "breakthrough:4x4")
    open_page(page, "#game=breakthrough:4x4")
    page.select_option("#player-black", "person")
    source, target = page.evaluate("kibitz.pos.moves.find((m) => m.kind === 'drag').cells")
    page.click(f"g[data-cell='{source}']")
    expect(page.locator(f"g[data-cell='{target}']")).to_have_class(re.compile("target"))
    cell(page, target)
    source, target = page.evaluate("kibitz.pos.moves.find((m) => m.kind === 'drag').cells")
    page.locator(f"g[data-cell='{source}']").drag_to(page.locator(f"g[data-cell='{target}']"))
    until(page, "kibitz.line.length === 2")


def test_the_first_paint_comes_soon_and_nothing_moves_when_idle(page: Page) -> None:
    open_page(page)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 3000  # far from the usual, for machines that are busy
    assert page.evaluate("document.getAnimations().length") == 0
