"""The shared suite: what the rules say, asked of every engine; then compiled against reference."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples, one_of_each_family
from tests.engine.suite import compile_all, every_engine, game_of, holds, moves, walk_together
from tests.games.conftest import EXAMPLES
from tests.random_games import games

from kibitz.engine import ReferenceGame
from kibitz.errors import IllegalMoveError, InputError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse_terms

SIMULTANEOUS = """
(role left) (role right) (init (count 0))
(<= (legal ?r ?m) (role ?r) (move ?m)) (move up) (move down)
(<= (next (said ?r ?m)) (does ?r ?m))
(<= (next agreed) (does left ?m) (does right ?m))
(<= (next (count 1)) (true (count 0)))
(<= terminal (true (count 1)))
(<= (goal ?r 100) (role ?r) (true agreed))
(<= (goal ?r 0) (role ?r) (not (true agreed)))
"""


def legal_by(rules: str, engine: str) -> list[str]:
    """Give the legal moves of `me` in the initial state of a game with these rules."""
    text = f"(role me) (init (cell 1 b)) (init (cell 2 x)) terminal (goal me 0) {rules}"
    return moves(game_of(text, engine).initial(), "me")


@every_engine
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("(legal me a) (<= (legal me b) (true (cell 1 b)))", "a b"),
        ("(<= (legal me (mark ?x)) (true (cell ?x b)))", "(mark 1)"),
        ("(n 1) (n 3) (<= (legal me ?x) (n ?x) (not (true (cell ?x b))))", "3"),
        ("(<= (legal me a) nowhere) (<= (legal me b) (not nowhere))", "b"),
        ("(<= (legal me a) (or (true (cell 1 x)) (not (true (cell 2 b)))))", "a"),
        ("(n 1) (n 2) (<= (legal me (go ?x ?y)) (n ?x) (n ?y) (distinct ?x ?y))",
         "(go 1 2) (go 2 1)"),
        ("(<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (e ?y ?z)) (e 1 2) (e 2 3)"
         "(<= a b) (<= b a) (<= (legal me ?y) (path 1 ?y)) (<= (legal me never) a)", "2 3"),
        ("(n 1) (<= (t (f ?x (g ?x))) (n ?x)) (<= (legal me ?y) (t ?y))", "(f 1 (g 1))"),
        ("(<= (legal me ?x) (true (cell ?x ?y)) (not (distinct ?y b)))", "1"),
        ("(legal me 10) (legal me 9) (legal me 1)", "1 10 9"),
    ],
)  # fmt: skip
def test_these_rules_allow_these_moves(rules: str, expected: str, engine: str) -> None:
    assert " ".join(legal_by(rules, engine)) == expected


@every_engine
def test_all_roles_move_at_once_and_next_sees_every_move(engine: str) -> None:
    start = game_of(SIMULTANEOUS, engine).initial()
    same, other = start.step(["up", "up"]), start.step(["up", "down"])
    assert holds(same) == ["(count 1)", "(said left up)", "(said right up)", "agreed"]
    assert (same.goals, same.is_terminal) == ({"left": 100, "right": 100}, True)
    assert holds(other) == ["(count 1)", "(said left up)", "(said right down)"]
    assert other.goals == {"left": 0, "right": 0}
    assert holds(other.step(["up", "down"])) == ["(said left up)", "(said right down)"]


@every_engine
def test_states_are_values(engine: str) -> None:
    start = game_of(SIMULTANEOUS, engine).initial()
    one, other = start.step(["up", "down"]), start.step(["up", "down"])
    assert one == other
    assert len({one, other, start}) == 2
    start.goals["left"] = 7
    assert start.goals["left"] == 0


@every_engine
def test_a_state_can_be_made_of_fluents(engine: str) -> None:
    game = game_of(SIMULTANEOUS, engine)
    state = game.state(parse_terms("agreed (count 1)"))
    assert (state.is_terminal, state.goals) == (True, {"left": 100, "right": 100})
    assert str(state) == "(count 1) agreed"
    assert game.state(parse_terms("(count 0)")) == game.initial()


@every_engine
def test_wrong_moves_and_roles_are_refused_alike(engine: str) -> None:
    start = game_of(SIMULTANEOUS, engine).initial()
    with pytest.raises(IllegalMoveError) as raised:
        start.step(["up", "(jump 3)"])
    assert (raised.value.role, raised.value.legal) == ("right", ("down", "up"))
    with pytest.raises(InputError, match="has 2 moves, not 1"):
        start.step(["up"])
    with pytest.raises(InputError, match="no role nobody"):
        start.legal("nobody")


@every_engine
@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        ("(goal me 70)", 70),
        ("(<= (goal me 70) (true nothing))", None),
        ("(goal me 70) (goal me 30)", None),
        ("(goal me 70) (<= (goal me 30) (true p))", None),
        ("(init (value much)) (<= (goal me ?v) (true (value ?v)))", None),
        ("(init (value (f 1))) (<= (goal me ?v) (true (value ?v)))", None),
        (f"(init (value {'9' * 5000})) (<= (goal me ?v) (true (value ?v)))", None),
        ("(goal you 70)", None),
    ],
)
def test_a_goal_is_the_only_number_that_the_rules_give(
    goals: str, expected: int | None, engine: str
) -> None:
    text = f"(role me) (legal me a) (init p) (<= (next p) (true p)) terminal {goals}"
    assert game_of(text, engine).initial().goals == {"me": expected}


@every_engine
@pytest.mark.parametrize("name", ["o'clock", '"', "\\", "%", "é行", "a-b", "Big", "1.5", "-1"])
def test_names_come_back_as_they_are(name: str, engine: str) -> None:
    text = f"""(role {name}) (init ({name} {name})) (<= (legal {name} (m ?x)) (true ({name} ?x)))
        (<= (next {name}) (does {name} (m {name}))) (<= terminal (true {name}))
        (<= (goal {name} 1) (rel{name} 1)) (rel{name} 1)"""
    state = game_of(text, engine).initial()
    assert (holds(state), moves(state, name)) == ([f"({name} {name})"], [f"(m {name})"])
    after = state.step([f"(m {name})"])
    assert (holds(after), after.is_terminal, after.goals) == ([name], True, {name: 1})


@every_engine
def test_a_role_may_be_a_function_term(engine: str) -> None:
    text = """(role (player 1)) (<= (legal ?r go) (role ?r)) (<= (next (by ?r)) (does ?r go))
        (<= terminal (true (by ?r))) (<= (goal ?r 1) (role ?r))"""
    game = game_of(text, engine)
    assert game.roles == ("(player 1)",)
    assert holds(game.initial().step(["go"])) == ["(by (player 1))"]


@every_engine
def test_a_game_may_have_no_fluents_and_a_role_no_moves(engine: str) -> None:
    game = game_of("(role me) (role you) (legal me a) (<= terminal (true p)) (goal me 3)", engine)
    state = game.initial()
    assert (holds(state), moves(state, "me"), moves(state, "you")) == ([], ["a"], [])
    assert (state.is_terminal, state.goals) == (False, {"me": 3, "you": None})


@every_engine
def test_six_roles_may_play(engine: str) -> None:
    roles = " ".join(f"(role r{i})" for i in range(6))
    text = f"""{roles} (<= (legal ?r (pick ?n)) (role ?r) (n ?n)) (n 1) (n 2)
        (<= (next (picked ?r ?n)) (does ?r (pick ?n))) (<= terminal (true (picked r5 2)))
        (<= (goal ?r 50) (role ?r))"""
    after = game_of(text, engine).initial().step(["(pick 1)"] * 5 + ["(pick 2)"])
    assert (len(after.fluents), after.is_terminal) == (6, True)


@every_engine
def test_more_than_64_fluents_and_more_moves_than_a_group_are_kept_apart(engine: str) -> None:
    numbers = "".join(f"(n {i})" for i in range(150))
    text = f"""(role me) {numbers} (<= (legal me (set ?x)) (n ?x) (not (true (on ?x))))
        (<= (next (on ?x)) (true (on ?x))) (<= (next (on ?x)) (does me (set ?x)))
        (<= terminal (true (on 149)) (true (on 64))) (goal me 0)"""
    state = game_of(text, engine).initial()
    for number in (0, 63, 64, 127, 128, 149):
        state = state.step([f"(set {number})"])
    assert holds(state) == [f"(on {n})" for n in sorted(map(str, (0, 63, 64, 127, 128, 149)))]
    assert (len(state.legal("me")), state.is_terminal) == (144, True)


@examples(25)
@given(sheet=games(), seed=st.integers(0, 1000))
def test_compiled_random_games_go_in_step_with_the_reference(
    sheet: RuleSheet, seed: int, cache_aside: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", cache_aside)
        walk_together([ReferenceGame(sheet), *compile_all(sheet)], seed=seed, steps=8)


@pytest.mark.slow
@examples(500)
@given(sheet=games(), seed=st.integers(0, 1000))
def test_many_compiled_random_games_go_in_step_with_the_reference(
    sheet: RuleSheet, seed: int, cache_aside: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", cache_aside)
        walk_together([ReferenceGame(sheet), *compile_all(sheet)], seed=seed, steps=12)


LARGE = {"knightthrough", "tictacchec", "breakthrough"}


@pytest.mark.parametrize("name", one_of_each_family(EXAMPLES, without=LARGE))
def test_compiled_games_of_the_library_go_in_step_with_the_reference(name: str) -> None:
    sheet = load_sheet(name)
    walk_together([ReferenceGame(sheet), *compile_all(sheet)], seed=name, steps=6)
