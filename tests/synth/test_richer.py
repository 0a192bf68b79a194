"""Rules with two moves, with variables, and with formulas that somebody wrote."""

from __future__ import annotations

import pytest

from kibitz.engine.compiled import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load, rule_text
from kibitz.gdl import parse
from kibitz.synth import Options, synthesise

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


def test_two_moves_in_a_rule_make_lists_shorter() -> None:
    game = CompiledGame(load("nim:1,2,3"))
    plain = synthesise(game, "player2", Options(rounds=4))
    found = synthesise(game, "player2", Options(rounds=6, actions=True))
    assert "{" in found.strategy.text
    assert found.verdict.strongly_optimal
    assert len(found.rules) < len(plain.rules)


def test_pairs_of_moves_are_taken_up_to_symmetry() -> None:
    game = CompiledGame(load("mnk:2,3,2"))
    found = synthesise(game, "oplayer", Options(rounds=2, actions=True))
    assert found.verdict.strongly_optimal
    pairs = [moves for moves in found.problem.orbit_moves if len(moves) == 2]
    assert 0 < len(pairs) < 15


def test_variables_make_lists_shorter() -> None:
    game = CompiledGame(load("nim:1,2,3"))
    options = Options(rounds=6, reading="none", lift="heap.1")
    found = synthesise(game, "player2", options)
    assert "any V1 in heap.1" in found.strategy.text
    assert found.verdict.strongly_optimal
    assert len(found.rules) < 8, "which are needed without variables"


@pytest.mark.parametrize(
    ("lift", "reading", "message"),
    [
        ("heap.9", "none", "no argument with several values"),
        ("chess", "none", "no argument with several values"),
        ("heap.1", "any", "the reading none"),
    ],
)
def test_a_domain_that_cannot_be_lifted_is_refused(lift: str, reading: str, message: str) -> None:
    game = CompiledGame(load("nim:1,2,3"))
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
