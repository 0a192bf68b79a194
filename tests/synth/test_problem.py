"""The states that matter, and where lists err."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.effort import quick

import kibitz.synth.problem.decision_graph as graph_module
import kibitz.synth.problem.problem as problem_module
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.space import explore, find_symmetries
from kibitz.strategy import read_strategy, verify
from kibitz.synth.paper import paper_synthesis
from kibitz.synth.problem import situation_bits
from kibitz.synth.problem.decision_graph import decision_graph
from kibitz.synth.problem.problem import Problem, make_problem
from kibitz.synth.search.lists import ANY_MOVE, ANY_SILENCE, Bench, CandidateRule
from kibitz.synth.synthesis import prepare, write_list


@cache
def problem(name: str, role: str, reading: str = "any") -> Problem:
    made = prepare(CompiledGame(load_sheet(name)), reading=reading)  # type: ignore[arg-type]
    return make_problem(
        made.solution,
        role,
        symmetries=made.symmetries,
        reading=reading,  # type: ignore[arg-type]
    )


def test_few_states_of_sim_matter() -> None:
    assert len(problem("sim", "blue")) == 682


@pytest.mark.parametrize("reading", ["any", "first", "none"])
@pytest.mark.parametrize("role", quick(["xplayer", "oplayer"], ["xplayer"]))
def test_a_bench_errs_exactly_where_the_checker_does(role: str, reading: str) -> None:
    asked = problem("tictactoe", role, reading)
    judging = solve(explore(asked.game))
    source = np.random.default_rng(1)
    good = paper_synthesis(asked, seed=1)
    right = 0
    for number in range(40):
        rules = [_random_rule(asked, source) for _ in range(source.integers(1, 7))]
        if number % 2:
            rules = list(good)
            place = int(source.integers(len(rules)))
            rules[place] = CandidateRule(
                rules[place].orbit, rules[place].literals[number % 4 // 2 :]
            )
        bench = Bench(asked, rules)
        verdict = verify(write_list(asked, rules), judging, role)
        assert (len(bench.errors(ANY_MOVE)) == 0) is verdict.strongly_optimal
        assert (len(bench.errors(ANY_SILENCE)) == 0) is verdict.weakly_optimal
        right += verdict.weakly_optimal
    assert right > 3, "too few of the lists were right for this to say anything"


def _random_rule(asked: Problem, source: np.random.Generator) -> CandidateRule:
    orbit = int(source.integers(len(asked.orbit_moves)))
    arrays = asked.arrays
    usable = arrays.usable[arrays.usable_first[orbit] : arrays.usable_first[orbit + 1]]
    size = min(len(usable), int(source.integers(0, 5)))
    return CandidateRule(orbit, tuple(sorted(source.choice(usable, size, replace=False).tolist())))


def test_a_bench_keeps_what_it_knows_of_rules_that_stay() -> None:
    asked = problem("tictactoe", "xplayer")
    source = np.random.default_rng(2)
    bench = Bench(asked)
    for _ in range(100):
        rules = bench.rules
        place = int(source.integers(len(rules) + 1))
        rules.insert(place, _random_rule(asked, source))
        if len(rules) > 5:
            del rules[int(source.integers(len(rules)))]
        bench.put(rules)
        assert bench.rules == rules
        fresh = Bench(asked, rules)
        assert bench.errors().tolist() == fresh.errors().tolist()


def test_pruning_leaves_a_right_list_right_and_minimal() -> None:
    asked = problem("tictactoe", "xplayer")
    rules = paper_synthesis(asked, seed=3)
    bench = Bench(asked)
    kept = bench.pruned([*rules, *rules])
    assert bench.is_right(kept)
    for place in range(len(kept)):
        assert not bench.is_right([*kept[:place], *kept[place + 1 :]])


def test_a_literal_that_a_legal_move_implies_is_not_used() -> None:
    asked = problem("tictactoe", "xplayer")
    arrays = asked.arrays
    for orbit, (move,) in enumerate(asked.orbit_moves):
        if str(asked.moves[move]) == "noop":
            continue
        _, row, column = str(asked.moves[move])[1:-1].split()
        names = {str(atom): i for i, atom in enumerate(asked.atoms)}
        own = {2 * names[f"(cell {row} {column} {mark})"] for mark in "bxo"}
        start, end = arrays.usable_first[orbit : orbit + 2]
        assert not own & {int(x) & ~1 for x in arrays.usable[start:end]}


def test_winning_moves_make_progress_where_play_could_circle() -> None:
    game = CompiledGame(load_sheet("threemensmorris"))
    solution = solve(explore(game))
    graph = decision_graph(solution, 0)
    assert graph.is_cyclic
    distance = solution.distance.astype(int)
    ahead = solution.values[graph.states] > 50
    for state, good, edge in zip(graph.edge_state, graph.edge_correct, range(10**9), strict=False):
        if good and ahead[state]:
            number = graph.states[state]
            moves = solution.space.moves(int(number))
            nearer = [to for _, to in moves if distance[to] < distance[number]]
            assert nearer
        if edge > 2000:
            break


def test_symmetries_leave_one_move_of_each_orbit() -> None:
    asked = problem("tictactoe", "xplayer")
    moves = sorted(str(asked.moves[m]) for (m,) in asked.orbit_moves)
    assert moves == ["(mark 1 1)", "(mark 1 2)", "(mark 2 2)", "noop"]
    assert find_symmetries(asked.game).order == 8


def test_a_strategy_s_text_means_what_its_rules_mean() -> None:
    asked = problem("tictactoe", "xplayer")
    text = write_list(asked, [CandidateRule(0), CandidateRule(1)]).text
    assert (
        read_strategy(text, asked.game).rules
        == write_list(asked, [CandidateRule(0), CandidateRule(1)]).rules
    )


@pytest.mark.parametrize("actions", [False, True])
@pytest.mark.parametrize("reading", ["any", "none"])
def test_words_are_counted_before_they_are_laid_out(
    reading: str, actions: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    monkeypatch.setattr(
        situation_bits.SituationBits, "check_size", lambda self, words: counted.append(words)
    )
    made = prepare(CompiledGame(load_sheet("tictactoe")), reading=reading)  # type: ignore[arg-type]
    for role in ("xplayer", "oplayer"):
        make_problem(
            made.solution,
            role,
            symmetries=made.symmetries,
            reading=reading,  # type: ignore[arg-type]
            actions=actions,
        )
    assert len(counted) == 4
    assert counted[0::2] == counted[1::2]


def test_a_game_that_is_too_large_is_refused_before_its_graph_is_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the graph is built")

    made = prepare(CompiledGame(load_sheet("tictactoe")))
    monkeypatch.setattr(graph_module, "_decisions", never)
    monkeypatch.setattr(problem_module, "MOST_WORDS", 1000)
    with pytest.raises(BudgetExceededError, match="moves are too many to find rules for"):
        make_problem(made.solution, "xplayer", symmetries=made.symmetries)


def test_no_game_is_refused_that_has_few_enough_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for reading in ("any", "first", "none"):
        made = prepare(CompiledGame(load_sheet("tictactoe")), reading=reading)
        options = {"symmetries": made.symmetries, "reading": reading}
        found = make_problem(made.solution, "xplayer", **options)  # type: ignore[arg-type]
        monkeypatch.setattr(problem_module, "MOST_WORDS", found.arrays.columns.size)
        make_problem(made.solution, "xplayer", **options)  # type: ignore[arg-type]
        monkeypatch.undo()
