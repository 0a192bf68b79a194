"""Weak constraints learned from ordered examples, checked by clingo and against solutions."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import clingo
import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.foreign import FOREIGN, needs_foreign
from tests.learn.test_trees import start

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import Function, parse, parse_terms
from kibitz.learn.advice import read_advice
from kibitz.learn.constraints import check_preferences, learn_constraints, solution_from
from kibitz.learn.minimax.clingo_queries import static_program
from kibitz.learn.minimax.pruned_minimax import pruned_tree
from kibitz.learn.preferences.bias import automatic_bias, constraint_bodies, read_bias
from kibitz.learn.preferences.examples import examples_from_solution, ilasp_task
from kibitz.learn.preferences.preference_search import OrderedExample, learn_preferences
from kibitz.learn.preferences.preferences import Facts, Preferences, Weak, counts, read_preferences
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import verify

NIM = read_bias(Path(__file__).with_name("nim.bias").read_text("utf-8"))


def cost_by_clingo(preferences: Preferences, facts: Facts, fluents: list[Function]) -> list[int]:
    """Ask clingo for the cost of a state."""
    control = clingo.Control(["--warn=none"])
    given_facts = "\n".join(f"{facts.fluent(fluent)}." for fluent in fluents)
    fixed = static_program(facts.sheet, facts.names)
    control.add("base", [], f"{fixed}\n{given_facts}\n{preferences.text}")
    control.ground([("base", [])])
    costs: list[int] = []
    control.solve(on_model=lambda model: costs.extend(model.cost))
    return costs


@pytest.mark.parametrize("name", ["marks", "tictactoe", "piles:1,2"])
def test_costs_are_those_of_clingo(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    bodies = constraint_bodies(automatic_bias(game.sheet))
    facts = Facts(game.sheet, automatic_bias(game.sheet).background)
    state = game.initial()
    states = [state]
    while not state.is_terminal and len(states) < 5:
        state = state.step([state.legal(role)[-1] for role in game.roles])
        states.append(state)
    for number in range(0, len(bodies), max(1, len(bodies) // 12)):
        weak = Weak(bodies[number], 2, 1)
        preferences = Preferences((weak,), automatic_bias(game.sheet).background)
        ours = preferences.costs(game.sheet, [s.fluents for s in states])[:, 0].tolist()
        theirs = [sum(cost_by_clingo(preferences, facts, list(s.fluents))) for s in states]
        assert ours == theirs, weak


def test_the_nim_sum_is_learned_from_the_small_instance() -> None:
    result = learn_constraints(start("nim", "S"), NIM)
    preferences = result.learned.preferences
    assert preferences is not None
    assert result.learned.is_smallest
    assert result.is_optimal
    (weak,) = preferences.constraints
    assert weak.body.comparisons == ("V1\\2 != 0",)
    assert "nim_sum(V0,V1+V2,V3) :- b(V3,V0,V2), nim_sum(V0,V1,V3-1)." in preferences.background


def test_a_larger_game_repairs_what_a_small_one_cannot_show() -> None:
    larger = solution_from(start("nim", "L"))
    state = start("nim", "S")
    before = learn_constraints(state, NIM).learned.preferences
    assert before is not None
    assert not all(v.strongly_optimal for v in check_preferences(before, larger).values())
    result = learn_constraints(state, NIM, until_optimal=True, tests=[larger])
    after = result.learned.preferences
    assert after is not None
    assert result.rounds > 1
    assert all(v.strongly_optimal for v in check_preferences(after, larger).values())


def test_nim_is_learned_with_a_bias_made_from_its_rules() -> None:
    state = start("nim", "M")
    result = learn_constraints(state, automatic_bias(state.game.sheet))
    preferences = result.learned.preferences
    assert preferences is not None
    assert [w.body.text for w in preferences.constraints] == ["odd_has(V0)"]
    larger = solution_from(CompiledGame(load_sheet("piles:3,3,3,3,free")).initial())
    assert all(v.strongly_optimal for v in check_preferences(preferences, larger).values())


@pytest.mark.slow
def test_the_nim_sum_is_optimal_up_to_seven_everywhere() -> None:
    state = start("nim", "M")
    preferences = learn_constraints(state, automatic_bias(state.game.sheet)).learned.preferences
    assert preferences is not None
    solution = solution_from(CompiledGame(load_sheet("piles:7,7,7,7,free")).initial())
    space = solution.space
    heaps = {
        tuple(sorted(str(f.args[1]) for f in space.state(i).fluents if f.name == "has"))
        for i in range(len(space))
    }
    assert len(heaps) == 330  # all vectors of four heaps up to seven, but for their order
    assert all(v.strongly_optimal for v in check_preferences(preferences, solution).values())


def test_tictactoe_is_learned_from_the_small_instance() -> None:
    state = start("tictactoe", "S")
    result = learn_constraints(state, automatic_bias(state.game.sheet), seconds=900)
    assert result.learned.preferences is not None
    assert not result.learned.broken
    assert result.is_optimal


def test_lines_that_lack_cells_are_counted_as_by_hand() -> None:
    game = CompiledGame(load_sheet("marks"))
    facts = Facts(game.sheet, automatic_bias(game.sheet).background)
    (fluents,) = states_of(
        "(has a (c 1 1)) (has a (c 3 3)) (has b (c 2 2)) (has b (c 1 3)) (control a) "
        "(free (c 1 2)) (free (c 2 1)) (free (c 2 3)) (free (c 3 1)) (free (c 3 2))"
    )
    found = {str(atom) for atom, column in facts.columns([fluents]).items() if column[0]}
    assert {atom for atom in found if atom.startswith(("lacks", "fork", "full"))} == {
        "lacks_in_line(b,c(3,1))",
        "fork_in_line(a,c(3,1))",
    }


def test_constraints_learned_on_one_board_play_the_whole_game() -> None:
    text = Path(__file__).with_name("marks.lp").read_text("utf-8")
    solution = solution_from(start("tictactoe", "classical"))
    verdicts = check_preferences(read_preferences(text), solution)
    assert all(verdict.strongly_optimal for verdict in verdicts.values())


@pytest.mark.slow
def test_tictactoe_is_learned_from_the_large_instance() -> None:
    """The paper's learner found nothing here."""
    state = start("tictactoe", "L")
    bias = automatic_bias(state.game.sheet)
    assert learn_constraints(state, bias, seconds=60).learned.preferences is None
    result = learn_constraints(state, bias, with_noise=True, until_optimal=True, seconds=600)
    preferences = result.learned.preferences
    assert preferences is not None
    assert result.is_optimal
    classical = solution_from(start("tictactoe", "classical"))
    verdicts = check_preferences(preferences, classical)
    assert all(v.guarantees[role] == 50 for role, v in verdicts.items())


