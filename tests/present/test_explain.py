"""Explanations say what is true: each claim is checked by other means."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from tests.cli.conftest import Run, run  # noqa: F401
from tests.effort import quick
from tests.foreign import FOREIGN, needs_foreign

from kibitz.board import play_through
from kibitz.budget import Budget
from kibitz.engine.compiled.game import CompiledGame
from kibitz.english.games.description import story_of
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import Function, RuleSheet, read
from kibitz.present import (
    Explanation,
    RoleAdvice,
    RuleText,
    Study,
    StudyOptions,
    explanation_page,
    to_markdown,
    to_text,
)
from kibitz.present.cached_study import read_answer
from kibitz.present.explanation.rule_pictures import ExampleLine, show_example
from kibitz.space import explore
from kibitz.strategy import read_strategy
from kibitz.strategy.verification.reference import verify_by_reference
from kibitz.wording import side_name


def explained(sheet: RuleSheet, role: str | None = None, **options: object) -> Explanation:
    study = Study(sheet, StudyOptions(**options))  # type: ignore[arg-type]
    study.run(role)
    return study.known


def explained_by_known_lists(name: str) -> Explanation:
    """Explain a game by the lists that come with Kibitz: the search for them takes long."""
    answer = read_answer(name)
    assert answer is not None
    study = Study(load_sheet(name), StudyOptions(), before=answer.explanation)
    study.run()
    return study.known


@pytest.fixture(scope="module")
def tictactoe() -> Explanation:
    return explained_by_known_lists("tictactoe")


def test_tictactoe_is_told_as_a_teacher_would(tictactoe: Explanation) -> None:
    assert " ".join(tictactoe.story) == (
        "The board is a grid of 3 columns and 3 rows. Players: X and O. X begins. On your turn, "
        "place a piece on an empty cell. You win if you have three in a line. The game is a draw "
        "if the board is full."
    )
    assert tictactoe.worth == (
        "With best play it is a draw after 9 moves.",
        "Any first move keeps that.",
    )
    assert tictactoe.states == 5478
    assert [part.role for part in tictactoe.parts] == ["xplayer", "oplayer"]
    for part in tictactoe.parts:
        assert part.worth == f"{side_name(part.role)} can always hold a draw."
        assert 4 <= len(part.rules) <= 6
        assert part.lower_bound <= len(part.rules)
        assert all("(" not in rule.sentence for rule in part.rules)
        assert not part.unseen


def test_rules_are_shown_while_shorter_ones_are_looked_for(run: Run) -> None:  # noqa: F811
    done = run("explain", "connect:3,3x3", "--role", "xplayer", "--no-cache")
    first, *rules = done.err.splitlines()
    assert re.fullmatch(
        r"For X these \d+ rules play perfectly, which is proved\. "
        "Fewer or simpler ones are looked for:",
        first,
    )
    assert rules[0].startswith("  1. ")
    assert "looked for" not in done.out
    assert run("explain", "connect:3,3x3", "--role", "xplayer", "--json", "--time", 3).err == ""


@pytest.mark.slow
def test_the_rules_are_accepted_by_the_reference(tictactoe: Explanation) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    part = tictactoe.parts[0]
    from kibitz.strategy.evaluation.rule_images import carriers_of

    strategy = read_strategy(part.strategy, game)
    verdict = verify_by_reference(strategy, "xplayer", carriers=carriers_of(game))
    assert verdict.strongly_optimal
    assert part.verdict["states_checked"] == verdict.states_checked


def test_examples_follow_the_rules_they_name(tictactoe: Explanation) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    assert [part.role for part in tictactoe.parts] == list(game.roles)
    for part in tictactoe.parts:
        strategy = read_strategy(part.strategy, game)
        fired: set[int] = set()
        for example in part.examples:
            fired |= set(example.rules)
            assert {move.rule for move in example.moves} - {0} == set(example.rules)
            assert example.result in ("It is a draw.", f"{side_name(part.role)} wins.")
            assert {move.roles for move in example.moves if move.rule} <= {(part.role,)}
        assert fired == set(range(1, len(strategy.rules_for(part.role)) + 1))


def test_a_lost_role_has_nothing_to_hold_and_one_role_may_be_asked_for() -> None:
    told = explained(load_sheet("nim:1,2"))
    lost = told.parts[1]
    assert lost.role == "player2"
    assert "loses, come what may" in lost.worth
    assert not lost.rules
    alone = explained(load_sheet("nim:1,2"), "player1")
    assert [part.role for part in alone.parts] == ["player1"]
    assert alone.worth[0] == "With best play Player 1 wins in 2 moves."
    with pytest.raises(InputError):
        explained(load_sheet("nim:1,2"), "nobody")


def test_a_puzzle_is_solved_and_its_rules_are_told() -> None:
    told = explained_by_known_lists("maze")
    assert told.story[0] == "A puzzle for one player."
    assert told.story[-2].startswith("The rule sheet says of itself: “maze: Find the way")
    assert told.description is not None
    assert told.description.complete
    assert told.description.has_letters
    shown = to_text(told)
    assert "\nThe rules in full\n" in shown
    assert "The game ends if" in shown
    assert told.worth[0].startswith("With best play the puzzle is solved after ")
    assert told.parts[0].rules


def test_what_is_too_large_is_told_as_far_as_it_is_known() -> None:
    told = explained(load_sheet("connectfour"), max_states=2000, measured=False)
    assert told.states is None
    assert not told.is_whole
    assert any("too large to be solved" in line for line in told.limits)
    assert "random matches" in told.random[0]
    assert "You win if you have four in a line." in told.story
    assert told.value == {"xplayer": 100, "oplayer": 0}
    assert told.worth[0].startswith("With best play X wins, as a search from the rules proves (")
    assert told.worth[1] == "The first move that keeps it: drop in column 4."
    assert told.description is not None
    assert told.description.complete


def test_a_puzzle_too_large_to_list_is_explained_by_a_plan() -> None:
    told = explained(load_sheet("eightpuzzle"), max_states=2000)
    assert told.value == {"player": 100}
    assert told.worth == ("With best play the puzzle is solved, by the plan below.",)
    (part,) = told.parts
    assert not part.rules
    assert f"These {len(part.examples[0].moves)} moves get 100" in part.worth
    assert part.examples[0].result == "The puzzle is solved."
    shown = to_text(told)
    assert "\nA plan for Player\n" in shown
    for page in (shown, to_markdown(told)):
        assert page.count(f"{len(part.examples[0].moves)}. Player: ") == 1
    assert explanation_page(told).count('<span class="soft">Player</span>') == len(
        part.examples[0].moves
    )


def test_rules_that_take_too_long_are_left_out_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from kibitz.synth.search import schedule

    monkeypatch.setattr(schedule, "_FIRST_S", 0.0)
    monkeypatch.setattr(schedule, "_FIRST_SHARE", 0.0)
    asked: list[str | None] = []
    monkeypatch.setattr(Study, "_measure", lambda self, game, role: asked.append(role))
    known = explained(load_sheet("connect:3,3x3"), "oplayer")
    assert known.value
    assert asked == ["oplayer"], "rules are found by matches instead"
    (part,) = known.parts
    assert (part.rules, part.note.startswith("No rules were found in time: a first list")) == (
        (),
        True,
    )


def test_what_cannot_be_compiled_is_told_as_far_as_time_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from kibitz.errors import BudgetExceededError
    from kibitz.present.explanation import study, value_sentences

    def fail(*_: object, **__: object) -> None:
        raise BudgetExceededError("it takes too long")

    monkeypatch.setattr(study, "CompiledGame", fail)
    known = explained(load_sheet("tictactoe"))
    assert known.limits == (
        "Its value is not known: it takes too long.",
        "Rules are found by matches only where the game is compiled.",
    )
    assert (known.roles, bool(known.board), bool(known.story)) == (("xplayer", "oplayer"), 1, 1)
    monkeypatch.setattr(value_sentences, "overview", fail)
    known = explained(load_sheet("tictactoe"))
    assert known.limits[2] == "Its play is not described: it takes too long."
    assert known.board
    known = explained(load_sheet("tictactoe"), budget=Budget(1e-6, 4_000_000_000))
    assert [line.split(" needs ")[0] for line in known.limits[2:]] == [
        "Its board is not drawn: drawing tictactoe",
        "Its play is not described: looking at tictactoe",
    ]


def test_moves_at_the_same_time_have_values_and_no_rules() -> None:
    told = explained(load_sheet("roshambo"))
    assert "All players move at the same time." in told.story
    assert told.worth[0].startswith("With best play Player 1 gets 50 on average, Player 2 gets 50 ")
    assert not told.parts


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("nim:1,3", "Play ends when all heaps are empty; whoever moved last wins."),
        ("nim:1,3,misere", "Play ends when all heaps are empty; whoever moved last loses."),
        ("chomp:2x3", "Play ends when all cells are empty; whoever moved last loses."),
        ("crossdot:4,2", "Play also ends when no box is free, which is a draw."),
        ("kayles:4", "Play ends when all pins are down; whoever moved last wins."),
    ],
)
def test_ends_are_told(name: str, end: str) -> None:
    game = CompiledGame(load_sheet(name))
    assert story_of(game, explore(game))[-1] == end


def test_patterns_are_told_only_where_they_decide() -> None:
    sim = story_of(CompiledGame(load_sheet("sim")))
    assert "A triangle of your own loses." in sim
    rows = CompiledGame(load_sheet("mnk:3,3,3,R"))
    assert "Three of your own side by side in a row wins." in story_of(rows)


def test_all_ways_to_write_it_say_the_same(tictactoe: Explanation) -> None:
    text, markdown, page = (
        to_text(tictactoe), to_markdown(tictactoe), explanation_page(tictactoe)
    )  # fmt: skip
    for part in tictactoe.parts:
        for rule in part.rules:
            plain = re.sub(r"\s+", " ", text)
            assert rule.sentence in plain
            assert rule.sentence in markdown
            assert rule.sentence in page
    assert "<script" not in page
    assert not re.search(r"(src|href)=", page)
    assert page.count("<style>") == 1


def test_hostile_names_are_escaped() -> None:
    sheet = read(
        load_sheet("nim:1,2").source.text.replace("player1", "<b>x</b>"),
        name="<script>alert(1)</script>",
    )
    page = explanation_page(explained(sheet))
    assert "<script" not in page
    assert "<b>x" not in page


@needs_foreign
@pytest.mark.parametrize("name", quick(["nim1", "buttons", "hanoi"], ["buttons"]))
def test_foreign_games_are_told(name: str) -> None:
    path = FOREIGN / "rules" / f"{name}.kif"
    told = explained(read(path.read_text("utf-8"), name=str(path)))
    assert told.title == name
    assert told.story
    assert told.worth


def test_the_command_keeps_what_it_found(run: Run, tmp_path: Path, own_cache: Path) -> None:  # noqa: F811
    first = run("explain", "nim:1,2")
    assert (first.status, first.err) == (0, "")
    (file,) = own_cache.glob("*.kibitz-cache")
    before = file.read_bytes()
    assert run("explain", "nim:1,2").out == first.out
    file.write_bytes(b"nonsense")
    assert run("explain", "nim:1,2").out == first.out
    assert file.read_bytes() == before
    file.unlink()
    assert run("explain", "nim:1,2", "--no-cache").out == first.out
    assert not list(own_cache.glob("*.kibitz-cache"))


def test_files_of_all_kinds_are_written(run: Run, tmp_path: Path) -> None:  # noqa: F811
    for suffix, begins in ((".html", "<!doctype"), (".md", "# nim"), (".txt", "nim:1,2\n===")):
        path = tmp_path / f"told{suffix}"
        assert run("explain", "nim:1,2", "-o", path).status == 0
        assert path.read_text().startswith(begins)
    path = tmp_path / "rules.strategy"
    made = run("explain", "nim:1,2", "--role", "player1", "-o", path)
    assert made.status == 0
    assert f"wrote {path}: nim:1,2, one rule for Player 1\n" in made.err
    checked = run("verify", "nim:1,2", path, "--role", "player1", "--engine", "reference", "--json")
    assert checked.status == 0
    assert checked.json["strongly_optimal"]
    for args in (["-o", tmp_path / "told.pdf"], ["-o", path], ["-o", tmp_path / "no" / "x.md"]):
        wrong = run("explain", "nim:1,2", *args)
        assert (wrong.status, wrong.out) == (2, "")
        assert "hint:" in wrong.err or "not a folder" in wrong.err


def test_as_json_has_everything_but_pictures(run: Run) -> None:  # noqa: F811
    told = run("explain", "nim:1,2", "--json").json
    assert told["game"] == "nim:1,2"
    assert told["value"] == {"player1": 100, "player2": 0}
    assert (told["distance"], told["states"]) == (3, 8)
    (rule,) = told["parts"][0]["rules"]
    assert rule["sentence"] == "Leave heaps with nim-sum 0 if you can."
    assert rule["why"].startswith("A move changes the number of one heap")
    assert told["parts"][0]["holds_for"]["proved"]
    assert "svg" not in rule


def test_a_lexicon_is_used_and_changes_what_is_kept(run: Run, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "mine.kif"
    path.write_text(load_sheet("nim:1,2").source.text)
    assert "Player 1: reduce heap b to 1" in run("explain", path).out
    (tmp_path / "mine.words.toml").write_text('[moves]\nreduce = "leave {2} in {1}"\n')
    assert "Player 1: leave 1 in heap b" in run("explain", path).out


def test_what_is_known_is_shown_when_interrupted(
    run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(self: Study, *args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Study, "_prepare", stop)
    result = run("explain", "tictactoe", "--no-cache")
    assert result.status == 130
    assert "it is a draw" in result.out
    assert "what is known so far" in result.err


def test_an_example_can_be_played() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    study = Study(load_sheet("tictactoe"), StudyOptions(seconds=1))
    study.run("oplayer")
    from kibitz.present.explanation.rule_pictures import example_lines

    synthesised = study.synthesised["oplayer"]
    lines = example_lines(synthesised.decisions, len(synthesised.found.rules))
    assert {rule for line in lines for rule in line.rules} >= {1}
    for line in lines:
        moments = play_through(game, line.joints)
        assert moments[-1].state.is_terminal
        for moment, joint, rule in zip(moments, line.joints, line.rules, strict=False):
            allowed = synthesised.found.strategy.moves(moment.state, "oplayer")
            assert bool(rule) == bool(allowed)
            if rule:
                assert joint[1] in allowed


def test_examples_of_games_with_one_state_of_each_kind_can_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from kibitz.present.explanation import role_advice as module
    from kibitz.present.explanation.rule_pictures import example_lines

    monkeypatch.setattr(module, "FEW_STATES", 10)
    study = Study(load_sheet("tictactoe"), StudyOptions(seconds=1))
    study.run("xplayer")
    assert study.known.states == 765
    assert "counted once" in study.known.known_from
    synthesised = study.synthesised["xplayer"]
    game = synthesised.judging.space.game
    for line in example_lines(synthesised.decisions, len(synthesised.found.rules)):
        moments = play_through(game, line.joints)
        assert moments[-1].state.is_terminal
        for moment, joint, rule in zip(moments, line.joints, line.rules, strict=False):
            if rule:
                assert joint[0] in synthesised.found.strategy.moves(moment.state, "xplayer")


def test_a_terminal_shows_no_more_rules_than_can_be_read() -> None:
    rules = tuple(RuleText(f"Do {n} if you can.", "") for n in range(40))
    part = RoleAdvice("a", "a wins.", rules=rules, unseen=tuple(range(1, 30)))
    told = Explanation("g", "g", ("a",), parts=(part,))
    text = to_text(told)
    assert "12. Do 11 if you can." in text
    assert "Do 12" not in text
    assert "… and 28 more" in text
    assert "29 rules are met in no example here." in text
    assert "Do 39 if you can." in to_markdown(told)
    assert "Do 39 if you can." in explanation_page(told)


def test_what_is_kept_is_shown_without_the_solver(own_cache: Path) -> None:
    script = (
        "import sys\nfrom kibitz.cli import main\nsys.argv = ['kibitz', 'explain', 'nim:1,2']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('clingo', 'numpy', 'llvmlite') if m in sys.modules])"
    )
    heavy = []
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        heavy.append(done.stdout.splitlines()[-1])
    assert heavy[0] != "[]"
    assert heavy[1] == "[]"


@pytest.mark.parametrize("name", ["nim:1,2", "tictactoe", "roshambo", "hanoi:3"])
def test_what_is_shown_early_is_only_added_to(name: str) -> None:
    texts: list[str] = []
    study = Study(
        load_sheet(name),
        StudyOptions(0.2),
        seen=lambda known: texts.append(to_text(known, is_growing=True)),
    )
    study.run()
    texts.append(to_text(study.known))
    said = [" ".join(text.split()) for text in texts]
    assert study.known.story[0] in said[0], "rules and board come before anything is solved"
    assert study.known.worth[0] not in said[0]
    assert any(study.known.worth[0] in text for text in said[:-1])
    for earlier, later in pairwise(texts):
        assert later.startswith(earlier)


BOTH_WAIT = """
(role red) (role blue) (init (step 1)) (succ 1 2) (succ 2 3)
(<= (legal ?r noop) (role ?r) (true (step 1)))
(<= (legal red (add ?n)) (true (step 2)) (succ ?n ?m)) (<= (legal blue noop) (true (step 2)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 3)))
(goal red 100) (goal blue 0)
"""


def test_moves_of_examples_name_roles_as_the_sheet_does_and_sides_as_sentences_do() -> None:
    game = CompiledGame(read(BOTH_WAIT))
    wait, add = Function("noop"), Function("add", (Function("1"),))
    shown = show_example(game, "red", ExampleLine(((wait, wait), (add, wait)), (0, 0)))
    assert [(move.roles, move.side) for move in shown.moves] == [
        (("red", "blue"), "Red and Blue"),  # neither can do anything else
        (("red",), "Red"),
    ]
    assert [move.text for move in shown.moves] == ["wait", "add 1"]
    assert shown.result == "Red wins."
