"""Answers that come with Kibitz belong to the rules as they are, and hold."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.json import encode
from tests.cli.conftest import Run, run as run
from tests.effort import quick

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.present import RoleAdvice, StudyOptions, cached_study
from kibitz.present.cached_study import (
    answer_of,
    make_answer,
    path_of,
    read_answer,
    recheck,
    write_answer,
)
from kibitz.present.explanation import role_advice
from kibitz.present.explanation.page import explanation_page
from kibitz.present.explanation.rule_pictures import known_list
from kibitz.present.explanation.text import to_text
from kibitz.solve import solve
from kibitz.space import explore

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
from tools.write_answers import make, names

USUAL = StudyOptions()
GAMES = [name for name in names() if path_of(name).is_file()]
QUICK = ("tictactoe", "nim:1,3,5,7", "chomp:4x5", "hanoi", "roshambo")


@pytest.mark.parametrize("name", GAMES)
def test_an_answer_belongs_to_the_rules_as_they_are(name: str) -> None:
    answer = answer_of(load_sheet(name), USUAL)
    assert answer is not None, f"run tools/write_answers.py {name}"
    assert answer.explanation.is_whole
    taught = [part.role for part in answer.explanation.parts if part.rules]
    assert bool(taught) == bool(answer.lessons)
    for role in answer.lessons:
        lesson = answer.lesson_for(role)
        assert lesson is not None
        assert lesson.role == role


@pytest.mark.parametrize("name", GAMES)
def test_no_proven_rule_lists_more_than_three_things(name: str) -> None:
    answer = answer_of(load_sheet(name), USUAL)
    assert answer is not None
    for part in answer.explanation.parts:
        for rule in part.rules if not part.measured else ():
            said, _, _ = rule.sentence.partition(", or the same turned or mirrored")
            assert max(said.count(" or "), said.count("; ")) <= 2, rule.sentence


@pytest.mark.parametrize("name", GAMES)
def test_an_answer_is_shown_as_text_and_as_a_page(name: str) -> None:
    answer = read_answer(name)
    assert answer is not None
    text, page = to_text(answer.explanation), explanation_page(answer.explanation)
    for sentence in answer.explanation.worth:
        assert " ".join(sentence.split()[:4]) in " ".join(text.split())
    assert page.startswith("<!doctype html>")


@pytest.mark.parametrize("name", quick(GAMES, QUICK))
def test_an_answer_holds(name: str) -> None:
    sheet = load_sheet(name)
    answer = answer_of(sheet, USUAL)
    assert answer is not None
    assert recheck(answer.explanation, sheet, USUAL) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_an_answer_has_the_words_of_today(name: str) -> None:
    answer = answer_of(load_sheet(name), USUAL)
    made = encode(make(name, answer))  # what is read has lists where what is made has tuples
    assert made == encode(answer), f"run tools/write_answers.py --words {name}"


def test_lists_of_an_answer_are_put_into_words_without_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = answer_of(load_sheet("tictactoe"), USUAL)
    assert answer is not None
    monkeypatch.setattr(role_advice, "synthesise", None)
    made = make("tictactoe", answer).explanation
    for part, before in zip(made.parts, answer.explanation.parts, strict=True):
        assert part.strategy == before.strategy
        assert (part.bound, part.verdict) == (before.bound, before.verdict)
        assert part.examples


def test_a_list_that_is_not_perfect_is_not_kept() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    solution = solve(explore(game))
    perfect = "next wins(me) => any\nnext next not wins(opponent) => any\n"
    assert known_list(RoleAdvice("oplayer", "", strategy="true => mark(1, 2)\n"), solution) is None
    assert known_list(RoleAdvice("xplayer", "", strategy=perfect), solution) is None


def test_an_answer_is_for_the_usual_options_and_its_own_rules() -> None:
    sheet = load_sheet("tictactoe")
    assert answer_of(sheet, replace(USUAL, seconds=3.0)) is None
    assert answer_of(sheet, replace(USUAL, max_states=1000)) is None
    assert answer_of(sheet, replace(USUAL, measured=False)) is None
    other = replace(sheet, source=replace(sheet.source, text=sheet.source.text + " "))
    assert answer_of(other, USUAL) is None
    assert read_answer("../answers/tictactoe") is None
    assert read_answer("no such game") is None


def test_a_list_that_does_not_hold_is_found_out() -> None:
    sheet = load_sheet("tictactoe")
    answer = answer_of(sheet, USUAL)
    assert answer is not None
    first, *others = answer.explanation.parts
    bad = replace(first, strategy="true => mark(1, 2)\n")
    found = recheck(replace(answer.explanation, parts=(bad, *others)), sheet, USUAL)
    assert found.startswith(f"the rules for {first.role} are not ")


def test_an_answer_that_does_not_hold_is_worked_out_anew(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = load_sheet("nim:1,3,5,7")
    answer = answer_of(sheet, USUAL)
    assert answer is not None
    monkeypatch.setattr(cached_study, "FOLDER", tmp_path / "answers")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    wrong = replace(answer.explanation, value={"player1": 100, "player2": 0}, worth=("Wrong.",))
    write_answer(make_answer(sheet, wrong, {}))
    done = run("explain", "nim:1,3,5,7")
    assert "the answer above does not hold; this is what was found now:" in done.err
    assert done.out.count("Player 2 can force a win") == 2
    again = run("explain", "nim:1,3,5,7")
    assert "Wrong." not in again.out
    assert again.err == ""


def test_an_answer_is_shown_and_checked_once(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first, second = run("explain", "nim:1,3,5,7"), run("explain", "nim:1,3,5,7")
    assert "were checked again just now" in first.err
    assert second.err == ""
    assert first.out == second.out
