"""An explanation without a time depends on input and seed; where time ends it, it says so."""

from __future__ import annotations

import pytest

from kibitz.games import load_sheet
from kibitz.present import Explanation, Study, StudyOptions, to_text
from kibitz.present.explanation import study


def test_an_explanation_by_rounds_does_not_speak_of_time() -> None:
    study = Study(load_sheet("nim:2,2"), StudyOptions())
    study.run()
    assert not any(part["time_ended"] for part in study.known.as_json()["parts"])
    assert "Time ended" not in to_text(study.known)


def test_an_explanation_that_time_ended_says_so() -> None:
    study = Study(load_sheet("connect:3,3x3"), StudyOptions(seconds=1e-6))
    study.run()
    told = [part for part in study.known.parts if part.rules and not part.proved_minimal]
    assert told
    assert all(part.time_ended for part in told)
    assert "Time ended the search; more --time may find fewer." in " ".join(
        to_text(study.known).split()
    )


def test_players_are_known_before_the_rules_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends_here(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    kept: list[Explanation] = []
    monkeypatch.setattr(study, "CompiledGame", ends_here)
    with pytest.raises(KeyboardInterrupt):
        Study(load_sheet("tictactoe"), StudyOptions(), kept=kept.append).run()
    assert kept[-1].roles == ("xplayer", "oplayer")
    assert "no time to compile them" in to_text(kept[-1])
