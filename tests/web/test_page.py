"""The page in a browser: whose move it is, boards that can be hit, lists that stay sound, links."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.foreign import FOREIGN, needs_foreign
from tests.web.browsing import (
    NEEDS_CHROMIUM,
    Browser,
    Page,
    address_of,
    browser,
    cell,
    expect,
    open_page,
    page,
    until,
)
from tests.web.conftest import serving, wait_solved

from kibitz.errors import BudgetExceededError
from kibitz.games import rule_text
from kibitz.strategy import shipped_text
from kibitz.web.session.sessions import Sessions

__all__ = ["browser", "page"]
pytestmark = NEEDS_CHROMIUM

PLAY = "#view=play&game=tictactoe"


def test_a_click_while_the_opponent_thinks_plays_nothing(page: Page) -> None:
    open_page(page, PLAY)
    held: list[Any] = []
    page.route("**/reply", lambda route: held.append(route))
    page.click("g[data-cell='0.0']")
    expect(page.locator("#status")).to_have_text("O is thinking …")
    assert page.locator("#board g.can").count() == 0
    page.click("g[data-cell='0.4']")
    page.keyboard.press(" ")
    assert page.evaluate("kibitz.line.length") == 1
    for route in held:
        route.continue_()
    until(page, "kibitz.line.length === 2")
    assert page.evaluate("kibitz.pos.state.filter((f) => f.endsWith(' o)')).length") == 1
    assert page.evaluate("kibitz.mayPlay()")


def test_taken_back_and_redone_the_person_is_to_move_again(page: Page) -> None:
    open_page(page, PLAY)
    cell(page, "0.0")
    until(page, "kibitz.line.length === 2 && !kibitz.thinking")
    first = page.evaluate("kibitz.lineText")
    page.get_by_role("button", name="Take back").click()
    until(page, "kibitz.line.length === 0")
    page.get_by_role("button", name="Redo").click()
    until(page, "kibitz.line.length === 2")
    assert page.evaluate("kibitz.lineText") == first
    page.keyboard.press("ArrowLeft")  # to where the opponent has the move
    until(page, "kibitz.line.length === 1")
    assert page.locator("#board g.can").count() == 0
    expect(page.locator("#panel")).to_contain_text("It is O's turn")
    page.get_by_role("button", name="Let it move").click()
    until(page, "kibitz.line.length === 2")


def test_a_board_for_analysis_does_not_answer(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    cell(page, "0.0")
    cell(page, "0.4")
    assert page.evaluate("kibitz.line.length") == 2
    assert not [url for url in asked if url.endswith("/reply")]
    expect(page.locator("#panel h2").first).to_have_text("Moves of X")


def test_lines_are_hit_beside_their_paint(page: Page, client: httpx.Client) -> None:
    client.get("/api/games/sim")
    page.goto("/#view=rules&game=sim")
    page.wait_for_selector("#board g[data-cell]")
    edges = page.locator("#board g[data-cell]").count()
    assert edges == 15
    for number in range(0, edges, 4):
        for off in (-3, 3):
            key, x, y = page.evaluate(BESIDE, [number, off])
            page.mouse.click(x, y)
            until(page, "kibitz.line.length === 1")
            played = page.evaluate("kibitz.tree.children.get(kibitz.line[0]).text")
            wanted = page.evaluate(
                "(key) => kibitz.start.find((m) => m.cells[0] === key).text", key
            )
            assert played == wanted
            page.keyboard.press("Home")
            until(page, "kibitz.line.length === 0")


# A cell that is a line, and a place so many pixels beside it, a fifth of the way along.
BESIDE = """([number, off]) => {
  kibitz.start ??= kibitz.pos.moves;
  const g = [...document.querySelectorAll("#board g[data-cell]")][number];
  const line = g.querySelector("line");
  const place = (share) => new DOMPoint(...["x", "y"].map((a) =>
    (1 - share) * line.getAttribute(a + 1) + share * line.getAttribute(a + 2)))
    .matrixTransform(line.getScreenCTM());
  const [a, b] = [place(0.2), place(0.3)];
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  return [g.dataset.cell, a.x - off * (b.y - a.y) / long, a.y + off * (b.x - a.x) / long];
}"""


def test_a_piece_follows_the_pointer_and_the_next_click_counts(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "breakthrough:4x4")
    open_page(page, "#view=see&game=breakthrough:4x4")
    source, target = page.evaluate("kibitz.pos.moves.find((m) => m.kind === 'drag').cells")
    page.locator(f"g[data-cell='{source}']").hover()
    page.mouse.down()
    page.locator(f"g[data-cell='{target}']").hover()
    ghost = page.locator("#board .ghost")
    expect(ghost).to_have_count(1)
    assert ghost.get_attribute("transform") != "translate(0 0)"
    page.mouse.up()
    until(page, "kibitz.line.length === 1")
    expect(ghost).to_have_count(0)
    source = page.evaluate("kibitz.pos.moves.find((m) => m.kind === 'drag').cells[0]")
    page.click(f"g[data-cell='{source}']")
    expect(page.locator(f"g[data-cell='{source}']")).to_have_class(re.compile("picked"))


def test_focus_stays_on_the_board_after_a_move_by_keyboard(page: Page) -> None:
    open_page(page, PLAY)
    page.locator("#board").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(page, "kibitz.line.length === 2 && !kibitz.thinking")
    assert page.evaluate("document.activeElement.dataset.cell") == "0.0"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#board') !== null")


def test_an_empty_list_has_no_verdict_and_one_of_a_job_goes_with_its_list(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = stub_list("true => (mark 2 2)\n")
    monkeypatch.setattr("kibitz.web.session.rule_editing.synthesise", found)
    open_page(page, "#view=strategy&game=tictactoe")
    badge, job = page.locator(".badge"), page.locator("#panel .job")
    expect(badge).to_contain_text("No rules yet")
    expect(badge).not_to_contain_text("optimal")
    page.get_by_role("button", name="Complete").click()
    expect(job).to_contain_text("Complete: one rule that is perfect")
    page.get_by_role("button", name="Remove rule 1").click()
    expect(badge).to_contain_text("No rules yet")
    expect(job).to_be_hidden()


def stub_list(text: str) -> Callable[..., Any]:
    """Stand in for synthesis: a list that is said to be found."""
    verdict = SimpleNamespace(rules=1, literals=0)
    found = SimpleNamespace(
        language="rules about the position",
        strategy=SimpleNamespace(text=text),
        verdict=verdict,
        proved_minimal=False,
        lower_bound=1,
        seconds=0.1,
    )
    return lambda *_, **__: found


def load_five(page: Page) -> None:
    """Open a list that is strongly optimal."""
    open_page(page, "#view=strategy&game=tictactoe")
    page.locator("summary", has_text="As text").click()
    page.get_by_label("The strategy as text").fill(shipped_text("tictactoe-five"))
    expect(page.locator(".badge")).to_contain_text("perfect")


def test_what_would_ruin_a_sound_list_is_not_kept_and_said(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = stub_list("true => (mark 1 2)\ntrue => (mark 2 1)\n")
    monkeypatch.setattr("kibitz.web.session.rule_editing.synthesise", bad)
    monkeypatch.setattr("kibitz.web.session.rule_editing._is_editable", lambda *_: False)
    load_five(page)
    page.get_by_role("button", name="Complete").click()
    panel = page.locator("#panel")
    expect(panel).to_contain_text("What was found is not kept: with it the list gives up value in")
    expect(panel).to_contain_text("and now it is perfect")
    expect(page.locator("ol.rules > li .number")).to_have_count(5)
    page.get_by_role("button", name="Show where").click()
    until(page, "kibitz.line.length > 0")
    expect(page.locator(".badge")).to_contain_text("perfect")


def test_a_pointed_rule_goes_where_it_breaks_nothing(page: Page) -> None:
    load_five(page)
    page.get_by_role("button", name="Point at cells").click()
    page.click("g[data-cell='0.1']")
    expect(page.locator("#panel p.words")).to_have_text("Take an edge if you can.")
    page.click("g[data-cell='0.0']")
    expect(page.locator("#panel p.words")).to_contain_text("if a corner next to it is empty")
    page.get_by_label("Where in the list").select_option("top")
    page.get_by_role("button", name="Add rule").click()
    expect(page.locator("#panel")).to_contain_text("The rule stands where it breaks nothing")
    expect(page.locator("ol.rules > li .number")).to_have_count(6)
    expect(page.locator(".badge")).to_contain_text("perfect")


def test_a_list_that_errs_is_repaired_or_refused_in_words(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    page.locator("summary", has_text="As text").click()
    page.get_by_label("The strategy as text").fill("(cell 2 2 b) => (mark 1 2)\n")
    expect(page.locator(".badge")).to_contain_text("fails")
    page.get_by_role("button", name="Complete").click()
    done = re.compile(r"Complete: (perfect with \d+ change|no repair was found)")
    expect(page.locator("#panel .job")).to_contain_text(done)
    assert "(cell" not in page.locator("#panel .job").inner_text()


def test_only_a_solved_game_has_a_perfect_player(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "mnk:4,4,4")
    open_page(page, "#view=play&game=mnk:4,4,4")
    options = page.locator("#player-oplayer option").all_inner_texts()
    assert not [text for text in options if "perfect" in text]
    assert page.locator("#player-oplayer option:checked").inner_text() == "searches for a second"
    open_page(page, PLAY)
    until(page, "document.querySelector('#player-oplayer option:checked').text.includes('perf')")


def test_rules_that_ground_too_slowly_are_played_as_they_are_written(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object, **__: object) -> None:
        raise BudgetExceededError("grounding it needs more than 20 s")

    monkeypatch.setattr("kibitz.web.session.sessions.ground", slow)
    open_page(page, "#view=rules&game=tictactoe")
    page.get_by_label("Name of the game").fill("slowly")
    page.get_by_label("Rules", exact=True).fill(rule_text("tictactoe") + "; slowly\n")
    page.get_by_role("button", name="Play these rules").click()
    until(page, "kibitz.game.startsWith('~') && kibitz.solving?.status === 'failed'")
    expect(page.locator("#solving")).to_contain_text("its rules run as they are written")
    expect(page.locator("#panel")).to_contain_text("There is no lesson")
    expect(page.get_by_role("button", name="Make the lesson")).to_have_count(0)
    page.keyboard.press("2")
    page.select_option("#player-oplayer", "random")
    cell(page, "0.4")
    until(page, "kibitz.line.length === 2")
    page.keyboard.press("3")
    expect(page.locator("#panel")).to_contain_text("There are no values here")


@pytest.mark.slow
@needs_foreign
def test_a_foreign_sheet_with_two_kinds_of_moves_is_pasted_and_played(page: Page) -> None:
    """In quarto one side chooses the piece that the other places; it once broke the page."""
    open_page(page, "#view=rules&game=tictactoe")
    page.get_by_label("Name of the game").fill("quarto")
    text = (FOREIGN / "rules" / "quarto.kif").read_text("utf-8", errors="replace")
    page.get_by_label("Rules", exact=True).fill(text)
    page.get_by_role("button", name="Play these rules").click()
    until(page, "kibitz.info.name === 'quarto' && kibitz.shown.game === kibitz.game")
    page.get_by_role("link", name="See", exact=True).click()
    choices = page.locator("#choices button")
    expect(choices).to_have_count(16)
    choices.filter(has_text="p0011").click()
    expect(choices).to_have_count(0)  # now it is placed: on the board
    cell(page, page.evaluate("kibitz.pos.moves.find((move) => move.kind === 'click').cells[0]"))
    expect(choices).to_have_count(15)
    for view in ("Play", "Strategy", "Puzzles", "Rules", "Report", "Learn"):
        page.get_by_role("link", name=view, exact=True).click()
        until(page, f"kibitz.shown.view === {view.lower()!r}")


def test_a_game_that_is_made_can_be_cancelled_and_replaces_nothing(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, add = threading.Event(), Sessions.add
    begun: list[str] = []

    def late(sessions: Sessions, text: str, name: str, job: Any) -> Any:
        begun.append(name)
        gate.wait(600) if name == "second" else job.wait(600)
        job.check()
        return add(sessions, text, name, job)

    monkeypatch.setattr(Sessions, "add", late)
    open_page(page, "#view=rules&game=tictactoe")
    name, making = page.get_by_label("Name of the game"), page.locator("#making")
    name.fill("first")
    page.get_by_role("button", name="Play these rules").click()
    expect(making).to_contain_text("Opening first")
    making.get_by_role("button", name="Cancel").click()
    expect(making).to_be_hidden()
    name.fill("second")
    page.get_by_role("button", name="Play these rules").click()
    expect(making).to_contain_text("Opening second")
    page.keyboard.press("Escape")
    page.locator("nav a", has_text="Play").click()
    cell(page, "0.0")
    gate.set()
    expect(making).to_contain_text("second is ready.")
    assert page.evaluate("[kibitz.game, kibitz.view]") == ["tictactoe", "play"]
    making.get_by_role("button", name="Open it").click()
    until(page, "kibitz.info.name === 'second'")
    assert begun == ["first", "second"]


def test_a_draft_of_rules_outlives_the_page(page: Page) -> None:
    open_page(page, "#view=rules&game=tictactoe")
    editor = page.get_by_label("Rules", exact=True)
    editor.fill("(role me)\n; not finished")
    page.reload()  # before it was checked
    expect(editor).to_have_value("(role me)\n; not finished")
    page.get_by_role("button", name="As it was").click()
    expect(editor).to_have_value(rule_text("tictactoe"))


def test_a_link_to_a_pasted_game_carries_its_rules(page: Page) -> None:
    open_page(page, PLAY)
    text = rule_text("nim:1,2") + "; mine\n"
    packed = page.evaluate("async (t) => (await import('/static/app.js')).pack(t)", text)
    page.goto("about:blank")
    page.goto(f"/#view=play&game=~0123456789abcdef&line=1&name=mine&rules={packed}")
    until(page, "globalThis.kibitz?.info?.name === 'mine' && kibitz.lineText")
    assert page.evaluate("kibitz.info.rules") == text
    assert page.evaluate("kibitz.lineText") == "1"
    assert f"rules={packed}" in address_of(page)


def test_a_link_with_an_illegal_line_shows_the_position_before_it(page: Page) -> None:
    page.goto("/#view=play&game=tictactoe&line=4.0.9999.1")
    expect(page.locator("#message")).to_contain_text("Move 3 of this line is not legal there.")
    assert page.evaluate("kibitz.lineText") == "4.0"


def test_the_end_names_nobody_to_move_and_marks_what_wins(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe")
    for key in ("0.0", "0.3", "0.1", "0.4", "0.2"):
        cell(page, key)
    expect(page.locator("#status")).to_contain_text("The end: X wins")
    assert "to move" not in page.locator("#table").inner_text()
    won = "[...document.querySelectorAll('g[data-cell].decides')].map((g) => g.dataset.cell)"
    assert page.evaluate(won) == ["0.0", "0.1", "0.2"]


def test_only_strategies_for_the_game_are_offered(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "nim:1,2")
    names = client.get("/api/games/tictactoe/strategies").json()
    assert "tictactoe-five" in names
    assert "tictactoe-five" not in client.get("/api/games/nim:1,2/strategies").json()
    open_page(page, "#view=strategy&game=tictactoe")
    page.locator("summary", has_text="Compare").click()
    expect(page.get_by_label("A strategy").locator("option")).to_have_count(len(names))


def test_a_move_that_is_pointed_at_is_shown_on_the_board(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    page.get_by_role("button", name=re.compile("^take the top edge, ")).hover()
    expect(page.locator("g[data-cell='0.1']")).to_have_class(re.compile("shows"))


def test_moves_are_in_words_or_as_the_rules_write_them(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    expect(page.locator("#panel ul.moves").first).to_contain_text("take the top left corner")
    page.keyboard.press("g")
    expect(page.locator("#panel ul.moves").first).to_contain_text("(mark 1 1)")


def test_boards_mark_what_matters_and_cut_nothing_off(page: Page, client: httpx.Client) -> None:
    for game in ("chomp:3x4", "hex:3", "nim:12,3"):
        wait_solved(client, game)
        open_page(page, f"#view=play&game={game}")
        inside = """[...document.querySelectorAll("#board svg g[data-cell]")].every((g) => {
            const { x, y, width, height } = g.getBBox(), view = g.ownerSVGElement.viewBox.baseVal;
            return x >= 0 && y >= 0 && x + width <= view.width && y + height <= view.height; })"""
        assert page.evaluate(inside), game
        count = page.locator("#board svg").locator
        if game == "chomp:3x4":
            expect(count("[aria-label*=poison]")).to_have_count(1)
        elif game == "hex:3":
            for colour in ("blue", "red"):  # a side that a player joins
                assert count(f"[stroke='var(--kb-{colour})']").count() >= 2
        else:
            expect(count("[data-cell='0.0'] circle")).to_have_count(12)


def test_a_game_without_lesson_and_puzzles_says_so_once(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "roshambo")
    open_page(page, "#view=learn&game=roshambo")
    expect(page.locator("#panel")).to_contain_text("There is no lesson. Rules are proved for games")
    assert page.get_by_role("button", name="Make the lesson").count() == 0
    open_page(page, "#view=puzzles&game=roshambo")
    expect(page.locator("#panel")).to_contain_text("no move of this game is right or wrong")
    assert page.get_by_role("button", name="Find puzzles").count() == 0


def test_a_view_is_chosen_by_one_click_also_out_of_the_box_for_games(page: Page) -> None:
    open_page(page, PLAY)
    page.locator("#game").focus()
    page.locator("nav a", has_text="Strategy").click()
    expect(page.locator(".badge")).to_be_visible()


def test_a_game_opened_from_puzzles_has_players_of_its_own(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "nim:1,2")
    open_page(page, "#view=puzzles&game=tictactoe")
    open_page(page, "#view=puzzles&game=nim:1,2")
    assert set(page.evaluate("kibitz.players")) == {"player1", "player2"}
    page.locator("nav a", has_text="Play").click()
    expect(page.locator("#player-player1")).to_be_visible()


def test_a_class_sees_no_way_to_bring_rules(browser: Browser) -> None:
    with serving(is_read_only=True) as where:
        context = browser.new_context(base_url=where)
        page = context.new_page()
        page.goto("/")
        expect(page.locator(".gallery li").first).to_be_visible()
        expect(page.get_by_role("link", name="Design your own")).to_be_hidden()
        page.goto("/#view=play&game=nim:1,2")
        expect(page.locator("#board g.can").first).to_be_visible()
        expect(page.locator("nav a:visible")).to_have_text(
            ["Learn", "Play", "See", "Strategy", "Puzzles", "Report"]
        )
        context.close()
