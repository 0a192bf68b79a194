"""Lists are repaired with the fewest edits, and what is said of fewer is checked by hand."""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz
from tests.effort import quick

from kibitz.engine import CompiledGame
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.solve import Solution, solve
from kibitz.space import explore
from kibitz.strategy import Strategy, read_strategy, shipped_text, verify
from kibitz.synth import repair
from kibitz.synth.list_repair import RepairSearch
from kibitz.synth.repair_rules import RepairRules, repaired_text


@cache
def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


def written(text: str, game: str) -> Strategy:
    return read_strategy(text, solved(game).space.game, name="mine")


def is_optimal(strategy: Strategy, game: str, role: str) -> bool:
    verdict = verify(strategy, solved(game), role)
    return bool(verdict.strongly_optimal and verdict.makes_progress)


TYPOS = (
    ("completes(me", "completes(opponent"),
    ("forks(me", "forks(opponent"),
    ("completes(opponent", "completes(me"),
    ("mark(2, 2)", "mark(1, 2)"),
    ("can_fork(opponent)", "can_fork(me)"),
    ("mark(1, 3)", "mark(1, 2)"),
    ("next next (not has_fork", "next next (has_fork"),
    ("or can_win(me)", "or can_win(opponent)"),
    ("true => mark(2, 2)", "cell(1, 1, b) => mark(2, 2)"),
)


def mistaken() -> dict[str, list[str]]:
    """Give Newell and Simon's six rules with one deleted, two exchanged, or one mistyped."""
    rules = [r.text for r in written(shipped_text("newell-simon-six"), "tictactoe").rules]
    found = {f"without rule {i + 1}": rules[:i] + rules[i + 1 :] for i in range(6)}
    for i in range(5):
        exchanged = [*rules[:i], rules[i + 1], rules[i], *rules[i + 2 :]]
        found[f"rules {i + 1} and {i + 2} exchanged"] = exchanged
    for right, wrong in TYPOS:
        place = next(i for i in range(6) if right in rules[i])
        mistyped = rules[place].replace(right, wrong, 1)
        found[f"{wrong} in rule {place + 1}"] = [*rules[:place], mistyped, *rules[place + 1 :]]
    return found


CASES = (
    *(f"without rule {i}" for i in range(1, 7)),
    *(f"rules {i} and {i + 1} exchanged" for i in range(1, 6)),
    "completes(opponent in rule 1", "forks(opponent in rule 3", "completes(me in rule 2",
    "mark(1, 2) in rule 5", "can_fork(me) in rule 4", "mark(1, 2) in rule 6",
    "next next (has_fork in rule 4", "or can_win(opponent) in rule 4",
    "cell(1, 1, b) => mark(2, 2) in rule 5",
)  # fmt: skip


@pytest.mark.parametrize("case", quick(CASES, ("without rule 4",)))
def test_a_mistake_in_newell_and_simons_list_takes_one_edit(case: str) -> None:
    base = written(shipped_text("newell-simon-six"), "tictactoe")
    given = written(repaired_text(base, mistaken()[case]), "tictactoe")
    found = repair(given, solved("tictactoe"), "xplayer")
    was_right = is_optimal(given, "tictactoe", "xplayer")
    assert len(found.edits) == (0 if was_right else 1)
    assert found.proved_smallest
    assert is_optimal(found.strategy, "tictactoe", "xplayer")


def test_there_are_twenty_mistakes() -> None:
    assert list(mistaken()) == list(CASES)
    assert len(CASES) == 20


FIVE = shipped_text("tictactoe-five")


def test_exchanged_rules_are_moved_back_and_a_wrong_rule_is_dropped() -> None:
    rules = [rule.text for rule in written(FIVE, "tictactoe").rules]
    moved = written("\n".join([*rules[1:4], rules[0], rules[4]]), "tictactoe")
    (edit,) = repair(moved, solved("tictactoe"), "xplayer").edits
    assert edit.kind == "move"
    assert edit.sentence.startswith(f"Move rule {edit.rule} to place {edit.place}: ")
    wrong = written("\n".join(["true => (mark 1 2)", *rules]), "tictactoe")
    found = repair(wrong, solved("tictactoe"), "xplayer")
    (edit,) = found.edits
    assert (edit.kind, edit.rule, edit.text) == ("drop", 1, "true => (mark 1 2)")
    assert [rule.text for rule in found.strategy.rules] == rules


def test_a_list_that_is_right_is_left_alone() -> None:
    found = repair(written(FIVE, "tictactoe"), solved("tictactoe"), "xplayer")
    assert (found.edits, found.lower_bound, found.proved_smallest) == ((), 0, True)


@pytest.mark.slow
def test_edits_lead_from_the_list_to_the_repaired_one() -> None:
    rules = [rule.text for rule in written(FIVE, "tictactoe").rules]
    for given in (rules[::-1], rules[:3], rules[:2], []):
        if not given:
            continue
        found = repair(written("\n".join(given), "tictactoe"), solved("tictactoe"), "xplayer")
        made = list(given)
        for edit in found.edits:
            if edit.kind != "add":
                assert made.pop(edit.rule - 1) == (edit.was or edit.text)
            if edit.kind != "drop":
                made.insert(edit.place - 1, edit.text)
        assert [rule.text for rule in found.strategy.rules] == made
        assert found.lower_bound <= len(found.edits)
        assert found.proved_smallest == (found.lower_bound == len(found.edits))


