"""The page in a browser: games, strategies built by pointing, puzzles, keys, small screens."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
import pytest
from tests.present.test_measured import found_by_hand
from tests.prove.test_prove import LARGE
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
    play_best,
    settle,
    until,
)
from tests.web.conftest import wait, wait_solved
from tests.web.test_guard import HOSTILE

from kibitz.games import rule_text
from kibitz.web.session import measured_rules

__all__ = ["browser", "page"]
pytestmark = NEEDS_CHROMIUM


def test_a_whole_game_against_the_perfect_player_is_drawn(page: Page) -> None:
    open_page(page)
    play_best(page, "xplayer")
    expect(page.locator("#status")).to_contain_text("The end: it is a draw (X 50, O 50)")
    expect(page.locator("ol.played li")).to_have_count(9)


def test_a_game_against_a_random_player_is_won_from_the_other_side_too(page: Page) -> None:
    open_page(page)
    page.select_option("#player-xplayer", "random")
    page.select_option("#player-oplayer", "person")
    won = False
    for seed in range(6):
        page.evaluate("(seed) => { Math.random = () => seed / 10; }", seed)  # no luck in it
        page.get_by_role("button", name="New game").click()
        until(page, "kibitz.line.length === 1")
        play_best(page, "oplayer")
        if page.evaluate("kibitz.pos.goals.oplayer") == 100:
            won = True
            break
    assert won
    expect(page.locator("#status")).to_contain_text("O wins")


def test_moves_are_taken_back_and_redone_and_a_link_is_a_position(page: Page) -> None:
    open_page(page)
    page.select_option("#player-oplayer", "person")
    for key in ("0.0", "0.4", "0.8"):
        cell(page, key)
    page.keyboard.press("ArrowLeft")
    until(page, "kibitz.line.length === 2")
    cell(page, "0.2")
    assert page.locator("details ul.tree li").count() >= 2
    link = address_of(page).split("#")[1]
    page.go_back()
    until(page, "kibitz.line.length === 2")
    page.goto("about:blank")
    open_page(page, f"#{link}")
    assert page.evaluate("kibitz.pos.played.length") == 3
    page.keyboard.press("Home")
    until(page, "kibitz.line.length === 0")


def test_values_are_shown_by_letter_grouped_and_hidden(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    expect(page.locator(".loss h3")).to_contain_text("Losing: 4")
    expect(page.locator(".draw h3")).to_contain_text("Drawn: 4")
    expect(page.locator("#board svg")).to_contain_text("L3")
    expect(page.locator(".legend")).to_contain_text("a number: moves of the winner until the end")
    assert page.get_by_role("button", name=re.compile(r"; take the top edge, L3")).count() == 1
    page.keyboard.press("z")
    expect(page.locator("#panel")).to_contain_text("Hidden for practice")
    expect(page.locator("#board svg")).not_to_contain_text("L3")
    expect(page.locator("[data-do=best]")).to_be_disabled()


def test_why_not_plays_the_refutation_on_the_board(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    page.get_by_role("button", name="Why take the top edge?").click()
    why = page.locator("#panel section.card").nth(1)
    expect(why).to_contain_text("It gives up a draw and leaves a loss")
    expect(why).to_contain_text("A rule for this: Take a corner")
    why.locator("button.line").last.click()
    expect(page.locator("#status")).to_contain_text("X wins")
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
    expect(badge).to_contain_text("perfect")
    expect(badge).to_contain_text("5 rules, 6 conditions")
    # Without its first rule it fails, and the state is one click away.
    page.get_by_role("button", name="Remove rule 1").click()
    expect(badge).to_contain_text("fails")
    page.get_by_role("button", name=re.compile("Show where it fails")).click()
    until(page, "kibitz.line.length > 0")
    page.get_by_role("button", name="Undo").click()
    expect(badge).to_contain_text("perfect")
    page.get_by_role("button", name="Lock rule 5").click()
    expect(page.get_by_role("button", name="Unlock rule 5")).to_be_visible()
    page.get_by_label("Rule 2;").press("Alt+ArrowUp")
    expect(page.locator("ol.rules > li .text").first).to_contain_text("not (cell 2 3 o)")


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
    page.evaluate("kibitz.terms = true")  # which shows what is said so far as the rules write it
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
    page.get_by_role("button", name="Rule for this position").click()
    expect(page.locator("ol.rules > li .number")).to_have_count(1)
    expect(page.locator("ol.rules > li.fires")).to_have_count(1)


def test_a_puzzle_is_solved_with_hints_that_stay(page: Page) -> None:
    open_page(page, "#view=puzzles&game=tictactoe")
    page.get_by_role("button", name="Find puzzles").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("Win in 1 more round, as X")
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
    editor = page.get_by_label("Rules", exact=True)
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


def test_a_job_is_cancelled(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object, **__: object) -> None:
        time.sleep(3600)

    monkeypatch.setattr("kibitz.web.session.rule_editing.synthesise", endless)
    open_page(page, "#view=strategy&game=tictactoe")
    page.get_by_role("button", name="Complete").click()
    page.locator(".job button", has_text="Cancel").last.click()
    expect(page.locator("#panel .job")).to_contain_text("cancelled")


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
    page.keyboard.press("4")
    until(page, "kibitz.view === 'strategy'")


VIEWS = ("learn", "play", "see", "strategy", "puzzles", "rules")


@pytest.mark.parametrize("game", ["tictactoe", "nim:1,2,4,5", "threemensmorris", "roshambo"])
def test_nothing_sticks_out_on_a_small_screen(page: Page, client: httpx.Client, game: str) -> None:
    wait_solved(client, game)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/#view=see&game={game}")
    page.wait_for_selector("#panel ul.moves")
    for number, view in enumerate(VIEWS, start=1):
        page.keyboard.press(str(number))
        until(page, f"kibitz.view === '{view}' && document.querySelector('#panel > *')")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, view
        beyond = """[...document.querySelectorAll("button, select, input")].filter((one) =>
            one.checkVisibility() && one.getBoundingClientRect().right > 361).length"""
        assert page.evaluate(beyond) == 0, view


def test_a_strategy_with_hostile_names_runs_nothing_in_any_view(
    page: Page, client: httpx.Client
) -> None:
    game = client.post("/api/games", json={"text": HOSTILE, "name": "hostile"}).json()["id"]
    wait_solved(client, game)
    for view in VIEWS:
        open_page(page, f"#view={view}&game={game}")
        if view == "strategy":
            page.get_by_role("button", name="Rule for this position").click()
            expect(page.locator("ol.rules > li .number")).to_have_count(1)
        if view == "see":
            page.locator("button.why").first.click()
            page.locator("#panel h2", has_text="Why").wait_for()
        if view == "puzzles":
            page.get_by_role("button", name="Find puzzles").click()
            expect(page.locator("#panel")).to_contain_text("can force a win in no position")
        page.click("#save")
        expect(page.locator("#files")).to_be_visible()
        page.keyboard.press("Escape")
        hostile = "#board, #caption, #panel, #files, #status, #choices"
        assert (
            page.evaluate(
                """(where) => [...document.querySelectorAll(where)].flatMap((one) =>
               [...one.querySelectorAll("script, img, [onload], [onerror]")]).length""",
                hostile,
            )
            == 0
        )
    page.goto("about:blank")


def test_every_cell_and_move_is_told_to_those_who_hear_the_page(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    labels = page.evaluate(
        """[...document.querySelectorAll("#board g[data-cell]")].map((g) =>
           [g.getAttribute("role"), g.getAttribute("aria-label")])"""
    )
    assert len(labels) == 9
    assert ["img", "2 2: x"] in labels
    assert ["button", "1 1: empty; take the top left corner, D"] in labels
    named = page.get_by_role("button", name="take the top edge, L3, loses in 3 moves")
    assert named.count() == 1
    unnamed = """[...document.querySelectorAll("button, input, select, textarea")].filter((one) =>
        one.checkVisibility() && !one.textContent.trim() && !one.getAttribute("aria-label") &&
        !one.labels?.length).length"""
    for number in range(1, 7):
        page.keyboard.press(str(number))
        page.wait_for_selector("#panel > *")
        assert page.evaluate(unnamed) == 0


def test_rules_are_moved_by_dragging_saved_opened_and_compared(page: Page, tmp_path: Path) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    page.locator("summary", has_text="As text").click()
    page.get_by_label("The strategy as text").fill("true => (mark 1 1)\ntrue => (mark 2 2)\n")
    rules = page.locator("ol.rules > li")
    expect(rules).to_have_count(2)
    rules.nth(1).drag_to(rules.nth(0))
    expect(rules.first).to_contain_text("Take the centre if you can.")
    expect(rules.first.locator(".text")).not_to_contain_text("(mark 2 2)")
    page.locator("[data-do=terms]").click()
    expect(rules.first.locator(".text")).to_contain_text("(mark 2 2)")
    with page.expect_download() as saved:
        page.locator("#panel").get_by_role("button", name="Save").click()
    path = tmp_path / "mine.strategy"
    saved.value.save_as(path)
    assert path.read_text() == "true => (mark 2 2)\ntrue => (mark 1 1)\n"
    page.get_by_role("button", name="Remove rule 1").click()
    expect(rules).to_have_count(1)
    page.locator("input[type=file]").set_input_files(path)
    expect(rules).to_have_count(2)
    page.locator("summary", has_text="Compare").click()
    page.get_by_label("Another strategy").fill("true => (mark 1 1)")
    page.get_by_role("button", name="Compare with mine").click()
    expect(page.locator("#panel")).to_contain_text("They differ in")


def test_files_are_saved_from_the_menu(page: Page, tmp_path: Path) -> None:
    open_page(page, "#view=play&game=tictactoe&line=4.0.1")
    page.click("#save")
    for name, form, begins in (
        ("The position", "svg", "<svg"), ("The match", "txt", "1. xplayer (mark 2 2)"),
        ("Lines tried", "dot", "digraph"), ("The position", "tex", "\\documentclass"),
    ):  # fmt: skip
        with page.expect_download() as saved:
            page.get_by_label(f"{name} as {form}").click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        assert path.read_text().startswith(begins)
        assert path.suffix == f".{form}"
    expect(page.locator("#files")).to_contain_text("nothing to save yet")  # no strategy


def test_a_game_too_large_shows_estimates_that_say_so(page: Page, client: httpx.Client) -> None:
    wait_solved(client, LARGE)
    open_page(page, f"#view=see&game={LARGE}&line=3")
    expect(page.locator("#panel")).to_contain_text("estimates by trial matches")
    expect(page.locator("#panel ul.moves li")).to_have_count(7)
    expect(page.locator("#board svg")).to_contain_text("≈")
    expect(page.locator("#panel h3").first).to_contain_text("Not proved")
    expect(page.locator("button.why")).to_have_count(7)


def test_moves_of_a_game_too_large_are_proved_one_after_another(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "connectfour")
    open_page(page, "#view=see&game=connectfour&line=3.3.3.3.3.2.4.2.1.1.4")
    panel = page.locator("#panel")
    expect(panel).to_contain_text("Proved: with best play O wins")
    expect(panel).to_contain_text("7 of 7 moves proved")
    expect(panel.locator(".win h3")).to_contain_text("Winning: 3")
    expect(panel.locator(".loss h3")).to_contain_text("Losing:")
    page.get_by_role("button", name="Why drop in column 7?").click()
    why = page.locator("#panel section.card").nth(1)
    expect(why).to_contain_text("Why not drop in column 7?")
    expect(why).to_contain_text("It gives up a win and leaves a")
    expect(why).to_contain_text("Better: drop in column")
    why.locator("button.line").last.click()
    expect(page.locator("#status")).to_contain_text("The end: ")
    why.get_by_role("button", name="Back to the position").click()
    until(page, "kibitz.line.length === 11")


def test_rules_of_a_game_too_large_are_found_by_matches_and_loaded(
    page: Page, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        measured_rules,
        "find_measured_rules",
        lambda game, *, options, report: found_by_hand(game, None, options, report=report),
    )
    wait_solved(client, "mnk:4,4,4")
    open_page(page, "#view=strategy&game=mnk:4,4,4")
    panel = page.locator("#panel")
    expect(panel.locator(".badge")).to_contain_text("not checked")
    page.get_by_role("button", name="Find rules by matches").click()
    card = page.get_by_label("What was measured")
    expect(card).to_contain_text("2 rules for X and O, measured, not proved")
    expect(card).to_contain_text("40.1 to 81.2")
    expect(panel.locator("ol.rules li")).to_have_count(2)
    expect(panel.locator("ol.rules li.fires")).to_contain_text("no reply")
    page.get_by_role("button", name="Remove rule 1").click()
    expect(panel.locator("ol.rules li")).to_have_count(1)
    expect(card).to_be_hidden()  # what was measured is not of this list


def test_a_search_ends_when_the_position_changes_and_goes_on_when_asked(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, LARGE)
    open_page(page, f"#view=see&game={LARGE}&line=3")
    until(page, "kibitz.analysis?.view?.partial?.positions > 0")
    first = page.evaluate("kibitz.analysis.job.id")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".analysis")).to_contain_text("Stopped.")
    page.get_by_role("button", name="Go on").click()
    until(page, f"kibitz.analysis.job && kibitz.analysis.job.id !== {first!r}")
    second = page.evaluate("kibitz.analysis.job.id")
    page.keyboard.press("ArrowLeft")
    until(page, "kibitz.line.length === 0")
    for job in (first, second):
        assert wait(client, job)["status"] == "cancelled"


def test_moves_made_at_once_show_their_shares(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "roshambo")
    page.goto("/#view=see&game=roshambo")
    expect(page.locator("#panel")).to_contain_text("33 %")
    expect(page.locator("#panel h2", has_text="Moves of")).to_have_count(2)
    expect(page.locator("#choices button")).to_have_count(3)


def test_an_even_position_is_played_on(page: Page) -> None:
    open_page(page, "#view=puzzles&game=tictactoe")
    page.select_option("#p-length", "even")
    page.select_option("#p-other", "2")
    page.get_by_role("button", name="Find puzzles").click()
    expect(page.locator("#panel h2").nth(1)).to_contain_text("An even match: play on, as X")
    assert page.evaluate("kibitz.players.oplayer.kind") == "depth"
    expect(page.locator("[data-do=best]")).to_be_hidden()
    for _ in range(9):
        settle(page)
        if page.evaluate("kibitz.pos.is_terminal"):
            break
        cell(page, page.evaluate("kibitz.pos.moves.find((m) => m.role === 'xplayer').cells[0]"))
    expect(page.locator("#panel [role=status]")).to_contain_text(re.compile("Won|Drawn|Lost"))


def test_a_view_in_the_address_stays_there(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe&line=4")
    assert "view=strategy" in address_of(page)
    page.reload()
    until(page, "globalThis.kibitz?.shown?.view === 'strategy' && kibitz.line.length === 1")


def test_a_man_is_moved_with_the_keyboard_alone(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "breakthrough:4x3")
    open_page(page, "#view=play&game=breakthrough:4x3")
    page.select_option("#player-black", "person")
    page.locator("#board").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("choose where to")
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if "move here" in page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"):
            break
    page.keyboard.press("Enter")
    until(page, "kibitz.line.length === 1")


def test_dragging_and_two_clicks_move_a_man(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "breakthrough:4x4")
    open_page(page, "#view=play&game=breakthrough:4x4")
    page.select_option("#player-black", "person")
    source, target = page.evaluate("kibitz.pos.moves.find((m) => m.kind === 'drag').cells")
    page.click(f"g[data-cell='{source}']")
    expect(page.locator(f"g[data-cell='{target}']")).to_have_class(re.compile("target"))
    cell(page, target)
    source, target = page.evaluate("kibitz.pos.moves.find((m) => m.kind === 'drag').cells")
    page.locator(f"g[data-cell='{source}']").hover()
    page.mouse.down()  # where it may go is shown as long as it is held
    expect(page.locator(f"g[data-cell='{target}']")).to_have_class(re.compile("target"))
    page.locator(f"g[data-cell='{target}']").hover()
    page.mouse.up()
    until(page, "kibitz.line.length === 2")
    expect(page.locator("g[data-cell].target")).to_have_count(0)


def test_new_values_do_not_take_the_place_of_a_move_that_is_being_made(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe")
    page.evaluate("async () => { await Promise.all([kibitz.goto([4]), kibitz.refresh()]); }")
    assert page.evaluate("kibitz.lineText") == "4"


def test_a_piece_slides_to_where_it_was_moved(page: Page, client: httpx.Client) -> None:
    wait_solved(client, "breakthrough:4x4")
    open_page(page, "#view=see&game=breakthrough:4x4")
    page.evaluate(
        """() => { globalThis.seen = []; new MutationObserver((all) => { for (const one of all)
           for (const node of one.addedNodes) if (node.classList?.contains("ghost"))
             seen.push(node.getAnimations().length); })
           .observe(document.getElementById("board"), { childList: true, subtree: true }); }"""
    )
    move = page.evaluate("kibitz.pos.moves.find((move) => move.kind === 'drag').cells")
    page.click(f"g[data-cell='{move[0]}']")
    cell(page, move[1])
    assert page.evaluate("seen") == [1]
    until(page, "!document.querySelector('#board .ghost')")
    assert page.evaluate("!document.querySelector('#board [style*=hidden]')")


def test_the_page_is_painted_and_nothing_moves_when_idle(page: Page) -> None:
    open_page(page)
    until(page, "performance.getEntriesByName('first-contentful-paint').length === 1")
    until(page, "document.getAnimations().length === 0")


# Behind the second door the guest has no legal move, and play has not ended.
STUCK = """
(role host) (role guest) (init hall) (door 1) (door 2)
(<= (legal host (open ?d)) (true hall) (door ?d)) (<= (legal host rest) (not (true hall)))
(<= (legal guest wait) (true hall))
(<= (next (room ?d)) (does host (open ?d)))
(<= terminal (true (room 1)))
(<= (goal host 100) (true (room 1))) (<= (goal host 0) (not (true (room 1))))
(<= (goal guest 0) (true (room 1))) (<= (goal guest 100) (not (true (room 1))))
"""


def test_where_play_is_stuck_the_page_says_so_and_offers_nothing(
    page: Page, client: httpx.Client
) -> None:
    game = client.post("/api/games", json={"text": STUCK, "name": "doors"}).json()["id"]
    page.goto(f"/#view=play&game={game}")
    until(page, "globalThis.kibitz?.solving?.status === 'failed'")
    expect(page.locator("#solving")).to_contain_text("can get stuck")
    page.evaluate("kibitz.move('host', 1)")
    until(page, "kibitz.pos.stuck.length === 1")
    expect(page.locator("body")).to_contain_text("Play is stuck: guest has no legal move")
    assert page.evaluate("kibitz.lineText") == "1"
    page.evaluate("kibitz.move('host', 0)")
    page.evaluate("kibitz.best()")
    page.evaluate("kibitz.answer()")
    assert page.evaluate("kibitz.lineText") == "1"
    page.evaluate("location.hash = location.hash.replace('view=play', 'view=see')")
    expect(page.locator("body")).to_contain_text("Play is stuck here, so it has no value.")
    assert "perfect" not in page.locator("body").inner_text()
