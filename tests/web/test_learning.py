"""The page in a browser: the start page, lessons with feedback, the review of a match, and eyes."""

from __future__ import annotations

import json
import re

import httpx
from tests.web.browsing import (
    NEEDS_CHROMIUM,
    Page,
    Route,
    address_of,
    browser,
    cell,
    expect,
    open_page,
    page,
    until,
)
from tests.web.conftest import wait_solved
from tests.web.qr_reader import read_code
from tools.write_gallery import facts_of

from kibitz.games import catalogue
from kibitz.web import GALLERY

__all__ = ["browser", "page"]
pytestmark = NEEDS_CHROMIUM


def test_the_start_page_has_every_family_with_facts_of_its_page_and_a_search(page: Page) -> None:
    page.goto("/")
    cards = page.locator(".gallery li")
    expect(cards).to_have_count(len(catalogue()))
    expect(cards.first).to_contain_text("With best play it is a draw after 9 moves.")
    expect(cards.first).to_contain_text("Five rules for X, four for O")
    difficulty = cards.first.get_by_text("Easy to moderate, 7 to 8 minutes to learn")
    assert "150 words a minute" in (difficulty.get_attribute("title") or "")
    assert len(page.locator(".facts span[title]").all()) >= len(catalogue()) - 2
    assert cards.first.locator("svg g[data-cell]").count() == 9
    page.get_by_label("Search games").fill("hexagons")
    expect(cards).to_have_count(1)
    cards.first.locator("a").click()
    until(page, "globalThis.kibitz?.info?.name === 'hex' && kibitz.view === 'learn'")
    page.get_by_role("link", name="Kibitz").click()
    expect(page.get_by_label("What you did last")).to_contain_text("Hex: learn")


def test_facts_of_the_start_page_are_those_of_the_answers_that_come_with_kibitz() -> None:
    known = json.loads(GALLERY.read_text("utf-8"))["games"]
    facts = [facts_of(entry) for entry in catalogue()]
    assert [{key: one[key] for key in facts[0]} for one in known] == facts


def make_lesson(page: Page, client: httpx.Client, game: str) -> None:
    wait_solved(client, game)
    open_page(page, f"#game={game}")
    make = page.get_by_role("button", name="Make the lesson")
    begin = page.get_by_role("button", name="Begin with the first rule")
    expect(make.or_(begin)).to_be_visible()
    # One that was made before begins by itself, perhaps in the place of the button to be clicked.
    make.evaluate_all("(found) => found.forEach((one) => one.click())")
    begin.click()


def choose(page: Page, wanted: str) -> None:
    """Make a move of an exercise, by how it is made: `is_told`, or `!is_good`."""
    move = page.evaluate(
        f"""(() => {{ const m = kibitz.scene.pos.moves.find((m) => {wanted});
            return m && [m.kind, m.cells, m.words]; }})()"""
    )
    if move[0] == "button" or page.locator("#choices button", has_text=move[2]).count():
        page.locator("#choices button", has_text=move[2]).first.click()
        return
    page.click(f"g[data-cell='{move[1][0]}']")
    if page.locator("#choices button").count():
        page.locator("#choices button", has_text=move[2]).first.click()


