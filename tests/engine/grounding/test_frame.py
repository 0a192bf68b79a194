"""Translating frame rules: the paper's example, coverings, simplification, and equal states."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from tests.cpu import cpu_seconds
from tests.effort import examples, spread
from tests.engine.suite import facts, walk_together
from tests.foreign import FOREIGN, needs_foreign
from tests.random_games import games

from kibitz.engine import ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.perft import perft
from kibitz.engine.frame import STAYS, Covering, translate
from kibitz.engine.replays import read_moves
from kibitz.engine.ungrounded import UngroundedGame, count_visits
from kibitz.errors import BudgetExceededError, InputError
from kibitz.games import load_sheet
from kibitz.gdl import Atom, RuleSheet, parse, read, to_kif, to_ruleform

FIGURE_1 = """
role(x). role(o).
init(cell(1,1,b)). init(cell(1,2,b)). init(cell(1,3,b)).
init(cell(2,1,b)). init(cell(2,2,b)). init(cell(2,3,b)).
init(cell(3,1,b)). init(cell(3,2,b)). init(cell(3,3,b)).
init(control(x)).
legal(P,mark(M,N)) :- true(control(P)), true(cell(M,N,b)).
legal(x,noop) :- true(control(o)).
legal(o,noop) :- true(control(x)).
next(cell(M,N,x)) :- does(x,mark(M,N)).
next(cell(M,N,o)) :- does(o,mark(M,N)).
next(cell(M,N,O)) :- does(P,mark(J,K)), true(cell(M,N,O)), (M != J or N != K).
next(control(x)) :- true(control(o)).
next(control(o)) :- true(control(x)).
terminal :- not open.
open :- true(cell(M,N,b)).
goal(x,50). goal(o,50).
"""

LIBRARY = ["tictactoe", "nim", "breakthrough", "knightthrough", "hanoi", "sum15", "chomp"]
TURNS = ["tictactoe", "nim", "breakthrough", "chomp", "sum15", "connect:4,5x5", "hex:4"]
FOREIGN_NAMES = sorted(path.stem for path in (FOREIGN / "rules").glob("*.kif")) or ["none"]
QUICK = [
    "breakthrough",
    "sheepAndWolf",
    "chineseCheckers3",
    "pentago",
    "nim1",
    "wallmaze",
    "buttons",
]


def fnext(sheet: RuleSheet) -> list[str]:
    return [str(rule) for rule in sheet.rules if rule.head.relation == "fnext"]


def test_figure_1_gives_the_three_rules_of_the_paper() -> None:
    done = translate(read(FIGURE_1, form="rules"), Covering.PRUNED)
    assert sorted(fnext(done.sheet)) == [
        "(<= (fnext (cell ?m ?n ?o)) (does x (mark ?m ?n)) (does o noop) (true (cell ?m ?n ?o)))",
        "(<= (fnext (cell ?m ?n ?o)) (does x noop) (does o (mark ?m ?n)) (true (cell ?m ?n ?o)))",
        "(<= (fnext (control ?x1)) (true (control ?x1)))",
    ]
    assert (done.joint_moves_before, done.joint_moves, done.auxiliary_rules) == (4, 2, 0)


def test_the_library_game_gives_three_rules_as_well_though_its_moves_hide() -> None:
    done = translate(load_sheet("tictactoe"), Covering.PRUNED)
    assert len(fnext(done.sheet)) == done.fnext_rules == 3
    assert done.frame_rules == 1
    assert [str(atom) for atom in done.basis] == [
        "(next (cell ?row ?col ?content))",
        "(next (control ?x1))",
    ]


def test_transition_8_is_one_rule_of_the_result_and_frame_rules_are_gone() -> None:
    sheet = translate(load_sheet("tictactoe")).sheet
    assert STAYS in sheet.rules
    heads = [rule for rule in sheet.rules if rule.head.relation == "next" and rule != STAYS]
    assert all(str(rule.head.args[0]) != "(cell ?row ?col ?content)" for rule in heads)


@pytest.mark.parametrize("covering", Covering)
@pytest.mark.parametrize("name", LIBRARY)
def test_a_translation_reads_back_in_both_notations(name: str, covering: Covering) -> None:
    sheet = translate(load_sheet(name), covering).sheet
    assert read(to_kif(sheet), form="kif") == sheet
    assert parse(to_ruleform(sheet), form="rules") == sheet


@pytest.mark.parametrize("name", LIBRARY)
def test_every_engine_reaches_the_same_states_by_every_encoding(name: str) -> None:
    sheet = load_sheet(name)
    translated = {covering: translate(sheet, covering).sheet for covering in Covering}
    engines = [ReferenceGame(sheet), UngroundedGame(sheet)]
    engines += [UngroundedGame(other) for other in translated.values()]
    engines += [ReferenceGame(translated[Covering.PRUNED])]
    engines += [CompiledGame(translated[Covering.PRUNED])]
    walk_together(engines, seed=name, steps=6)


@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 4), ("breakthrough:4x3", 3), ("nim", 3)])
def test_all_encodings_visit_the_same_number_of_states(name: str, depth: int) -> None:
    sheet = load_sheet(name)
    sheets = [sheet, *(translate(sheet, covering).sheet for covering in Covering)]
    counts = {count_visits(UngroundedGame(one), depth) for one in sheets}
    counts |= {perft(CompiledGame(one), depth).states for one in sheets}
    assert len(counts) == 1


@examples(25)
@given(games())
def test_translations_of_random_rule_sheets_play_the_same(sheet: RuleSheet) -> None:
    others = [translate(sheet, c).sheet for c in (Covering.GENERIC, Covering.DIRECT)]
    # A translation may write p where the sheet writes (p).
    games = [ReferenceGame(sheet), *map(UngroundedGame, others)]
    walk_together(games, seed=2, steps=4, look=facts)


def follow(name: str, covering: Covering, most: int | None, *, keeps: bool = False) -> None:
    """Follow a foreign match by the translation and compare all states."""
    path = FOREIGN / "rules" / f"{name}.kif"
    begin = cpu_seconds()
    done = translate(read(path.read_bytes(), name=name, form="kif"), covering)
    assert cpu_seconds() - begin < 30
    trace = FOREIGN / "traces" / f"{name}.json"
    if not trace.is_file():
        return
    steps = json.loads(trace.read_text("utf-8"))["steps"][:most]
    game = UngroundedGame(done.sheet, keeps=keeps)
    assert game.is_translated == done.is_changed
    state = game.initial()
    for number, step in enumerate(steps):
        assert sorted(map(game.write, state.fluents)) == step["state"], f"step {number}"
        if "joint" in step and number + 1 < len(steps):
            (joint,) = read_moves(f"({' '.join(step['joint'])})")
            state = state.step(joint)


@needs_foreign
@pytest.mark.parametrize("name", QUICK)
def test_foreign_matches_have_the_same_states_by_the_pruned_translation(name: str) -> None:
    follow(name, Covering.PRUNED, 12)


@needs_foreign
@pytest.mark.parametrize(
    "name", spread([n for n in FOREIGN_NAMES if n != "chineseCheckers6-simultaneous"], 14, begin=3)
)
def test_foreign_matches_have_the_same_states_by_the_direct_translation(name: str) -> None:
    follow(name, Covering.DIRECT, 5)


@needs_foreign
@pytest.mark.slow
@pytest.mark.parametrize("covering", [Covering.GENERIC, Covering.PRUNED])
@pytest.mark.parametrize("name", FOREIGN_NAMES)
def test_whole_foreign_matches_have_the_same_states(name: str, covering: Covering) -> None:
    follow(name, covering, None, keeps=covering is Covering.PRUNED)


@pytest.mark.parametrize("name", TURNS)
def test_where_roles_take_turns_no_joint_move_has_both_act(name: str) -> None:
    done = translate(load_sheet(name), Covering.PRUNED)
    assert done.joint_moves < done.joint_moves_before
    for rule in (rule for rule in done.sheet.rules if rule.head.relation == "fnext"):
        atoms = [atom for atom in rule.body if isinstance(atom, Atom)]
        moves = [str(atom.args[1]) for atom in atoms if atom.relation == "does"]
        assert not moves or "noop" in moves


@pytest.mark.parametrize("name", LIBRARY)
def test_pruned_never_has_more_joint_moves_than_direct(name: str) -> None:
    sheet = load_sheet(name)
    direct, pruned = translate(sheet, Covering.DIRECT), translate(sheet, Covering.PRUNED)
    assert pruned.joint_moves <= direct.joint_moves == direct.joint_moves_before


PLAIN = "(role me) (role you) (legal me go) (legal you go) (<= terminal (true over)) (goal me 0)"


def test_without_frame_rules_the_sheet_is_returned_with_a_note() -> None:
    sheet = read(PLAIN + "(goal you 0) (init p) (<= (next q) (true p))")
    done = translate(sheet)
    assert done.sheet is sheet
    assert not done.is_changed
    assert "no rule is a frame rule" in done.notes[0]


def test_a_fluent_without_frame_rule_does_not_stay() -> None:
    sheet = read(PLAIN + "(goal you 0) (init p) (init q) (<= (next p) (true p))")
    state = UngroundedGame(translate(sheet).sheet).initial().step(["go", "go"])
    assert str(state) == "p"


def test_a_frame_rule_over_any_fluent_is_translated_for_each_kind() -> None:
    rules = "(goal you 0) (init (p 1)) (init q) (<= (next ?f) (true ?f) (not (ends ?f)))"
    sheet = read(PLAIN + rules + "(<= (ends q) (does me go))")
    done = translate(sheet)
    assert fnext(done.sheet) == ["(<= (fnext q) (true q))"]
    state = UngroundedGame(done.sheet).initial().step(["go", "go"])
    assert str(state) == "(p 1)"


def test_an_inner_variable_that_cannot_go_away_becomes_a_relation() -> None:
    sheet = read(
        PLAIN
        + "(goal you 0) (init (p 1)) (init (p 2)) (init (near 1 2))"
        + "(<= (next (p ?x)) (true (p ?x)) (true (near ?x ?y)) (true (p ?y)))"
        + "(<= (next (near ?x ?y)) (true (near ?x ?y)))"
    )
    done = translate(sheet)
    assert done.auxiliary_rules == 1
    assert fnext(done.sheet) == ["(<= (fnext (p ?x)) (true (p ?x)) (not (keeps1 ?x)))"]
    walk_together([ReferenceGame(sheet), UngroundedGame(done.sheet)], seed=0, steps=4)


def test_an_inequality_in_disguise_becomes_an_equality() -> None:
    rules = [r for r in fnext(translate(load_sheet("breakthrough")).sheet) if "cell" in r]
    assert all("distinct" not in rule and "not" not in rule for rule in rules)


def test_a_covering_too_large_to_list_says_what_would_help() -> None:
    moves = [f"m{i}" for i in range(20)]
    roles = ["a", "b", "c", "d"]
    text = " ".join(
        [f"(role {r})" for r in roles]
        + [f"(legal {r} {m})" for r in roles for m in moves]
        + ["(init p) (<= (next p) (true p) (does a m1)) (<= terminal (true q))"]
        + [f"(goal {r} 0)" for r in roles]
    )
    with pytest.raises(BudgetExceededError, match="160,000 general joint moves") as caught:
        translate(read(text))
    assert "--covering generic" in str(caught.value)
    assert translate(read(text), Covering.GENERIC).joint_moves == 1


def test_a_sheet_that_is_translated_already_is_refused() -> None:
    with pytest.raises(InputError, match="fnext already"):
        translate(translate(load_sheet("nim")).sheet)


def test_no_made_up_name_is_left_in_a_translation() -> None:
    for name in LIBRARY:
        assert "~" not in to_kif(translate(load_sheet(name), Covering.GENERIC).sheet)


@needs_foreign
@pytest.mark.slow
def test_translating_takes_less_than_ten_seconds() -> None:
    for name in ("checkers_v1", "chineseCheckers6"):
        sheet = read(Path(FOREIGN / "rules" / f"{name}.kif").read_bytes(), form="kif")
        begin = cpu_seconds()
        translate(sheet, Covering.PRUNED)
        assert cpu_seconds() - begin < 10
