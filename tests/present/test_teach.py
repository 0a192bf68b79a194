"""Lessons: exercises need their rule, answers are right, and the test in the page counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import Run, run  # noqa: F401

from kibitz.engine import Move, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.english import say_move, scene_of
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms
from kibitz.present import (
    Lesson,
    Study,
    StudyOptions,
    effort_of,
    effort_text,
    lesson_deck,
    lesson_page,
    make_lesson,
    note_sentence,
)
from kibitz.present.cached_study import answer_of
from kibitz.solve import Solution, solve
from kibitz.space import explore
from kibitz.strategy import Strategy, read_strategy, verify

CHROMIUM = next(
    (p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), None
)


def lesson_of(name: str, role: str) -> Lesson:
    study = Study(load_sheet(name), StudyOptions())
    study.run(role)
    return make_lesson(study.known, study.known.parts[0], study.synthesised[role])


@pytest.fixture(scope="module")
def tictactoe() -> Lesson:
    return lesson_of("tictactoe", "xplayer")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(explore(CompiledGame(load_sheet("tictactoe"))))


def test_every_rule_has_a_step_and_each_step_gains(tictactoe: Lesson) -> None:
    count = len(tictactoe.part.rules)
    assert sorted(step.rule for step in tictactoe.steps) == list(range(1, count + 1))
    means = [tictactoe.nothing[0], *(step.against_random for step in tictactoe.steps)]
    assert means[0] < means[-1]
    assert tictactoe.nothing[1] == 0
    assert tictactoe.steps[-1].guaranteed == 50
    assert all(len(one.exercises) == 3 or note_sentence(tictactoe, one) for one in tictactoe.steps)


def test_what_a_lesson_asks_of_a_learner_is_counted(tictactoe: Lesson) -> None:
    effort = effort_of(tictactoe)
    assert effort.rule_words == sum(len(r.sentence.split()) for r in tictactoe.part.rules)
    assert effort.positions == len(tictactoe.exercises)
    half = replace(tictactoe, steps=tictactoe.steps[:2], revision=())
    assert effort_of(half).points < effort.points
    assert effort_of(half).minutes < effort.minutes
    assert effort.sentence in lesson_page(tictactoe)
    answer = answer_of(load_sheet("tictactoe"), StudyOptions())
    assert answer is not None
    lessons = [answer.lesson_for(role) for role in ("xplayer", "oplayer")]
    assert answer.effort == effort_text(effort_of(one) for one in lessons if one)


def test_exercises_need_exactly_their_rule(tictactoe: Lesson, solution: Solution) -> None:
    game = solution.space.game
    strategy = read_strategy(tictactoe.part.strategy, game)
    number = {solution.space.state(n).key: n for n in range(len(solution.space))}
    scene = scene_of(game, "xplayer")
    assert {exercise.rule for exercise in tictactoe.exercises} == {
        *range(1, len(tictactoe.part.rules) + 1)
    }
    for exercise in tictactoe.exercises:
        state = game.state(parse_terms(" ".join(exercise.position)))
        here = number[state.key]
        good = {say_move(scene, made.joint[0]) for made in solution.keeping(here)}
        legal = {say_move(scene, move) for move in state.legal("xplayer")}
        assert {c.text for c in exercise.choices} == legal
        assert {c.text for c in exercise.choices if c.is_good} == good
        told = {say_move(scene, move) for move in strategy.moves(state, "xplayer")}
        assert {c.text for c in exercise.choices if c.is_told} == told
        assert told <= good
        first = strategy.first(exercise.rule)
        assert not _moves(strategy.first(exercise.rule - 1), state)
        assert _moves(first, state)
        lines = tuple(
            (role, known[: exercise.rule - 1] + known[exercise.rule :])
            for role, known in strategy.lines
        )
        without = _moves(replace(strategy, lines=lines), state) or set(state.legal("xplayer"))
        assert {say_move(scene, move) for move in without} - good, "another rule would do"


def _moves(strategy: Strategy, state: State) -> set[Move]:
    return set(strategy.moves(state, "xplayer")) if strategy.rules_for("xplayer") else set()


def test_no_two_exercises_are_the_same_position(tictactoe: Lesson) -> None:
    names = [exercise.name for exercise in tictactoe.exercises]
    assert len(set(names)) == len(names)


def test_few_positions_are_said_to_be_few() -> None:
    lesson = lesson_of("nim:1,2", "player1")
    (step,) = lesson.steps
    assert 0 < len(step.exercises) < 3
    assert note_sentence(lesson, step).startswith("Only")


def test_a_rule_that_no_position_needs_is_shown_where_it_decides() -> None:
    lesson = lesson_of("hanoi:2", "player")  # every move can be taken back, so none is wrong
    assert len(lesson.steps) > 1
    for step in lesson.steps:
        assert step.exercises
        assert note_sentence(lesson, step).startswith("No position needs this rule alone")
        for exercise in step.exercises:
            assert not exercise.is_needed
            assert not exercise.is_proved
            assert [c.is_good for c in exercise.choices] == [c.is_told for c in exercise.choices]
            assert {c.is_good for c in exercise.choices} == {True, False}
    assert "every answer is proved" not in lesson_page(lesson)


def test_a_page_is_whole_and_escaped(tictactoe: Lesson) -> None:
    page = lesson_page(tictactoe)
    assert page.count("<script>") == 1
    assert not re.search(r'(src|href)="', page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    for step in tictactoe.steps:
        assert step.told.sentence in page
    hostile = replace(tictactoe, title="<img src=x onerror=alert(1)>", role="</script><b>")
    page = lesson_page(hostile)
    assert "<img" not in page
    assert "</script><b>" not in page


def test_a_deck_has_the_format_of_puzzles(tictactoe: Lesson) -> None:
    head, rows = lesson_deck(tictactoe).splitlines()[:4], lesson_deck(tictactoe).splitlines()[4:]
    assert head == ["#separator:tab", "#html:true", "#guid column:1", "#tags column:4"]
    assert len(rows) == len(tictactoe.steps) + len(tictactoe.exercises)
    fields = [row.split("\t") for row in rows]
    assert all(len(row) == 4 for row in fields)
    assert len({row[0] for row in fields}) == len(rows)


def test_a_deck_without_a_name_lies_beside_the_lesson(run: Run, tmp_path: Path) -> None:  # noqa: F811
    page, cards = tmp_path / "lesson.html", tmp_path / "lesson.txt"
    for args in (["--deck", "-o", page], ["-o", page, "--deck"]):
        assert run("teach", "nim:1,2", *args).status == 0
        assert page.exists()
        assert cards.read_text("utf-8").startswith("#separator:tab")
        page.unlink()
        cards.unlink()
    assert run("teach", "nim:1,2", "-o", cards, "--deck").status == 0
    assert (cards.exists(), page.exists()) == (True, False)
    refused = run("teach", "nim:1,2", "--deck")
    assert refused.status == 2
    assert "lesson.html" in refused.err


def test_the_command_writes_lesson_and_deck_and_keeps_them(run: Run, tmp_path: Path) -> None:  # noqa: F811
    page, deck = tmp_path / "lesson.html", tmp_path / "deck.txt"
    made = run("teach", "nim:1,2", "-o", page, "--deck", deck)
    assert made.status == 0
    assert f"wrote {page}: nim:1,2, a lesson for Player 1, 1 rule and " in made.err
    assert f"wrote {deck}: cards for nim:1,2, a lesson for Player 1" in made.err
    assert "playing Player 1" in page.read_text()
    assert deck.read_text().startswith("#separator:tab")
    told = run("teach", "nim:1,2", "--json").json
    assert told["role"] == "player1"
    assert told["steps"][0]["told"]["sentence"] == ("Leave heaps with nim-sum 0 if you can.")
    assert "svg" not in str(told)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nim:1,2"], "where should the lesson go?"),
        (["nim:1,2", "-o", "lesson.pdf"], "a lesson is a page"),
        (["nim:1,2", "--role", "nobody", "--json"], "nobody"),
        (["roshambo", "--json"], "there are no rules to teach"),
    ],
)
def test_what_cannot_be_taught_is_said_kindly(run: Run, args: list[str], message: str) -> None:  # noqa: F811
    result = run("teach", *args)
    assert (result.status, result.out) == (2, "")
    assert message in result.err


playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Page, sync_playwright  # noqa: E402


@pytest.fixture
def opened(tictactoe: Lesson, tmp_path: Path) -> Iterator[Page]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this system")
    path = tmp_path / "lesson.html"
    path.write_text(lesson_page(tictactoe), "utf-8")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        yield page
        browser.close()
        assert not troubles
        assert all(url.startswith("file:") for url in asked)


def answer(page: Page, *, good: bool) -> int:
    """Go through the test that runs, and give how many answers were right."""
    right = 0
    while (question := page.locator(".question:not([hidden])")).count():
        wanted = question.locator(f'button[data-good="{"yes" if good else "no"}"]')
        button = wanted if wanted.count() else question.locator("button")
        right += button.first.get_attribute("data-good") == "yes"
        button.first.click()
    return right


def test_the_self_test_measures_before_and_after_and_stays_here(opened: Page) -> None:
    assert opened.locator("#score-table").is_hidden()
    opened.click('[data-start="before"]')
    assert opened.inner_text("#test-status").startswith("Question 1 of ")
    before = answer(opened, good=False)
    opened.click('[data-start="after"]')
    after = answer(opened, good=True)
    total = opened.locator('.question[data-part="after"]').count()
    assert after == total > 0
    assert opened.inner_text("#test-status") == f"{total} of {total} right."
    rows = opened.locator("#scores tr").all_inner_texts()
    assert len(rows) == 2
    assert rows[0].split()[:2] == ["before", str(before)]
    assert opened.inner_text("#gain").endswith("After: 100%.")
    opened.reload()
    assert opened.locator("#scores tr").count() == 2
    opened.click("#forget")
    assert opened.locator("#scores tr").count() == 0
    opened.reload()
    assert opened.locator("#score-table").is_hidden()


def test_the_self_test_is_not_printed(opened: Page) -> None:
    opened.emulate_media(media="print")
    assert opened.locator("#selftest").is_hidden()
    assert opened.locator(".answers").is_visible()


def test_a_side_that_loses_is_taught_what_to_do_after_a_mistake() -> None:
    lesson = lesson_of("nim:1,2,3", "player1")
    assert "Against best play Player 1 loses, come what may. After a mistake" in lesson.worth[-1]
    solution = solve(explore(CompiledGame(load_sheet("nim:1,2,3"))))
    verdict = verify(read_strategy(lesson.part.strategy, solution.space.game), solution, "player1")
    assert verdict.strongly_optimal
    assert all(one.is_proved for one in lesson.exercises)
    assert lesson.steps[-1].against_random > lesson.nothing[0] + 20
