"""Rules with two moves, with variables, and with formulas that somebody wrote."""

from __future__ import annotations

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet, rule_text
from kibitz.gdl import parse
from kibitz.strategy import read_strategy
from kibitz.synth import Options, synthesise
from kibitz.synth.problem.problem import make_problem, prices_of
from kibitz.synth.synthesis import prepare

PARITY = """
(<= (digit 1 1)) (digit 3 1) (digit 3 2) (digit 2 2)
(<= (one ?h ?d) (true (heap ?h ?n)) (digit ?n ?d))
(place 1) (place 2)
(<= (odd ?d) (place ?d) (one a ?d) (not (one b ?d)) (not (one c ?d)))
(<= (odd ?d) (place ?d) (not (one a ?d)) (one b ?d) (not (one c ?d)))
(<= (odd ?d) (place ?d) (not (one a ?d)) (not (one b ?d)) (one c ?d))
(<= (odd ?d) (place ?d) (one a ?d) (one b ?d) (one c ?d))
"""
"""Whether an odd number of heaps has a binary digit."""


@pytest.mark.slow
def test_two_moves_in_a_rule_make_lists_shorter() -> None:
    game = CompiledGame(load_sheet("nim:1,2,3"))
    plain = synthesise(game, "player2", Options(rounds=4))
    found = synthesise(game, "player2", Options(rounds=6, actions=True))
    assert "{" in found.strategy.text
    assert found.verdict.strongly_optimal
    assert len(found.rules) < len(plain.rules)


def test_pairs_of_moves_are_taken_up_to_symmetry() -> None:
    game = CompiledGame(load_sheet("mnk:2,3,2"))
    found = synthesise(game, "oplayer", Options(rounds=2, actions=True))
    assert found.verdict.strongly_optimal
    pairs = [moves for moves in found.problem.orbit_moves if len(moves) == 2]
    assert 0 < len(pairs) < 15


def test_variables_make_lists_shorter() -> None:
    game = CompiledGame(load_sheet("nim:1,2,3"))
    options = Options(rounds=6, reading="none", lift="heap.1")
    found = synthesise(game, "player2", options)
    assert "any V1 in heap.1" in found.strategy.text
    assert found.verdict.strongly_optimal
    assert len(found.rules) < 8, "which are needed without variables"


@pytest.mark.parametrize(
    ("lift", "reading", "message"),
    [
        ("heap.9", "none", "not an argument with several values"),
        ("chess", "none", "not an argument with several values"),
        ("heap.1", "any", "the reading none"),
    ],
)
def test_a_domain_that_cannot_be_lifted_is_refused(lift: str, reading: str, message: str) -> None:
    game = CompiledGame(load_sheet("nim:1,2,3"))
    with pytest.raises(InputError, match=message):
        synthesise(game, "player2", Options(lift=lift, reading=reading))  # type: ignore[arg-type]


def test_nim_takes_one_rule_when_it_can_speak_of_the_nim_sum() -> None:
    sheet = parse(rule_text("nim:1,2,3") + PARITY, name="nim with digits")
    game = CompiledGame(sheet)
    formulas = ("next not odd(1)", "next not odd(2)")
    found = synthesise(game, "player2", Options(rounds=5, reading="none", formulas=formulas))
    assert len(found.rules) == 1
    assert found.proved_minimal
    assert found.strategy.text.count("next not odd") == 2


WIN = "next wins(me) => {(mark 1 1), (mark 1 2), (mark 1 3), (mark 2 1), (mark 2 3)}"


@pytest.mark.parametrize("locked", [True, False])
def test_a_rule_that_only_its_text_can_tell_is_kept_in_front(locked: bool) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    start = read_strategy(f"{WIN}\ntrue => (mark 2 2)\n", game)
    found = synthesise(game, "xplayer", Options(rounds=2), start=start, locked=locked)
    assert found.strategy.text.startswith("next wins(xplayer) => {(mark 1 1), (mark 1 2)")
    assert found.verdict.strongly_optimal
    if locked:
        assert found.rule_texts[1] == "true => (mark 2 2)"


def test_a_meta_rule_that_errs_is_refused() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    start = read_strategy("true => {(mark 1 1), (mark 3 2)}", game, name="mine")
    with pytest.raises(InputError, match="mine errs already"):
        synthesise(game, "xplayer", Options(rounds=1), start=start)


def test_what_is_easy_to_say_is_near_and_not_denied() -> None:
    made = prepare(CompiledGame(load_sheet("tictactoe")))
    problem = make_problem(made.solution, "xplayer", symmetries=made.symmetries)
    prices = prices_of(problem, "easy")
    corner = problem.orbit_of[[str(m) for m in problem.moves].index("(mark 1 1)")]
    atom = {str(name): 2 * i for i, name in enumerate(problem.atoms)}
    near, far = atom["(cell 1 2 x)"], atom["(cell 3 3 x)"]
    assert prices[corner, near] < prices[corner, far] < prices[corner, far + 1]
    assert (prices_of(problem, "rules") == 1).all()
