"""An explanation without a time depends on input and seed; where time ends it, it says so."""

from __future__ import annotations

from kibitz.games import load_sheet
from kibitz.present import Study, StudyOptions, to_text


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
