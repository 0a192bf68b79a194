"""Networks of ground rules against the reference engine, one hard case at a time."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, strategies as st
from tests.cpu import cpu_seconds
from tests.effort import examples
from tests.engine.suite import compile_all, walk_together

from kibitz.engine import ReferenceGame
from kibitz.engine.grounding import ground
from kibitz.engine.grounding.gates import UnstratifiedError, build
from kibitz.engine.grounding.gringo import GroundRules
from kibitz.gdl import Function, read

pytestmark = pytest.mark.usefixtures("grounded_anew")

LIGHTS = """(role me) (init (on 1)) (init (on 2)) (n 1) (n 2) (n 3) (n 4)
(<= (legal me (press ?x)) (n ?x)) (legal me rest)
(<= (next (on ?x)) (true (on ?x)) (not (does me (press ?x))))
(<= (next (on ?x)) (does me (press ?x)) (not (true (on ?x))))
"""
"""Any set of four lights can be on; what rules derive from them is each test's own."""


def agrees(rules: str, steps: int = 20) -> None:
    sheet = read(LIGHTS + rules, form="kif")
    games = [ReferenceGame(sheet), *compile_all(sheet)]
    for seed in range(2):
        walk_together(games, seed=seed, steps=steps)


def test_a_transitive_closure_of_what_changes_is_least() -> None:
    agrees("""(<= (edge ?x ?y) (link ?x ?y) (true (on ?x)))
        (link 1 2) (link 2 3) (link 3 4) (link 4 1) (link 3 1)
        (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
        (<= terminal (path 1 1)) (<= (goal me 100) (path 1 4)) (<= (goal me 0) (not (path 1 4)))""")


def test_a_closure_may_be_defined_by_joining_it_with_itself() -> None:
    agrees("""(<= (path ?x ?y) (link ?x ?y) (true (on ?y)))
        (link 1 2) (link 2 3) (link 3 4) (link 4 1)
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= terminal (path 1 4) (path 4 3)) (<= (goal me 50) (not (path 2 1)))""")


def test_mutual_recursion_and_a_cycle_that_nothing_supports_stay_false() -> None:
    agrees("""(<= (even ?x) (odd ?y) (s ?x ?y) (true (on ?x))) (<= (odd ?x) (even ?y) (s ?x ?y))
        (<= (even 4) (true (on 4))) (s 3 4) (s 2 3) (s 1 2)
        (<= egg hen) (<= hen egg) (<= hen (true (on 1)) egg (not (even 1)))
        (<= terminal egg) (<= (goal me 1) (even 1)) (<= (goal me 2) (odd 1))
        (<= (goal me 3) (not hen) (not (even 1)) (not (odd 1)))""")


def test_negation_below_and_above_recursion_is_in_strata() -> None:
    agrees("""(<= (free ?x) (n ?x) (not (true (on ?x))))
        (<= (reach 1) (free 1)) (<= (reach ?y) (reach ?x) (s ?x ?y) (free ?y))
        (s 1 2) (s 2 3) (s 3 4) (s 2 1) (s 4 3)
        (<= (lost ?x) (n ?x) (not (reach ?x)))
        (<= (deep ?x) (lost ?x) (true (on ?x))) (<= (deep ?y) (deep ?x) (s ?x ?y))
        (<= terminal (not (deep 3))) (<= (goal me 10) (deep 4) (lost 1))""")


def test_a_goal_may_need_the_negation_of_another_value() -> None:
    agrees("""(<= terminal (true (on 4))) (<= (goal me 100) (true (on 3)) (true (on 1)))
        (<= (goal me 50) (true (on 3)) (not (goal me 100)))
        (<= (goal me 0) (not (goal me 50)) (not (goal me 100)))""")


def test_moves_that_are_denied_and_moves_in_long_alternatives_agree() -> None:
    agrees("""(<= (next some) (does me (press ?x))) (<= (next odd) (does me (press 1)))
        (<= (next odd) (does me (press 3))) (<= (next kept) (true kept) (not (does me rest)))
        (<= (next kept) (does me ?m) (distinct ?m (press 2)))
        (<= (next both) (does me (press ?x)) (does me (press ?y)) (distinct ?x ?y))
        (<= terminal (true both)) (goal me 5)""")


def test_what_the_legality_of_a_move_asks_for_may_be_asked_again_or_denied() -> None:
    agrees("""(<= (legal me (drop ?x)) (true (on ?x)) (free ?y))
        (<= (free ?x) (n ?x) (not (true (on ?x))))
        (<= (next (fell ?x)) (does me (drop ?x)) (true (on ?x)))
        (<= (next never) (does me (drop ?x)) (not (true (on ?x))))
        (<= (next (gap ?y)) (does me (drop ?x)) (free ?y))
        (<= terminal (true never)) (goal me 0)""")


def test_what_always_or_never_holds_becomes_a_constant() -> None:
    network = ground(
        read("(role me) (init p) (legal me a) terminal (<= (next p) (true p)) (goal me 7)")
    ).network
    assert (network.legal, network.terminal) == (((1,),), 1)
    assert network.goals == (((7, 1),),)
    assert network.gates == ()


FORMULAS = st.lists(st.lists(st.integers(-6, 6).filter(bool), max_size=4), max_size=12)


@given(FORMULAS)
def test_an_atom_is_the_alternative_of_its_bodies(bodies: list[list[int]]) -> None:
    fluents = [("true", (Function(f"f{i}"),), i) for i in range(1, 7)]
    rules = GroundRules(
        [(7, tuple(body)) for body in bodies],
        [("role", (Function("me"),))],
        [*fluents, ("terminal", (), 7)],
    )
    network = build(rules, ["me"])
    assert [str(fluent) for fluent in network.fluents] == [f"f{i}" for i in range(1, 7)]
    for values in product((0, 1), repeat=6):
        expected = any(all(values[abs(n) - 1] == (n > 0) for n in body) for body in bodies)
        found = network.evaluate(values)[network.terminal >> 1] ^ (network.terminal & 1)
        assert found == expected


