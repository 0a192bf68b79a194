"""The reference engine against GDL's definition, one clause of it at a time."""

from __future__ import annotations

import pytest

from kibitz import games
from kibitz.engine import ReferenceGame, State
from kibitz.errors import IllegalMoveError, InputError, RuleSheetError
from kibitz.gdl import Function, parse_terms, read, to_ruleform


def game(text: str) -> ReferenceGame:
    return ReferenceGame(read(text, form="kif"))


def holds(state: State) -> list[str]:
    return [str(fluent) for fluent in state.fluents]


def moves(state: State, role: str) -> list[str]:
    return [str(move) for move in state.legal(role)]


def legal_by(rules: str) -> list[str]:
    """Give the legal moves of `me` in the initial state of a game with these rules."""
    text = f"(role me) (init (cell 1 b)) (init (cell 2 x)) terminal (goal me 0) {rules}"
    return moves(game(text).initial(), "me")


def test_facts_and_rules_are_legal_alike() -> None:
    assert legal_by("(legal me a) (<= (legal me b) (true (cell 1 b)))") == ["a", "b"]


def test_true_matches_fluents_of_the_state_only() -> None:
    assert legal_by("(<= (legal me (mark ?x)) (true (cell ?x b)))") == ["(mark 1)"]


def test_negation_holds_where_the_atom_cannot_be_derived() -> None:
    assert legal_by("(n 1) (n 2) (n 3) (<= (legal me ?x) (n ?x) (not (true (cell ?x b))))") == [
        "2",
        "3",
    ]


def test_a_relation_that_is_defined_nowhere_never_holds() -> None:
    assert legal_by("(<= (legal me a) nowhere) (<= (legal me b) (not nowhere))") == ["b"]


def test_negation_of_a_derived_relation_waits_for_it() -> None:
    rules = "(<= p q) (<= q (true (cell 1 b))) (<= (legal me a) (not p)) (<= (legal me b) p)"
    assert legal_by(rules) == ["b"]


def test_a_disjunction_holds_if_one_alternative_does() -> None:
    rules = "(<= (legal me a) (or (true (cell 1 x)) (not (true (cell 2 b)))))"
    assert legal_by(rules) == ["a"]


def test_distinct_compares_terms() -> None:
    rules = "(n 1) (n 2) (<= (legal me (go ?x ?y)) (n ?x) (n ?y) (distinct ?x ?y))"
    assert legal_by(rules) == ["(go 1 2)", "(go 2 1)"]
    assert legal_by("(legal me a) (<= (legal me b) (distinct (f 1) (f 1)))") == ["a"]
    assert legal_by("(legal me a) (<= (legal me b) (distinct (f 1) f))") == ["a", "b"]


def test_positive_recursion_is_least() -> None:
    rules = """(next_to 1 2) (next_to 2 3) (<= (path ?x ?y) (next_to ?x ?y))
        (<= (path ?x ?z) (path ?x ?y) (next_to ?y ?z)) (<= a b) (<= b a)
        (<= (legal me ?y) (path 1 ?y)) (<= (legal me never) a)"""
    assert legal_by(rules) == ["2", "3"]


def test_a_needed_negation_for_other_values_is_evaluated() -> None:
    played = game("(role me) (legal me a) terminal (<= (goal me 0) (not (goal me 50)))")
    assert played.initial().goals == {"me": 0}


def test_function_terms_may_be_built() -> None:
    rules = "(n 1) (<= (t (f ?x (g ?x))) (n ?x)) (<= (legal me ?y) (t ?y))"
    assert legal_by(rules) == ["(f 1 (g 1))"]


def test_legal_and_goal_may_stand_in_bodies() -> None:
    rules = """(role me) (role you) (legal me a) (<= (legal you ?m) (legal me ?m))
        (goal me 30) (<= (goal you ?v) (goal me ?v)) terminal"""
    state = game(rules).initial()
    assert moves(state, "you") == ["a"]
    assert state.goals == {"me": 30, "you": 30}


def test_init_may_be_derived_by_rules() -> None:
    text = "(role me) (legal me a) terminal (goal me 0) (n 1) (n 2) (<= (init (c ?x)) (n ?x))"
    assert holds(game(text).initial()) == ["(c 1)", "(c 2)"]


