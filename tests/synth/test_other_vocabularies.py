"""A bound names the rules it is about, and fewer rules of another kind are named."""

from __future__ import annotations

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.synth import Options, fewer_elsewhere, headline, prepare, synthesise


@pytest.mark.parametrize(
    ("options", "language"),
    [
        (Options(), "rules about the position"),
        (Options(features=True), "rules about the position and one or two moves ahead"),
        (Options(features=True, literals="none"), "rules about one or two moves ahead"),
        (Options(literals="none"), "rules without conditions"),
        (Options(literals="positive"), "rules about what holds in the position"),
        (Options(lift="heap.1"), "rules about the position with variables for heap.1"),
        (Options(reading="none"), "rules about the position read with --symmetry none"),
        (Options(must_answer=True), "rules about the position that always have an answer"),
    ],
)
def test_a_language_is_named_by_its_options(options: Options, language: str) -> None:
    assert options.language == language


def test_a_bound_names_its_language_and_another_that_needs_fewer_rules() -> None:
    game = CompiledGame(load_sheet("nim:1,2,4"))
    options = Options(rounds=20)
    prepared = prepare(game)
    found = synthesise(game, "player1", options, prepared=prepared)
    assert found.proved_minimal
    assert len(found.rules) > 1
    assert "no shorter list of rules about the position exists" in headline(found)
    fewer = fewer_elsewhere(game, found, options, prepared)
    assert fewer is not None
    assert (fewer.option, fewer.rules) == ("--insight", 1)
    assert fewer.sentence == "With --insight 1 rule is enough."


def test_nothing_is_said_of_other_rules_where_they_are_not_fewer() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    options = Options(rounds=5)
    prepared = prepare(game)
    found = synthesise(game, "player1", options, prepared=prepared)
    assert fewer_elsewhere(game, found, options, prepared) is None