LINE = Path(__file__).parents[2] / "examples" / "three_in_a_line.lp"


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("marks", 50),
        ("marks:3,4,3", 100),
        pytest.param("marks:3,5,3", 100, marks=pytest.mark.slow),
        pytest.param("marks:4,4,3", 100, marks=pytest.mark.slow),
    ],
)
def test_constraints_learned_on_small_boards_win_on_larger_ones(board: str, value: int) -> None:
    solution = solve(explore(CompiledGame(load_sheet(board))))
    verdicts = check_preferences(read_preferences(LINE.read_text("utf-8")), solution)
    assert verdicts["a"].strongly_optimal
    assert (verdicts["a"].guarantees["a"], verdicts["a"].value) == (value, value)
    assert verdicts["b"].strongly_optimal == (board == "marks")


@needs_foreign
def test_a_foreign_game_is_learned_or_refused_with_clashing_examples() -> None:
    path = FOREIGN / "rules" / "nim1.kif"
    game = CompiledGame(parse(path.read_text("utf-8"), name="foreign"))
    result = learn_constraints(game.initial(), automatic_bias(game.sheet), seconds=20)
    if result.learned.preferences is None:
        assert result.learned.broken or not result.learned.is_smallest
    else:
        assert not result.learned.broken


def states_of(*texts: str) -> list[frozenset[Function]]:
    return [frozenset(parse_terms(text, name="state")) for text in texts]


def test_examples_that_cannot_be_told_apart_clash() -> None:
    good, bad = states_of("(heap a 0)", "(heap b 0)")
    bias = read_bias("#modeo(1, next(heap(var(h),var(n)))).")
    found = learn_preferences(load_sheet("nim:1,2"), [OrderedExample(good, bad, "clash")], bias)
    assert found.preferences is None
    assert found.is_smallest
    assert [example.text for example in found.broken] == ["clash"]


def test_examples_that_contradict_one_another_clash_and_noise_takes_the_most() -> None:
    one, two = states_of("(heap a 0)", "(heap a 1)")
    bias = read_bias("#modeo(1, next(heap(a,const(n)))). #constant(n,0). #constant(n,1).")
    sheet = load_sheet("nim:1,2")
    examples = [
        OrderedExample(one, two, "x"),
        OrderedExample(two, one, "y"),
        OrderedExample(one, two, "z", weight=3),
    ]
    found = learn_preferences(sheet, examples, bias)
    assert found.preferences is None
    assert {example.text for example in found.broken} == {"x", "y"}
    noisy = learn_preferences(sheet, examples, bias, with_noise=True)
    assert noisy.preferences is not None
    assert [example.text for example in noisy.broken] == ["y"]
    assert noisy.preferences.size == 1


def brute_force(rows: np.ndarray, weights: tuple[int, ...], levels: int) -> int | None:
    """Find the fewest columns that order all rows, by trying all choices."""
    best = None
    options = [None, *product(weights, range(levels))]
    for choice in product(options, repeat=rows.shape[1]):
        sums = np.zeros((len(rows), levels), dtype=int)
        for column, option in enumerate(choice):
            if option is not None:
                sums[:, option[1]] += option[0] * rows[:, column]
        if all(next((v for v in row[::-1] if v), 1) < 0 for row in sums.tolist()):
            size = sum(option is not None for option in choice)
            best = size if best is None else min(best, size)
    return best