def test_a_lesson_teaches_rule_by_rule_and_repeats_what_was_wrong(
    page: Page, client: httpx.Client
) -> None:
    make_lesson(page, client, "nim:1,2")
    panel = page.locator("#panel")
    story = page.evaluate("Object.values(kibitz.lessons)[0].story.join(' ')")
    assert "Player 1 begins." in story
    expect(panel.locator("h2.rule")).to_have_text(
        page.evaluate("Object.values(kibitz.lessons)[0].steps[0].sentence")
    )
    assert "step=1" in address_of(page)
    page.get_by_role("button", name="Now you").click()
    until(page, "kibitz.scene.pos.moves.length > 0")
    if page.evaluate("kibitz.scene.pos.moves.some((m) => !m.is_good)"):
        choose(page, "!m.is_good")
        expect(panel.locator(".feedback")).to_contain_text("✘ That gives something away")
    choose(page, "m.is_told")
    expect(panel.locator(".feedback")).to_contain_text("✔ Right")
    saved = page.evaluate("Object.keys(localStorage).find((k) => /^learn [0-9a-f]/.test(k))")
    cards = json.loads(page.evaluate(f"localStorage['{saved}']"))["cards"]
    assert len(cards) == 1
    link = address_of(page).split("#")[1]
    page.goto("about:blank")
    page.goto(f"/#{link}")  # the lesson goes on where it was
    expect(panel.locator("h2.rule")).to_be_visible()
    page.get_by_role("button", name="Rules", exact=True).click()
    page.get_by_role("button", name="Repeat what you got wrong (1)").click()
    until(page, "kibitz.scene.pos.moves.length > 0")
    choose(page, "m.is_told")
    expect(panel.locator(".feedback")).to_contain_text("✔ Right")
    due = json.loads(page.evaluate(f"localStorage['{saved}']"))["cards"]
    assert all(card["box"] == 1 for card in due.values())


def test_a_lesson_ends_with_its_list_and_a_match(page: Page, client: httpx.Client) -> None:
    make_lesson(page, client, "nim:1,2")
    page.get_by_role("button", name="Match", exact=True).click()
    rules = page.evaluate("Object.values(kibitz.lessons)[0].rules.length")
    expect(page.locator("ol.rules.taught > li")).to_have_count(rules)
    page.get_by_role("button", name="Play the match").click()
    until(page, "kibitz.view === 'play' && kibitz.players.player2.kind === 'trap'")
    assert page.evaluate("kibitz.players.player1.kind") == "person"


def test_the_review_of_a_match_names_the_mistake_and_the_rule(page: Page) -> None:
    open_page(page, "#view=play&game=tictactoe")
    page.select_option("#player-oplayer", "person")
    for key in ("0.4", "0.1", "0.0", "0.8", "0.6", "0.2", "0.3"):
        cell(page, key)
    review = page.get_by_label("Review")
    expect(review).to_contain_text("by O")
    expect(review).to_contain_text("Move 2, O: take the top edge.")
    expect(review).to_contain_text("It gives up a draw and leaves a loss")
    expect(review).to_contain_text("The rule that would have saved it: Take a corner")
    expect(review.locator(".timeline .slip").first).to_be_visible()
    review.get_by_role("button", name="Try again from here").first.click()
    until(page, "kibitz.line.length === 1")
    assert page.locator("#board g.can").count() == 8


def test_clocks_run_for_whoever_is_to_move_and_end_nothing(page: Page) -> None:
    page.clock.install()
    open_page(page, "#view=play&game=tictactoe")
    for side in ("X", "O"):
        page.get_by_label(side, exact=True).select_option("person")
    page.get_by_label("Clock", exact=True).select_option("1")
    expect(page.get_by_role("timer")).to_have_text("X 1:00O 1:00")
    cell(page, "0.4")
    page.clock.run_for(20_000)
    expect(page.get_by_role("timer")).to_have_text(
        re.compile(r"X 1:00O (0:[0-4]\d|is out)")  # real time passes as well
    )
    page.clock.run_for(60_000)
    expect(page.get_by_role("timer")).to_contain_text("O is out of time")
    cell(page, "0.0")
    assert page.evaluate("kibitz.line.length") == 2


def test_a_link_carries_a_strategy_and_a_puzzle(page: Page) -> None:
    open_page(page, "#view=strategy&game=tictactoe")
    page.locator("summary", has_text="As text").click()
    page.get_by_label("The strategy as text").fill("true => (mark 2 2)\n")
    until(page, "location.hash.includes('strategy=')")
    link = address_of(page).split("#")[1]
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(f"/#{link}")
    expect(page.locator("ol.rules > li")).to_contain_text("Take the centre if you can.")
    open_page(page, "#view=puzzles&game=tictactoe&line=0.5.1&puzzle=oplayer,0")
    expect(page.locator("#panel h2").nth(1)).to_contain_text("as O")
    assert page.evaluate("kibitz.players.xplayer.kind") == "perfect"


