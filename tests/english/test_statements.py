"""Sentences with letters: every rule sheet becomes some, and they are the same game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tests.effort import quick

import kibitz.rulebook as m
from kibitz.engine import CompiledGame, ReferenceGame
from kibitz.english.rulebooks.canonical_clauses import fact_lists, live_clauses
from kibitz.english.rulebooks.forms import Forms, forms_of
from kibitz.english.rulebooks.names import player_names
from kibitz.english.rulebooks.statements import statements_of
from kibitz.games import load_sheet
from kibitz.games.families import FAMILIES
from kibitz.gdl import Function, RuleSheet, parse, read, substitute
from kibitz.space import explore

FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "games" / "rules"


def rules_of(sheet: RuleSheet) -> m.Rules:
    roles = ReferenceGame(sheet).roles
    rules = statements_of(sheet, dict(zip(roles, player_names(roles), strict=True)))
    assert rules is not None
    return rules


def renamed(term: Function, kind: str, forms: Forms, roles: dict[str, str]) -> str:
    """The text of a fluent or move in the game that the sentences make."""
    form = forms.by_key.get((kind, term.name, len(term.args)))
    name = form.name if form else term.name
    args = (Function(roles.get(str(arg), str(arg))) for arg in term.args)
    return str(Function(name, tuple(args))).lower()


def assert_same_matches(sheet: RuleSheet, *, matches: int, moves: int) -> None:
    """Play both games side by side: states, moves, ends and goals must be the same."""
    rules = rules_of(sheet)
    forms = forms_of(live_clauses(sheet), ReferenceGame(sheet).roles)
    other_sheet = read(m.gdl_of(rules))
    one, other = ReferenceGame(sheet), ReferenceGame(other_sheet)
    roles = dict(zip(one.roles, other.roles, strict=True))
    choose = random.Random(0)
    for _ in range(matches):
        first, second = one.initial(), other.initial()
        for _ in range(moves):
            assert {renamed(f, "fluent", forms, roles) for f in first.fluents} == {
                str(fluent).lower() for fluent in second.fluents
            }
            assert first.is_terminal == second.is_terminal
            if first.is_terminal:
                assert list(first.goals.values()) == list(second.goals.values())
                break
            joint, again = [], []
            for role, same in zip(one.roles, other.roles, strict=True):
                options = {renamed(move, "move", forms, roles): move for move in first.legal(role)}
                others = {str(move).lower(): move for move in second.legal(same)}
                assert sorted(options) == sorted(others)
                picked = choose.choice(sorted(options))
                joint.append(options[picked])
                again.append(others[picked])
            first, second = first.step(joint), second.step(again)


GAMES = ("sim", "roshambo", "maze", "hanoi", "threemensmorris", "tictacchec", "eightpuzzle")


@pytest.mark.parametrize("name", quick(GAMES, {"sim", "roshambo"}))
def test_sentences_with_letters_make_the_same_game(name: str) -> None:
    assert_same_matches(load_sheet(name), matches=3, moves=12)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_can_be_said_with_letters(name: str) -> None:
    rules_of(load_sheet(name))


@pytest.mark.slow
@pytest.mark.skipif(not FOREIGN.is_dir(), reason="there are no foreign rule sheets")
@pytest.mark.parametrize("path", sorted(FOREIGN.glob("*.kif")), ids=lambda path: path.stem)
def test_every_game_by_others_can_be_said_with_letters(path: Path) -> None:
    rules_of(read(path.read_bytes(), name=path.name))


def test_a_move_for_which_a_variable_stands_keeps_its_name() -> None:
    sheet = read(
        """(role Red) (init on) (option stay) (option run)
        (<= (legal ?p ?m) (role ?p) (option ?m))
        (<= (next on) (does Red stay))
        (<= terminal (not (true on))) (goal Red 100)"""
    )
    assert_same_matches(sheet, matches=4, moves=4)


def test_things_that_would_be_read_as_one_are_not_written() -> None:
    sheet = read(
        """(role Red) (init (on Red)) (legal Red stay) (<= (next (on red)) (does Red stay))
        (<= terminal (true (on red))) (goal Red 100)"""
    )
    assert statements_of(sheet, {}) is None


def test_a_blank_square_and_a_column_of_the_same_name_are_told_apart() -> None:
    sheet = read(
        """(role white) (role black) (init (control white))
        (init (cell a 1 wk)) (init (cell b 1 b)) (init (cell a 2 b)) (init (cell b 2 bk))
        (<= (legal ?p (move ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (cell ?x ?y wk)) (does white (move ?x ?y)))
        (<= (next (cell ?x ?y bk)) (does black (move ?x ?y)))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c b))
        (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?p (move ?u ?v)) (distinct ?x ?u))
        (<= (next (control black)) (true (control white)))
        (<= (next (control white)) (true (control black)))
        (<= terminal (true (cell b 1 bk))) (<= (goal ?p 50) (role ?p))"""
    )
    rules = rules_of(sheet)
    lines = m.write_rulebook(rules).splitlines()
    start = next(line for line in lines if line.startswith("At the start"))
    assert "(b, 1, blank)" in start
    assert "(b, 2, black-king)" in start
    assert "The players take turns, and White begins." in lines
    assert not any("it is Black's turn if it is White's turn" in line for line in lines)
    games = CompiledGame(sheet), CompiledGame(read(m.gdl_of(rules)))
    spaces = [explore(game) for game in games]
    assert len(spaces[0]) == len(spaces[1]) == 5
    assert len(spaces[0].target) == len(spaces[1].target)


def test_sim_reads_like_rules() -> None:
    lines = m.write_rulebook(rules_of(load_sheet("sim"))).splitlines()
    assert lines[0] == "Players: Red and Blue."
    for line in (
        "A player may do nothing if it is not the player's turn.",
        "After a move, edge (A, B) is C if C chooses to colour (A, B).",
        "A player loses if the player has a triangle.",
    ):
        assert line in lines


@pytest.mark.slow
def test_a_changed_sentence_is_another_game() -> None:
    """What is compared is not empty: no sentence of sim can be left out."""
    rules = rules_of(load_sheet("sim"))
    whole = {str(rule) for rule in read(m.gdl_of(rules)).rules}
    for sentence in rules.all(m.Statement):
        if not sentence.text.startswith("What "):
            less = m.Rules(tuple(one for one in rules.sentences if one != sentence))
            assert len(whole - {str(rule) for rule in parse(m.gdl_of(less)).rules}) > 0


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.lists(st.tuples(*[st.integers(0, 3)] * n), min_size=1, max_size=12)
    )
)
def test_fact_lists_say_each_row_and_nothing_else(rows: list[tuple[int, ...]]) -> None:
    table = [tuple(Function(str(value)) for value in row) for row in rows]
    said: list[tuple[object, ...]] = []
    for terms, ranges in fact_lists(table):
        bindings: list[dict[object, object]] = [{}]
        for one in ranges:
            bindings = [
                {**known, **dict(zip(one.variables, row, strict=True))}
                for known in bindings
                for row in one.rows
            ]
        said += [tuple(substitute(term, known) for term in terms) for known in bindings]  # type: ignore[arg-type]
    assert len(said) == len(set(said))
    assert set(said) == set(table)