@examples(25)
@given(
    st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=2, max_size=5),
    st.data(),
)
def test_the_smallest_is_found_as_by_trying_all(
    counted: list[list[int]], data: st.DataObject
) -> None:
    """A state has heap n k times over; the candidates count the three kinds."""
    states = [
        frozenset(
            Function("f", (Function(str(kind)), Function(str(i))))
            for kind, many in enumerate(row)
            for i in range(many)
        )
        for row in counted
    ]
    pairs = data.draw(
        st.lists(st.tuples(*[st.integers(0, len(states) - 1)] * 2), min_size=1, max_size=4)
    )
    bias = read_bias(
        "#modeo(1, next(f(const(k),var(i)))). #constant(k,0). #constant(k,1). #constant(k,2). "
        "#maxl(1). #maxp(2). #weight(1). #weight(-1)."
    )
    sheet = load_sheet("nim:1,2")
    rows = np.array([np.subtract(counted[a], counted[b]) for a, b in pairs])
    found = learn_preferences(sheet, [OrderedExample(states[a], states[b]) for a, b in pairs], bias)
    expected = brute_force(rows, (1, -1), 2)
    assert found.is_smallest
    assert (found.preferences.size if found.preferences else None) == expected


def test_conjunctions_that_differ_by_names_of_variables_are_one() -> None:
    bias = read_bias("#modeo(2, next(f(var(x)))). #modeo(1, e(var(x),var(x))). #maxl(3). #maxv(2).")
    texts = [body.text for body in constraint_bodies(bias)]
    assert len(texts) == len(set(texts))
    assert texts.count("next(f(V0)), e(V0,V1)") + texts.count("next(f(V1)), e(V1,V0)") == 1


def test_preferences_are_read_as_they_were_written() -> None:
    state = start("tictactoe", "S")
    bodies = constraint_bodies(automatic_bias(state.game.sheet))
    written = Preferences((Weak(bodies[3], -1, 2), Weak(bodies[40], 1, 1)), "p(1).")
    again = read_preferences(written.text)
    assert again.text == written.text
    with pytest.raises(InputError, match="no weak constraint"):
        read_preferences("p(1).")


def test_advice_is_a_set_of_moves_and_never_a_script() -> None:
    state = start("nim", "S")
    solution = solution_from(state)
    mask = frozenset({("has", 0), ("remove", 0), ("control", 0)})
    pruned = pruned_tree(state.game, state, mask=mask)
    text = "\n".join(rule.text(pruned.names, timed=False) for rule in pruned.rules)
    advice = read_advice(text, state.game)
    moves = advice.on(solution.space, "a")
    assert moves.chosen.any()
    assert verify(moves, solution, "a").weakly_optimal
    with pytest.raises(InputError, match="#script"):
        read_advice("#script (python) import os #end. best_do(a,b).", state.game)
    with pytest.raises(InputError, match="neither"):
        read_advice("p.", state.game)


def test_a_bias_says_what_is_wrong_with_it() -> None:
    with pytest.raises(InputError, match="bias:2: cannot read #modex"):
        read_bias("#weight(1).\n#modex(1, p).")
    with pytest.raises(InputError, match="no #modeo"):
        read_bias("#weight(1).")
    with pytest.raises(InputError, match="full stop"):
        read_bias("#modeo(1, p)")


def test_a_task_for_ilasp_has_every_state_once() -> None:
    solution = solution_from(start("nim", "S"))
    examples = examples_from_solution(solution)
    text = ilasp_task(solution.space.game.sheet, examples, NIM)
    assert text.count("#brave_ordering(") == len(examples)
    assert text.count("#pos(") == len({s for e in examples for s in (e.better, e.worse)})
    assert "#modeo(1, nim_sum(var(d),var(t),const(pile)), (positive))." in text
    assert r"#modeo(1, var(t)\2 != 0)." in text
    assert "maxl" not in text
    noisy = ilasp_task(solution.space.game.sheet, examples[:1], NIM, with_noise=True)
    assert noisy.endswith("#brave_ordering(o0@1, e0, e1).\n")


def test_counts_of_a_comparison_leave_out_what_it_excludes() -> None:
    bias = read_bias("#modeo(1, next(has(var(p),var(n)))). #modeo(1, var(n) > 1). #maxl(2).")
    facts = Facts(load_sheet("piles:1,2"), "")
    (state,) = states_of("(has 1 1) (has 2 2) (has 3 5)")
    table = counts(constraint_bodies(bias), facts.columns([state]), 1)
    assert table.tolist() == [[3, 2]]


def test_noise_does_not_lose_what_orders_all_examples() -> None:
    game = CompiledGame(load_sheet("nim:2,3,4"))
    bias = automatic_bias(game.sheet)
    exact, noisy = (
        learn_constraints(game.initial(), bias, with_noise=noise).learned for noise in (False, True)
    )
    assert exact.preferences is not None
    assert noisy.preferences == exact.preferences
    assert noisy.is_smallest
    assert not noisy.broken