@pytest.mark.parametrize(
    "name", ["o'clock", '"', "\\", "%", "é行", "a-b", "Big", "1.5", "#x", "-1"]
)
def test_names_reach_clingo_and_come_back_as_they_are(name: str) -> None:
    text = f"""(role {name}) (init ({name} {name})) (<= (legal {name} (m ?{name})) (true ({name}
        ?{name}))) (<= (next {name}) (does {name} (m {name}))) (<= terminal (true {name}))
        (<= (goal {name} 1) (rel{name} 1)) (rel{name} 1)"""
    played = game(text)
    state = played.initial()
    assert played.roles == (name,)
    assert holds(state) == [f"({name} {name})"]
    assert moves(state, name) == [f"(m {name})"]
    assert state.goals == {name: 1}
    after = state.step([f"(m {name})"])
    assert (holds(after), after.is_terminal) == ([name], True)


def test_relations_with_similar_names_stay_apart() -> None:
    rules = "(a_b 1) (a-b 2) (A_b 3) (a_5f_b 4) (<= (legal me ?x) (a_b ?x))"
    assert legal_by(rules) == ["1"]


def test_variables_with_similar_names_stay_apart() -> None:
    rules = "(n 1 2 3) (<= (legal me (t ?x ?X ?x')) (n ?x ?X ?x'))"
    assert legal_by(rules) == ["(t 1 2 3)"]


def test_roles_keep_the_order_in_which_they_are_written() -> None:
    text = "(role z) (role a) (role m) (<= (legal ?r w) (role ?r)) terminal (goal z 0)"
    assert game(text).roles == ("z", "a", "m")


def test_roles_made_by_rules_come_after_those_written() -> None:
    text = """(<= (role ?x) (more ?x)) (more c) (more b) (role z) (<= (legal ?r w) (role ?r))
        terminal (goal z 0)"""
    assert game(text).roles == ("z", "b", "c")


def test_a_role_may_be_a_function_term() -> None:
    text = """(role (player 1)) (<= (legal ?r go) (role ?r)) (<= (next (by ?r)) (does ?r go))
        (<= terminal (true (by ?r))) (<= (goal ?r 1) (role ?r))"""
    played = game(text)
    assert played.roles == ("(player 1)",)
    assert holds(played.initial().step(["go"])) == ["(by (player 1))"]
    assert played.initial().goals == {"(player 1)": 1}


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


def test_all_roles_move_at_once_and_next_sees_every_move() -> None:
    start = game(SIMULTANEOUS).initial()
    same = start.step(["up", "up"])
    assert holds(same) == ["(count 1)", "(said left up)", "(said right up)", "agreed"]
    assert same.goals == {"left": 100, "right": 100}
    other = start.step(["up", "down"])
    assert holds(other) == ["(count 1)", "(said left up)", "(said right down)"]
    assert other.goals == {"left": 0, "right": 0}


def test_a_fluent_that_no_next_rule_keeps_is_gone() -> None:
    after = game(SIMULTANEOUS).initial().step(["up", "down"]).step(["up", "down"])
    assert holds(after) == ["(said left up)", "(said right down)"]


def test_moves_may_be_terms_or_texts() -> None:
    start = game(SIMULTANEOUS).initial()
    assert start.step(parse_terms("up down")) == start.step(["up", "(down)"])


def test_an_illegal_move_names_role_move_and_legal_ones() -> None:
    with pytest.raises(IllegalMoveError) as raised:
        game(SIMULTANEOUS).initial().step(["up", "(jump 3)"])
    error = raised.value
    assert (error.role, error.move, error.legal) == ("right", "(jump 3)", ("down", "up"))
    assert str(error) == "(jump 3) is not a legal move of right\n  hint: legal moves: down up"


def test_the_wrong_number_of_moves_names_the_roles() -> None:
    with pytest.raises(InputError, match=r"has 2 moves, not 1\n.*order: left right"):
        game(SIMULTANEOUS).initial().step(["up"])


@pytest.mark.parametrize("text", ["", "up down", "?x", "(up", ")"])
def test_a_move_that_is_no_single_term_is_refused(text: str) -> None:
    with pytest.raises((InputError, RuleSheetError)):
        game(SIMULTANEOUS).initial().step([text, "up"])