LOOPS = st.lists(
    st.tuples(
        st.integers(5, 10),
        st.lists(st.integers(-4, 4).filter(bool), max_size=2),
        st.lists(st.integers(5, 10), max_size=2),
    ),
    max_size=24,
)


@given(LOOPS, st.integers(1, 2))
def test_atoms_in_loops_have_their_least_values(
    loops: list[tuple[int, list[int], list[int]]], most: int
) -> None:
    """With one atom of the loop in a body at most it is solved by elimination, else unfolded."""
    rules = [(head, (*outside, *inside[:most])) for head, outside, inside in loops]
    atoms = [("true", (Function(f"f{i}"),), i) for i in range(1, 5)]
    goals = [("goal", (Function("me"), Function(f"{i}")), i) for i in range(5, 11)]
    network = build(GroundRules(rules, [("role", (Function("me"),))], [*atoms, *goals]), ["me"])
    for values in product((0, 1), repeat=4):
        holds = {i + 1 for i, value in enumerate(values) if value}
        size = -1
        while size != len(holds):
            size = len(holds)
            holds |= {
                head for head, body in rules if all((abs(n) in holds) == (n > 0) for n in body)
            }
        found = network.evaluate(values)
        derived = {value for value, lit in network.goals[0] if found[lit >> 1] ^ (lit & 1)}
        assert derived == {n for n in holds if n > 4}


def test_what_can_be_reached_from_each_of_many_cells_shares_its_gates() -> None:
    """Unfolding 36 closures of 36 rounds would need more than a hundred thousand gates."""
    size = range(1, 7)
    facts = " ".join(f"(init (on {x} {y})) (n {x})" for x in size for y in size)
    steps = " ".join(f"(s {x} {x + 1})" for x in range(1, 6))
    sheet = read(f"""(role me) {facts} {steps}
        (<= (legal me (clear ?x ?y)) (true (on ?x ?y)))
        (<= (next (on ?x ?y)) (true (on ?x ?y)) (not (does me (clear ?x ?y))))
        (<= (touch ?x ?y ?x ?z) (n ?x) (s ?y ?z)) (<= (touch ?x ?y ?z ?y) (n ?y) (s ?x ?z))
        (<= (near ?a ?b ?c ?d) (or (touch ?a ?b ?c ?d) (touch ?c ?d ?a ?b)))
        (<= (joined ?a ?b ?c ?d) (true (on ?a ?b)) (near ?a ?b ?c ?d) (true (on ?c ?d)))
        (<= (joined ?a ?b ?e ?f) (joined ?a ?b ?c ?d) (near ?c ?d ?e ?f) (true (on ?e ?f)))
        (<= apart (true (on ?a ?b)) (true (on ?c ?d)) (or (distinct ?a ?c) (distinct ?b ?d))
            (not (joined ?a ?b ?c ?d)))
        (<= terminal apart) (goal me 100)""")
    games = [ReferenceGame(sheet), *compile_all(sheet)]
    assert len(ground(sheet, groups=False).network.gates) < 25_000
    walk_together(games, seed=1, steps=12)


def test_an_instance_that_depends_on_its_own_negation_is_found() -> None:
    fluent = ("true", (Function("f"),), 1)
    rules: list[tuple[int, tuple[int, ...]]] = [(2, (1, -3)), (3, (2,))]
    ground_rules = GroundRules(rules, [], [fluent, ("terminal", (), 2)])
    with pytest.raises(UnstratifiedError):
        build(ground_rules, [])


def test_thousands_of_alternatives_that_share_literals_two_by_two_are_built() -> None:
    count = 3000
    fluents = [("true", (Function(f"f{i}"),), i) for i in range(1, 3 * count + 1)]
    rules: list[tuple[int, tuple[int, ...]]] = [
        (3 * count + 1, (i, count + other)) for i in range(1, count + 1) for other in (i, count + i)
    ]
    start = cpu_seconds()
    network = build(GroundRules(rules, [], [*fluents, ("terminal", (), 3 * count + 1)]), [])
    assert len(network.gates) == 3 * count - 1
    assert cpu_seconds() - start < 20


def test_fluents_and_moves_are_in_the_order_of_their_numbers() -> None:
    facts = "".join(f"(n {i}) (init (c {i}))" for i in (10, 9, 1, 100))
    text = f"(role me) {facts} (<= (legal me (m ?x)) (n ?x)) (<= (next (c ?x)) (true (c ?x)))"
    network = ground(read(text + "(<= terminal (true d))"), groups=False).network
    assert [str(fluent) for fluent in network.fluents] == ["(c 1)", "(c 9)", "(c 10)", "(c 100)"]
    assert [str(move) for move in network.moves[0]] == ["(m 1)", "(m 9)", "(m 10)", "(m 100)"]


@examples(8)
@given(st.integers(0, 2**12 - 1))
def test_closures_over_any_graph_agree(edges: int) -> None:
    pairs = [(a, b) for a in range(1, 5) for b in range(1, 5) if a != b]
    links = " ".join(f"(link {a} {b})" for i, (a, b) in enumerate(pairs) if edges >> i & 1)
    agrees(
        f"""{links} (link 1 2) (<= (path ?x ?y) (link ?x ?y) (true (on ?x)))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) (<= terminal (path 1 3) (not (path 3 1)))
        (<= (goal me 1) (path 4 4)) (<= (goal me 2) (path 2 2) (not (path 4 4)))""",
        steps=10,
    )
