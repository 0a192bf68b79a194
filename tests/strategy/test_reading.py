"""Strategies are read as they are meant, and errors say where they are and what to do."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.strategy.made import game, solution

from kibitz.errors import Source, StrategyError
from kibitz.gdl import Function
from kibitz.lazy import PARSING
from kibitz.strategy import read_strategy, rule_list
from kibitz.strategy.syntax import grammar
from kibitz.strategy.syntax.grammar import MOST_NESTED

TTT = "tictactoe"


def code_of(text: str, name: str = TTT) -> tuple[str, str, str]:
    with pytest.raises(StrategyError) as caught:
        read_strategy(text, game(name))
    diagnostic = caught.value.diagnostic
    shown = text[diagnostic.place.start : diagnostic.place.end]
    return diagnostic.code, shown, diagnostic.hint


@pytest.mark.parametrize(
    ("words", "symbols"),
    [
        ("cell(1,1,x) and not cell(2,2,o)", "(cell 1 1 x) ∧ ¬(cell 2 2 o)"),
        ("cell(1,1,x) or cell(2,2,o)", "(cell 1 1 x) | cell(2,2,o)"),
        ("terminal implies wins(me)", "terminal ⊃ wins(i)"),
        ("terminal implies wins(opponent)", "terminal -> wins(-i)"),
        ("initial iff terminal", "init ≡ terminal"),
        ("next next wins(xplayer)", "○○wins(xplayer)"),
        ("true else false else true", "⊤ ∇ ⊥ ∇ true"),
        ("true also false", "true ∆ false"),
        ("does(mark(1,1))", "does(me, (mark 1 1))"),
        ("(true (cell 1 1 x))", "true(cell(1,1,x))"),
        ("goal(me) >= 50", "goal(xplayer) ≥ 50"),
        ("previous does(mark(1,1))", "○⁻¹does(mark(1,1))"),
        ("true => mark(1,1)\nfalse => mark(2,2)", "true ⇒ (mark 1 1) | ⊥ => (mark 2 2)"),
        ("true => mark(1,1) # why not\n\n", "true\n  => mark(1,1)"),
        ("all R in row: cell(R,1,x)", "cell(1,1,x) & cell(2,1,x) & cell(3,1,x)"),
        ("any R in 1..2: cell(R,1,x)", "cell(1,1,x) || cell(2,1,x)"),
        ("any S in {x, o}: cell(1,1,S)", "cell(1,1,x) or cell(1,1,o)"),
        ("any R in cell.1: cell(R,1,x)", "any R in row: cell(R,1,x)"),
        ("any R in row, C in column: succ(R,C) and cell(R,C,x)", "cell(1,2,x) or cell(2,3,x)"),
        ("any (R,C) in succ: cell(R,C,x)", "cell(1,2,x) or cell(2,3,x)"),
        ("any R in row: R > 2 and cell(R,R,x)", "cell(3,3,x)"),
        ("any R in row: cell(R+1,1,x)", "cell(2,1,x) or cell(3,1,x)"),
        ("also each C in max(row)..2: cell(1,C,x)", "cell(1,3,x) also cell(1,2,x)"),
        ("let n = count(row)\ncell(n,n,x)", "cell(3,3,x)"),
        ("define p(r) = cell(r,1,x)\ndefine q = p(1) and p(2)\nq", "cell(1,1,x) & cell(2,1,x)"),
        ("'cell'(1,1,x)", "cell(1,1,x)"),
        ("sign(me, x)", "role(xplayer)"),
        ("can(next wins(me))", "can(me,\n next wins(me))"),
        ("can(-i, next wins(-i))", "can(opponent, (next wins(opponent)))"),
        ("next can(any R in row: does(mark(R,1)))", "next can(me, any R in row: does(mark(R,1)))"),
    ],
)  # fmt: skip
def test_two_ways_to_write_the_same(words: str, symbols: str) -> None:
    one, other = (dict(read_strategy(text, game(TTT)).plans) for text in (words, symbols))
    assert one["xplayer"] == other["xplayer"]


@pytest.mark.parametrize(
    ("text", "code", "shown", "hint"),
    [
        ("cell(1,1,x) and", "STR001", "d", "a formula"),
        ("true => mark(1,1) true", "STR001", "true", ""),
        ("%", "STR001", "%", ""),
        ("((true)", "STR001", ")", "close the bracket"),
        ("cel(1,1,x)", "STR002", "cel(1,1,x)", "did you mean cell"),
        ("cell(1,4,x)", "STR002", "cell(1,4,x)", "did you mean (cell 1 3 x)"),
        ("true => mrk(1,1)", "STR002", "mrk(1,1)", "did you mean (mark 1 1)"),
        ("mark(1,1)", "STR002", "mark(1,1)", "mark is a move"),
        ("any R in rows: true", "STR002", "rows", "did you mean row"),
        ("wins(xplaier)", "STR003", "xplaier", "did you mean xplayer"),
        ("goal(me) >= x", "STR004", "x", ""),
        ("any R in row: R", "STR004", "R", ""),
        ("cell(1,x)", "STR005", "cell(1,x)", ""),
        ("define p(a) = true\np(1,2)", "STR005", "p(1,2)", ""),
        ("previous can(terminal)", "STR006", "previous can(terminal)", ""),
        ("can(previous terminal)", "STR006", "can(previous terminal)", ""),
        ("can(nobody, terminal)", "STR003", "nobody", "roles"),
        ("not (true else false)", "STR006", "true else false", "or and and"),
        ("terminal and (true => mark(1,1))", "STR006", "true => mark(1,1)", "does(MOVE)"),
        ("define p = q\ndefine q = p\np", "STR007", "p", ""),
        ("each R in row: true", "STR007", "each R in row: true", "also each"),
        ("symmetric any\nterminal", "STR008", "symmetric any", "rules"),
        ("marked(1,1)", "STR009", "marked(1,1)", "does"),
        ("any R in open: true", "STR009", "open", ""),
        ("any A in 1..400000: A = 1", "STR010", "1..400000", ""),
        pytest.param(
            "any A in 1..200000: any B in 1..200000: A = B", "STR010", "", "fewer",
            marks=pytest.mark.slow,
        ),
    ],
)  # fmt: skip
def test_an_error_says_where_it_is_and_what_to_do(
    text: str, code: str, shown: str, hint: str
) -> None:
    found = code_of(text)
    assert found[0] == code
    assert found[1] == (shown or found[1])
    assert hint in found[2]


def test_brackets_too_deep_and_texts_too_long_are_refused() -> None:
    deep = "(" * (MOST_NESTED + 1) + "true" + ")" * (MOST_NESTED + 1)
    assert code_of(deep)[0] == "STR001"
    assert code_of("not " * 5_000 + "true")[0] == "STR001"
    assert code_of("true or " * 50_000 + "true")[0] == "STR001"


def test_a_name_of_the_game_goes_before_me() -> None:
    from kibitz.engine.compiled.game import CompiledGame
    from kibitz.gdl import read

    sheet = read("""(role me) (role you) (init s) (legal me a) (legal you a)
    (<= (next t) (does me a)) (<= terminal (true t)) (<= (goal me 100) (true t))
    (<= (goal you 0) (true t))""")
    strategy = read_strategy("wins(me)", CompiledGame(sheet))
    plans = dict(strategy.plans)
    assert plans["me"] == plans["you"]


def test_opponent_needs_two_roles() -> None:
    assert code_of("wins(opponent)", "eightpuzzle")[0] == "STR003"


def test_a_block_is_used_as_it_is_and_its_rules_are_locked() -> None:
    text = """block centre {
        true => mark(2,2)
    }
    centre
    true => mark(1,1)"""
    rules = read_strategy(text, game(TTT)).rules
    assert [(rule.name, rule.is_locked) for rule in rules] == [("centre", True), ("", False)]


def test_symmetry_is_any_for_rule_lists_and_none_for_others() -> None:
    assert read_strategy("true => mark(1,1)", game(TTT)).symmetry == "any"
    assert read_strategy("symmetric first\ntrue => mark(1,1)", game(TTT)).symmetry == "first"
    assert read_strategy("terminal", game(TTT)).symmetry == "none"


FLUENTS = sorted(
    {f for s in range(0, 5478, 97) for f in solution(TTT).space.state(s).fluents}, key=str
)
MOVES = sorted(game(TTT).initial().legal("xplayer"), key=str)
rules = st.tuples(
    st.lists(st.tuples(st.sampled_from(FLUENTS), st.booleans()), max_size=4),
    st.lists(st.sampled_from(MOVES), min_size=1, max_size=3),
)


@given(st.lists(rules, min_size=1, max_size=5), st.sampled_from(["any", "first", "none"]))
@examples(50)
def test_a_rule_list_is_written_and_read_again(
    parts: list[tuple[list[tuple[Function, bool]], list[Function]]], symmetry: str
) -> None:
    strategy = rule_list(parts, game=game(TTT), symmetry=symmetry)
    assert strategy.text.count("=>") == len(parts) == len(strategy.rules)
    assert read_strategy(strategy.text, game(TTT)) == strategy


def test_the_grammar_is_read_by_one_thread_at_a_time() -> None:
    """Python 3.11 fails by chance where two threads are in `ast.parse`, which Lark uses."""
    grammar._parser.cache_clear()
    reader = threading.Thread(target=grammar.parse, args=(Source("true => any", "mine"),))
    with PARSING:
        reader.start()
        reader.join(0.2)
        assert reader.is_alive()
        assert not grammar._parser.cache_info().currsize
    reader.join()
    assert grammar._parser.cache_info().currsize == 1
