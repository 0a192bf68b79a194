"""A copy of the page in a folder: opened from a file, without a server, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.browsing import NEEDS_CHROMIUM, Browser, Page, browser, expect, until
from typer.testing import CliRunner

from kibitz.cli import app
from kibitz.errors import InputError
from kibitz.web import Jobs, Sessions
from kibitz.web.copy import answers_of

__all__ = ["browser"]
GAME = "nim:1,2"
pytestmark = NEEDS_CHROMIUM


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a copy."""
    made = tmp_path_factory.mktemp("copy") / "page"
    done = CliRunner().invoke(app, ["web", GAME, "--export", str(made)])
    assert done.exit_code == 0, done.output
    return made


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    context = browser.new_context(offline=True)
    made = context.new_page()
    troubles: list[str] = []
    made.on("pageerror", lambda error: troubles.append(str(error)))
    made.goto((folder / "index.html").as_uri())
    until(made, "globalThis.kibitz?.solution")
    yield made
    context.close()
    assert not troubles


def test_a_copy_teaches_plays_and_shows_values_from_a_file(page: Page) -> None:
    expect(page.locator(".verdict")).to_contain_text("Player 1")
    expect(page.locator("nav a:visible")).to_have_text(["Learn", "Play", "See", "Puzzles"])
    page.get_by_role("button", name="Begin with the first rule").click()
    expect(page.locator("h2.rule")).to_be_visible()
    page.get_by_role("link", name="See").click()
    moves = page.locator("#panel .moves li")
    expect(moves).to_have_count(3)
    expect(moves.first).to_contain_text("W2")
    page.get_by_role("link", name="Play").click()
    page.evaluate("kibitz.move('player1', kibitz.pos.moves[0].number)")
    until(page, "kibitz.line.length >= 2")  # the other side has answered
    line = page.evaluate("kibitz.line")
    page.evaluate("kibitz.goto([0, 99])")
    expect(page.locator("#message")).to_contain_text("Move 2 of this line is not legal there.")
    assert line[0] == 0


def test_a_copy_reviews_a_match_by_its_values(page: Page) -> None:
    page.get_by_role("link", name="Play").click()
    page.evaluate("kibitz.setPlayer('player2', { kind: 'person' })")
    worst = """async () => { while (!kibitz.pos.is_over) {
        const moves = kibitz.pos.moves.filter((move) => move.role === kibitz.pos.chooses[0]);
        const sorted = moves.sort((a, b) => a.worth.goal - b.worth.goal);
        const number = sorted.length ? kibitz.number({ [sorted[0].role]: sorted[0].number }) : 0;
        await kibitz.goto([...kibitz.line, number]); } }"""
    page.get_by_role("link", name="See").click()
    until(page, "kibitz.spoils")
    page.evaluate(worst)
    page.get_by_role("link", name="Play").click()
    review = page.get_by_label("Review")
    expect(review).to_contain_text("gave something away")
    expect(review.locator(".mistake").first).to_contain_text("where another move wins")
    review.get_by_role("button", name="Try again from here").first.click()
    until(page, "!kibitz.pos.is_over")


def test_a_link_to_a_position_of_a_copy_opens_it(page: Page, folder: Path) -> None:
    page.goto(f"{(folder / 'index.html').as_uri()}#view=see&game={GAME}&line=0")
    page.reload()
    until(page, "globalThis.kibitz?.pos?.ply === 1")
    expect(page.locator("#status")).to_contain_text("Player 2")


def test_positions_of_a_copy_are_those_of_the_server(page: Page) -> None:
    sessions = Sessions(Jobs(threads=1))
    session = sessions.open(GAME)
    sessions.solve(session).wait(60)
    from kibitz.web.session.positions import position_view

    page.get_by_role("link", name="See").click()  # a lesson hides values
    until(page, "kibitz.spoils")
    for line in ("", "0", "1", "1.0", "2.1"):
        here = session.walk(line, as_far=True)
        real = position_view(session, here, values=True, last=False)
        copied = page.evaluate("(line) => kibitz.ask(kibitz.game, line)", list(here.numbers))
        assert copied["svg"] == real.svg
        assert copied["played_words"] == list(real.played_words)
        assert [move["text"] for move in copied["moves"]] == [move.text for move in real.moves]
        assert copied["is_terminal"] == real.is_terminal
        assert {role: worth["goal"] for role, worth in copied["worth"].items()} == {
            role: worth.goal for role, worth in real.worth.items()
        }


def test_a_game_with_too_many_states_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.web.copy.answers.MOST_STATES", 5)
    sessions = Sessions(Jobs(threads=1))
    session = sessions.open(GAME)
    sessions.solve(session).wait(60)
    with pytest.raises(InputError, match="has 8 states, and a copy has 5 at most"):
        answers_of(session)
