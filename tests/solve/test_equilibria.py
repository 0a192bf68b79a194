"""Equilibria of first choices beside what trying all mixes on a grid shows; what roles can hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine import CompiledGame
from kibitz.gdl import parse
from kibitz.present import StudyOptions
from kibitz.present.explanation.study import Study
from kibitz.present.explanation.value_sentences import choice_sentences
from kibitz.solve import Mix, Stage, first_stage, goals_held, round_stage
from kibitz.solve.equilibria import _table
from kibitz.space import explore

TABLES = st.lists(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=2),
    min_size=2,
    max_size=3,
)


def gains(stage: Stage, mix: Mix) -> bool:
    """Return whether a role gains by another move, by the definition of an equilibrium."""
    for role in (0, 1):
        other = mix.chances[1 - role]
        for move in range(len(stage.moves[role])):
            pays = sum(stage.pays(role, move, o) * chance for o, chance in enumerate(other))
            if pays > mix.payoff[role]:
                return True
    return False


@given(TABLES)
@examples(60)
def test_no_role_gains_by_leaving_an_equilibrium(payoffs: list[list[tuple[int, int]]]) -> None:
    stage = _table(payoffs)
    found = [*stage.pure_equilibria(), *stage.mixed_equilibria()]
    for mix in found:
        assert all(sum(row) == 1 and min(row) >= 0 for row in mix.chances)
        assert not gains(stage, mix)
    # Pure ones are all there.
    rows, columns = (range(len(moves)) for moves in stage.moves)
    pure = {mix.chances for mix in stage.pure_equilibria()}
    for r, c in product(rows, columns):
        chances = (
            tuple(Fraction(int(r == other)) for other in rows),
            tuple(Fraction(int(c == other)) for other in columns),
        )
        assert (chances in pure) == (not gains(stage, Mix(chances, stage.payoffs[r][c])))


@given(TABLES)
@examples(40)
def test_a_dominated_move_is_in_no_equilibrium(payoffs: list[list[tuple[int, int]]]) -> None:
    stage = _table(payoffs)
    for role, worse, _ in stage.dominated():
        side = stage.roles.index(role)
        place = stage.moves[side].index(worse)
        for mix in [*stage.pure_equilibria(), *stage.mixed_equilibria()]:
            assert mix.chances[side][place] == 0


DILEMMA = """
(role kim) (role lee) (init start)
(<= (legal ?r silent) (role ?r) (true start))
(<= (legal ?r confess) (role ?r) (true start))
(<= (next (said ?r ?m)) (does ?r ?m))
(<= terminal (not (true start)))
(pays silent silent 60) (pays silent confess 0) (pays confess silent 100) (pays confess confess 20)
(<= (goal kim ?n) (true (said kim ?a)) (true (said lee ?b)) (pays ?a ?b ?n))
(<= (goal lee ?n) (true (said kim ?a)) (true (said lee ?b)) (pays ?b ?a ?n))
(<= (goal ?r 0) (role ?r) (true start))
"""


def test_a_dilemma_is_explained_with_its_dominated_moves() -> None:
    sheet = parse(DILEMMA, name="dilemma")
    stage = first_stage(explore(CompiledGame(sheet)))
    assert stage is not None
    assert [(role, str(worse)) for role, worse, _ in stage.dominated()] == [
        ("kim", "silent"),
        ("lee", "silent"),
    ]
    study = Study(sheet, StudyOptions())
    study.run()
    said = " ".join(study.known.worth)
    assert "silent against confess 0 and 100" in said
    assert "Kim never gains by silent as the first choice: confess pays more" in said
    assert "Kim confess, Lee confess, which pays 20 and 20" in said
    assert "Kim 20 and Lee 20" in said


THREE = """
(role a) (role b) (role c) (init (turn a))
(<= (legal ?r (give ?x)) (true (turn ?r)) (role ?x) (distinct ?x ?r))
(<= (legal ?r idle) (role ?r) (not (true (turn ?r))))
(<= (next (turn b)) (true (turn a)))
(<= (next (turn c)) (true (turn b)))
(<= (next (turn none)) (true (turn c)))
(<= (next (gave ?r ?x)) (does ?r (give ?x)))
(<= (next (gave ?r ?x)) (true (gave ?r ?x)))
(<= terminal (true (turn none)))
(<= (twice ?x) (true (gave ?r ?x)) (true (gave ?s ?x)) (distinct ?r ?s))
(<= (goal ?x 100) (role ?x) (twice ?x))
(<= (goal ?x 0) (role ?x) (not (twice ?x)))
"""


def test_three_roles_hold_little_and_max_n_is_said_to_be_no_more() -> None:
    sheet = parse(THREE, name="three")
    assert goals_held(explore(CompiledGame(sheet))) == {"a": 0, "b": 0, "c": 0}
    study = Study(sheet, StudyOptions())
    study.run()
    said = " ".join(study.known.worth)
    assert "it is no guarantee" in said
    assert "One line of such play: (give " in said
    assert "Whatever the others do, each can hold at least this" in said


@pytest.mark.parametrize("goal", [0, 40])
def test_what_is_held_is_the_worst_reply_to_the_best_move(goal: int) -> None:
    text = DILEMMA.replace("(pays silent confess 0)", f"(pays silent confess {goal})")
    held = goals_held(explore(CompiledGame(parse(text, name="dilemma"))))
    assert held == {"kim": max(20, goal), "lee": max(20, goal)}


def repeated_chicken(rounds: int, *, last_is_double: bool = False) -> CompiledGame:
    """Write a game of chicken whose rounds add up, or of which the last one counts twice."""
    pays = {("go", "go"): (0, 0), ("go", "stop"): (3, 1), ("stop", "go"): (1, 3),
            ("stop", "stop"): (2, 2)}  # fmt: skip
    facts = [f"(then {n} {n + 1})" for n in range(rounds)]
    facts += [f"(pays {a} {b} {x} {y})" for (a, b), (x, y) in pays.items()]
    facts += [f"(sum {a} {b} {a + b})" for a in range(7 * rounds) for b in range(7)]
    facts += [f"(goes {n} {k} {k * (1 + (last_is_double and n == rounds - 1))})"
              for n in range(rounds) for k in range(4)]  # fmt: skip
    rules = f"""
    (role ann) (role bob) (init (round 0)) (init (has ann 0)) (init (has bob 0))
    (<= (legal ?r go) (role ?r)) (<= (legal ?r stop) (role ?r))
    (<= (next (round ?m)) (true (round ?n)) (then ?n ?m))
    (<= (next (has ann ?t)) (does ann ?a) (does bob ?b) (pays ?a ?b ?x ?y) (true (round ?n))
        (goes ?n ?x ?z) (true (has ann ?s)) (sum ?s ?z ?t))
    (<= (next (has bob ?t)) (does ann ?a) (does bob ?b) (pays ?a ?b ?x ?y) (true (round ?n))
        (goes ?n ?y ?z) (true (has bob ?s)) (sum ?s ?z ?t))
    (<= terminal (true (round {rounds})))
    (<= (goal ?r ?g) (true (has ?r ?g)))
    """
    return CompiledGame(parse(rules + " ".join(facts), name="chicken"))


def test_a_round_is_a_table_where_rounds_add_up() -> None:
    game = repeated_chicken(3)
    space = explore(game)
    assert first_stage(space) is None
    found = round_stage(space)
    assert found is not None
    stage, rounds = found
    assert rounds == 3
    assert [[tuple(map(int, pays)) for pays in row] for row in stage.payoffs] == [
        [(0, 0), (3, 1)],
        [(1, 3), (2, 2)],
    ]
    said = " ".join(choice_sentences(game, space))
    assert "Each of 3 rounds pays Ann and Bob by the same table, and they add up" in said
    assert "Ann go 1/2 and stop 1/2, Bob go 1/2 and stop 1/2, which pays 3/2 and 3/2" in said


def test_rounds_that_count_differently_are_no_table() -> None:
    assert round_stage(explore(repeated_chicken(2, last_is_double=True))) is None
