"""Rules with variables are told in words that mean exactly them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.english.test_sentences import scene

from kibitz.engine import Move
from kibitz.engine.compiled.game import CompiledGame
from kibitz.english import (
    Lexicon,
    PlainRule,
    Scene,
    instances_of,
    plain_rule,
    read_back,
    read_instances,
    say_rule,
    sentences,
)
from kibitz.english.rules.formula_phrases import parts_of
from kibitz.english.rules.formulas import read_condition, say_condition
from kibitz.english.rules.sentence_writer import plain_parts
from kibitz.english.rules.spots import Naming, symbolic
from kibitz.english.sidecar_files import files_beside, use_files_beside
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.space import StateSpace, explore
from kibitz.strategy import Strategy, read_strategy
from kibitz.strategy.tree import Formula, Holds, Not


def told(name: str, role: str, text: str) -> list[str]:
    here = scene(name, role)
    return sentences(read_strategy(text, here.game), role)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("any H in heap.1: heap(H, 1) => reduce(H, 0)", "Reduce a heap to 0 if it has 1."),
        (
            "any H in heap.1, G in heap.1, N in heap.2: H != G & heap(G, N) => reduce(H, N)",
            "Reduce a heap to N if another heap has N, for any number N.",
        ),
        (
            "any H in heap.1, G in heap.1: heap(G, 1) => reduce(H, 0)",
            "Reduce heap A to 0 if heap B has 1, for any heaps A and B.",
        ),
        (
            "any A, B, C in heap.1: false => reduce(a, 0)".replace(
                "A, B, C in heap.1", "A in heap.1"
            ),
            "Follow «any A in heap.1: false => reduce(a, 0)».",
        ),
        (
            "any H in heap.1, G in heap.1: H != G & heap(G, 1) & not heap(H, 2) => reduce(H, 0)",
            "Reduce a heap to 0 if it does not have 2 and another heap has 1.",
        ),
        (
            "any H in heap.1, N in heap.2: next wins(me) => reduce(H, N)",
            "Win at once if you can.",
        ),
        (
            "any H in heap.1, N in heap.2: next (any G in heap.1: heap(G, 2)) => reduce(H, N)",
            "Make a move after which some heap has 2 if you can.",
        ),
    ],
)
def test_heaps_are_told_apart_by_ordinals_and_capitals(rule: str, sentence: str) -> None:
    assert told("nim:1,3,5", "player2", rule) == [sentence]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("any R in 1..3, C in 1..3: cell(R,C,b) => mark(R,C)", "Take a cell if it is empty."),
        (
            "any R in 1..3: cell(R,1,x) & cell(R,2,x) => mark(R,3)",
            "Take column 3 of a row if column 1 of the same row and column 2 of the same row are "
            "yours.",
        ),
        (
            "any R in 1..3, C in 2..3: cell(R,C-1,o) => mark(R,C)",
            "Take a cell if the cell to the left of it is the opponent's.",
        ),
        (
            "any R in 1..3, C in 1..3, D in 1..3: C != D & cell(R,D,o) => mark(R,C)",
            "Take a cell if another cell in its row is the opponent's.",
        ),
    ],
)
def test_cells_are_told_by_how_they_lie(rule: str, sentence: str) -> None:
    assert told("tictactoe", "xplayer", f"symmetric none\n{rule}") == [sentence]


def test_with_symmetry_the_cell_beside_is_any_cell_next_to_it() -> None:
    rule = "any R in 1..3, C in 2..3: cell(R,C-1,o) => mark(R,C)"
    line = "Take a cell if a cell next to it is the opponent's."
    assert told("tictactoe", "xplayer", rule) == [line]


NAMES = {"nim:1,2,2": "player1", "tictactoe": "xplayer", "kayles:5": "player1"}


@st.composite
def lifted(draw: st.DrawFn, name: str) -> str:
    """Write a rule with two or three variables, some of them different."""
    signs = st.sampled_from(["", "not "])
    if name.startswith("nim"):
        terms = [
            f"heap({v}, {draw(st.sampled_from('012N'))})"
            for v in draw(st.sampled_from(["H", "HG", "GH", "GK"]))
        ]
        move = f"reduce(H, {draw(st.sampled_from('01N'))})"
        domains = "H in heap.1, G in heap.1, K in heap.1, N in heap.2"
        apart = draw(st.sampled_from(["", "H != G and ", "H != G and G != K and H != K and "]))
    elif name == "tictactoe":
        spots = ["R,C", "R,D", "S,C", "S,D", "2,C", "R,3", "R-1,C", "R,C+1", "R+1,C-1"]
        chosen = draw(st.lists(st.sampled_from(spots), min_size=1, max_size=2, unique=True))
        terms = [f"cell({spot},{draw(st.sampled_from('xob'))})" for spot in chosen]
        move, domains = "mark(R,C)", "R in 1..3, C in 1..3, S in 1..3, D in 1..3"
        apart = draw(st.sampled_from(["", "R != S and C != D and ", "C != D and "]))
    else:
        terms = [f"pin({v}, {draw(st.sampled_from(['up', 'down']))})" for v in ("J", "J+1")]
        move, domains, apart = "single(J)", "J in 1..5", ""
    parts = " and ".join(draw(signs) + term for term in terms)
    symmetry = draw(st.sampled_from(["any", "none"]))
    return f"symmetric {symmetry}\nany {domains}: {apart}{parts} => {move}"


@pytest.mark.parametrize("name", NAMES)
@examples(30)
@given(data=st.data())
def test_a_sentence_with_variables_means_exactly_the_rule(name: str, data: st.DataObject) -> None:
    here = scene(name, NAMES[name])
    strategy = read_strategy(data.draw(lifted(name)), here.game)
    for rule in strategy.rules_for(here.role):
        symmetric = strategy.symmetry != "none"
        line = say_rule(here, rule, symmetric=symmetric)
        if line.startswith("Follow «") or not rule.choices:
            continue
        plain = (PlainRule(*plain_parts(parts_of(c)), frozenset(m)) for c, m in rule.choices)
        images = (here.images(each) if symmetric else {each} for each in plain)
        assert read_instances(here, line) == instances_of(i for g in images for i in g), line
        _plays_alike(name, here, strategy, line)


@cache
def space_of(name: str) -> StateSpace:
    return explore(scene(name, NAMES[name]).game)


def _plays_alike(name: str, here: Scene, strategy: Strategy, line: str) -> None:
    """Look at states: what the sentence allows is what the strategy allows."""
    space = space_of(name)
    meant = read_instances(here, line)
    for number in range(0, len(space), max(1, len(space) // 12)):
        state = space.state(number)
        if state.is_terminal or len(state.legal(here.role)) < 2:
            continue
        held = frozenset(state.fluents)
        allowed = {
            move
            for parts, move in meant
            if move in state.legal(here.role) and all(_holds(part, held) for part in parts)
        }
        assert allowed == set(strategy.moves(state, here.role)), line


def _holds(part: Formula, held: frozenset[Move]) -> bool:
    if isinstance(part, Not):
        return not _holds(part.formula, held)
    assert isinstance(part, Holds)
    return part.fluent in held


@st.composite
def formulas(draw: st.DrawFn) -> str:
    """Write a formula about tic-tac-toe, of any kind."""
    leaf = st.sampled_from(
        [
            *(f"cell({r},{c},{p})" for r in "13" for c in "12" for p in "xob"),
            "control(oplayer)",
            "decided",
            "terminal",
            "initial",
            "wins(me)",
            "turn(opponent)",
            "goal(me) > 50",
            "legal(opponent, mark(1,2))",
        ]
    )
    return draw(
        st.recursive(
            leaf,
            lambda inner: st.one_of(
                inner.map(lambda f: f"not ({f})"),
                inner.map(lambda f: f"next ({f})"),
                inner.map(lambda f: f"can(opponent, {f})"),
                st.tuples(inner, inner).map(lambda fs: f"({fs[0]}) and ({fs[1]})"),
                st.tuples(inner, inner, inner).map(lambda fs: " or ".join(f"({f})" for f in fs)),
            ),
            max_leaves=6,
        )
    )


@examples(60)
@given(text=formulas())
def test_any_formula_is_said_and_heard_again(text: str) -> None:
    here = scene("tictactoe", "xplayer")
    for formula in here.read_formula(text):
        line = say_condition(Naming(here, 0), symbolic(here, formula))
        assert read_condition(here, line) == formula, line


def test_relations_have_words_from_a_lexicon() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    here = Scene(game, "xplayer", Lexicon(relations={"decided": "somebody has a line"}))
    (rule,) = read_strategy("not decided => (mark 2 2)", game).rules_for("xplayer")
    line = say_rule(here, rule, symmetric=False)
    assert line == "Take the centre if it is not true that somebody has a line."
    plain = plain_rule(rule)
    assert plain is not None
    assert read_back(here, line) == {plain}


def test_files_beside_a_rule_sheet_are_used_in_one_place(tmp_path: Path) -> None:
    rules = tmp_path / "mine.kif"
    rules.write_text(load_sheet("tictactoe").source.text)
    (tmp_path / "mine.words.toml").write_text('[moves]\nmark = "sign {1}"\n')
    assert [path.name for path in files_beside(rules)] == ["mine.words.toml"]
    game = CompiledGame(read(rules.read_text(), name=str(rules)))
    use_files_beside(game, rules)
    assert sentences(read_strategy("true => (mark 2 2)", game), "xplayer") == [
        "Sign the centre if you can."
    ]
