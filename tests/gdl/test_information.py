from __future__ import annotations

import pytest
from tests.hidden_coin import COIN

from kibitz.errors import RuleSheetError, Severity
from kibitz.gdl import diagnose, parse_terms, read, require_gdl1, starting_at


def codes(text: str) -> set[str]:
    return {d.code for d in diagnose(text)[1]} & {"GDL042", "GDL043"}


def test_chance_and_hidden_information_are_named_with_their_places() -> None:
    sheet, found = diagnose(COIN, name="coin.kif")
    seen = [d for d in found if d.code in ("GDL042", "GDL043")]
    assert [(d.code, *sheet.source.position(d.place.start)) for d in seen] == [
        ("GDL042", 1, 1),
        ("GDL043", 20, 5),
    ]
    assert {d.severity for d in seen} == {Severity.WARNING}
    assert all("--as-gdl1" in d.hint for d in seen)


def test_they_are_refused_as_errors_where_something_is_proved() -> None:
    with pytest.raises(RuleSheetError) as caught:
        require_gdl1(read(COIN, name="coin.kif"))
    assert {d.severity for d in caught.value.diagnostics} == {Severity.ERROR}
    assert str(caught.value).startswith("coin.kif:1:1: GDL042: ")


@pytest.mark.parametrize(
    "text",
    [
        COIN.replace("random", "thrower").rpartition("(<= (sees")[0],
        # One move whatever the state is waiting.
        "(role random) (role a) (legal random noop) (legal a b) (legal a c) (goal a 100)",
        # A relation of this name that is asked for is no percept; GDL-II has it in heads only.
        "(role a) (legal a b) (<= (sees ?x ?y) (line ?x ?y)) (line 1 2) (<= terminal (sees 1 2))",
    ],
    ids=["another name", "waiting", "a relation"],
)
def test_other_rules_are_taken(text: str) -> None:
    assert codes(text) == set()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(role Random) (legal Random a) (legal Random b)", "GDL042"),
        ("(role random) (side 1) (side 2) (<= (legal random (throw ?s)) (side ?s))", "GDL042"),
        ("(role random) (role b) (<= (legal ?r (go ?x)) (role ?r) (to ?x)) (to 1)", "GDL042"),
        ("(role a) (legal a b) (<= (SEES a ?x) (true (card ?x)))", "GDL043"),
    ],
)
def test_keywords_are_known_in_any_case_and_moves_by_their_variables(text: str, code: str) -> None:
    assert codes(text) == {code}


def test_rules_taken_as_gdl_stay_so_where_the_start_is_moved() -> None:
    sheet = read(COIN, as_gdl1=True)
    require_gdl1(sheet)
    require_gdl1(starting_at(sheet, parse_terms("(step call) (lies heads)")))
    assert read(COIN) == sheet
