"""Comparing, minimising, complying: what each says is checked against plain sets of moves."""

from __future__ import annotations

import pytest
from tests.strategy.made import game, judge, shipped, solution

from kibitz.errors import InputError, StrategyError
from kibitz.strategy import MoveSet, read_strategy, shipped_names, shipped_text, verify
from kibitz.strategy.evaluation.move_set import SILENCES
from kibitz.strategy.verification.comparison import compare, minimise
from kibitz.strategy.verification.compliance import comply, holds_everywhere

NIM = "nim:1,2,4,5"
TTT = "tictactoe"
X = "xplayer"


def moves(text: str, name: str, role: str) -> MoveSet:
    return read_strategy(text, game(name)).on(solution(name).space, role)


@pytest.mark.parametrize("silence", SILENCES)
def test_compare_counts_what_sets_of_moves_say(silence: str) -> None:
    space = solution(TTT).space
    one, other = shipped("tictactoe-five", TTT), shipped("tictactoe-table3", TTT)
    found = compare(one, other, space, X, silence=silence)
    first, second = (strategy.on(space, X).under(silence) for strategy in (one, other))
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
    assert found.kept == "perfect"
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


def test_where_a_strategy_has_no_move_play_stops_or_any_move_is_made() -> None:
    space = solution("nim:1,2").space
    silent = [moves("false", "nim:1,2", "player1")]
    found = comply(space, silent, silence="stop")
    assert (found.states, found.stuck, found.silent, found.ends) == (1, 1, 1, 0)
    assert (found.holds, found.replies) == (None, {})
    found = comply(space, silent)
    assert (found.states, found.stuck, found.silent) == (len(space), 0, 3)
    assert found.as_json()["silence"] == "any"


def test_a_shipped_list_that_is_silent_draws_and_does_not_only_win() -> None:
    space = solution(TTT).space
    found = comply(space, [read_strategy(shipped_text("tictactoe-five"), game(TTT)).on(space, X)])
    assert {outcome.goals[X] for outcome in found.outcomes} == {50, 100}
    assert found.replies["oplayer"].goal == 50
    assert len(found.replies["oplayer"].line) == 9


def test_a_property_of_turns_means_the_turns_of_the_whole_game() -> None:
    # Both have one move left at the end; who keeps to a strategy chooses as before.
    space = solution("crossdot:3,3").space
    first = [read_strategy("true => mark(1)\ntrue => mark(3)", game("crossdot:3,3"))]
    sets = [first[0].with_symmetry("none").on(space, "player1")]
    assert holds_everywhere("terminal or turn(player1) or turn(player2)", space, sets)
    assert holds_everywhere("not (turn(player1) and turn(player2))", space, sets)


def test_a_property_of_the_past_is_checked_where_a_strategy_has_one() -> None:
    space = solution("crossdot:4,2").space
    text = "not initial and previous does(player2,mark(1)) and does(mark(2)) else true"
    sets = [read_strategy(text, game("crossdot:4,2")).on(space, "player1")]
    property_ = "previous does(player2,mark(1)) and legal(player1,mark(2)) implies does({})"
    assert not holds_everywhere("previous box(1,empty) implies initial", space, sets)
    asked = property_.format("player1,mark(2)")
    assert holds_everywhere(f"initial or turn(player2) or ({asked})", space, sets)
    asked = property_.format("player1,mark(3)")
    assert not holds_everywhere(f"initial or turn(player2) or ({asked})", space, sets)


def test_the_empty_list_is_judged_like_any_other() -> None:
    for text in ("", "# nothing yet\n", "symmetric none\n"):
        strategy = read_strategy(text, game("nim:1,2"))
        assert strategy.is_list
        assert strategy.rules == ()
        found = verify(strategy, solution("nim:1,2"), "player1")
        assert (found.valid, found.strongly_optimal, found.rules) == (False, False, 0)
        assert found.counterexample is not None
        assert found.counterexample.path == ()
        assert verify(strategy, solution("nim:2"), "player2").strongly_optimal


def test_a_text_of_definitions_alone_is_no_strategy() -> None:
    with pytest.raises(StrategyError, match="ends without a strategy"):
        read_strategy("define f = true", game("nim:1,2"))
    assert read_strategy("define f = true", game("nim:1,2"), part="f").plans


def test_where_play_stops_at_silence_nothing_is_guaranteed() -> None:
    stopping = read_strategy("(heap b 2) => (reduce b 1)", game("nim:1,2"))
    found = verify(stopping, solution("nim:1,2"), "player1", silence="stop", claims=["wins"])
    assert (found.strongly_optimal, found.guarantees, found.wins) == (True, {"player1": 0}, False)
    assert found.counterexample is not None
    assert found.as_json()["silence"] == "stop"
    with pytest.raises(InputError, match="no silence"):
        verify(stopping, solution("nim:1,2"), "player1", silence="none")


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


def test_every_code_of_a_message_is_documented() -> None:
    import re
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    page = (root / "docs" / "strategies.md").read_text("utf-8")
    source = root / "src" / "kibitz" / "strategy"
    used = {c for p in source.rglob("*.py") for c in re.findall(r"STR\d{3}", p.read_text("utf-8"))}
    assert used == set(re.findall(r"^\| (STR\d{3}) \|", page, re.MULTILINE))