SMALL = (
    ("nim:2,2", "player2", ["true => (reduce a 0)", "true => (reduce b 0)"]),
    ("nim:1,2", "player1", ["true => (reduce a 0)", "(heap a 1) => (reduce b 0)"]),
    ("nim:1,3", "player1", ["true => (reduce b 2)", "true => (reduce a 0)"]),
)


@pytest.mark.parametrize(("game", "role", "rules"), SMALL)
def test_counterexamples_exclude_no_edit_that_repairs(
    game: str, role: str, rules: list[str]
) -> None:
    """All lists of one edit are checked one by one, by the checker of strategies."""
    given = written("\n".join(rules), game)
    pool = RepairRules(given, solved(game), role)
    search = RepairSearch(pool, float("inf"), lambda _: None)
    start = tuple(range(pool.given))
    found = {step.order for step in search.one_edit(start)}
    everything = {step.order for step in search.structural(start)}
    for rule in range(len(pool.texts)):
        everything |= {(*start[:p], rule, *start[p:]) for p in range(len(start) + 1)}
        everything |= {(*start[:p], rule, *start[p + 1 :]) for p in range(len(start))}
    right = {
        order
        for order in everything
        if is_optimal(
            written(repaired_text(given, [pool.texts[i] for i in order]), game), game, role
        )
    }
    dropped = {order for order in right if len(order) < len(start)}
    # Where a rule may be dropped, what else could stand in its place is not tried.
    assert found <= right
    assert dropped <= found
    assert right == found or dropped
    if not right:
        made = repair(given, solved(game), role)
        assert made.lower_bound == 2


def test_what_cannot_be_repaired_is_refused() -> None:
    with pytest.raises(InputError, match="not a rule list"):
        repair(written("terminal", "nim:1,2"), solved("nim:1,2"), "player1")
    block = "block b { true => (reduce a 0) }\nb\n"
    with pytest.raises(InputError, match="rules in blocks"):
        repair(written(block, "nim:1,2"), solved("nim:1,2"), "player1")


def test_the_command_shows_a_diff_in_words_and_as_json(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("true => (reduce b 0)\n")
    shown = kibitz("repair", "nim:1,2", str(path), "--role", "player1")
    assert shown.returncode == 0
    assert "1 edit for a perfect list; no smaller edit exists" in shown.stdout
    assert "  Change rule 1 to: Reduce heap b to 1 if you can.\n    - true => (reduce b 0)\n" in (
        shown.stdout
    )
    data = json.loads(kibitz("repair", "nim:1,2", str(path), "--role", "player1", "--json").stdout)
    assert data["proved_smallest"]
    assert data["verdict"]["strongly_optimal"]
    assert not data["before"]["strongly_optimal"]
    assert data["edits"][0] == {
        "kind": "change", "rule": 1, "place": 1, "text": "true => (reduce b 1)",
        "was": "true => (reduce b 0)",
        "sentence": "Change rule 1 to: Reduce heap b to 1 if you can.",
    }  # fmt: skip
    path.write_text(data["strategy"])
    assert "nothing to repair" in kibitz("repair", "nim:1,2", str(path)).stdout


@pytest.mark.slow
def test_where_three_edits_are_proved_needed_no_two_are_enough() -> None:
    """All lists of two edits are followed one by one."""
    given = written("symmetric none\ntrue => (reduce a 0)", "nim:1,2,3")
    found = repair(given, solved("nim:1,2,3"), "player2")
    assert (len(found.edits), found.lower_bound) == (3, 3)
    pool = RepairRules(given, solved("nim:1,2,3"), "player2")
    search = RepairSearch(pool, 0.0, lambda _: None)

    def edited(order: tuple[int, ...]) -> set[tuple[int, ...]]:
        made = {order[:i] + order[i + 1 :] for i in range(len(order))}
        for rule in range(len(pool.texts)):
            made |= {(*order[:i], rule, *order[i + 1 :]) for i in range(len(order))}
            made |= {(*order[:i], rule, *order[i:]) for i in range(len(order) + 1)}
        return made | {order[::-1]}

    lists = {two for one in edited((0,)) for two in edited(one)}
    assert len(lists) > 10_000
    assert all(search.errors(order) for order in lists)


def test_a_repair_counts_lists_and_time_only_cuts_it_short(monkeypatch: pytest.MonkeyPatch) -> None:
    given = written("symmetric none\ntrue => (reduce a 0)", "nim:1,2,3")
    monkeypatch.setattr("kibitz.synth.list_repair._LISTS_A_SECOND", 1)
    found = repair(given, solved("nim:1,2,3"), "player2", seconds=60)
    again = repair(given, solved("nim:1,2,3"), "player2", seconds=60)
    assert (found.edits, found.tried) == (again.edits, again.tried)
    assert found.lower_bound < 3  # not all lists of two edits were tried
    assert not found.time_ended
    clock = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: 1e6 * clock())
    with pytest.raises(KibitzError, match="no repair was found in time"):
        repair(given, solved("nim:1,2,3"), "player2", seconds=60)
