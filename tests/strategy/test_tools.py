"""Comparing, minimising, complying: what each says is checked against plain sets of moves."""

from __future__ import annotations

import pytest
from tests.strategy.made import game, judge, shipped, solution

from kibitz.errors import InputError
from kibitz.strategy import MoveSet, read_strategy, shipped_names, shipped_text, verify
from kibitz.strategy.compare import compare
from kibitz.strategy.comply import comply, holds_everywhere
from kibitz.strategy.minimise import minimise

NIM = "nim:1,2,4,5"
TTT = "tictactoe"


def moves(text: str, name: str, role: str) -> MoveSet:
    return read_strategy(text, game(name)).on(solution(name).space, role)


def test_compare_counts_what_sets_of_moves_say() -> None:
    space = solution(TTT).space
    one, other = shipped("tictactoe-five", TTT), shipped("tictactoe-table3", TTT)
    found = compare(one, other, space, "xplayer")
    first, second = one.on(space, "xplayer"), other.on(space, "xplayer")
    states = {s for s in range(len(space)) if first.moves(s) != second.moves(s)}
    assert found.different == len(states) == sum(group.states for group in found.groups)
    assert found.only == (len(first - second), len(second - first))
    for group in found.groups:
        assert group.example in states
        shown = tuple(tuple(map(str, m.moves(group.example))) for m in (first, second))
        assert shown == group.moves


def test_a_strategy_does_not_differ_from_itself_nor_from_its_past_form() -> None:
    space = solution("nim:1,2").space
    plain = read_strategy("does(reduce(b,0))", game("nim:1,2"))
    past = read_strategy("next previous does(reduce(b,0))", game("nim:1,2"))
    assert compare(plain, plain, space, "player1").different == 0
    assert compare(plain, past, space, "player1").different == 0


def test_minimise_keeps_strong_optimality() -> None:
    lines = [line for line in shipped_text("tictactoe-five").splitlines() if "=>" in line]
    wordy = "\n".join(
        [*(line.replace(" =>", " & (control xplayer) =>") for line in lines), lines[2], lines[0]]
    )
    strategy = read_strategy(wordy, game(TTT))
    found = minimise(strategy, solution(TTT), "xplayer")
    assert found.kept == "strongly_optimal"
    assert found.before.rules == 7
    assert found.before.dead_rules == (6, 7)
    assert (found.verdict.rules, found.verdict.literals) == (5, 6)
    assert found.verdict.strongly_optimal
    assert "control" not in found.strategy.text
    assert judge(found.strategy.text, TTT, "xplayer").strongly_optimal


def test_minimise_leaves_blocks_alone() -> None:
    text = """block take {
        (heap a 2) => (reduce a 0)
    }
    take
    (heap a 1) => (reduce a 0)"""
    found = minimise(read_strategy(text, game("nim:2")), solution("nim:2"), "player1")
    assert [rule.name for rule in found.strategy.rules] == ["take"]
    assert "(heap a 2) => (reduce a 0)" in found.strategy.text


def test_minimise_of_a_weak_list_keeps_its_guarantee() -> None:
    text = "(heap a 0) & (heap b 2) => (reduce b 1)\ntrue => (reduce a 0)"
    strategy = read_strategy(text, game("nim:1,2"))
    found = minimise(strategy, solution("nim:1,2"), "player1")
    assert found.verdict.guarantees["player1"] >= found.before.guarantees["player1"]
    with pytest.raises(InputError, match="not a rule list"):
        minimise(read_strategy("true", game("nim:1,2")), solution("nim:1,2"), "player1")


def test_comply_lists_all_outcomes_and_the_best_reply() -> None:
    name = "crossdot:6,3"
    space = solution(name).space
    strategy = read_strategy(shipped_text("crossdot"), game(name), part="thoughtful")
    found = comply(space, [strategy.on(space, "player2")], "terminal implies wins(player2)")
    assert found.holds is False
    assert found.path is not None
    assert sum(outcome.states for outcome in found.outcomes) == found.ends
    worst = verify(strategy, solution(name), "player2").guarantees
    assert min(outcome.goals["player2"] or 0 for outcome in found.outcomes) == worst["player2"]
    assert found.replies["player1"].goal == worst["player1"] == 100
    assert len(found.replies["player1"].line) == 5


def test_where_a_strategy_has_no_move_play_stops() -> None:
    space = solution("nim:1,2").space
    found = comply(space, [moves("false", "nim:1,2", "player1")])
    assert (found.states, found.stuck, found.ends, found.holds) == (1, 1, 0, None)


def test_a_property_must_be_a_formula() -> None:
    space = solution("nim:1,2").space
    for text in ("true else false", "true => (reduce a 0)"):
        with pytest.raises(InputError, match="one formula"):
            holds_everywhere(text, space)


def test_a_strategy_with_a_past_is_verified_on_an_unfolded_space() -> None:
    # Answer in the heap that the opponent has just left; it is what symmetric nim asks for.
    text = """
    any H in {a, b}, G in {a, b}, N in 0..2:
        H != G and heap(G,N) and previous does(opponent, reduce(G,N)) and does(reduce(H,N))"""
    verdict = judge(text, "nim:2,2", "player2")
    assert verdict.strongly_optimal
    assert verdict.wins
    assert len(moves(text, "nim:2,2", "player2")) > 0
    without = judge("any H in {a, b}, N in 0..2: does(reduce(H,N))", "nim:2,2", "player2")
    assert not without.strongly_optimal


def test_sets_of_moves_with_and_without_a_past_can_be_joined() -> None:
    past = moves("previous does(opponent, reduce(a,0)) and not initial", "nim:1,2", "player1")
    plain = moves("does(reduce(b,0))", "nim:1,2", "player1")
    assert len(past & plain) + len(past - plain) == len(past)
    assert (past | plain).space is past.space


@pytest.mark.parametrize("role", ["xplayer", "oplayer"])
@pytest.mark.parametrize(("name", "rules"), [("newell-simon", 8), ("newell-simon-six", 6)])
def test_newell_and_simon_play_perfectly_for_either_player(
    name: str, rules: int, role: str
) -> None:
    verdict = verify(shipped(name, TTT), solution(TTT), role)
    assert verdict.strongly_optimal
    assert verdict.draws
    assert verdict.rules == rules
    assert verdict.complete == (rules == 8)


def test_every_shipped_strategy_is_told_of_in_the_documentation() -> None:
    from pathlib import Path

    page = (Path(__file__).resolve().parents[2] / "docs" / "strategies.md").read_text("utf-8")
    assert [name for name in shipped_names() if f"| `{name}` |" not in page] == []


def test_every_code_of_a_message_is_told_of_in_the_documentation() -> None:
    import re
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    page = (root / "docs" / "strategies.md").read_text("utf-8")
    source = root / "src" / "kibitz" / "strategy"
    used = {c for p in source.glob("*.py") for c in re.findall(r"STR\d{3}", p.read_text("utf-8"))}
    assert used == set(re.findall(r"^\| (STR\d{3}) \|", page, re.MULTILINE))