def test_the_board_is_in_sight_while_pointing_on_a_small_screen(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    open_page(page, "#view=strategy&game=tictactoe&line=4.7")
    expect(page.locator(".badge")).to_contain_text("No rules yet")
    page.get_by_role("button", name="Point at cells").click()
    button = page.get_by_role("button", name="Add rule")
    page.evaluate("kibitz.refresh()")  # as values that arrive do: the new rule stays open
    top, bottom, above, below = button.evaluate(
        """(button) => { button.scrollIntoView({ block: "nearest" });
           const edges = (one) => Object.values((({ top, bottom }) => ({ top, bottom }))(
             one.getBoundingClientRect()));
           return [...edges(document.querySelector("#board svg")), ...edges(button)]; }"""
    )
    assert 0 <= top < bottom <= above < below <= 740
    assert re.search("line=4.7", address_of(page))
    page.evaluate("kibitz.goto([4])")  # a rule is of one position
    expect(button).to_be_hidden()


def test_the_board_of_a_line_is_in_sight_on_a_small_screen(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "tictactoe")
    page.set_viewport_size({"width": 360, "height": 740})
    open_page(page, "#view=see&game=tictactoe&line=0.3.0")
    page.locator("#panel .loss button.why").last.click()
    line = page.locator("#panel button.line").last
    line.scroll_into_view_if_needed()
    line.hover()
    expect(page.locator("#board .frames .shows")).to_have_count(1)
    box, below = page.locator("#board svg").bounding_box(), line.bounding_box()
    assert box is not None
    assert below is not None
    assert 0 <= box["y"] < box["y"] + box["height"] <= below["y"]


def test_a_lesson_goes_on_by_keyboard(page: Page, client: httpx.Client) -> None:
    make_lesson(page, client, "tictactoe")
    page.get_by_role("button", name="Now you").focus()
    page.keyboard.press("Enter")
    until(page, "kibitz.scene.pos.moves.length > 0")
    page.keyboard.press("Tab")  # from the board to its first cell that can be chosen
    assert page.evaluate("document.activeElement.closest('#board g[data-cell]') !== null")
    page.get_by_role("button", name="Show me").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") in ("Next position", "Go on")


def test_the_link_to_the_board_keeps_the_game(page: Page) -> None:
    open_page(page, "#view=play&game=nim:1,2")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "board"
    assert "game=nim" in address_of(page)
    assert page.evaluate("kibitz.view") == "play"


def test_a_code_for_a_class_is_read_as_the_link(page: Page) -> None:
    """Lengths at which versions change; the reader of the tests shares no code with the page."""
    page.goto("/")
    asked = "async (text) => (await import('/static/qr.js')).qrSquare(text)"
    for length in (1, 17, 18, 78, 106, 154, 230, 271, 458, 858, 2953):
        text = ("https://example.org/#" + "view=learn&game=tictactoe&" * 120)[:length]
        assert read_code(page.evaluate(asked, text)) == text


def test_the_link_is_shown_with_its_code_and_too_long_ones_say_so(page: Page) -> None:
    open_page(page, "#view=see&game=tictactoe&line=4")
    page.click("#share")
    expect(page.get_by_label("Link", exact=True)).to_have_value(re.compile("line=4"))
    expect(page.locator("#files svg.qr")).to_be_visible()
    asked = "async () => (await import('/static/qr.js')).qrPicture('x'.repeat(2954), '')"
    assert page.evaluate(asked) is None


def test_a_wrong_move_of_a_lesson_hears_what_it_gives_away(
    page: Page, client: httpx.Client
) -> None:
    make_lesson(page, client, "tictactoe")
    page.get_by_role("button", name="Now you").click()
    until(page, "kibitz.scene.pos.moves.length > 0")
    choose(page, "!m.is_good")
    expect(page.locator(".feedback")).to_contain_text("✘ That gives something away")
    expect(page.locator(".feedback .reason")).to_contain_text("It lets O win at once")


def solve_exercises(page: Page, *, help_first: bool = False) -> None:
    """Do the positions that are in the queue, the first with help if asked for."""
    until(page, "kibitz.scene.pos.moves.length > 0")
    for _ in range(20):
        if help_first:
            page.get_by_role("button", name="Show me").click()
            help_first = False
        else:
            choose(page, "m.is_told")
        button = page.locator("button.next")
        is_last = button.text_content() == "Go on"
        button.click()
        if is_last:
            return
        until(page, "kibitz.scene.pos.moves.length > 0")
    raise AssertionError("the positions of a step do not end")


def test_a_step_is_ticked_when_its_positions_are_solved(page: Page, client: httpx.Client) -> None:
    make_lesson(page, client, "tictactoe")
    steps = page.get_by_label("Steps of the lesson")
    first = page.evaluate("Object.values(kibitz.lessons)[0].steps[0].rule")
    page.get_by_role("button", name="Now you").click()
    solve_exercises(page, help_first=True)
    expect(steps.get_by_role("button", name=f"Rule {first}, learned")).to_be_visible()
    expect(page.locator("#panel p.quiet").first).to_contain_text("2 of 5 to learn")


def test_showing_an_answer_brings_its_position_again_once(page: Page, client: httpx.Client) -> None:
    make_lesson(page, client, "tictactoe")
    page.get_by_role("button", name="Now you").click()
    shown = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('queue').split('.')")
    for left in range(2 * len(shown), 0, -1):
        page.get_by_role("button", name="Show me").click()
        expect(page.locator("button.next")).to_have_text("Go on" if left == 1 else "Next position")
        page.locator("button.next").click()
    expect(page.locator("#panel p.quiet").first).to_contain_text("2 of 5 to learn")


def test_back_and_reload_keep_the_step_of_a_lesson(page: Page, client: httpx.Client) -> None:
    make_lesson(page, client, "tictactoe")
    head = page.locator("#panel p.quiet").first
    page.get_by_role("button", name="Now you").click()
    until(page, "kibitz.scene.pos.moves.length > 0")
    choose(page, "m.is_told")
    page.locator("button.next").click()
    until(page, "location.hash.includes('queue=')")
    queue = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('queue')")
    page.reload()
    expect(page.get_by_text("1 to go")).to_be_visible()
    assert f"queue={queue}" in address_of(page)
    steps = page.get_by_label("Steps of the lesson").get_by_role("button")
    steps.nth(2).click()
    expect(head).to_contain_text("2 of 5 to learn")
    steps.nth(3).click()
    expect(head).to_contain_text("3 of 5 to learn")
    page.go_back()
    expect(head).to_contain_text("2 of 5 to learn")
    page.go_back()
    expect(page.get_by_text("1 to go")).to_be_visible()
    page.go_forward()
    expect(head).to_contain_text("2 of 5 to learn")
    assert "step=2" in address_of(page)


def test_steps_have_the_numbers_of_the_list(page: Page, client: httpx.Client) -> None:
    make_lesson(page, client, "tictactoe")
    rules = page.evaluate("Object.values(kibitz.lessons)[0].steps.map((s) => String(s.rule))")
    named = page.get_by_label("Steps of the lesson").get_by_role("button").all_text_contents()
    assert named == ["Rules", *rules, "Mixed", "Match"]
    expect(page.locator("#panel p.quiet").first).to_have_text(
        f"Rule {rules[0]} of the list, 1 of {len(rules)} to learn"
    )


def test_a_side_that_loses_learns_to_punish_mistakes_or_changes_sides(
    page: Page, client: httpx.Client
) -> None:
    wait_solved(client, "nim:1,2,3")
    open_page(page, "#view=learn&game=nim:1,2,3&role=player1&step=0")
    panel = page.locator("#panel")
    expect(panel).to_contain_text("Against best play Player 1 loses, come what may.")
    expect(panel).to_contain_text("After a mistake of the opponent")
    page.get_by_role("button", name="Begin with the first rule").click()
    expect(panel.locator("h2.rule")).to_have_text("Leave heaps with nim-sum 0 if you can.")
    page.get_by_role("button", name="Rules", exact=True).click()
    page.get_by_role("button", name="Learn to play as Player 2").click()
    expect(panel).to_contain_text("Player 2 can force a win.")
    assert "role=player2" in address_of(page)


def test_where_no_rules_are_found_other_ways_to_learn_are_offered(page: Page) -> None:
    failed = {"id": "none", "kind": "lesson", "status": "failed", "error": "too large", "hint": ""}

    def answer(route: Route) -> None:
        if (route.request.post_data_json or {}).get("kind") == "lesson":
            route.fulfill(json=failed)
        else:
            route.continue_()

    page.route("**/jobs", answer)
    open_page(page, "#view=learn&game=nim:1,2&step=0")
    page.get_by_role("button", name="Practise on puzzles").wait_for()
    panel = page.locator("#panel")
    expect(panel.get_by_role("status").first).to_contain_text("Too large.")
    expect(panel.get_by_role("button", name="Learn to play as Player 2")).to_be_visible()
    page.get_by_role("button", name="See what each move is worth").click()
    until(page, "kibitz.view === 'see'")


def test_games_are_found_by_what_people_call_them_and_no_others(page: Page) -> None:
    page.goto("/")
    search = page.get_by_label("Search games")
    for wanted, names in (
        ("noughts and crosses", ["Tic-tac-toe"]), ("connect four", ["Connect four"]),
        ("Rock paper scissors", ["Rock, paper, scissors"]), ("othello", []), ("dots and boxes", []),
        ("completes", []), ("peg", ["Tower of Hanoi", "Peg solitaire"]),
    ):  # fmt: skip
        search.fill(wanted)
        assert page.locator(".gallery strong").all_text_contents() == names, wanted
    search.fill("othello")
    expect(page.get_by_text("No game of the library has othello")).to_be_visible()
    page.fill("#game", "Noughts and Crosses")
    page.keyboard.press("Enter")
    until(page, "kibitz.game === 'tictactoe'")


def test_a_click_where_lines_cross_takes_one_that_is_free(page: Page) -> None:
    open_page(page, "#view=see&game=sim")
    # The three longest of the lines between six points on a circle cross in the middle.
    cells = page.evaluate(
        """() => { const long = (g) => { const { width, height } = g.firstElementChild
             .getBoundingClientRect(); return Math.hypot(width, height); };
             return [...document.querySelectorAll("#board g[data-cell]")]
               .sort((a, b) => long(b) - long(a)).slice(0, 3).map((g) => g.dataset.cell); }"""
    )
    boxes = [page.locator(f"g[data-cell='{one}'] line").first.bounding_box() for one in cells]
    middles = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    x, y = (sum(part) / 3 for part in zip(*middles, strict=True))
    for coloured in (1, 2, 3):
        page.mouse.click(x, y)
        until(page, f"kibitz.line.length === {coloured}")


def test_a_player_who_does_not_answer_is_asked_again_and_then_given_up(page: Page) -> None:
    open_page(page, "#view=play&game=tictactoe")
    page.evaluate("kibitz.patience = 200")
    asked: list[Route] = []
    page.route("**/reply", lambda route: asked.append(route))  # never answered
    page.click("g[data-cell='0.4']")
    expect(page.locator("#message")).to_contain_text("Kibitz does not answer")
    assert len(asked) == 2
    assert page.evaluate("kibitz.thinking") == ""
    page.unroute("**/reply")
    page.evaluate("kibitz.patience = 40000")
    page.get_by_role("button", name="Let it move").click()
    until(page, "kibitz.line.length === 2")
