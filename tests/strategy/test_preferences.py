"""A rule with preferences is a rule of a list, wherever lists are used, and means one thing."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, strategies as st
from tests.effort import examples
from tests.strategy.made import game, solution
from tests.strategy.random_plans import formulas

from kibitz.engine import CompiledGame, ReferenceGame, State
from kibitz.english import scene_of, sentences
from kibitz.english.rules.comparison_phrases import comparisons
from kibitz.english.rules.preference_phrases import (
    normal_preferences,
    read_preferences,
    say_preferences,
)
from kibitz.errors import InputError, StrategyError
from kibitz.gdl import read
from kibitz.policy import compile_strategy, moves_by_gates
from kibitz.space import explore
from kibitz.strategy import (
    Also,
    Else,
    Preference,
    Simple,
    Strategy,
    carriers_of,
    export_strategy,
    match_rule,
    minimise,
    moves_in,
    read_strategy,
    tptp_encoding,
    verify,
    verify_by_reference,
    write_rule,
)
from kibitz.synth import Options, synthesise

QUICKLY: dict[str, Any] = {
    "phases": [Phase.explicit, Phase.reuse, Phase.generate],
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much],
}
TTT = "tictactoe"
LISTS = {
    "tictactoe": [
        "next wins(me) => any\ntrue => any also next next not wins(opponent) also does(mark(2,2))",
        "(cell 1 1 x) => {(mark 3 3), (mark 1 3)} also next wins(me)\n"
        "(true => any also not next (cell 1 2 x)) also next (cell 2 2 x)",
        "symmetric first\ntrue => any also next (cell 1 1 x) also next (cell 2 2 x)",
        "symmetric none\nany R in row: cell(R,R,b) => mark(R,R) also does(mark(3,3))",
    ],
    "connect:3,4x4": [
        "next wins(me) => any\ntrue => any also middle drop.1 also next next not wins(opponent)",
        "true => any also most drop.1 also middle drop.1",
        "true => any also fewest M in moves(opponent): next legal(opponent, M) also middle drop.1",
        "true => any also most M in moves(me): next next legal(me, M)",
        "next at least 2 X in cell.1, Y in cell.2: cell(X,Y,x) => any\ntrue => drop(1)",
    ],
    "nim:2,2": ["true => any also least reduce.2 also does(reduce(b,0))"],
    "nim:1,2": [
        "true => any also fewest H in heap.1: next heap(H,0) also most N in heap.2: next heap(b,N)",
        "not at least 2 H in heap.1: heap(H, 1) => any also most of (next (heap a 1), (heap b 1))",
        "true => any also next (heap a 0) also each N in 2..0: next heap(b,N)",
    ],
    "crossdot:3,2": ["true => any also next (any J in 1..3: box(J,cross)) also does(mark(2))"],
    "threemensmorris": ["true => any also middle place.1, place.2 also most move.3"],
    "breakthrough:4x2": [
        "true => any also fewest X in cell.1, Y in cell.2: next cell(X,Y,black)\n"
        "also most M in moves(me): next next legal(me, M) also least move.2",
        "true => any also most move.3 also middle move.4",
        "true => any also next not can(opponent, next wins(opponent))",
    ],
    "roshambo": [
        "true => any also most V in {50, 100}: next goal(me) >= V also next wins(me)",
        "true => any also next goal(me) >= 50 also next wins(me)",
    ],
}
CASES = [(name, text) for name, texts in LISTS.items() for text in texts]


def assert_all_agree(strategy: Strategy, states: int = 25) -> None:
    """Compare the moves at one state, on the space, by gates, and by the reference check."""
    here = strategy.game
    assert isinstance(here, CompiledGame)
    space = explore(here)
    source = random.Random(1)
    for role in here.roles:
        if role not in dict(strategy.plans):
            continue
        said = strategy.on(space, role).under("any")
        numbers = source.sample(range(len(space)), min(states, len(space)))
        for number in numbers:
            found = moves_in(strategy, space.state(number), role).moves
            assert set(found) == set(map(here.write, said.moves(number)))
        asked = [space.state(n) for n in numbers if len(space.state(n).legal(role)) > 1]
        going_on = [s for s in asked if not s.is_terminal and all(map(s.legal, here.roles))]
        assert_gates_agree(strategy, role, going_on)


def assert_gates_agree(strategy: Strategy, role: str, states: list[State]) -> None:
    policy = compile_strategy(strategy, role)
    for state, found in zip(states, moves_by_gates(policy, states), strict=True):
        expected = moves_in(strategy, state, role).moves
        assert sorted(map(strategy.game.write, found)) == sorted(expected)


def assert_reference_agrees(strategy: Strategy, role: str) -> None:
    here = strategy.game
    assert isinstance(here, CompiledGame)
    name = here.sheet.name
    carriers = carriers_of(here) if strategy.symmetry != "none" else []
    slow = verify_by_reference(
        read_strategy(strategy.text, ReferenceGame(here.sheet)), role, carriers=carriers
    )
    fast = verify(strategy, solution(name), role)
    for claim in ("valid", "complete", "deterministic", "weakly_optimal", "strongly_optimal"):
        assert getattr(slow, claim) == getattr(fast, claim)
    assert (slow.literals, slow.dead_rules) == (fast.literals, fast.dead_rules)
    assert (slow.guarantees, slow.bad_states) == (fast.guarantees, fast.bad_states)


@pytest.mark.parametrize(("name", "text"), CASES)
def test_lists_with_preferences_mean_the_same_everywhere(name: str, text: str) -> None:
    strategy = read_strategy(text, game(name))
    assert strategy.is_list
    assert_all_agree(strategy)


@pytest.mark.parametrize(
    ("name", "text"),
    [case for case in CASES if case[0] in ("nim:1,2", "crossdot:3,2") and ".1" not in case[1]],
)
def test_both_checkers_agree_on_preferences_and_their_images(name: str, text: str) -> None:
    strategy = read_strategy(text, game(name))
    assert_reference_agrees(strategy, "player1")


def test_a_rule_with_preferences_is_a_rule_and_its_plan_a_conjunction() -> None:
    strategy = read_strategy("true => any also next wins(me) also terminal", game(TTT))
    (rule,) = strategy.rules_for("xplayer")
    ((preference),) = rule.preferences
    assert len(preference.formulas) == 2
    plan = dict(strategy.plans)["xplayer"]
    assert isinstance(plan, Also)
    assert [part.formula for part in plan.parts[1:] if isinstance(part, Simple)] == list(
        preference.formulas
    )


def test_what_stands_behind_brackets_is_asked_however_the_run_before_it_ends() -> None:
    space = solution(TTT).space
    flat = read_strategy("true => any also false also does(mark(2,2))", game(TTT))
    nested = read_strategy("(true => any also false) also does(mark(2,2))", game(TTT))
    assert len(flat.on(space, "xplayer").moves(0)) == 9
    assert [str(m) for m in nested.on(space, "xplayer").moves(0)] == ["(mark 2 2)"]


@pytest.mark.parametrize(
    "text",
    [
        "next wins(me) also terminal",
        "true => any\nnext wins(me) also terminal",
        "true => any also (terminal else initial)",
        "define p = terminal else initial\ntrue => any also p",
        "(true => any | true => (mark 1 1)) also terminal",
    ],
)
def test_other_texts_with_also_are_no_lists(text: str) -> None:
    strategy = read_strategy(text, game(TTT))
    assert not strategy.is_list
    assert strategy.symmetry == "none"
    assert isinstance(dict(strategy.plans)["xplayer"], Also | Else)


def test_images_of_a_rule_carry_its_preferences() -> None:
    strategy = read_strategy("true => any also does(mark(1,1))", game(TTT))
    first = strategy.on(solution(TTT).space, "xplayer").moves(0)
    assert [str(m) for m in first] == ["(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"]


@given(data=st.data())
@examples(25, **QUICKLY)
def test_rules_with_preferences_are_written_and_read(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["nim:1,2", "crossdot:3,2"]))
    here, space = game(name), solution(name).space
    role = here.roles[0]
    asked = formulas(space, turn=False).filter(bool)
    condition = data.draw(asked)
    moves = read_strategy("true => any", here).rules_for(role)[0].choices[0][1]
    groups = data.draw(st.lists(st.lists(asked, min_size=1, max_size=3), min_size=1, max_size=3))
    preferences = tuple(Preference(tuple(group)) for group in groups)
    text = write_rule(((condition, moves),), preferences)
    strategy = read_strategy(f"symmetric none\n{text}", here)
    expected = read_strategy("symmetric none\ntrue => any", here)
    plan = preferences[0].among(Simple(condition))
    for preference in preferences[1:]:
        plan = preference.among(plan)
    assert len(strategy.rules_for(role)) == 1 or text.startswith("false")
    vars(expected)["_parts"] = {role: (plan,)}
    assert (strategy.on(space, role).chosen == expected.on(space, role).chosen).all()
    again = strategy.rules_for(role)[0]
    assert read_strategy(write_rule(again.choices, again.preferences), here).rules_for(role) == (
        again,
    )


def test_minimise_keeps_preferences_that_matter_and_drops_others() -> None:
    text = "(cell 2 2 b) & true => any also does(mark(2,2)) also (cell 1 1 b)"
    strategy = read_strategy(text, game(TTT))
    found = minimise(strategy, solution(TTT), "xplayer")
    assert found.verdict.guarantees["xplayer"] >= found.before.guarantees["xplayer"]
    assert found.verdict.literals <= found.before.literals
    assert verify(found.strategy, solution(TTT), "xplayer") == found.verdict
    careful = "true => any also next next not wins(opponent)"
    smaller = minimise(read_strategy(careful, game("nim:1,2")), solution("nim:1,2"), "player1")
    assert smaller.verdict.guarantees["player1"] == smaller.before.guarantees["player1"]


def test_preferences_are_in_files_and_pictures() -> None:
    strategy = read_strategy("true => any also next wins(me) also terminal", game(TTT))
    (rule,) = json.loads(str(export_strategy(strategy, "json")))["rules"]
    assert rule["preferences"] == ["next wins(xplayer) also terminal"]
    assert "also next wins(me)" in str(export_strategy(strategy, "txt"))
    assert "also next wins(xplayer) also terminal" in str(export_strategy(strategy, "dot"))
    assert match_rule(strategy.rules[0], game(TTT).initial(), "xplayer") is None


@pytest.mark.slow
def test_synthesis_keeps_a_rule_with_preferences_as_it_is() -> None:
    text = "(heap b 3) => any also next ((heap a 2) & (heap b 2))\n"
    start = read_strategy(text, game("nim:2,3"))
    found = synthesise(game("nim:2,3"), "player1", Options(rounds=2), start=start)
    assert found.strategy.rules_for("player1")[0].preferences == start.rules[0].preferences
    assert found.verdict.strongly_optimal


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "true => any also next wins(me)",
            "Make a move if you can; if possible one that wins at once.",
        ),
        (
            "(true => any also next not wins(opponent)) also next (cell 2 2 x) also initial",
            "Make a move if you can; if possible one that does not lose at once; if possible one "
            "after which the centre is yours, and of these one such that no move was made yet.",
        ),
        (
            "cell(1,1,x) => {mark(1,3), mark(3,3)} also next wins(me)",
            "Take the top right corner or take the bottom right corner if the top left corner is "
            "yours; if possible one that wins at once, or the same turned or mirrored.",
        ),
    ],
)
def test_preferences_in_words(text: str, sentence: str) -> None:
    assert sentences(read_strategy(text, game(TTT)), "xplayer") == [sentence]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("true => any also middle drop.1", "4"),
        ("true => any also most drop.1", "1 7"),
        ("symmetric none\ntrue => any also most drop.1", "7"),
        ("symmetric none\ntrue => any also least drop.1", "1"),
        ("symmetric none\ntrue => {drop(1), drop(6)} also middle drop.1 also most drop.1", "6"),
        ("symmetric none\ntrue => {drop(2), drop(6)} also middle drop.1", "2 6"),
        ("symmetric none\ntrue => {drop(2), drop(6)} also middle drop.1 also least drop.1", "2"),
        ("middle drop.1", "4"),
        ("does(drop(1)) or does(drop(2)) also most drop.1", "2"),
        ("define central = middle drop.1\ntrue => any also central", "4"),
        ("true => any also false also middle drop.1", "4"),
        ("true => any also each J in {3, 4}: does(drop(J))", "3 5"),
    ],
)
def test_moves_are_compared_by_their_arguments(text: str, moves: str) -> None:
    found = read_strategy(text, game("connectfour")).moves(game("connectfour").initial(), "xplayer")
    assert " ".join(str(move.args[0]) for move in found) == moves


def test_values_that_are_no_numbers_are_ordered_by_a_successor_relation() -> None:
    sheet = """(role r) (init (at a)) (order c a) (order a b) (legal r (go a)) (legal r (go b))
    (legal r (go c)) (legal r rest) (<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at b)))
    (<= (goal r 100) (true (at b))) (<= (goal r 0) (true (at a)))"""
    here = CompiledGame(read(sheet))
    for text, move in (("most go.1", "b"), ("least go.1", "c"), ("middle go.1", "a")):
        assert [str(m) for m in read_strategy(text, here).moves(here.initial(), "r")] == [
            f"(go {move})"
        ]
    plain = CompiledGame(read(sheet.replace("(order c a) (order a b)", "")))
    with pytest.raises(StrategyError, match="neither numbers nor a successor relation"):
        read_strategy("most go.1", plain)


@pytest.mark.parametrize(
    ("text", "code"),
    [("most drop.2", "STR002"), ("most throw.1", "STR002"), ("middle drop.1, push.1", "STR011")],
)
def test_comparisons_of_what_is_not_there_are_errors(text: str, code: str) -> None:
    with pytest.raises(StrategyError) as caught:
        read_strategy(text, game("connectfour"))
    assert caught.value.diagnostic.code == code


def test_names_that_compare_elsewhere_can_be_names_of_a_game() -> None:
    here = CompiledGame(
        read("""(role r) (init (most a)) (init (least b)) (init middle) (legal r (go a))
        (legal r (go b)) (<= (next done) (does r (go ?x))) (<= terminal (true done))
        (<= (goal r 100) (true done))""")
    )
    strategy = read_strategy("(most a) & most(a) & least(b) & middle => any", here)
    assert len(strategy.moves(here.initial(), "r")) == 2


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("connectfour", "middle drop.1", "Of all moves, make one nearest the middle column."),
        (
            "connectfour",
            "least drop.1",
            "Of all moves, make one nearest column 1, or the same mirrored.",
        ),
        (
            "tictactoe",
            "middle mark.1, mark.2",
            "Of all moves, make one nearest the middle of the board.",
        ),
        (
            "nim:1,2",
            "most reduce.2",
            "Of all moves, make one with the largest second number.",
        ),
        ("hex:3", "middle place.2", "Of all moves, make one nearest the middle column."),
        (
            "hex:3",
            "middle place.1, place.2",
            "Of all moves, make one nearest the middle of the board.",
        ),
        (
            "knightthrough:6x5",
            "middle move.3",
            "Of all moves, make one that ends nearest the middle of all rows where moves end.",
        ),
        (
            "breakthrough:4x3",
            "middle move.4 also next not can(opponent, next wins(opponent))",
            "Of all moves, make one that ends nearest the middle column; if possible one after "
            "which it is not true that the opponent can move so that after the move the opponent "
            "has won.",
        ),
    ],
)
def test_comparisons_in_words(name: str, text: str, sentence: str) -> None:
    here = game(name)
    said = sentences(read_strategy(f"true => any also {text}", here), here.roles[0])
    assert said == [sentence]


@pytest.mark.parametrize(
    "name",
    [
        "connectfour",
        "tictactoe",
        "breakthrough:4x3",
        "knightthrough:6x5",
        "threemensmorris",
        "hex:3",
    ],
)
def test_every_phrase_for_a_comparison_is_read_back(name: str) -> None:
    here = scene_of(game(name), game(name).roles[0])
    known = comparisons(here)
    assert len(known) > 2
    for preference in known.values():
        text = say_preferences(here, [preference])
        read = read_preferences(here, f"Make a move if you can{text}.").preferences
        assert normal_preferences(read) == normal_preferences([preference])


def test_counting_is_written_as_it_is_read() -> None:
    for text in (
        "at least 2 of ((cell 1 1 x), (cell 1 2 x), next (cell 1 3 x) & initial) => any",
        "not at least 1 of (initial, initial) => any also at least 2 of (terminal, next initial)",
        "true => any also most of ((cell 1 1 x), next (cell 1 2 x)) also fewest of (initial)",
    ):
        (rule,) = read_strategy(text, game(TTT)).rules_for("xplayer")
        assert write_rule(rule.choices, rule.preferences) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("at least 1 R in row: cell(R,1,x)", "any R in row: cell(R,1,x)"),
        ("at least 3 R in row: cell(R,1,x)", "all R in row: cell(R,1,x)"),
        ("at least 0 R in row: cell(R,1,x)", "true"),
        ("at least 4 R in row: cell(R,1,x)", "false"),
        (
            "at least 2 R in 1..4: cell(R,1,x)",
            "at least 2 of (cell(1,1,x), cell(2,1,x), cell(3,1,x))",
        ),
        (
            "at least count(row) - 1 (R, C) in succ: next cell(R,C,x)",
            "next cell(1,2,x) & next cell(2,3,x)",
        ),
        ("at least 1 M in moves(me): legal(M)", "not terminal"),
    ],
)
def test_at_least_is_between_any_and_all(one: str, other: str) -> None:
    space = solution(TTT).space
    first, second = (
        read_strategy(f"symmetric none\n{condition} => any", game(TTT)).on(space, "xplayer")
        for condition in (one, other)
    )
    assert (first.chosen == second.chosen).all()


def test_bindings_in_a_definition_are_written_out() -> None:
    text = "define often(P) = most R in row: next cell(R,1,P)\ntrue => any also often(x)"
    (rule,) = read_strategy(text, game(TTT)).rules_for("xplayer")
    written = write_rule(rule.choices, rule.preferences)
    assert "most of (next (cell 1 1 x)" in written
    assert read_strategy(written, game(TTT)).rules_for("xplayer") == (rule,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("connectfour", "fewest M in moves(opponent): next legal(opponent, M)"),
        ("connectfour", "most M in moves(me): next next legal(me, M)"),
        ("breakthrough:6x6", "fewest M in moves(opponent): next legal(opponent, M)"),
        ("breakthrough:6x6", "most X in cell.1, Y in cell.2: next cell(X,Y,white)"),
    ],
)
def test_counts_are_compared_by_gates_in_large_games(name: str, text: str) -> None:
    here = game(name)
    strategy = read_strategy(f"symmetric none\ntrue => any also {text}", here)
    source, role = random.Random(3), here.roles[0]
    states: list[State] = []
    state = here.initial()
    while len(states) < 4 and not state.is_terminal:
        if len(state.legal(role)) > 1:
            states.append(state)
        joint = tuple(source.choice(state.legal(who)) for who in here.roles)
        state = here.successor(state.key, joint)
    assert len(states) > 1
    assert_gates_agree(strategy, role, states)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        (
            "connectfour",
            "fewest M in moves(opponent): next legal(opponent, M)",
            "Of all moves, make one that leaves the opponent the fewest moves.",
        ),
        (
            "connectfour",
            "most M in moves(me): next next legal(me, M)",
            "Of all moves, make one that leaves you the most moves after any reply.",
        ),
        (
            "breakthrough:4x3",
            "most X in cell.1, Y in cell.2: next cell(X,Y,white)",
            "Of all moves, make one after which the most cells are yours.",
        ),
        (
            TTT,
            "most R in row: next cell(R,1,x)",
            "Of all moves, make one best by «most R in row: next cell(R,1,x)», or the same turned "
            "or mirrored.",
        ),
    ],
)
def test_counts_in_words(name: str, text: str, sentence: str) -> None:
    here = game(name)
    said = sentences(read_strategy(f"true => any also {text}", here), here.roles[0])
    assert said == [sentence]


def test_too_many_ways_to_count_are_refused_in_the_situation_calculus() -> None:
    here = game("crossdot:3,2")
    few = read_strategy("at least 2 J in place: box(J, cross) => any", here)
    assert "fof(" in tptp_encoding(here, {"player1": few})
    many = read_strategy(
        "at least 9 J in place, K in place, L in 1..3: box(J,dot) | box(K,dot) | box(L,dot) => any",
        here,
    )
    with pytest.raises(InputError, match="too long for the Situation Calculus"):
        tptp_encoding(here, {"player1": many})


@pytest.mark.parametrize("text", ["most mark.1", "any M in moves(me): legal(M)"])
def test_moves_are_not_compared_where_they_are_not_known(text: str) -> None:
    with pytest.raises(StrategyError, match="known only where it is compiled"):
        read_strategy(text, ReferenceGame(game(TTT).sheet))
