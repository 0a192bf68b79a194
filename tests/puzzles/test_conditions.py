"""Threats that rules alone give are compared with lines counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.effort import quick
from tests.foreign import FOREIGN, needs_foreign
from tests.puzzles.grids import by_hand, ids_of, solved

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.puzzles import CalledReward, FormulaReward, ThreatReward
from kibitz.puzzles.skill.skills import evaluate
from kibitz.puzzles.state_variables import FluentTest
from kibitz.puzzles.threat_conditions import find_threats, winning_conditions
from kibitz.space import explore

GRIDS = ["mnk:3,3,3", "mnk:3,3,3,RC", "connect:3,4x4", "connect:3,4x4,CD", "bottom2:3,3x3,RD"]


@pytest.mark.parametrize(
    "name", quick([*GRIDS, "connect:4,4x3"], set(GRIDS) - {"connect:3,4x4,CD"})
)
def test_in_games_of_lines_the_reward_is_the_paper_s(name: str) -> None:
    game = by_hand(name)
    found = ThreatReward()(solved(name).space)
    for board, state in ids_of(name).items():
        if game.outcome(board) is None:
            assert found[state] == game.reward(board), board


def named(game: CompiledGame, way: frozenset[FluentTest]) -> set[str]:
    found = set()
    for part in way:
        names = [str(f) for i, f in enumerate(game.network.fluents) if part.mask >> i & 1]
        found.add("not " * part.is_denied + " or ".join(sorted(names)))
    return found


def test_in_sim_the_opponent_s_triangles_are_one_s_own_chances() -> None:
    game = CompiledGame(load_sheet("sim"))
    ways = winning_conditions(game, 0)
    assert len(ways) == 20
    assert {"(edge 1 2 blue)", "(edge 1 3 blue)", "(edge 2 3 blue)"} in [
        named(game, way) for way in ways
    ]


def test_what_no_move_can_change_is_not_counted() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    for role in (0, 1):
        for way in winning_conditions(game, role):
            assert not any("control" in name for name in named(game, way))


def test_a_cell_that_can_be_captured_is_still_a_chance() -> None:
    text = """
    (role a) (role b) (sign a x) (sign b o) (init (control a))
    (cell 1) (cell 2) (cell 3)
    (<= (init (at ?c n)) (cell ?c))
    (<= (legal ?p (take ?c)) (true (control ?p)) (cell ?c) OPEN)
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (at ?c ?s)) (does ?p (take ?c)) (sign ?p ?s))
    (<= (next (at ?c ?v)) (true (at ?c ?v)) (not (taken ?c)))
    (<= (taken ?c) (does ?p (take ?c)))
    (<= (next (control b)) (true (control a)))
    (<= (next (control a)) (true (control b)))
    (<= (wins ?p) (sign ?p ?s) (true (at 1 ?s)) (true (at 2 ?s)) (true (at 3 ?s)))
    (<= terminal (wins ?p))
    (<= (goal ?p 100) (wins ?p))
    (<= (goal ?p 0) (role ?p) (not (wins ?p)))
    """

    def threats(rule: str) -> tuple[int, int]:
        game = CompiledGame(read(text.replace("OPEN", rule)))
        state = game.initial()
        for joint in (("(take 1)", "noop"), ("noop", "(take 3)"), ("(take 2)", "noop")):
            state = state.step(joint)
        return len(find_threats(game, 0)), int(ThreatReward()(explore(game, starts=[state]))[0])

    assert threats("(true (at ?c n))") == (3, 0)
    assert threats("(not (true (control none)))") == (3, 1)


def test_a_cell_held_by_any_of_several_men_is_one_part_of_a_line() -> None:
    game = CompiledGame(load_sheet("tictacchec"))
    ways = [named(game, way) for way in winning_conditions(game, 0)]
    assert len(ways) == 10
    row = [
        " or ".join(f"(cell 1 {col} {man})" for man in ("wb", "wn", "wp", "wr"))
        for col in range(1, 5)
    ]
    assert set(row) in ways
    state = game.initial()
    for white, black in (("wp 1 1", "bp 4 4"), ("wn 1 2", "bn 3 4"), ("wr 1 4", "bb 2 2")):
        state = state.step((f"(enter {white})", "noop"))
        state = state.step(("noop", f"(enter {black})"))
    assert isinstance(state.key, int)
    held = [sum(t.holds(state.key) for t in find_threats(game, role)) for role in (0, 1)]
    assert held == [1, 0]


def test_threats_hold_in_a_block_of_states_as_in_each_of_them() -> None:
    game = CompiledGame(load_sheet("threemensmorris"))
    space = explore(game)
    found = ThreatReward()(space)
    mine, theirs = (find_threats(game, role) for role in (0, 1))
    for state in range(0, len(space), 97):
        key = space.state(state).key
        assert isinstance(key, int)
        assert found[state] == sum(t.holds(key) for t in mine) - sum(t.holds(key) for t in theirs)


def test_who_wins_unless_the_match_ends_otherwise_has_conditions_too() -> None:
    text = """
    (role wolf) (role sheep) (init (at 1)) (next2 1 2) (next2 2 3) (next2 3 4)
    (<= (legal wolf (go ?n)) (true (at ?m)) (next2 ?m ?n)) (<= (legal wolf stay))
    (<= (legal sheep (shut ?n)) (next2 ?m ?n)) (<= (legal sheep noop))
    (<= (next (at ?n)) (does wolf (go ?n)))
    (<= (next (at ?m)) (true (at ?m)) (does wolf stay))
    (<= (next (shut ?n)) (does sheep (shut ?n)))
    (<= (next (shut ?n)) (true (shut ?n)))
    (<= shut_in (true (shut 3)) (true (shut 4)))
    (<= (goal wolf 100) (not shut_in)) (<= (goal wolf 0) shut_in)
    (<= (goal sheep 0) (not shut_in)) (<= (goal sheep 100) shut_in)
    (<= terminal shut_in) (<= terminal (true (at 4)))
    """
    game = CompiledGame(read(text))
    assert [len(winning_conditions(game, role)) for role in (0, 1)] == [2, 1]


def test_conditions_of_many_parts_do_not_explode() -> None:
    rows = " ".join(f"(either {i})" for i in range(40))
    fluents = "\n".join(
        f"(<= (next (f {i} {v})) (does a (set {i} {v})))" for i in range(40) for v in (1, 2)
    )
    moves = "\n".join(f"(legal a (set {i} {v}))" for i in range(40) for v in (1, 2))
    either = "(n 1) (n 2) (<= (either ?i) (true (f ?i ?v)) (n ?v))"
    ends = f"(<= (goal a 100) {rows}) (<= terminal (not (either 1)))"
    text = f"(role a) {moves} {fluents} {either} {ends}"
    assert len(winning_conditions(CompiledGame(read(text)), 0)) <= 2000


def test_a_game_without_goals_has_no_threats() -> None:
    game = CompiledGame(read("(role a) (legal a noop) (<= terminal (true x)) (init y)"))
    assert find_threats(game, 0) == []


@needs_foreign
def test_lines_of_a_foreign_rule_sheet_are_found() -> None:
    game = CompiledGame(read((FOREIGN / "rules" / "ticTacToe.kif").read_text("utf-8")))
    assert [len(find_threats(game, role)) for role in (0, 1)] == [24, 24]


def test_a_reward_can_be_a_function_of_blocks_of_states() -> None:
    space = solved("mnk:3,3,3").space
    reward = CalledReward(lambda rows: rows[:, 0] & np.uint64(1), block=1000)
    assert (evaluate(reward, space) == (space.states[:, 0] & np.uint64(1))).all()


def test_a_reward_can_be_formulas_with_weights() -> None:
    space = solved("mnk:3,3,3").space
    text = "# the centre\n3 (cell 2 2 x)\n\n-2 (cell 2 2 o)\nnot (cell 1 1 b)\n"
    found = evaluate(FormulaReward(text, space.game), space)
    for state in range(0, len(space), 37):
        held = {str(f) for f in space.state(state).fluents}
        worth = 3 * ("(cell 2 2 x)" in held) - 2 * ("(cell 2 2 o)" in held)
        assert found[state] == worth + ("(cell 1 1 b)" not in held)


@pytest.mark.parametrize("text", ["next (cell 1 1 x)", "does(mark(1,1))", "1 (cell 9 9 x)", "2"])
def test_a_formula_that_is_not_about_states_is_refused(text: str) -> None:
    with pytest.raises(KibitzError):
        FormulaReward(text, solved("mnk:3,3,3").space.game)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda rows: [0], "numbers for"),
        (lambda rows: np.full(len(rows), 0.5), "whole"),
        (lambda rows: np.full(len(rows), np.inf), "between"),
        (lambda rows: np.full(len(rows), "x"), "one number"),
    ],
)
def test_a_function_that_gives_no_reward_is_refused(function: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(CalledReward(function), solved("mnk:3,3,3").space)  # type: ignore[arg-type]
