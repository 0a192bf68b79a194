"""Rules of a game too large to be solved are shown with what was measured, and nothing more."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.cli.conftest import Run, run  # noqa: F401

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Role
from kibitz.english import say_move, scene_of
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import parse_terms
from kibitz.measured import MeasuredRules, SearchOptions
from kibitz.measured.strength import Accuracy, RuleWorth, Strength
from kibitz.policy import MoveMasks, NotCompilableError, RandomPolicy
from kibitz.present import (
    Explanation,
    Lesson,
    Study,
    StudyOptions,
    explanation_page,
    lesson_page,
    measured_search,
    teach_cached,
    to_markdown,
    to_text,
)
from kibitz.present.explanation import measured_advice
from kibitz.present.explanation.measured_advice import play_by_rules
from kibitz.present.lesson import measured_lesson
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import read_strategy
from kibitz.strategy.evaluation.one_state import moves_at

RULES = "next wins(me) => any\nnext next not wins(opponent) => any also middle mark.1, mark.2\n"
ONE = Strength(62.5, 40.1, 81.2, 20)


def found_by_hand(
    game: CompiledGame,
    role: Role | None,
    options: SearchOptions,
    *,
    report: Callable[[str], None],
    seen: object = None,
) -> MeasuredRules:
    """Stand for the search, which takes long: a list that is known, and figures."""
    report("matches")
    roles = game.roles if role is None else (role,)
    return MeasuredRules(
        game=game,
        roles=roles,
        strategies=dict.fromkeys(roles, read_strategy(RULES, game)),
        strength={"random": Strength(97.25, 96.1, 98.0, 2000), "uct:100": ONE},
        per_rule=(RuleWorth(12.5, {"uct:100": ONE}), RuleWorth(87.5, {"uct:100": ONE})),
        ratings=(),
        accuracy=Accuracy(93.0, 86.3, 96.6, 100, 7, 35.0, 200, 10),
        rounds=options.rounds,
        seed=options.seed,
        seconds=1.0,
    )


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_advice, "find_measured_rules", found_by_hand)
    monkeypatch.setattr(measured_advice, "_STRONG", 20)


def explained(role: Role | None = None) -> Explanation:
    study = Study(load_sheet("tictactoe"), StudyOptions(max_states=50))
    study.run(role)
    return study.known


@pytest.mark.slow
@pytest.mark.usefixtures("by_hand")
def test_one_list_for_all_roles_is_shown_once_with_its_figures() -> None:
    known = explained()
    (part,) = known.parts
    assert part.measured is not None
    assert part.measured["roles"] == ["xplayer", "oplayer"]
    assert part.measured["strength"]["uct:100"]["matches"] == 20
    assert known.as_json()["parts"][0]["measured"] == part.measured
    text = to_text(known)
    for line in (
        "Two rules for X and O, measured, not proved",
        "1. Win at once if you can.",
        "A match against tree search with 20 playouts a move (uct:20), the rules playing",
        "random play                                      97.2 (96.1 to 98.0) in 2,000 matches",
        "2.  87.5 %  without it 62 (40 to 81) against uct:100",
        "Accuracy 93 % (86 to 97), moves at random 35 %: how often a move keeps the value where",
        "of 100 of 200 random positions after 10 moves or more. It did not decide 7 more.",
        "kibitz synth tictactoe --measured --max-rules 5 --rounds 1 --seed 0",
    ):
        assert line in text, line
    assert "### What was measured" in to_markdown(known)


@pytest.mark.usefixtures("by_hand")
def test_measured_rules_are_shown_again_as_they_were_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = explained()
    monkeypatch.setattr(measured_advice, "find_measured_rules", None)
    again = Study(load_sheet("tictactoe"), StudyOptions(max_states=50), before=first)
    again.run()
    assert again.known.parts == first.parts


@pytest.mark.usefixtures("by_hand")
def test_nothing_that_is_shown_calls_the_rules_proved() -> None:
    known = explained()
    for shown in (to_text(known), to_markdown(known), explanation_page(known)):
        said = " ".join(re.sub(r"<style>.*?</style>", "", shown, flags=re.DOTALL).split())
        said = said.replace("measured, not proved", "").replace("nothing about them is proved", "")
        said = said.replace("as a search proves of 100 of 200 random positions", "")
        said = said.replace("With best play it is a draw, as a search from the rules proves", "")
        assert not re.search("prove|optimal|perfect|guarantee|whatever the opponent", said), said


@pytest.mark.usefixtures("by_hand")
def test_each_rule_has_a_position_of_a_match_in_which_it_decided() -> None:
    known = explained("oplayer")
    (part,) = known.parts
    assert part.role == "oplayer"
    assert "--role oplayer" in part.command
    assert [rule.is_position for rule in part.rules] == [True, True]
    for rule in part.rules:
        assert "[" in rule.stencil
        assert "O to move" in rule.stencil
        assert rule.decides
    assert part.unseen == ()
    (example,) = part.examples
    assert {(move.roles, move.side) for move in example.moves if move.rule} == {(("oplayer",), "O")}
    assert set(example.rules) <= {1, 2}


def test_the_rule_that_decided_is_the_first_that_has_a_move_by_the_evaluator() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    strategy = read_strategy(RULES + "true => mark(1,1)\n", game)
    played = play_by_rules(strategy, "xplayer", RandomPolicy(), 12, seed=5)
    seen = set()
    for match in played:
        state = game.initial()
        decisions = {one.ply: one for one in match.decisions}
        for ply, joint in enumerate(match.joints):
            if ply in decisions:
                one = decisions[ply]
                asked = [moves_at(part, state, "xplayer") for part in strategy.parts("xplayer")]
                having = [number for number, moves in enumerate(asked, start=1) if moves]
                assert one.rule == (having[0] if having else 0)
                assert one.key == state.key
                assert one.made == joint[0]
                assert one.made in one.allowed
                if having:
                    assert set(one.allowed) == set(asked[having[0] - 1])
                if len(having) > 1:
                    assert set(one.otherwise) == set(asked[having[1] - 1])
                seen.add(one.rule)
            assert match.rules[ply] == (decisions[ply].rule if ply in decisions else 0)
            state = game.successor(state.key, joint)
        assert state.goals["xplayer"] == match.goal
    assert seen >= {1, 2}


def test_matches_of_rules_that_are_too_large_for_gates_are_shown_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    strategy = read_strategy(RULES, game)
    by_gates = play_by_rules(strategy, "xplayer", RandomPolicy(), 4, seed=5)

    def refuse(*_: object, **__: object) -> None:
        raise NotCompilableError("it needs more than 7 gates")

    monkeypatch.setattr(MoveMasks, "plan", refuse)
    played = play_by_rules(strategy, "xplayer", RandomPolicy(), 12, seed=5)
    assert len(played) == 4
    for match, other in zip(played, by_gates, strict=True):
        assert match.joints == other.joints
        assert match.rules == other.rules
        for one, same in zip(match.decisions, other.decisions, strict=True):
            assert set(one.allowed) == set(same.allowed)


def test_why_there_are_no_rules_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise InputError("nothing can be asked of a move")

    monkeypatch.setattr(measured_advice, "find_measured_rules", refuse)
    known = explained()
    assert known.parts == ()
    assert known.limits[-1] == "No rules were found by matches: nothing can be asked of a move."
    assert not known.is_whole


def test_where_no_rule_says_anything_the_explanation_says_so() -> None:
    study = Study(load_sheet("roshambo"), StudyOptions(max_states=5))
    study.run()
    assert study.known.parts == ()
    assert study.known.limits[-1].startswith("No rules were found by matches: no rules were found")


@pytest.mark.usefixtures("by_hand")
def test_the_command_prints_measured_rules_and_keeps_them(
    run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = ("explain", "tictactoe", "--max-states", 50)
    first = run(*arguments, "--json").json
    assert first["parts"][0]["measured"]["accuracy"]["positions"] == 100
    assert first["parts"][0]["measured"]["proved"] is False
    assert run(*arguments, "--no-measured", "--json").json["parts"] == []

    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Study, "run", fail)
    assert run(*arguments, "--json").json == first


@pytest.mark.slow
def test_a_search_finds_rules_that_the_explanation_shows() -> None:
    study = Study(load_sheet("connect:3,4x4"), StudyOptions(max_states=2000))
    study.run("xplayer")
    (part,) = study.known.parts
    assert part.measured is not None
    assert 1 <= len(part.rules) <= 5
    assert part.measured["strength"]["random"]["score"] > 80
    assert part.measured["strategy"] == part.strategy


@pytest.fixture
def lesson(monkeypatch: pytest.MonkeyPatch) -> Lesson:
    monkeypatch.setattr(measured_advice, "find_measured_rules", found_by_hand)
    monkeypatch.setattr(measured_advice, "_STRONG", 20)
    sheet = load_sheet("tictactoe")
    return teach_cached("tictactoe", sheet, StudyOptions(max_states=50), cache=False)


def test_a_lesson_asks_for_moves_of_rules_and_says_which_are_proved(lesson: Lesson) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    solution = solve(explore(game))
    number = {solution.space.state(n).key: n for n in range(len(solution.space))}
    strategy = read_strategy(RULES, game)
    assert lesson.role == "xplayer"
    assert [step.rule for step in lesson.steps] == [1, 2]
    assert lesson.nothing[0] < lesson.steps[0].against_random < lesson.steps[1].against_random
    assert lesson.exercises
    assert all(exercise.is_proved for exercise in lesson.exercises)
    for exercise in lesson.exercises:
        state = game.state(parse_terms(" ".join(exercise.position)))
        best = {made.joint[0] for made in solution.keeping(number[state.key])}
        scene = scene_of(game, "xplayer")
        asked = [moves_at(part, state, "xplayer") for part in strategy.parts("xplayer")]
        assert next(n for n, moves in enumerate(asked, start=1) if moves) == exercise.rule
        told = {say_move(scene, move) for move in asked[exercise.rule - 1]}
        for choice in exercise.choices:
            assert choice.is_told == (choice.text in told)
            assert choice.is_good == (choice.text in {say_move(scene, move) for move in best})
        assert any(not choice.is_good for choice in exercise.choices)


def test_the_page_of_such_a_lesson_claims_no_proof_of_the_list(lesson: Lesson) -> None:
    page = lesson_page(lesson)
    assert "every answer is proved" not in page
    assert "guaranteed" not in page
    assert "What was measured" not in page
    assert "random play</th><td><b>97.2</b>" in page
    assert "of 100 on average in 512 matches against random play" in page


@pytest.mark.slow
def test_what_a_search_does_not_decide_is_not_called_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measured_advice, "find_measured_rules", found_by_hand)
    monkeypatch.setattr(measured_advice, "_STRONG", 20)
    monkeypatch.setattr(measured_lesson, "_SEARCHED", 0)
    sheet = load_sheet("tictactoe")
    lesson = teach_cached("tictactoe", sheet, StudyOptions(max_states=50), "oplayer", cache=False)
    assert lesson.role == "oplayer"
    open_ones = [exercise for exercise in lesson.exercises if not exercise.is_proved]
    assert open_ones
    for exercise in open_ones:
        assert all(choice.is_good == choice.is_told for choice in exercise.choices)


def test_a_search_makes_rounds_and_a_slow_one_takes_what_the_command_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def options_of(seconds: float | None, left: float = float("inf")) -> SearchOptions:
        monkeypatch.setattr(measured_search, "time_to_work", lambda: left)

        def work(options: SearchOptions, *_: object) -> SearchOptions:
            return options

        return measured_search.search_by_matches(work, budget=Budget(), seconds=seconds, seed=3)

    usual = SearchOptions(most_rules=5, rounds=1, slow_s=60.0, seed=3, effort=0.3)
    assert options_of(None) == usual
    assert options_of(None, 40.0) == replace(usual, slow_s=40.0)
    assert (options_of(30.0).seconds, options_of(30.0).effort) == (30.0, 0.5)
    assert options_of(900.0, 20.0).seconds == 20.0
    assert options_of(900.0).effort == 1


def test_the_best_list_so_far_is_the_answer_where_time_ends_the_search(
    run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find(*given: Any, seen: Callable[[MeasuredRules], None], **named: Any) -> MeasuredRules:
        seen(replace(found_by_hand(*given, **named), time_ended=True))
        time.sleep(600)
        raise AssertionError

    monkeypatch.setattr(measured_advice, "find_measured_rules", find)
    begin = time.monotonic()
    told = run("explain", "tictactoe", "--max-states", 50, "--no-cache", "--time", 8)
    assert time.monotonic() < begin + 60
    assert told.status == 0
    assert "Two rules for X and O, measured, not proved" in told.out
    assert "Time ended the search" in told.out
    assert "There is no more here: explaining tictactoe needs more than 8 s" in told.out


@pytest.mark.slow
def test_a_rule_that_reads_otherwise_for_another_role_says_how(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find(game: CompiledGame, *rest: Any, **more: Any) -> MeasuredRules:
        ways = {"white": "most", "black": "least"}
        texts = {
            role: read_strategy(f"next wins(me) => any\ntrue => any also {way} move.3", game)
            for role, way in ways.items()
        }
        return replace(found_by_hand(game, *rest, **more), strategies=texts)

    monkeypatch.setattr(measured_advice, "find_measured_rules", find)
    monkeypatch.setattr(measured_advice, "_STRONG", 20)
    monkeypatch.setattr("tests.present.test_measured.RULES", "next wins(me) => any\ntrue => any\n")
    study = Study(load_sheet("breakthrough:4x3"), StudyOptions(max_states=50))
    study.run()
    (part,) = study.known.parts
    assert part.rules[0].sentence == "Win at once if you can."
    first, _, other = part.rules[1].sentence.partition(" As Black: ")
    assert first
    assert other
    assert first.lower() != other.lower()


def test_each_role_looks_for_its_own_list_where_none_serves_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find(
        game: CompiledGame, role: Role | None, options: SearchOptions, **other: Any
    ) -> MeasuredRules:
        if role != "oplayer":
            raise KibitzError("no rules were found that decide a move")
        return found_by_hand(game, role, options, **other)

    monkeypatch.setattr(measured_advice, "find_measured_rules", find)
    monkeypatch.setattr(measured_advice, "_STRONG", 20)
    known = explained()
    (part,) = known.parts
    assert part.role == "oplayer"
    assert not any("No rules were found by matches" in line for line in known.limits)
