"""Lists that synthesis finds play perfectly, and are as short as is known."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given, strategies as st
from tests.effort import examples, quick
from tests.synth.plain import errs_somewhere
from tests.synth.turn_games import turn_games

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError, InputError, KibitzError, NoChoiceError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import Strategy, read_strategy, verify
from kibitz.synth import Options, Synthesis, synthesise
from kibitz.synth.problem.decision_graph import decision_graph
from kibitz.synth.search.lists import CandidateRule
from kibitz.synth.synthesis import Prepared, prepare, write_list


@cache
def game(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


@cache
def prepared(name: str, reading: str = "any") -> Prepared:
    return prepare(game(name), reading=reading)  # type: ignore[arg-type]


def find(name: str, role: str, **options: object) -> Synthesis:
    chosen = Options(**{"rounds": 6, **options})  # type: ignore[arg-type]
    return synthesise(game(name), role, chosen, prepared=prepared(name, chosen.reading))


@pytest.mark.parametrize("seed", quick(range(2), [0]))
def test_five_rules_are_found_for_tic_tac_toe_with_any_seed(seed: int) -> None:
    found = find("tictactoe", "xplayer", seed=seed)
    assert len(found.rules) == found.verdict.rules == 5
    assert found.verdict.strongly_optimal
    assert found.verdict.guarantees["xplayer"] == 50
    assert found.states == 5478


def test_lists_are_seen_as_they_get_shorter_and_each_plays_perfectly() -> None:
    seen: list[Strategy] = []
    found = synthesise(
        game("connect:3,3x3"), "xplayer", Options(rounds=2, proof_conflicts=100), seen=seen.append
    )
    lengths = [len(strategy.rules_for("xplayer")) for strategy in seen]
    assert len(lengths) > 1
    assert lengths == sorted(set(lengths), reverse=True)
    assert len(found.rules) <= lengths[-1]
    judging = solve(explore(game("connect:3,3x3")))
    for strategy in seen:
        assert verify(strategy, judging, "xplayer").strongly_optimal


@pytest.mark.slow
def test_few_rules_are_found_for_the_second_player() -> None:
    assert len(find("tictactoe", "oplayer", rounds=8).rules) <= 10


@pytest.mark.parametrize(
    ("literals", "rules"), [pytest.param("all", 15, marks=pytest.mark.slow), ("positive", 18)]
)
def test_nim_needs_fewer_rules_with_negation(literals: str, rules: int) -> None:
    found = find("nim:1,2,4,5", "player1", literals=literals, reading="none", rounds=20)
    assert len(found.rules) <= rules
    if literals == "positive":
        assert "not" not in found.strategy.text


@pytest.mark.slow
def test_a_list_for_a_game_with_cycles_makes_progress() -> None:
    found = find("threemensmorris", "xplayer")
    assert found.verdict.makes_progress
    assert found.verdict.guarantees == {"xplayer": 100, "oplayer": 0}
    assert len(found.rules) <= 12


@pytest.mark.parametrize("reading", ["any", "first", "none"])
def test_each_reading_of_symmetry_is_kept_to(reading: str) -> None:
    found = find("mnk:2,3,2", "xplayer", reading=reading, rounds=1)
    assert found.strategy.symmetry == reading
    assert found.verdict.strongly_optimal


def test_a_list_that_must_answer_answers_wherever_it_leads() -> None:
    found = find("tictactoe", "xplayer", must_answer=True)
    state = game("tictactoe").initial()
    moves = found.strategy.moves(state, "xplayer")
    replies = iter(["(mark 1 1)", "(mark 3 2)", "(mark 1 3)", "(mark 2 1)"] * 9)
    while not state.is_terminal:
        if len(state.legal("xplayer")) > 1:
            moves = found.strategy.moves(state, "xplayer")
            assert moves
            state = state.step([moves[0], "noop"])
            continue
        if state.legal("oplayer")[0] != state.legal("xplayer")[0]:
            reply = next(r for r in replies if r in map(str, state.legal("oplayer")))
            state = state.step(["noop", reply])
            continue
        state = state.step([state.legal("xplayer")[0], state.legal("oplayer")[0]])


@pytest.mark.slow
def test_the_same_seed_and_rounds_give_the_same_list() -> None:
    one, two = (find("tictactoe", "xplayer", seed=7, rounds=1) for _ in range(2))
    assert one.strategy.text == two.strategy.text
    other = find("tictactoe", "xplayer", seed=8, rounds=1)
    assert other.strategy.text != one.strategy.text


@pytest.mark.parametrize("method", ["paper", "naive"])
@pytest.mark.parametrize("role", ["xplayer", "oplayer"])
def test_the_paper_s_algorithms_give_strongly_optimal_lists(method: str, role: str) -> None:
    found = find("mnk:3,3,2", role, method=method) if method == "naive" else None
    found = found or find("tictactoe", role, method=method)
    assert found.verdict.strongly_optimal


@pytest.mark.parametrize("order", ["end", "start", "random"])
def test_every_order_of_pairs_gives_a_list(order: str) -> None:
    assert find("tictactoe", "xplayer", method="paper", order=order).verdict.strongly_optimal


def test_trying_all_subsets_gives_no_longer_conditions() -> None:
    greedy = find("mnk:2,3,2", "oplayer", method="paper", reading="none")
    thorough = find("mnk:2,3,2", "oplayer", method="paper", is_greedy=False, reading="none")
    assert thorough.verdict.strongly_optimal
    assert thorough.literals <= greedy.literals + 3


@pytest.mark.slow
def test_rules_to_start_with_stay_where_they_are() -> None:
    text = "(cell 1 1 x) & (cell 1 3 x) & (cell 2 2 o) => (mark 1 2)\ntrue => (mark 2 2)\n"
    start = read_strategy(text, game("tictactoe"))
    options = Options(rounds=2)
    found = synthesise(
        game("tictactoe"), "xplayer", options, prepared=prepared("tictactoe"), start=start
    )
    assert found.strategy.text.startswith(text)
    assert found.verdict.strongly_optimal
    free = synthesise(
        game("tictactoe"),
        "xplayer",
        options,
        prepared=prepared("tictactoe"),
        start=start,
        locked=False,
    )
    assert len(free.rules) <= len(found.rules)


def test_a_start_that_errs_is_refused_with_a_state_that_shows_it() -> None:
    start = read_strategy("true => (mark 1 2)", game("tictactoe"), name="mine")
    with pytest.raises(InputError, match="mine errs already") as caught:
        synthesise(game("tictactoe"), "oplayer", prepared=prepared("tictactoe"), start=start)
    assert "rule 1 plays a move that is not optimal" in caught.value.hint
    assert "(cell " in caught.value.hint


def test_who_has_nothing_to_decide_is_told_so() -> None:
    with pytest.raises(NoChoiceError, match="nothing to decide"):
        find("nim:1", "player2")


def test_a_game_that_is_too_large_is_refused_with_what_to_do() -> None:
    with pytest.raises(BudgetExceededError) as caught:
        prepare(game("connect:4,5x5"), max_states=1000)
    assert "--position" in caught.value.hint


def _decides(ready: Prepared, role: int) -> bool:
    """Return whether a role can lose value by a move where optimal play comes."""
    graph = decision_graph(ready.solution, role)
    return not graph.edge_correct.all()


@given(sheet=turn_games(with_cycles=False), seed=st.integers(0, 9), role=st.integers(0, 1))
@examples(8, suppress_health_check=list(HealthCheck))
def test_no_list_errs_in_a_random_game_that_ends(sheet: RuleSheet, seed: int, role: int) -> None:
    made = CompiledGame(sheet)
    ready = prepare(made)
    assume(_decides(ready, role))
    found = synthesise(made, made.roles[role], Options(seed=seed, rounds=1), prepared=ready)
    assert not errs_somewhere(made, found.strategy, found.role)


@given(
    sheet=turn_games(),
    role=st.integers(0, 1),
    reading=st.sampled_from(["any", "first", "none"]),
    method=st.sampled_from(["search", "paper", "naive"]),
)
@examples(8, suppress_health_check=list(HealthCheck))
def test_every_method_gives_lists_that_the_checker_accepts(
    sheet: RuleSheet, role: int, reading: str, method: str
) -> None:
    made = CompiledGame(sheet)
    options = Options(rounds=1, reading=reading, method=method)  # type: ignore[arg-type]
    ready = prepare(made, reading=options.reading)
    assume(_decides(ready, role))
    found = synthesise(made, made.roles[role], options, prepared=ready)
    again = read_strategy(found.strategy.text, made)
    verdict = verify(again, prepare(made, reading="none").judging, found.role)
    assert verdict.strongly_optimal
    assert verdict.makes_progress


def test_a_game_without_one_value_is_refused() -> None:
    with pytest.raises(KibitzError, match="at the same time"):
        find("roshambo", game("roshambo").roles[0])


@pytest.mark.slow
def test_looking_ahead_makes_lists_shorter() -> None:
    found = find("tictactoe", "xplayer", features=True, rounds=400)
    assert len(found.rules) == 4
    assert found.verdict.strongly_optimal
    assert "next wins(me)" in found.strategy.text
    assert not errs_somewhere(game("tictactoe"), found.strategy, "xplayer")


def test_features_and_the_reading_first_do_not_go_together() -> None:
    with pytest.raises(InputError, match="features"):
        find("tictactoe", "xplayer", features=True, reading="first")


@pytest.mark.parametrize("objective", ["literals", "easy"])
def test_other_objectives_are_kept_to(objective: str) -> None:
    found = find("tictactoe", "xplayer", objective=objective, rounds=3)
    assert found.verdict.strongly_optimal
    assert found.literals <= 6


def test_a_rule_about_any_move_lists_none_where_moves_have_several_names() -> None:
    """A heap of eleven: take one, two or three; who takes the last wins."""
    names = {"one": 1, "two": 2, "three": 3}
    takes = " ".join(
        f"(<= (legal ?r {name}) (true (control ?r)) (true (heap ?n)) (takes {name} ?n ?m))"
        for name in names
    )
    table = " ".join(f"(takes {t} {n} {n - k})" for t, k in names.items() for n in range(k, 12))
    sheet = parse(f"""
        (role left) (role right) (init (heap 11)) (init (control left)) {table} {takes}
        (<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
        (<= (next (control right)) (true (control left)))
        (<= (next (control left)) (true (control right)))
        (<= (next (heap ?m)) (does ?r ?take) (true (heap ?n)) (takes ?take ?n ?m))
        (<= terminal (true (heap 0)))
        (<= (goal left 100) (true (control right))) (<= (goal right 0) (true (control right)))
        (<= (goal left 0) (true (control left))) (<= (goal right 100) (true (control left)))""")
    options = Options(rounds=1, features=True)
    problem = synthesise(CompiledGame(sheet), "left", options).problem
    wins = next(i for i, each in enumerate(problem.features) if each.formula == "next wins(me)")
    rule = CandidateRule(len(problem.orbit_moves) - 1, (2 * (len(problem.atoms) + wins),))
    assert write_list(problem, [rule]).text == "next wins(me) => any\n"
