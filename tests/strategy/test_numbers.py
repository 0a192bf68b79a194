"""Numbers of a state in strategies: what they are, in every evaluator, and in words."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.strategy.agreement import answers
from tests.strategy.dominoes import domino_sheet
from tests.strategy.heaps import heap_sheet
from tests.strategy.test_encodings import complying

from kibitz.engine import CompiledGame, State
from kibitz.english import say_rule, scene_of
from kibitz.english.rules.sentence_reader import read_back
from kibitz.english.rules.sentence_writer import plain_rule
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
from kibitz.gdl import parse, parse_terms
from kibitz.policy import compile_strategy, moves_by_gates
from kibitz.solve import Solution, solve
from kibitz.space import explore
from kibitz.strategy import (
    numbers_of_values,
    read_strategy,
    verify,
    verify_by_reference,
    write_rule,
)
from kibitz.strategy.encodings import asp_encoding, tptp_encoding


@cache
def solved(downwards: bool = False) -> Solution:
    return solve(explore(CompiledGame(heap_sheet((2, 3), downwards=downwards))))


def sizes(state: State) -> dict[str, int]:
    """Read the heaps by hand: their letters are o, b, c, d."""
    found = {}
    for fluent in state.fluents:
        if fluent.name == "stock":
            found[str(fluent.args[1])] = "obcd".index(str(fluent.args[0]))
    return found


BY_HAND: dict[str, Callable[[int, int], bool]] = {
    "sum(stock.1) = 3": lambda p, q: p + q == 3,
    "nimsum(stock.1) = 0": lambda p, q: p == q,
    "stock.1 % 2 = 1": lambda p, q: (p + q) % 2 == 1,
    "largest(stock.1) >= 2": lambda p, q: max(p, q) >= 2,
    "smallest(stock.1) < 1": lambda p, q: min(p, q) < 1,
    "count(stock(o, _)) != 1": lambda p, q: (p == 0) + (q == 0) != 1,
    "number(stock(_, p)) > number(stock(_, q))": lambda p, q: p > q,
    "distance(number(stock(_, p)), number(stock(_, q))) <= 1": lambda p, q: abs(p - q) <= 1,
    "xor(number(stock(_, p)), number(stock(_, q)), 1) = 0": lambda p, q: p ^ q == 1,
    "number(stock(_, p)) - 2 * number(stock(_, q)) < 0": lambda p, q: p - 2 * q < 0,
    "(number(stock(_, p)) - 5) % 3 = 1": lambda p, q: (p - 5) % 3 == 1,
    "nimsum(stock.1 % 2) = 1": lambda p, q: p % 2 ^ q % 2 == 1,
    "nimsum(table(stock.1, 0, 2, 3)) = 1": lambda p, q: {p % 3, q % 3} == {1, 2},
    "smallest(stock.1) = entry(distance(number(stock(_, p)), number(stock(_, q))), 0, 1)": (
        lambda p, q: min(p, q) == {0: 0, 1: 1}.get(abs(p - q), -1)
    ),
    "runs(stock(_, p), 0, 1, 0, 2, 3) = 1": lambda p, q: True,
    "nimsum(3 * (stock b p), 1 * (stock c q)) = 2": lambda p, q: 3 * (p == 1) ^ (q == 2) == 2,
}


@pytest.mark.parametrize("downwards", [False, True])
@pytest.mark.parametrize("text", BY_HAND)
def test_a_number_is_what_counting_by_hand_gives(text: str, downwards: bool) -> None:
    solution = solved(downwards)
    game = solution.space.game
    strategy = read_strategy(f"symmetric none\n{text} => any", game)
    allowed = strategy.on(solution.space, "ann")
    for number in range(len(solution.space)):
        state = solution.space.state(number)
        if state.is_terminal or "(mover ann)" not in map(str, state.fluents):
            continue
        held = sizes(state)
        expected = BY_HAND[text](held["p"], held["q"])
        assert bool(strategy.moves(state, "ann")) == bool(allowed.moves(number)) == expected


NUMBERS = st.sampled_from(
    ["sum(stock.1)", "nimsum(stock.1)", "largest(stock.1)", "smallest(stock.1)", "stock.1"]
)
TERMS = st.one_of(
    NUMBERS,
    st.builds("{} % {}".format, NUMBERS, st.integers(1, 4)),
    st.builds("({} - {})".format, NUMBERS, NUMBERS),
    st.builds("entry({} - {}, 1, 0, 3)".format, NUMBERS, NUMBERS),
    st.builds("distance({}, 2 * {})".format, NUMBERS, NUMBERS),
    st.builds("xor({}, {})".format, NUMBERS, NUMBERS),
)
FORMULAS = st.builds(
    "{} {} {}".format, TERMS, st.sampled_from(["=", "!=", "<", ">="]), st.integers(-1, 3)
)


@given(formula=FORMULAS, ahead=st.booleans())
@examples(40)
def test_all_evaluators_agree_about_numbers(formula: str, ahead: bool) -> None:
    solution = solved()
    game = solution.space.game
    text = f"symmetric none\n{'next ' if ahead else ''}({formula}) => any"
    strategy = read_strategy(text, game)
    again = read_strategy(
        f"symmetric none\n{write_rule(strategy.rules_for('ann')[0].choices)}", game
    )
    assert again.rules_for("ann")[0].choices == strategy.rules_for("ann")[0].choices
    verdict, other = verify(strategy, solution, "ann"), verify_by_reference(strategy, "ann")
    assert verdict.as_json() == other.as_json()
    chosen = strategy.on(solution.space, "ann")
    policy = compile_strategy(strategy, "ann")
    source = random.Random(formula)
    for number in source.sample(range(len(solution.space)), 8):
        state = solution.space.state(number)
        if len(state.legal("ann")) > 1 and not state.is_terminal:
            (allowed,) = moves_by_gates(policy, [state])
            here = chosen.moves(number)
            assert set(here) == set(strategy.moves(state, "ann"))
            assert set(allowed) == set(here or state.legal("ann"))


@pytest.mark.parametrize(
    "text",
    [
        "next nimsum(stock.1) = 0 => any",
        "stock.1 % 2 = 1 => any",
        "largest(stock.1) > 2 and next smallest(stock.1) = 0 => any",
        "next entry(stock.1 - 1, 1, 2) = 2 => any",
        "entry(stock.1 - 1, 1, 2) = -1 => any",
        "next runs(stock(_, q), 0, 2, 1, 3) = 2 => any",
        "previous (distance(number(stock(_, p)), 1) = 1) => any",
    ],
)
def test_encodings_have_the_numbers(text: str) -> None:
    game = CompiledGame(heap_sheet((1, 2)))
    strategies = {"ann": read_strategy(f"symmetric none\n{text}", game)}
    expected = complying(game, strategies, "any")
    assert answers(game, asp_encoding(game, strategies)) == expected
    if "previous" not in text:
        assert "number_" in tptp_encoding(game, strategies)


@pytest.mark.parametrize("text", [*BY_HAND, "next stock.1 % 4 = 0", "next nimsum(stock.1 % 3) = 1"])
def test_sentences_about_numbers_are_read_back(text: str) -> None:
    game = solved().space.game
    scene = scene_of(game, "ann")
    (rule,) = read_strategy(f"symmetric none\n{text} => any", game).rules_for("ann")
    sentence = say_rule(scene, rule, symmetric=False)
    plain = plain_rule(rule)
    assert plain is not None
    assert read_back(scene, sentence) == {replace(plain, moves=scene.named_moves(plain.moves))}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "chomp:2x3",
            "next count((cell 1 _ choc)) - count((cell 2 _ choc)) = 1",
            "Leave 1 more choc in row 1 than choc in row 2 if you can.",
        ),
        (
            "kayles:3",
            "next runs((pin _ up), 0, 1, 2, 3) = 0",
            "Leave runs of pins that are up with nim-sum 0, where runs of 0, 1, 2, … count 0-1-2-3 "
            "if you can.",
        ),
        (
            "nim:1,2",
            "next largest(heap.2) < 2 and next nimsum(heap.2) = 1",
            "Leave only heaps of one, and an odd number of them if you can.",
        ),
        (
            "nim:1,2",
            "next smallest(heap.2) = entry(distance(number((heap a _)), number((heap b _))), 0, 1)",
            "Leave one of the pairs 0/0, 1/2 of heaps in heap a and heap b if you can.",
        ),
        (
            "nim:1,2",
            "next (heap.2 % 7 = 0 or heap.2 % 7 = 2)",
            "Leave a multiple of 7 or 2 more than a multiple of 7 in heap if you can.",
        ),
        (
            "chomp:3x3",
            "next unchanged(diagonal)",
            "Leave a position that looks the same after a reflection in a diagonal if you can.",
        ),
    ],
)
def test_a_teachers_words_are_read_back(name: str, text: str, expected: str) -> None:
    game = CompiledGame(load_sheet(name))
    scene = scene_of(game, "player1")
    (rule,) = read_strategy(f"symmetric none\n{text} => any", game).rules_for("player1")
    sentence = say_rule(scene, rule, symmetric=False)
    assert sentence == expected
    plain = plain_rule(rule)
    assert plain is not None
    assert read_back(scene, sentence) == {replace(plain, moves=scene.named_moves(plain.moves))}


def test_what_a_move_leaves_is_said_shortly() -> None:
    game = solved().space.game
    scene = scene_of(game, "ann")
    said = []
    for text in ("next stock.1 % 4 = 0", "next nimsum(stock.1) = 0", "next sum(stock.1) % 3 = 2"):
        (rule,) = read_strategy(f"symmetric none\n{text} => any", game).rules_for("ann")
        said.append(say_rule(scene, rule, symmetric=False))
    assert said == [
        "Leave a multiple of 4 in stock if you can.",
        "Leave stocks with nim-sum 0 if you can.",
        "Leave numbers in stock with sum 2 more than a multiple of 3 if you can.",
    ]


def test_a_symmetry_that_keeps_the_heaps_keeps_their_number() -> None:
    game = CompiledGame(heap_sheet((2, 2)))
    strategy = read_strategy("next nimsum(stock.1) = 0 => any", game)
    assert verify(strategy, solve(explore(game)), "bob").strongly_optimal


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("stock.2 = 1 => any", "STR011"),
        ("stock.7 = 1 => any", "STR002"),
        ("stock.1 % 0 = 1 => any", "STR004"),
        ("sum(stock(_, _)) = 1 => any", "STR004"),
        ("sum(heap(_, p)) = 1 => any", "STR002"),
    ],
)
def test_what_is_no_number_is_refused(text: str, code: str) -> None:
    with pytest.raises(StrategyError) as caught:
        read_strategy(text, solved().space.game).rules_for("ann")
    assert caught.value.diagnostic.code == code


def test_all_evaluators_agree_about_positions_that_are_their_own_images() -> None:
    game = CompiledGame(domino_sheet(2, 3))
    solution = solve(explore(game))
    for text in ("next unchanged(half_turn) => any", "not unchanged(left_right) => any"):
        strategy = read_strategy(f"symmetric none\n{text}", game)
        (rule,) = strategy.rules_for("eve")
        assert write_rule(rule.choices) == text
        verdict = verify(strategy, solution, "eve")
        assert verdict.literals == 1
        assert verdict.as_json() == verify_by_reference(strategy, "eve").as_json()
        assert answers(game, asp_encoding(game, {"eve": strategy})) == complying(
            game, {"eve": strategy}, "any"
        )
        assert "<=>" in tptp_encoding(game, {"eve": strategy})
        policy = compile_strategy(strategy, "eve")
        chosen = strategy.on(solution.space, "eve")
        for number in range(len(solution.space)):
            state = solution.space.state(number)
            if not state.is_terminal and len(state.legal("eve")) > 1:
                here = chosen.moves(number)
                assert set(here) == set(strategy.moves(state, "eve"))
                (allowed,) = moves_by_gates(policy, [state])
                assert set(allowed) == set(here or state.legal("eve"))


def test_the_images_of_a_symmetric_position_are_written_and_read() -> None:
    game = CompiledGame(domino_sheet(2, 2))
    strategy = read_strategy("symmetric any\nnext unchanged(diagonal) => any", game)
    assert verify(strategy, solve(explore(game)), "dan").strongly_optimal is not None
    with pytest.raises(StrategyError, match="no symmetry of its board called quarter"):
        read_strategy("next unchanged(quarter) => any", game).rules_for("dan")


def test_english_words_are_numbers_also_where_play_begins_at_zero() -> None:
    words = parse_terms("zero one twenty twentyone thirty_two")
    numbers = numbers_of_values(words, parse("(init (said zero))"))
    assert numbers is not None
    assert list(map(numbers.__getitem__, words)) == [0, 1, 20, 21, 32]