def test_a_role_that_the_game_has_not_is_refused_with_those_it_has() -> None:
    with pytest.raises(InputError, match="no role nobody\n  hint: roles: left right"):
        game(SIMULTANEOUS).initial().legal("nobody")


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        ("(goal me 70)", 70),
        ("(<= (goal me 70) (true nothing))", None),
        ("(goal me 70) (goal me 30)", None),
        ("(value 70) (<= (goal me ?v) (value ?v))", 70),
        ("(init (value much)) (<= (goal me ?v) (true (value ?v)))", None),
        ("(init (value (f 1))) (<= (goal me ?v) (true (value ?v)))", None),
        (f"(init (value {'9' * 5000})) (<= (goal me ?v) (true (value ?v)))", None),
        ("(goal you 70)", None),
    ],
)
def test_a_goal_is_the_only_number_that_the_rules_give(goals: str, expected: int | None) -> None:
    assert game(f"(role me) (legal me a) terminal {goals}").initial().goals == {"me": expected}


def test_terminal_is_what_the_rules_say_of_the_state() -> None:
    state = game(SIMULTANEOUS).initial()
    assert not state.is_terminal
    assert state.step(["up", "up"]).is_terminal


def test_a_game_may_have_no_legal_moves_where_it_is_over() -> None:
    text = """(role me) (init on) (<= (legal me off) (true on)) (<= (next gone) (does me off))
        (<= terminal (not (true on))) (goal me 100)"""
    after = game(text).initial().step(["off"])
    assert (after.is_terminal, after.legal("me")) == (True, ())


def test_a_state_can_be_made_of_any_fluents() -> None:
    played = game(SIMULTANEOUS)
    state = played.state(parse_terms("agreed (count 1)"))
    assert state.is_terminal
    assert state.goals == {"left": 100, "right": 100}
    assert str(state) == "(count 1) agreed"
    assert played.state([Function("count", (Function("0"),))]) == played.initial()


def test_states_are_values() -> None:
    start = game(SIMULTANEOUS).initial()
    one, other = start.step(["up", "down"]), start.step(["up", "down"])
    assert one == other
    assert len({one, other, start}) == 2


def test_changing_the_goals_given_out_changes_nothing() -> None:
    state = game(SIMULTANEOUS).initial()
    state.goals["left"] = 7
    assert state.goals["left"] == 0


def test_six_roles_may_play() -> None:
    roles = " ".join(f"(role r{i})" for i in range(6))
    text = f"""{roles} (<= (legal ?r (pick ?n)) (role ?r) (n ?n)) (n 1) (n 2)
        (<= (next (picked ?r ?n)) (does ?r (pick ?n))) (<= terminal (true (picked r5 2)))
        (<= (goal ?r 50) (role ?r))"""
    after = game(text).initial().step(["(pick 1)"] * 5 + ["(pick 2)"])
    assert len(after.fluents) == 6
    assert after.is_terminal


def test_base_and_input_are_allowed_and_change_nothing() -> None:
    text = SIMULTANEOUS + "(base (count 0)) (<= (input ?r ?m) (role ?r) (move ?m))"
    assert game(text).initial().fluents == game(SIMULTANEOUS).initial().fluents


def test_relations_that_build_terms_are_derived_only_where_asked_for() -> None:
    # There are 4 to the power of 14 lists of fourteen letters.
    longer = "".join(
        f"(<= (list{n} (cons ?x ?y)) (letter ?x) (list{n - 1} ?y))" for n in range(1, 15)
    )
    asked = "(cons ?x " + "(cons b " * 13 + "nil" + ")" * 14
    rules = f"""(letter a) (letter b) (letter c) (letter d) (list0 nil) {longer}
        (<= (legal me ?x) (letter ?x) (list14 {asked}))"""
    assert legal_by(rules) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2", "roshambo"])
def test_a_game_read_from_the_rule_form_plays_the_same(name: str) -> None:
    sheet = games.load_sheet(name)
    one, other = ReferenceGame(sheet), ReferenceGame(read(to_ruleform(sheet), form="rules"))
    left, right = one.initial(), other.initial()
    while not left.is_terminal:
        assert left.fluents == right.fluents
        assert [left.legal(r) for r in one.roles] == [right.legal(r) for r in other.roles]
        joint = [left.legal(role)[-1] for role in one.roles]
        left, right = left.step(joint), right.step(joint)
    assert (right.is_terminal, right.goals) == (True, left.goals)
