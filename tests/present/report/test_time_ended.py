"""A report without a time for rules depends on input and seed; where time ends it, it says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.present.report import Wish, make_report
from kibitz.present.report.sampling import sample_random, sample_search
from kibitz.present.report.text import as_text


@pytest.mark.slow
def test_rules_by_rounds_do_not_speak_of_time() -> None:
    one, other = (make_report(load_sheet("nim:2,2")) for _ in range(2))
    assert one.rule_counts == other.rule_counts
    assert not any(found.time_ended for found in one.rule_counts)
    assert "time ended" not in as_text(one)


def test_rules_that_time_ended_say_so() -> None:
    found = make_report(load_sheet("connect:3,3x3"), Wish(rule_seconds=1e-6))
    ended = [one for one in found.rule_counts if one.rules is not None]
    assert [one.time_ended for one in ended] == [True] * len(ended) != []
    assert "time ended the search" in as_text(found)
    assert found.as_json()["rule_counts"][0].keys() >= {"time_ended"}


def test_matches_that_time_ended_say_so() -> None:
    game = CompiledGame(load_sheet("nim:3,4"))
    for sample in (sample_random, sample_search):
        hurried = sample(game, seconds=0, matches=3)
        assert hurried is not None
        assert (hurried.matches, hurried.time_ended) == (2, True)
    whole = sample_random(game, seconds=1e6, matches=3)
    assert whole is not None
    assert (whole.matches, whole.time_ended) == (3, False)
    found = replace(make_report(load_sheet("nim:1,2"), Wish(rule_seconds=0)), sampled=(whole,))
    assert "time ended" not in as_text(found)
    assert "time ended it" in as_text(replace(found, sampled=(replace(whole, time_ended=True),)))
